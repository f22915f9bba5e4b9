"""The panel over mirrored pairs, from records made by hand with planted gaps."""

from collections.abc import Callable

import numpy as np
import pytest
from copied_pairs import copied
from fakes import make_fake_suite
from made_up import scene_row
from scipy import stats

from pactwin.compare import score, write_report
from pactwin.compare.across_models import across_models, mean_maximum_rank_violation
from pactwin.compare.paired import holm
from pactwin.compare.prediction_powered import prediction_powered
from pactwin.compare.sim_to_real import SimToReal, one_source, sim_to_real
from pactwin.suite import InvalidInputError, Scene, Suite, load_suite
from pactwin.tasks import AnswerRow, AnswerState

pytestmark = pytest.mark.slow

COPIED, ALL = 30, 80
Scenes = dict[tuple[str, str], Scene]


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Suite]:
    folder = tmp_path_factory.mktemp("mirrored")
    made = {"sim": make_fake_suite(folder / "sim", n_pairs=ALL, cameras=("head",))}
    for name, change in {
        "real": copied("real", 0.004),
        "rehearsal": copied("rehearsal", 0.004),
        "far": copied("real", 0.05),
        "measured": copied("sim", 0.004),
        "nominal": copied("sim"),
    }.items():
        made[name] = make_fake_suite(
            folder / name, n_pairs=COPIED, cameras=("head",), change=change
        )
    made["other"] = make_fake_suite(folder / "other", n_pairs=1, cameras=("head",), seed=9)
    return {name: Suite.open(path) for name, path in made.items()}


def scenes_of(*suites: Suite) -> Scenes:
    return {
        (suite.info.content_hash, scene.id): scene
        for suite in suites
        for scene in load_suite(suite.path).scenes.values()
    }


def answers(
    suite: Suite, model: str, right: Callable[[str, np.random.Generator], bool]
) -> list[AnswerRow]:
    """Yes/no rows; ``right`` gets the id of the simulated scene and that scene's own generator."""
    rows = []
    for question in load_suite(suite.path).questions.values():
        if question.form != "yes_no":
            continue
        scene = load_suite(suite.path).scenes[question.scene_id]
        original = scene.mirror_of or scene.id
        feasible = scene.decided.feasible
        says = feasible == right(original, np.random.default_rng(int(original, 16)))
        facts = {"model": model, "question_id": question.id}
        rows.append(scene_row(suite.info, scene, says=says, view="head", **facts))
    return rows


def skilled(share: float, violated: float = 0.0) -> Callable[[str, np.random.Generator], bool]:
    """Right in ``share`` of scenes, of which ``spoiled`` turn wrong."""

    def right(scene: str, rng: np.random.Generator) -> bool:
        knows, stays = rng.random(2)
        return bool(knows < share and stays >= violated)

    return right


def panel(suites: dict[str, Suite], source: str, rows: list[AnswerRow]) -> SimToReal:
    scenes = scenes_of(*suites.values())
    (found,) = (p for p in sim_to_real(rows, scenes) if p.source == source)
    return found


def test_the_prediction_powered_formula_by_hand() -> None:
    """Copies that never vary leave the plain mean, perfect ones save all of it."""
    rng = np.random.default_rng(0)
    real, others = rng.integers(0, 3, 40) / 2, rng.integers(0, 3, 400) / 2
    blind = prediction_powered(real, np.full(40, 0.5), np.full(400, 0.5))
    assert (blind.value, blind.weight, blind.saved) == (pytest.approx(real.mean()), 0.0, 0.0)
    perfect = prediction_powered(real, real, others)
    weight = np.cov(real, real)[0, 1] / np.var(np.concatenate([real, others]), ddof=1) / 1.1
    assert perfect.weight == pytest.approx(weight)
    assert perfect.value == pytest.approx(real.mean() - weight * (real.mean() - others.mean()))
    assert perfect.saved == pytest.approx(400)
    assert perfect.high - perfect.low < blind.high - blind.low
    with pytest.raises(InvalidInputError, match="there are 3 and 9"):
        prediction_powered(np.zeros(3), np.zeros(3), np.zeros(9))


def test_ranks_across_models_by_hand() -> None:
    real, sim = np.array([0.9, 0.5, 0.6]), np.array([0.8, 0.7, 0.6])
    assert mean_maximum_rank_violation(real, sim) == pytest.approx((0.0 + 0.1 + 0.1) / 3)
    assert mean_maximum_rank_violation(real, real) == 0.0
    rng = np.random.default_rng(1)
    ease = rng.random((5, 40))
    scores = {f"m{i}": (np.clip(e + 0.1 * i, 0, 1), e) for i, e in enumerate(ease)}
    found = across_models(scores)
    assert found is not None and found.r is not None and found.r_interval is not None
    means = [np.mean([s[side] for s in scores.values()], axis=1) for side in (1, 0)]
    assert found.r == pytest.approx(stats.pearsonr(*means).statistic)
    z = np.arctanh(found.r)
    half = stats.norm.ppf(0.975) / np.sqrt(5 - 3)
    assert found.r_interval == pytest.approx((np.tanh(z - half), np.tanh(z + half)))
    assert found.violation_interval[0] <= found.rank_violation <= found.violation_interval[1]
    assert across_models({"a": scores["m0"]}) is None


