"""Running evaluations: the cache, going on, budgets, vision_check, secrets, pictures in logs."""

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from commands import invoke
from evaluating import evaluate
from fakes import hash_as_earlier
from openai_server import Reply, openai_server

from pactwin.compare import compare_logs
from pactwin.suite import EnvironmentFaultError, InvalidInputError
from pactwin.tasks import AnswerState, CostEstimate, Listener, RunProgress, read_answers
from pactwin.tasks.running import concurrency

MODEL = "openai-api/local/vlm"
KEY = "planted-key-3f9c1d"
ERROR = AnswerState.ERROR
PRICES = '"openai-api/": {input: 1000, output: 1000, reply_tokens: 7}'  # 0.018 dollars a call


class Recorder(Listener):
    def __init__(self) -> None:
        self.estimates: list[CostEstimate] = []
        self.progress: list[RunProgress] = []
        self.left_out = 0

    def estimated(self, estimates: Any) -> None:
        self.estimates += estimates

    def progressed(self, progress: RunProgress) -> None:
        self.progress.append(progress)

    def stopped(self, left_out: int) -> None:
        self.left_out = left_out


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", KEY)


def ask(suite: Path, log_dir: Path, **options: Any) -> list[Path]:
    defaults: dict[str, Any] = {"views": "head", "form": "yes_no", "limit": 2, "max_retries": 0}
    where: dict[str, Any] = {"log_dir": log_dir}
    return evaluate(suite, [MODEL], **where, **defaults | options)


def failing(times: int) -> Callable[[dict], Reply]:
    """Fails so often, then answers. The client library asks three times before it gives up."""
    left = [times]

    def answer(body: dict) -> Reply:
        left[0] -= 1
        return Reply(status=400) if left[0] >= 0 else Reply("No.")

    return answer


def test_replies_are_used_again_until_anything_differs(fake_suite_path, tmp_path):
    with openai_server(lambda body: Reply("No.")) as server:
        first = read_answers(ask(fake_suite_path, tmp_path / "a"))
        assert len(server.requests) == len(first) == 4
        recorder = Recorder()
        again = read_answers(ask(fake_suite_path, tmp_path / "b", listener=recorder))
        assert len(server.requests) == 4
        assert [row.replayed for row in again] == [1] * 4
        assert recorder.progress[-1].replayed == 4
        # A replayed answer cost what it cost when it was given.
        for row, before in zip(again, first, strict=True):
            same = {"replayed": 0, "run_id": before.run_id}
            assert row.model_copy(update=same) == before
        ask(fake_suite_path, tmp_path / "c", temperature=0.5)
        assert len(server.requests) == 8
        ask(fake_suite_path, tmp_path / "d", form="choice")
        assert len(server.requests) == 12
        ask(fake_suite_path, tmp_path / "e", no_cache=True)
        assert len(server.requests) == 16
        ask(fake_suite_path, tmp_path / "e", no_cache=True)
        assert len(server.requests) == 16


def repaint(suite: Path, *, tell: bool) -> None:
    """Change the bytes of every head picture, not its path; ``tell`` the suite of it."""
    info = json.loads((suite / "suite.json").read_text())
    for path in suite.glob("views/*/head.png"):
        path.write_bytes(path.read_bytes() + b"\0")
        if tell:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            info["files"][str(path.relative_to(suite))] = digest
    (suite / "suite.json").write_text(json.dumps(info))


def test_other_bytes_under_the_same_path_are_another_picture(fake_suite_path, tmp_path):
    suite = shutil.copytree(fake_suite_path, tmp_path / "suite")
    hash_as_earlier(suite)  # which does not see pictures
    with openai_server(lambda body: Reply("No.")) as server:
        (before,) = ask(suite, tmp_path / "logs")
        assert len(server.requests) == 4
        repaint(suite, tell=False)
        rows = read_answers(ask(suite, tmp_path / "changed"))
        assert {row.state for row in rows} == {ERROR}
        assert all("was changed after the suite was made" in row.reason for row in rows)
        assert len(server.requests) == 4
        repaint(suite, tell=True)
        with pytest.raises(InvalidInputError, match="4 questions that are not asked now"):
            ask(suite, tmp_path / "logs", resume=True)
        rows = read_answers(ask(suite, tmp_path / "told"))
        assert len(server.requests) == 8
        assert {row.state for row in rows} & {ERROR} == set()
        assert not {row.sample_id for row in rows} & {r.sample_id for r in read_answers([before])}


def test_errors_are_not_cached_and_resume_asks_them_again(fake_suite_path, tmp_path):
    with openai_server(failing(3)) as server:
        recorder = Recorder()
        rows = read_answers(ask(fake_suite_path, tmp_path, listener=recorder))
        assert [row.state for row in rows].count(ERROR) == 3
        assert recorder.progress[-1].failed == 3
        requests = len(server.requests)
        recorder = Recorder()
        (log,) = ask(fake_suite_path, tmp_path, resume=True, listener=recorder)
        assert len(server.requests) - requests == 3 == recorder.estimates[0].questions
        assert ERROR not in {row.state for row in read_answers([log])}
        assert [log] == list(tmp_path.glob("*.eval"))
        assert (recorder.progress[0].done, recorder.progress[-1].done) == (1, 4)


