"""``pactwin make tools``: one pair, made by the command and checked, asked and answered."""

from pathlib import Path

import pytest
from commands import invoke
from evaluating import evaluate
from making import made_suite, served_and_failed

from pactwin.catalogue import load_procedures
from pactwin.compare import compare_logs
from pactwin.suite import Question, Scene, Suite

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = ["--seed=3", "--pairs=1", "--size=480x360"]
    return made_suite(tmp_path_factory.mktemp("tools"), "tools", *options)


@pytest.fixture(scope="session")
def twins(made: Path) -> tuple[Scene, Scene]:
    return served_and_failed(made)


def questions(made: Path, kind: str) -> dict[str, Question]:
    return {q.scene_id: q for q in Suite.open(made).questions() if q.kind == kind}


def test_twins_differ_in_the_look_alike_alone(twins: tuple[Scene, Scene]) -> None:
    served, lacking = twins
    decides = load_procedures().by_task[served.decided.action].decides
    first, second = ({o.name: o for o in scene.objects} for scene in twins)
    assert [n for n in first if first[n] != second[n]] == [decides.both]
    assert (first[decides.both].category, second[decides.both].category) == (
        decides.tool,
        decides.instead,
    )
    assert served.decided.lacking == ""
    assert lacking.decided.lacking and not lacking.decided.feasible


def test_the_right_answer_says_what_is_missing(made: Path, twins: tuple[Scene, Scene]) -> None:
    served, lacking = twins
    for kind in ("plan", "named_plan"):
        whole, short = (questions(made, kind)[scene.id] for scene in twins)
        missing = f"missing {lacking.decided.lacking}"
        assert missing in short.accepted and lacking.decided.lacking not in short.accepted
        assert [n.removeprefix("missing ") for n in short.accepted] == list(whole.accepted)
        assert whole.steps == short.steps
    assert questions(made, "plan")[served.id].text == questions(made, "plan")[lacking.id].text


def test_baselines_know_as_much_as_they_should(made: Path, tmp_path: Path) -> None:
    models = ["pactwin/oracle", "pactwin/blind"]
    scores = compare_logs(evaluate(made, models, log_dir=tmp_path / "logs"))
    told = {(s.model, s.metric): s.value for s in scores if (s.domain, s.view) == ("all", "all")}
    for kind in ("plan", "named_plan"):
        assert told["pactwin/oracle", f"{kind}_twins"] == 1.0
        assert told["pactwin/blind", f"{kind}_twins"] == 0.0


def test_too_small_pictures_are_refused(tmp_path: Path) -> None:
    options = ["--out", str(tmp_path / "x"), "--seed=1", "--size=200x160"]
    result = invoke("make", "tools", *options, code=2)
    assert "each from 320" in result.stderr
