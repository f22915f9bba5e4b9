"""Trajectories from a teacher over HTTP: led where it is guided, left out where it fails."""

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from known_things import write_inspected
from openai_server import Reply, openai_server, sent_images, sent_text

from pactwin.suite import EnvironmentFaultError, Question, Suite, load_suite
from pactwin.tasks import ask_teacher, export_training
from pactwin.tasks.kinds.part.training.branches import answer
from pactwin.tasks.kinds.part.training.rows import scripted

TEACHER = "openai-api/local/teacher"
GUIDED = "you write an example of how to look before one chooses"
UNGROUNDED = "write an example of how not to do it"


class Teacher:
    """Follows the guidance but for ``stubborn`` questions; else answers what is right or wrong."""

    def __init__(self, suite: Path, stubborn: int = 0) -> None:
        self.questions = list(Suite.open(suite).questions())
        self.stubborn = {q.id for q in self.questions[:stubborn]}
        self.asked: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any]) -> Reply:
        text = sent_text(body)
        question = next(q for q in self.questions if q.text in text)
        if GUIDED in text:
            self.asked["guided"] += 1
            action = text.strip().splitlines()[-1]
            if question.id in self.stubborn:
                return Reply(f"I know better. {chosen(question.accepted)}")
            return Reply(f"I see why.\n{action}")
        if UNGROUNDED in text:
            self.asked["ungrounded"] += 1
            return Reply(f"No need to look. {chosen(wrong(question))}")
        self.asked["natural"] += 1
        right = chosen(question.accepted)
        return Reply(f"I think so. {right if self.asked['natural'] % 2 else '{}'}")


def chosen(pair: tuple[str, ...]) -> str:
    return answer(pair[0], pair[1], "just so")


def wrong(question: Question) -> tuple[str, str]:
    pairs = [(t.name, p) for t in question.candidates for p in t.parts]
    return next(pair for pair in pairs if pair != question.accepted)


@pytest.mark.slow
def test_a_teacher_writes_the_replies_and_what_it_will_not_follow_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = write_inspected(tmp_path / "suite")
    first, second = Suite.open(suite).questions()
    teacher = Teacher(suite, stubborn=1)

    def taught(out: Path) -> dict[str, list[dict[str, Any]]]:
        export_training(suite, None, out, 0, partial(ask_teacher, TEACHER, tmp_path / "logs"))
        files = {f.stem: f.read_text().splitlines() for f in out.glob("*.jsonl")}
        return {name: [json.loads(line) for line in f] for name, f in files.items()}

    with openai_server(teacher) as server:
        rows = taught(tmp_path / "rows")
        asked = len(server.requests)
        assert taught(tmp_path / "again") == rows  # a run that was stopped costs nothing again
        assert len(server.requests) == asked
        teacher.stubborn.add(second.id)
        monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "empty"))
        with pytest.raises(EnvironmentFaultError, match="turn"):
            taught(tmp_path / "none")
        assert not (tmp_path / "none").exists()

    n = len(rows["sft.lf"])
    # As many turns as the script has: who has found what serves looks no further.
    ordered = sorted((first, second), key=lambda question: question.id)
    assert n == len(scripted(load_suite(str(suite)), ordered, 0)[second.id]) > 2
    assert asked == 3 * n + 3
    texts = [row["messages"][0]["content"] for row in rows["sft.lf"]]
    assert all(second.text in text and first.text not in text for text in texts)
    assert not (tmp_path / "rows" / "images" / first.scene_id).exists()
    assert all(r["messages"][-1]["content"].startswith("I see why.") for r in rows["sft.lf"])
    # Natural replies were right or could not be read: nobody prefers anything to those.
    rejected = [row["rejected"]["content"] for row in rows["dpo.lf"]]
    assert len(rejected) == n and all(r.startswith("No need to look.") for r in rejected)
    # Contexts of preferences, and of branches without guidance, hold actions alone.
    for row in rows["dpo.lf"]:
        assert all("I see why" not in m["content"] for m in row["messages"])
    for body in server.requests:
        text = sent_text(body)
        assert 1 <= len(sent_images(body)) <= 2 and "I see why" not in text
        assert (GUIDED in text) == ("What is known here" in text)
        assert GUIDED in text or "the part that does the work needs" not in text
