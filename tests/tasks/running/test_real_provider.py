"""One real provider of Inspect's against a real server: what is sent, and how faults end."""

import hashlib
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


def test_a_model_that_reads_the_pictures_is_always_right(fake_suite_path, tmp_path):
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
    model, address, key, fake_suite_path, tmp_path, monkeypatch
):
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
