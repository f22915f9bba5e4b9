"""Problems put to a model with three strategies and graded by a judge, over a server with faults.

``python -c "from benchmarks.problems import run; run('SUITE')"`` with a suite of ``pactwin import
macgyver``: there are no data of that kind here, so it is not among ``python -m benchmarks``. The
server answers with one of the published answers to the problem asked, and grades with the published
label four times in five; one request in eight fails first: an error status, a dropped connection,
bytes that are no JSON.
"""

import json
import os
import random
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from openai_server import Reply, openai_server, sent_text
from rich.console import Console
from rich.table import Table

from pactwin.suite import Question, Suite
from pactwin.tasks import CATEGORIES, EvalRequest, ProblemRow, read_rows, run_eval
from pactwin.tasks.published.macgyver.source import RATINGS

MODEL, JUDGE = "openai-api/local/solver", "openai-api/local/referee"
PROBLEMS = 300
OF_THE_STUDY = {
    "efficient": "A",
    "inefficient": "B",
    "infeasible": "E",
    "none": "F",
    "correct_right_reason": "C",
    "correct_wrong_reason": "D",
    "wrong_solution": "F",
}
"""Categories of the labels that GPT-4's answers to all problems have."""
FAULTS = (
    Reply(status=500),
    Reply(status=503, headers={"Retry-After": "0"}),
    Reply(status=429, headers={"Retry-After": "0"}),
    Reply(drop=True),
    Reply(raw=b"<html>bad gateway"),
)


class Stand:
    """Model and judge in one server; ``asked`` counts what each request was, by its text."""

    def __init__(self, questions: list[Question], fault_share: float, right: float = 0.8) -> None:
        self.by_text = {q.text: q for q in questions}
        self.right, self.fault_share = right, fault_share
        self.labels: dict[str, str] = {}
        for question in questions:
            for answer in question.answers:
                label = RATINGS.get(answer.rating) or OF_THE_STUDY.get(answer.rating)
                if label is not None:
                    self.labels[answer.text] = label
        self.attempts: Counter[str] = Counter()
        self.votes: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.failed = 0
        self.lock = threading.Lock()

    def __call__(self, body: dict[str, Any]) -> Reply:
        key = body["model"] + json.dumps(body["messages"])
        with self.lock:
            self.attempts[key] += 1
            # The judge is meant to be asked the same several times; a fault comes once for each.
            rng = random.Random(f"{key}{self.votes[key]}")
            if rng.random() < self.fault_share and self.attempts[key] == self.votes[key] + 1:
                self.failed += 1
                return rng.choice(FAULTS)
            self.attempts[key] = self.votes[key] = self.votes[key] + 1
            self.answered[key] += 1
        return self.grade(body, rng) if body["model"] == "referee" else self.solve(body, rng)

    def solve(self, body: dict[str, Any], rng: random.Random) -> Reply:
        first, last = (sent_text({"messages": [body["messages"][i]]}) for i in (0, -1))
        question = next(q for text, q in self.by_text.items() if text in first)
        rated = [a.text for a in question.answers if a.text in self.labels]
        answer = rng.choice(rated or [question.answers[0].text])
        if "Changes: none" in last:
            return Reply(
                "Changes: none" if rng.random() < 0.5 else f"Changes: needed\nAnswer:\n{answer}"
            )
        return Reply(f"Answer:\n{answer}" if "Answer:" in last else answer)

    def grade(self, body: dict[str, Any], rng: random.Random) -> Reply:
        text = sent_text(body)
        material = json.loads(text[text.index("\n{") : text.rindex("}\n\nReply") + 1])
        possible = [c for c in CATEGORIES if f"\n- {c}: " in text or text.startswith(f"- {c}: ")]
        label = self.labels.get(material["answer"], "E")
        chosen = label if label in possible and rng.random() < self.right else rng.choice(possible)
        return Reply(json.dumps({"grade": chosen}))


def run(path: str) -> None:
    """Print, per strategy, what was asked, answered, and came back twice or not at all."""
    suite = Path(path)
    questions = list(Suite.open(suite).questions())
    os.environ["LOCAL_API_KEY"] = "key-of-the-benchmark"
    table = Table("strategy", "rows", "problems", "errors", "calls", "tokens out", "seconds")
    stand = Stand(questions, fault_share=0.125)
    with tempfile.TemporaryDirectory() as name, openai_server(stand) as server:
        os.environ["LOCAL_BASE_URL"] = server.base_url
        os.environ["INSPECT_CACHE_DIR"] = str(Path(name) / "cache")
        keep = Path(os.environ.get("KEEP", name))
        rows: list[ProblemRow] = []
        for strategy in ("direct", "self-reflect", "divergent-convergent"):
            start = time.perf_counter()
            logs = run_eval(
                EvalRequest(
                    suite=suite,
                    models=(MODEL,),
                    log_dir=keep / strategy,
                    strategy=strategy,
                    judge=JUDGE,
                    limit=PROBLEMS,
                )
            )
            seconds = time.perf_counter() - start
            mine = [row for row in read_rows(logs) if isinstance(row, ProblemRow)]
            rows += mine
            asked = {row.question_id for row in mine}
            errors = sum(row.state == "error" for row in mine)
            calls = sum(row.calls for row in mine)
            tokens = sum(row.tokens_out or 0 for row in mine)
            figures = (len(mine), len(asked), errors, calls, tokens, round(seconds))
            table.add_row(strategy, *map(str, figures))
        doubled = sum(n > 1 for key, n in stand.answered.items() if key.startswith("solver"))
        votes: Counter[int] = Counter()
        for key, n in stand.answered.items():
            if key.startswith("referee"):
                votes[n] += 1
        paid = stand.answered.total()
    table.caption = (
        f"{stand.failed} requests failed first, {paid} were answered; {doubled} of the model's "
        f"twice; gradings by how many votes were given: {dict(votes)}; "
        f"categories {dict(Counter(row.category for row in rows))}; load {os.getloadavg()[0]:.1f}"
    )
    Console(width=120).print(table)