def test_resume_goes_on_to_further_questions(fake_suite_path: Path, tmp_path: Path) -> None:
    with openai_server(lambda body: Reply("No.")) as server:
        ask(fake_suite_path, tmp_path)
        (log,) = ask(fake_suite_path, tmp_path, resume=True, limit=4, views="head,all")
        rows = read_answers([log])
        assert len(rows) == len(server.requests) == 16
        assert ask(fake_suite_path, tmp_path, resume=True, limit=4, views="head,all") == [log]
        with pytest.raises(InvalidInputError, match="not asked now"):
            ask(fake_suite_path, tmp_path, resume=True)


def test_a_budget_is_kept_and_what_is_done_too(fake_suite_path: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text(PRICES)
    options: dict[str, Any] = {"prices": prices, "limit": 8, "form": "all"}
    with openai_server(lambda body: Reply("No.")) as server:
        recorder = Recorder()
        limits = {"max_cost_usd": 0.5, "listener": recorder}
        (log,) = ask(fake_suite_path, tmp_path / "logs", **options, **limits)
        rows = read_answers([log])
        spent = sum(row.cost_usd or 0 for row in rows)
        assert spent == pytest.approx(0.018 * len(rows)) == recorder.progress[-1].spent_usd
        assert 0 < spent <= 0.5
        assert recorder.left_out == 48 - len(rows) > 0
        (log,) = ask(fake_suite_path, tmp_path / "logs", **options, resume=True)
        assert len(read_answers([log])) == len(server.paid) == 48


def test_who_is_left_out_by_the_budget_leaves_no_empty_log(fake_suite_path, tmp_path):
    prices, logs = tmp_path / "prices.yaml", tmp_path / "logs"
    prices.write_text(
        f"{MODEL}: {{input: 1, output: 1}}\n{MODEL}-dear: {{input: 9e9, output: 1}}\n"
    )
    asked = ["--model", MODEL, "--model", f"{MODEL}-dear", "--log-dir", str(logs), "--limit", "1"]
    paying = ["--prices", str(prices), "--max-cost", "1"]
    with openai_server(lambda body: Reply("No.")):
        result = invoke("eval", fake_suite_path, *asked, *paying, code=1)
    assert "questions were not asked" in result.stderr
    assert {row.model for row in read_answers(logs.glob("*.eval"))} == {MODEL}
    assert {score.model for score in compare_logs([logs])} == {MODEL}


def test_a_budget_needs_prices(fake_suite_path: Path, tmp_path: Path) -> None:
    with openai_server(lambda body: Reply("No.")) as server:
        with pytest.raises(InvalidInputError, match=f"no price is known for {MODEL}"):
            ask(fake_suite_path, tmp_path, max_cost_usd=1.0)
        with pytest.raises(InvalidInputError, match="more than 0"):
            ask(fake_suite_path, tmp_path, max_cost_usd=0.0)
        assert not server.requests


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply("I cannot see pictures."), "I cannot see pictures."),
        (Reply("red"), "filled with purple, it said 'red'"),
        (Reply("red, green, blue, yellow, orange or purple, or green"), "filled with purple"),
        (Reply("", finish_reason="content_filter"), "refused"),
        (Reply(status=400), "planned fault"),
    ],
)
def test_a_model_that_does_not_see_is_refused(reply, said, fake_suite_path, tmp_path):
    with openai_server(lambda body: reply, sees=False) as server:
        with pytest.raises(EnvironmentFaultError, match=said) as error:
            ask(fake_suite_path, tmp_path / "logs")
        assert MODEL in str(error.value)
        assert "\n" not in str(error.value)
        assert len(server.requests) <= 2
        assert not (tmp_path / "logs").exists()


def test_a_server_that_was_mended_is_not_refused_for_an_older_reply(fake_suite_path, tmp_path):
    said = ["red", "red", "purple", "orange"]  # after the first refusal it sees
    with openai_server(lambda body: Reply(said.pop(0) if said else "No."), sees=False):
        with pytest.raises(EnvironmentFaultError, match="filled with purple"):
            ask(fake_suite_path, tmp_path)
        assert read_answers(ask(fake_suite_path, tmp_path))


def test_what_a_provider_says_does_not_steer_the_terminal(fake_suite_path, tmp_path):
    hostile = "\x1b[2J\x1b]0;owned\x07 [bold]all is well[/bold] \u202e"
    error = json.dumps({"error": {"message": hostile, "type": "x"}}).encode()
    asked = ["--model", MODEL, "--log-dir", str(tmp_path), "--limit", "1", "--views", "head"]
    for sees in (True, False):
        with openai_server(lambda body: Reply(status=400, raw=error), sees=sees):
            result = invoke("eval", fake_suite_path, *asked, code=4)
        assert not set("\x1b\x07\u202e") & set(result.output)
        assert "[bold]all is well[/bold]" in result.output, "said, and taken as it is"


