"""What was paid for before an error is in the log: a resumed run takes it from there, once."""

import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from macgyver_data import WHOLE_PROBLEMS, write
from openai_server import OpenAIServer, Reply, openai_server

from pactwin.tasks import AnswerState, import_published, read_answers, read_rows

MODEL, JUDGE = "openai-api/local/candidate", "openai-api/local/referee"
FAILED = Reply(status=400)
NO_VERDICT = Reply("I would rather not say.")


def paid_by(server: OpenAIServer, who: str) -> Counter[str]:
    return Counter(json.dumps(b["messages"]) for b in server.paid if b["model"] == who)


def forget_replies() -> None:
    shutil.rmtree(os.environ["INSPECT_CACHE_DIR"])


@pytest.mark.parametrize("fault", [FAILED, NO_VERDICT])
def test_where_the_judge_failed_only_the_judge_is_asked_again(fault, fake_suite_path, tmp_path):
    verdicts = [fault, fault, Reply('{"says": "covered"}')]
    runs = iter(verdicts)
    verdict = next(runs)

    # The twins' replies differ, so that no verdict on one can be kept for the other.
    said: dict[str, str] = {}

    def answer(body: dict[str, Any]) -> Reply:
        if body["model"] == "referee":
            return verdict
        return Reply(said.setdefault(json.dumps(body), f"No, as the {len(said)} of us can see."))

    with openai_server(answer) as server:
        for run in range(len(verdicts)):
            (log,) = evaluate(
                fake_suite_path,
                [MODEL],
                judge=JUDGE,
                form="open",
                views="head",
                limit=1,
                log_dir=tmp_path,
                max_retries=0,
                resume=run > 0,
                log_images=False,
            )
            rows = read_answers([log])
            assert len(rows) == 2
            assert {row.reply for row in rows} == set(said.values())
            assert {(row.calls, row.tokens_in, row.replayed) for row in rows} == {(1, 11, run > 0)}
            assert (AnswerState.ERROR in {row.state for row in rows}) == (verdict is fault)
            assert list(tmp_path.glob("*.eval")) == [log]
            assert paid_by(server, "candidate").total() == 2
            verdict = next(runs, verdict)
            forget_replies()
        assert {row.judged for row in rows} == {"covered"}
        asked = [body for body in server.requests if body["model"] == "referee"]
        assert len(asked) == 2 * len(verdicts)


class Interrupting:
    """Fails at the second turn of some conversations and at the third vote on others, once each."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any]) -> Reply:
        key = body["model"] + json.dumps(body["messages"])
        self.asked[key] += 1
        if body["model"] == "referee":
            return FAILED if self.asked[key] == 3 else Reply('{"grade": "D"}')
        turn = sum(message["role"] == "assistant" for message in body["messages"]) + 1
        if turn == 2 and self.asked[key] == 1 and len(key) % 2:
            return FAILED
        return Reply("Answer:\nStep 1: Wait.\nChanges: none" if turn == 2 else "Step 1: Wait.")


def test_turns_and_votes_before_a_failure_are_paid_for_once(tmp_path: Path) -> None:
    write(tmp_path / "data")
    import_published("macgyver", tmp_path / "data", tmp_path / "suite")
    suite, logs = tmp_path / "suite", tmp_path / "logs"
    how: dict[str, Any] = {"judge": JUDGE, "strategy": "self-reflect", "max_retries": 0}
    with openai_server(Interrupting()) as server:
        rows = read_rows(evaluate(suite, [MODEL], log_dir=logs, **how))
        failed = [row.calls for row in rows if row.state is AnswerState.ERROR]
        assert set(failed) == {1, 2}, "before the second turn, and after it"
        for _ in range(2):  # one failed at its turn, and then at its vote
            forget_replies()
            rows = read_rows(evaluate(suite, [MODEL], log_dir=logs, resume=True, **how))
        assert AnswerState.ERROR not in {row.state for row in rows}
        assert {row.calls for row in rows} == {2}
        assert set(paid_by(server, "candidate").values()) == {1}
        assert paid_by(server, "candidate").total() == 2 * len(WHOLE_PROBLEMS)
        assert set(paid_by(server, "referee").values()) == {3}
