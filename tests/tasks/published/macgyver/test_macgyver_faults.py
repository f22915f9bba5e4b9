"""A run with three strategies and a judge over a server with faults: nothing lost or doubled."""

import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from macgyver_data import WHOLE_BENCHMARK, WHOLE_PROBLEMS, write
from openai_server import Reply, openai_server, sent_text

from pactwin.tasks import ProblemRow, import_published, read_rows
from pactwin.tasks.published.macgyver.source import RATINGS

pytestmark = pytest.mark.slow

MODEL, JUDGE = "openai-api/local/solver", "openai-api/local/referee"
FAULTS = [
    Reply(status=503, headers={"Retry-After": "0"}),
    Reply(drop=True),
    Reply(raw=b"<html>bad gateway"),
]


class Server:
    """Model and judge; every third request that is new fails first. The judge is a careful one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.failed: set[str] = set()
        self.answered: Counter[str] = Counter()
        self.labels = {
            r["solution"]: RATINGS[r["annotation"]] for rs in WHOLE_BENCHMARK.values() for r in rs
        }

    def __call__(self, body: dict[str, Any]) -> Reply:
        key = body["model"] + json.dumps(body["messages"])
        with self.lock:
            if key not in self.failed and (len(self.failed) + len(self.answered)) % 3 == 0:
                self.failed.add(key)
                return FAULTS[len(self.failed) % len(FAULTS)]
            self.answered[key] += 1
        if body["model"] == "solver":
            return Reply("Answer:\nStep 1: Use the ruler.\nChanges: none")
        text = sent_text(body)
        material = json.loads(text[text.index("\n{") : text.rindex("}\n\nReply") + 1])
        label = self.labels.get(material["answer"], "B")
        return Reply(json.dumps({"grade": label if f"- {label}: " in text else "E"}))


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    write(tmp_path / "data")
    import_published("macgyver", tmp_path / "data", tmp_path / "suite")
    return tmp_path / "suite"


def test_nothing_is_lost_and_nothing_doubled(suite: Path, tmp_path: Path) -> None:
    server = Server()
    strategies = ("direct", "self-reflect", "divergent-convergent")
    logs = [tmp_path / "logs" / strategy for strategy in strategies]
    with openai_server(server):
        for strategy, folder in zip(strategies, logs, strict=True):
            how = ("--strategy", strategy, "--log-dir", folder, "--judge", JUDGE)
            invoke("eval", suite, "--model", MODEL, *how)
        agreement = tmp_path / "agreement.json"
        where = ("--log-dir", tmp_path / "judge", "--json", agreement)
        told = invoke("people", "agreement", suite, "--judge", JUDGE, *where)
    rows = [row for folder in logs for row in read_rows(folder.glob("*.eval"))]
    assert Counter(row.model for row in rows).most_common() == [
        (name, len(WHOLE_PROBLEMS))
        for name in (MODEL, f"{MODEL} · self-reflect", f"{MODEL} · divergent-convergent")
    ]
    assert {row.state for row in rows} == {"correct", "incorrect"}
    assert len(server.failed) > 10
    solved = {key: n for key, n in server.answered.items() if key.startswith("solver")}
    assert set(solved.values()) == {1}
    assert len(solved) == sum(row.calls for row in rows)
    graded = [n for key, n in server.answered.items() if key.startswith("referee")]
    assert set(graded) == {3}
    assert sum(isinstance(row, ProblemRow) and bool(row.judged) for row in rows) > 0

    # The judge is right wherever the problem's flag lets it be.
    (found,) = json.loads(agreement.read_text())
    answers = sum(map(len, WHOLE_BENCHMARK.values()))
    assert (found["answers"], found["failed"]) == (answers, 0)
    assert found["kappa"]["low"] <= found["kappa"]["value"] <= found["kappa"]["high"]
    assert 0 < found["accuracy"]["value"] < 1
    assert "kappa" in told.output
    page, table = tmp_path / "report.html", tmp_path / "scores.json"
    least = ("--agreement", agreement, "--least-agreement", "1.1", "--json", table, "--out", page)
    refused = invoke("compare", *logs, *least)
    assert "not for conclusions" in " ".join(refused.output.split())
    text = page.read_text(encoding="utf-8")
    assert "Not for conclusions" in text
    assert "human (published)" in text
    cautions = {s["model"]: s["caution"] for s in json.loads(table.read_text())}
    assert {row.model for row in rows} == {model for model, why in cautions.items() if why}
    assert {row.tokens_out for row in rows} == {7, 14, 21}