def test_the_gap_splits_into_steps_that_sum_to_it(suites: dict[str, Suite]) -> None:
    rows = answers(suites["sim"], "m", skilled(0.9))
    rows += answers(suites["nominal"], "m", skilled(0.9, 0.1))
    rows += answers(suites["measured"], "m", skilled(0.9, 0.2))
    rows += answers(suites["real"], "m", skilled(0.9, 0.5))
    chosen = {name: suites[name] for name in ("sim", "nominal", "measured", "real")}
    found = panel(chosen, "real", rows)
    steps = found.splits["m"]
    assert list(steps) == ["appearance", "geometry", "camera"]
    gap = next(gap.test for gap in found.gaps if gap.domain == "all")
    assert sum(t.difference for t in steps.values()) == pytest.approx(gap.difference)
    assert steps["appearance"].difference < steps["geometry"].difference < 0
    without = [r for r in rows if r.suite_hash != suites["nominal"].info.content_hash]
    assert list(panel(chosen, "real", without).splits["m"]) == ["appearance", "geometry and camera"]


def test_steps_of_all_models_are_one_family_of_tests(suites: dict[str, Suite]) -> None:
    stages = {"sim": 0.0, "nominal": 0.0, "measured": 0.0, "real": 0.3}
    rows = [
        row
        for model in ("a", "b")
        for name, violated in stages.items()
        for row in answers(suites[name], model, skilled(0.9, violated))
    ]
    found = panel({name: suites[name] for name in stages}, "real", rows)
    tests = [test for steps in found.splits.values() for test in steps.values()]
    assert len(tests) == 6
    assert holm(tests) == tests
    assert any(test.p_holm > test.p for test in tests)


def test_a_model_that_falls_silent_on_captures_shows_it(suites, tmp_path):
    sim, real = suites["sim"], suites["real"]
    silent = {
        "says": lambda k: AnswerState.CORRECT,
        "some": lambda k: AnswerState.CORRECT if k % 3 else AnswerState.REFUSED,
        "none": lambda k: AnswerState.UNPARSED,
        "down": lambda k: AnswerState.ERROR,
    }
    rows: list[AnswerRow] = []
    for model, state_of in silent.items():
        rows += answers(sim, model, skilled(1.0))
        for k, row in enumerate(answers(real, model, skilled(1.0))):
            if (state := state_of(k)) != AnswerState.CORRECT:
                row = row.model_copy(update={"state": state, "predicted_feasible": None})
            rows.append(row)
    found = panel({"sim": sim, "real": real}, "real", rows)
    told = {silence.model: silence for silence in found.silences}
    assert told.keys() == silent.keys()
    asked = 2 * COPIED
    assert all((s.asked, s.sim) == (asked, {}) for s in told.values())
    assert [told[m].captured for m in silent] == [
        {},
        {"refused": asked // 3},
        {"unparsed": asked},
        {"error": asked},
    ]
    some, none = told["some"].test, told["none"].test
    assert some is not None and none is not None
    assert (some.difference, none.difference) == (pytest.approx(-1 / 3), -1.0)
    assert max(some.p_holm, none.p_holm) < 0.01
    assert told["down"].test is None  # an instrument that fails is no silence of the model
    assert {gap.model for gap in found.gaps} == {"says", "some"}
    assert all(gap.test.difference == 0 for gap in found.gaps)
    # Nothing but silence is a gap, too.
    mute = [row for row in rows if row.model == "none"]
    alone = panel({"sim": sim, "real": real}, "real", mute)
    assert (alone.gaps, alone.pairs) == ([], COPIED)
    page = tmp_path / "report.html"
    write_report(mute, score(mute), [sim, real], page, pairs_per_domain=1)
    assert f"{asked} unparsed" in page.read_text(encoding="utf-8")


def test_rehearsal_and_real_are_panels_of_their_own_and_never_pooled(suites, tmp_path):
    rows = [
        row
        for name, violated in (("sim", 0.0), ("real", 0.5), ("rehearsal", 0.1))
        for row in answers(suites[name], "m", skilled(0.9, violated))
    ]
    chosen = [suites[name] for name in ("sim", "real", "rehearsal")]
    scenes = scenes_of(*chosen)
    panels = {p.source: p for p in sim_to_real(rows, scenes)}
    assert set(panels) == {"real", "rehearsal"}
    alone = [r for r in rows if r.suite_hash != suites["rehearsal"].info.content_hash]
    assert sim_to_real(alone, scenes_of(*chosen[:2])) == [panels["real"]]
    source, pooled = one_source(rows, scenes)
    assert source == "sim"
    assert {row.suite_hash for row in pooled} == {suites["sim"].info.content_hash}
    captured = [row for row in rows if row not in pooled]
    assert one_source(captured, scenes)[0] == "real"
    page = tmp_path / "report.html"
    write_report(rows, score(pooled), chosen, page, pairs_per_domain=1)
    text = page.read_text(encoding="utf-8")
    assert "a disturbed simulation plays reality" in text
    assert "Other sources are never pooled with them" in text


def test_misplaced_copies_are_left_out_and_named(suites: dict[str, Suite]) -> None:
    sim, far = suites["sim"], suites["far"]
    rows = answers(sim, "m", skilled(0.9)) + answers(far, "m", skilled(0.9))
    assert sim_to_real(rows, scenes_of(sim, far)) == []
    assert sim_to_real(answers(far, "m", skilled(0.9)), scenes_of(far)) == []
    alone = suites["other"]
    with pytest.raises(InvalidInputError, match="of which no suite was found"):
        sim_to_real(answers(far, "m", skilled(0.9)), scenes_of(far, alone))