def test_an_address_with_a_password_is_refused(fake_suite_path: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="holds a password") as error:
        evaluate(fake_suite_path, [MODEL], log_dir=tmp_path, base_url=f"http://me:{KEY}@127.0.0.1")
    assert KEY not in str(error.value)


def test_few_pictures_are_in_the_log_many_are_named(fake_suite_path, tmp_path, monkeypatch):
    def holds_pictures(log: Path) -> bool:
        with ZipFile(log) as archive:
            names = [name for name in archive.namelist() if name.startswith("samples/")]
            texts = [archive.read(name) for name in names]
        assert texts
        for row, text in zip(read_answers([log]), sorted(texts), strict=False):
            assert row.pictures
            assert b"camera]" in text  # suite, scene and camera are named in either case
        return any(b"base64,iVBOR" in text for text in texts)

    with openai_server(lambda body: Reply("No.")):
        (few,) = ask(fake_suite_path, tmp_path / "few")
        assert holds_pictures(few)
        (told,) = ask(fake_suite_path, tmp_path / "told", log_images=False)
        assert not holds_pictures(told)
        monkeypatch.setattr(concurrency, "EMBED_UP_TO_BYTES", 1000)
        (many,) = ask(fake_suite_path, tmp_path / "many")
        assert not holds_pictures(many)


def dated(log: Path, out: Path, created: str) -> None:
    """The log as a clock that was wrong would have dated it."""
    with zipfile.ZipFile(log) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name in ("header.json", "_journal/start.json"):
                header = json.loads(data)
                data = json.dumps(header | {"eval": header["eval"] | {"created": created}}).encode()
            new.writestr(name, data)


def test_what_was_written_last_is_continued_whatever_the_clock_says(
    fake_suite_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A resumed run that was killed leaves two logs; the later one had the earlier date."""
    logs = tmp_path / "logs"
    with openai_server(failing(3)) as server:
        (first,) = ask(fake_suite_path, logs)
        dated(first, tmp_path / "kept.eval", "2099-01-01T00:00:00+00:00")
        (second,) = ask(fake_suite_path, logs, resume=True)
        (tmp_path / "kept.eval").rename(logs / first.name)
        monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "lost"))
        requests = len(server.requests)
        assert ask(fake_suite_path, logs, resume=True) == [second]
        assert len(server.requests) == requests


def test_answers_of_the_log_before_are_not_paid_again(fake_suite_path, tmp_path, monkeypatch):
    """A resumed run may be killed before its log holds what the one before it held."""
    logs = tmp_path / "logs"
    with openai_server(failing(3)) as server:
        (first,) = ask(fake_suite_path, logs)
        shutil.copy(first, tmp_path / "first.eval")
        (second,) = ask(fake_suite_path, logs, resume=True)
        (tmp_path / "first.eval").rename(logs / "first.eval")
        drop_samples(second, keep=1)
        monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "lost"))
        paid = len(server.paid)
        held_by_first = {r.sample_id for r in read_answers([logs / "first.eval"]) if r.reply}
        kept = {row.sample_id for row in read_answers([second])}
        (third,) = ask(fake_suite_path, logs, resume=True)
        assert len(server.paid) - paid == 4 - len(held_by_first | kept)
        assert {row.state for row in read_answers([third])} & {ERROR} == set()


def drop_samples(log: Path, keep: int) -> None:
    """Leave ``keep`` samples, as a kill does."""
    part = log.with_suffix(".part")
    with zipfile.ZipFile(log) as old, zipfile.ZipFile(part, "w") as new:
        samples = [name for name in old.namelist() if name.startswith("samples/")]
        for name in set(old.namelist()) - set(samples[keep:]) - {"header.json", "summaries.json"}:
            data = old.read(name)
            if name.startswith("_journal/summaries/"):
                kept = [s for s in json.loads(data) if f"{s['id']}_epoch" in samples[0]]
                data = json.dumps(kept).encode()
            new.writestr(name, data)
    part.replace(log)


HOLDER = """
import sys, time
from collections.abc import Callable
from pathlib import Path
from pactwin.suite import held
with held(Path(sys.argv[1]), "asking"):
    print("held", flush=True)
    time.sleep(600)
"""


def test_one_process_at_a_time_asks_into_a_folder(fake_suite_path: Path, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(logs)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with openai_server(lambda body: Reply("No.")) as server:
            with pytest.raises(InvalidInputError, match="another process is asking there"):
                ask(fake_suite_path, logs, resume=True)
            assert server.requests == []
            holder.kill()
            holder.wait()
            ask(fake_suite_path, logs, resume=True)
            assert len(server.paid) == 4, "a dead process holds nothing"
    finally:
        holder.kill()
        holder.wait()
