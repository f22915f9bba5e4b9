"""``pactwin make uses``: one pair, made by the command and checked, asked, answered and retried."""

from pathlib import Path

import pytest
from commands import invoke
from evaluating import evaluate
from making import made_suite, served_and_failed

from pactwin.suite import THING_CONSTRAINTS, Question, Scene, Suite, shows
from pactwin.suite.checking.leaks import Leak
from pactwin.tasks import AnswerState, read_rows

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = ["--seed=3", "--pairs=1", "--uses=hook_and_pull", "--cameras=agent", "--size=480x360"]
    return made_suite(tmp_path_factory.mktemp("uses"), "uses", *options)


@pytest.fixture(scope="session")
def twins(made: Path) -> tuple[Scene, Scene]:
    return served_and_failed(made)


def asked(made: Path, form: str) -> dict[str, Question]:
    return {q.scene_id: q for q in Suite.open(made).questions() if q.form == form}


def test_two_things_have_changed_places(twins: tuple[Scene, Scene]) -> None:
    served, _ = twins
    target, (partner,) = served.decided.objects[0], served.decided.involved
    mine, other = ({o.name: o for o in scene.objects} for scene in twins)
    assert {n for n in mine if mine[n] != other[n]} == {target, partner}
    assert mine[target].size_m == other[partner].size_m
    assert mine[target].world_from_object[0][3] == pytest.approx(
        other[target].world_from_object[0][3], abs=0.02
    )


def test_every_thing_and_part_was_played(twins: tuple[Scene, Scene]) -> None:
    served, failed = twins
    whole = [(use.thing, use.part) for use in served.decided.played]
    assert whole == [(use.thing, use.part) for use in failed.decided.played]
    assert len({thing for thing, _ in whole}) == 5
    assert served.decided.objects[0] in {u.thing for u in served.decided.played if u.serves}
    for use in (*served.decided.played, *failed.decided.played):
        assert use.perturbations.agreed == use.perturbations.run
        assert use.serves == (use.margin > 0)


def test_questions_name_things_and_parts(made: Path, twins: tuple[Scene, Scene]) -> None:
    served, failed = twins
    target = served.decided.objects[0]
    good = {u.part for u in served.decided.played if u.serves and u.thing == target}
    parts = [f"the {part} of the {target}" for part in good]
    for form, right in (("thing", [f"the {target}"]), ("part", parts)):
        both = asked(made, form)
        assert right and set(right) <= set(both[served.id].accepted)
        assert not set(right) & set(both[failed.id].accepted)
        assert both[served.id].text == both[failed.id].text
    options = asked(made, "choice")[failed.id].options
    assert set(options) == {c.statement for c in THING_CONSTRAINTS}
    for question in asked(made, "thing").values():
        assert all(
            shows(v, question.objects) for v in served.views if v.camera.name in question.views
        )


def test_what_is_told_needs_no_picture(made, twins, tmp_path):
    served, failed = (asked(made, "told")[scene.id] for scene in twins)
    assert served.views == failed.views == () and served.text == failed.text
    mine, other = ({c.name: c.description for c in q.candidates} for q in (served, failed))
    target, partner = twins[0].decided.objects[0], twins[0].decided.involved[0]
    assert mine[target] == other[partner] != other[target]
    (log,) = evaluate(made, ["pactwin/oracle"], form="told", log_dir=tmp_path / "logs")
    assert [row.state for row in read_rows([log])] == [AnswerState.CORRECT] * 2


def test_trials_agree_with_labels_and_with_the_catalogue(made: Path) -> None:
    for option, agreed in (("--retrial", "2 of 2 labels agree"), ("--affordances", "2 of 2")):
        said = invoke("check", option, made).output
        assert "hook_and_pull" in said and agreed in said


def test_a_suite_with_a_leak_is_described_and_retried_before_the_code_is_one(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak = Leak("all", "colours", 24, classifier="forest", judged=19, ranking=1.0, p_holm=1e-4)
    monkeypatch.setattr("pactwin.suite.check_leaks", lambda *_: [leak])
    said = invoke("check", "--retrial", made, code=1)
    assert "leak: colours (all): give the label away" in said.stdout
    assert "no faults in 1 pair," in said.stdout and "1 label leak (1 test)" in said.stdout
    assert "2 of 2 labels agree" in said.stdout
    assert said.stderr.strip().endswith(f"{made}: 1 label leak")
