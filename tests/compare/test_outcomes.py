"""Labels against what happened: planted disagreements are counted where they are."""

from pathlib import Path

from commands import invoke
from fakes import FakePair, make_fake_suite

from pactwin.compare.outcomes import outcome_agreement, outcome_tables
from pactwin.suite import CaptureRecord, Constraint, Outcome, Scene, Suite

OTHER = Constraint.NEEDS_TWO_HANDS


def with_outcome(scene: Scene, *, agrees: bool, cause: bool, source: str = "real") -> Scene:
    worked = scene.decided.feasible == agrees
    constraint = None
    if not worked:
        constraint = scene.decided.constraint if cause and not scene.decided.feasible else OTHER
    capture = CaptureRecord(
        calibration="",
        skew_ms=0.0,
        state_age_ms=0.0,
        clock_offset_ms=0.0,
        mode_machine=5,
        joints_rad={},
        placement={},
        outcome=Outcome(worked=worked, constraint=constraint),
    )
    return scene.model_copy(update={"capture": capture, "source": source})


def test_disagreements_are_counted_by_source_and_domain(fake_suite_path: Path) -> None:
    scenes = list(Suite.open(fake_suite_path).scenes())
    infeasible = [scene for scene in scenes if not scene.decided.feasible]
    feasible = [scene for scene in scenes if scene.decided.feasible]
    told = [with_outcome(scene, agrees=True, cause=True) for scene in infeasible[:3]]
    told.append(with_outcome(infeasible[3], agrees=True, cause=False))
    told.append(with_outcome(infeasible[4], agrees=False, cause=False))
    told += [with_outcome(scene, agrees=False, cause=False) for scene in feasible[:2]]
    told.append(with_outcome(feasible[3], agrees=True, cause=True, source="rehearsal"))
    found = {(row.source, row.domain): row for row in outcome_agreement([*told, *scenes])}
    real = found["real", "all"]
    assert (real.scenes, real.agree, real.only_worked, real.only_label) == (7, 4, 1, 2)
    assert (real.same_cause, real.causes) == (3, 4)
    assert found["rehearsal", "all"].scenes == 1
    by_domain = [
        row
        for (source, domain), row in found.items()
        if (source, domain != "all") == ("real", True)
    ]
    assert sum(row.scenes for row in by_domain) == 7
    titles = [table.title for table in outcome_tables(told)]
    assert [title.rpartition(": ")[2] for title in titles] == ["real", "rehearsal"]
    assert outcome_tables(scenes) == []


def test_compare_shows_the_agreement_of_captures_alone(tmp_path: Path) -> None:
    def captured(pair: FakePair) -> FakePair:
        scenes = [with_outcome(scene, agrees=True, cause=True) for scene in pair.scenes]
        copies = [s.model_copy(update={"mirror_of": s.id}) for s in scenes]
        return FakePair((copies[0], copies[1]), pair.files, pair.rejections)

    suite = make_fake_suite(tmp_path / "real", n_pairs=2, cameras=("head",), change=captured)
    logs, page = str(tmp_path / "logs"), tmp_path / "report.html"
    asked = ["eval", str(suite), "--model", "pactwin/always-no", "--form", "yes_no"]
    invoke(*asked, "--log-dir", logs)
    result = invoke("compare", logs, "--out", page)
    assert "Labels and what happened: real" in result.stdout
    assert "1.00 (0.51-1.00)" in result.stdout
    text = page.read_text(encoding="utf-8")
    assert '<section id="outcomes">' in text
    assert "People carried the actions out" in text
