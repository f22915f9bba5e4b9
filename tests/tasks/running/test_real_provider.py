"""One real provider of Inspect's against a real server: what is sent, and how faults end."""

import hashlib
import json
from pathlib import Path

import pytest
from evaluating import evaluate
from openai_server import Reply, openai_server, sent_images, sent_text

from pactwin.solvers import STATEMENTS
from pactwin.suite import Scene, Suite
from pactwin.tasks import AnswerRow, AnswerState, read_answers

pytestmark = pytest.mark.slow

MODEL = "openai-api/local/vlm"


def ask(suite: Path, log_dir: Path, **options: object) -> list[AnswerRow]:
    logs = evaluate(
        suite,
        [MODEL],
        log_dir=log_dir,
        display="none",
        max_retries=0,
        **options,  # type: ignore[arg-type]
    )
    return read_answers(logs)


def scenes_by_picture(suite: Path) -> dict[str, Scene]:
    """Scenes by the hash of each of their pictures: what a perfect observer would know."""
    opened = Suite.open(suite)
    return {
        hashlib.sha256(opened.resolve(view.image).read_bytes()).hexdigest(): scene
        for scene in opened.scenes()
        for view in scene.views
    }


def test_a_model_that_reads_the_pictures_is_always_right(
    fake_suite_path: Path, tmp_path: Path
) -> None:
    known = scenes_by_picture(fake_suite_path)

    def answer(body: dict) -> Reply:
        shown = {hashlib.sha256(image).hexdigest() for image in sent_images(body)}
        (scene,) = {known[digest].id: known[digest] for digest in shown}.values()
        statement = STATEMENTS[scene.decided.constraint]
        if "A) " in sent_text(body):
            (line,) = [x for x in sent_text(body).splitlines() if x.endswith(f") {statement}")]
            return Reply(f"The answer is **({line[0]})**.")
        return Reply(f"**{'Yes' if scene.decided.feasible else 'No'}.** {statement}")

    with openai_server(answer) as server:
        rows = ask(fake_suite_path, tmp_path, views="head,front+head,all", limit=3)
    assert len(rows) == 3 * 2 * 3 * 3 == len(server.requests)
    assert {row.state for row in rows} == {AnswerState.CORRECT}
    assert {len(sent_images(body)) for body in server.requests} >= {1, 2}
    assert {(row.tokens_in, row.tokens_out) for row in rows} == {(11, 7)}


def test_twins_are_asked_alike_and_nothing_else_is_sent(
    fake_suite_path: Path, tmp_path: Path
) -> None:
    with openai_server(lambda body: Reply("No.")) as server:
        ask(fake_suite_path, tmp_path, views="head,all", limit=4)
    scenes = list(Suite.open(fake_suite_path).scenes())
    asked: dict[str, int] = {}
    for body in server.requests:
        blank = json.loads(json.dumps(body))
        for message in blank["messages"]:
            for part in message["content"]:
                if part["type"] == "image_url":
                    assert part["image_url"]["url"].startswith("data:image/png;base64,")
                    part["image_url"]["url"] = ""
        text = json.dumps(blank)
        asked[text] = asked.get(text, 0) + 1
        for scene in scenes:
            assert scene.id not in text
            assert scene.domain not in text
        assert str(fake_suite_path) not in text
        assert "feasible" not in text
    assert asked
    assert all(count % 2 == 0 for count in asked.values())


FAULTS = {
    "500": (Reply(status=500), AnswerState.ERROR),
    "400": (Reply(status=400), AnswerState.ERROR),
    "not JSON": (Reply(raw=b"<html>gateway</html>"), AnswerState.ERROR),
    "no choices": (Reply(raw=b'{"id": "1", "choices": []}'), AnswerState.ERROR),
    "content filter": (Reply("", finish_reason="content_filter"), AnswerState.REFUSED),
    "refusal field": (Reply(None, refusal="I will not."), AnswerState.REFUSED),
    "refusal in words": (Reply("I'm sorry, I can't assist with that."), AnswerState.REFUSED),
    "length": (Reply("No. The block", finish_reason="length"), AnswerState.TRUNCATED),
    "empty": (Reply(""), AnswerState.UNPARSED),
    "null": (Reply(None), AnswerState.UNPARSED),
    "garbage": (Reply("%PDF-1.7 \u0000 ~~ 42"), AnswerState.UNPARSED),
    "both": (Reply("Yes.\nNo."), AnswerState.UNPARSED),
}


def test_faults_end_in_their_own_states(fake_suite_path: Path, tmp_path: Path) -> None:
    """Every scene meets its own fault, so neither retries nor concurrency may mix them up."""
    known = scenes_by_picture(fake_suite_path)
    names = list(FAULTS)
    scenes = sorted({scene.id for scene in known.values()})
    fault_of = {scene: names[i % len(names)] for i, scene in enumerate(scenes)}
    assert set(fault_of.values()) == set(FAULTS)

    def answer(body: dict) -> Reply:
        (image,) = sent_images(body)
        return FAULTS[fault_of[known[hashlib.sha256(image).hexdigest()].id]][0]

    with openai_server(answer):
        rows = ask(fake_suite_path, tmp_path, views="head", form="yes_no")
    assert sorted(row.scene_id for row in rows) == scenes
    for row in rows:
        fault = fault_of[row.scene_id]
        assert (fault, row.state) == (fault, FAULTS[fault][1])
        assert row.predicted_feasible is None
        assert row.predicted_constraint is None
        assert row.reason


def test_the_key_is_in_no_log(fake_suite_path: Path, tmp_path: Path) -> None:
    from zipfile import ZipFile

    with openai_server(lambda body: Reply(status=500)):
        ask(fake_suite_path, tmp_path, views="head", form="open", limit=1)
    (log,) = tmp_path.glob("*.eval")
    with ZipFile(log) as archive:
        assert archive.namelist()
        for name in archive.namelist():
            assert b"planted-key" not in archive.read(name)


@pytest.mark.parametrize(
    ("model", "address", "key"),
    [
        ("vllm/vlm", "VLLM_BASE_URL", "VLLM_API_KEY"),
        ("ollama/vlm", "OLLAMA_BASE_URL", "OLLAMA_API_KEY"),
        ("openrouter/lab/vlm", "OPENROUTER_BASE_URL", "OPENROUTER_API_KEY"),
        ("openai-api/lab/vlm", "LAB_BASE_URL", "LAB_API_KEY"),
    ],
)
def test_other_providers_are_asked_alike(
    model: str,
    address: str,
    key: str,
    fake_suite_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with openai_server(lambda body: Reply(f"No. {'planted-key'}")) as server:
        monkeypatch.setenv(address, server.base_url)
        monkeypatch.setenv(key, "planted-key")
        logs = evaluate(
            fake_suite_path, [model], views="head", form="yes_no", limit=1, log_dir=tmp_path
        )
    rows = read_answers(logs)
    assert len(rows) == len(server.requests) == 2
    assert {row.reply for row in rows} == {"No. [hidden]"}
    assert all(len(sent_images(body)) == 1 for body in server.requests)
