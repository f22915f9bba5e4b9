"""``pactwin make tools``: one pair, made by the command and checked, asked and answered."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from commands import invoke
from evaluating import evaluate
from making import made_suite, served_and_failed
from openai_server import Reply, openai_server, sent_text

from pactwin.catalogue import load_procedures
from pactwin.compare import compare_logs
from pactwin.perception import Detection, detect_suite
from pactwin.suite import (
    MIN_FRACTION,
    MIN_PIXELS,
    Question,
    Scene,
    Suite,
    SuiteWriter,
    check_leaks,
    check_suite,
)
from pactwin.suite.checking import leaks
from pactwin.tasks import AnswerState, ToolRow, make_tool_questions, read_rows

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


def test_a_suite_is_what_it_says_it_is(made: Path) -> None:
    assert check_suite(made) == []


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


def test_every_view_asked_shows_every_tool(made: Path, twins: tuple[Scene, Scene]) -> None:
    for scene in twins:
        for kind in ("recognition", "plan"):
            asked = questions(made, kind)[scene.id].views
            assert asked
            for view in (v for v in scene.views if v.camera.name in asked):
                seen = view.visibility.values()
                assert all(v.pixels >= MIN_PIXELS and v.fraction >= MIN_FRACTION for v in seen)


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


def test_a_run_over_a_faulty_server_loses_nothing_and_doubles_nothing(
    made: Path, tmp_path: Path
) -> None:
    calls: list[int] = []

    def answer(body: dict) -> Reply:
        calls.append(1)
        if len(calls) % 3 == 0:
            return Reply(raw=b"busy", status=503)
        names = [line[2:] for line in sent_text(body).splitlines() if line.startswith("- ")]
        return Reply("\n".join(names[:2]) or "hammer\nmissing: saw")

    with openai_server(answer):
        model = "openai-api/local/handy"
        logs = evaluate(made, [model], log_dir=tmp_path / "logs", vision_check=False)
    rows = [row for row in read_rows(logs) if isinstance(row, ToolRow)]
    asked = sum(max(1, len(q.views)) for q in Suite.open(made).questions())
    assert len(rows) == len({(row.question_id, row.view) for row in rows}) == asked
    assert {row.state for row in rows} <= {AnswerState.CORRECT, AnswerState.INCORRECT}
    assert len(calls) > asked  # faults were met, and asked again


def test_too_small_pictures_are_refused(tmp_path: Path) -> None:
    options = ["--out", str(tmp_path / "x"), "--seed=1", "--size=200x160"]
    result = invoke("make", "tools", *options, code=2)
    assert "each from 320" in result.stderr


class Knowing:
    """A detector that knows the masks and calls tools as the right answers do."""

    name, weights = "knowing", "none"

    def __init__(self, suite: Suite) -> None:
        asked = {q.scene_id: q for q in suite.questions() if q.kind == "recognition"}
        self.views = iter(
            [
                [
                    Detection(box=view.visibility[own].box, score=0.9, query=called)  # type: ignore[arg-type]
                    for own, called in zip(
                        asked[scene.id].objects, asked[scene.id].accepted, strict=True
                    )
                ]
                for scene in suite.scenes()
                for view in scene.views
            ]
        )
        self.queries: set[str] = set()

    def detect(
        self, images: Sequence[np.ndarray], queries: Sequence[Sequence[str]], threshold: float
    ) -> list[list[Detection]]:
        self.queries |= {query for some in queries for query in some}
        return [next(self.views) for _ in images]


def test_a_detector_that_finds_all_is_the_ceiling_of_seeing(made: Path, tmp_path: Path) -> None:
    suite = Suite.open(shutil.copytree(made, tmp_path / "suite"))
    knowing = Knowing(suite)
    detect_suite(suite, knowing, "knowing", vocabulary="suite")
    asked = [q for q in suite.questions() if q.kind == "recognition"]
    assert knowing.queries == {name for question in asked for name in question.accepted}
    logs = evaluate(
        suite.path,
        ["pactwin/detector"],
        log_dir=tmp_path / "logs",
        kind="recognition",
        model_args={"detections": "knowing"},
    )
    page = tmp_path / "report.html"
    told = {s.metric: s.value for s in compare_logs(logs, page) if s.is_pooled}
    assert told["recognition_f1"] == told["recognition_exact"] == 1.0
    assert "</span><wbr>detector</span>" in page.read_text(encoding="utf-8")


LEAKS = ("", "place of the target", "target across the pictures", "file order")


def many(made: Path, out: Path, leak: str) -> Path:
    """The one pair many times, elsewhere each time; its tools' roles change, as over many tasks."""
    pair, info = tuple(Suite.open(made).scenes()), Suite.open(made).info
    rng = np.random.default_rng(8)
    with SuiteWriter.open(
        out, name="tools", request={}, packages=info.packages, gl_renderer="none"
    ) as writer:
        for number in range(24):
            names = [rng.bytes(8).hex() for _ in pair]
            moved, swapped = rng.uniform(-0.1, 0.1, 2), bool(number % 2)
            scenes: list[Scene] = []
            files: dict[str, bytes] = {}
            for scene, name in zip(pair, names, strict=True):
                record = json.loads(scene.model_dump_json().replace(scene.id, name))
                record["twin_id"] = names[names[0] == name]
                record["views"] = record["views"][:1]
                verdict = pair[(scene is pair[0]) ^ (not swapped)].decided
                record["verdict"] = json.loads(verdict.model_dump_json())
                shift = moved + 0.3 * (leak == LEAKS[1] and not verdict.feasible)
                for obj in record["objects"]:
                    beside = shift if obj["name"] == verdict.objects[0] else moved
                    obj["world_from_object"][0][3] += beside[0]
                    obj["world_from_object"][1][3] += beside[1]
                if leak == LEAKS[2] and not verdict.feasible:
                    for view in record["views"]:
                        seen = view["visibility"][verdict.objects[0]]
                        seen["box"] = [v + 200 * (k % 2 == 0) for k, v in enumerate(seen["box"])]
                scenes.append(Scene.model_validate_json(json.dumps(record)))
                new, old = scenes[-1].views[0], scene.views[0]
                for name in ("image", "depth", "mask"):
                    files[getattr(new, name)] = (made / getattr(old, name)).read_bytes()
            order = sorted(scenes, key=lambda s: s.decided.feasible) if leak == LEAKS[3] else scenes
            writer.add(order if rng.random() < 0.5 or leak else order[::-1], files, {})
        writer.finish(make_tool_questions)
    return out


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found_and_no_other(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    monkeypatch.setattr(leaks, "_CLASSIFIERS", {"linear classifier": leaks._linear})
    suite = many(made, tmp_path / "many", leak)
    found = {leak.group for leak in check_leaks(Suite.open(suite)) if leak.significant}
    assert found == ({leak} if leak else set())


def test_check_tells_of_a_planted_leak(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaks, "_CLASSIFIERS", {"linear classifier": leaks._linear})
    result = invoke("check", many(made, tmp_path / "many", LEAKS[1]), code=1)
    assert "place of the target" in result.stdout
