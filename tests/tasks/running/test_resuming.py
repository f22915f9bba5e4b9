"""Resuming: the log that was written last, by one process at a time, and nothing paid twice."""

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from openai_server import Reply, openai_server

from pactwin.suite import InvalidInputError
from pactwin.tasks import AnswerState, read_answers

MODEL = "openai-api/local/vlm"
ERROR = AnswerState.ERROR


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
