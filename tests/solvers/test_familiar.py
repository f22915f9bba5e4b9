"""pactwin/familiar: what is often meant for a use, learnt where the question itself is not."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from evaluating import evaluate
from inspect_ai.util import Store
from known_things import known_things, planned, scene_of

from pactwin.solvers.baselines import uses
from pactwin.solvers.baselines.uses import Known, familiar_part
from pactwin.solvers.question_ref import QuestionRef
from pactwin.suite import InvalidInputError, Question, Scene, Suite, SuiteWriter
from pactwin.tasks import UseRow, make_use_question, read_rows

pytestmark = pytest.mark.slow

TASKS = 24


@cache
def drawn_tasks(seed: int) -> tuple[Any, dict[str, Any], list[Scene]]:
    """What is known, the plans by scene, and the scenes; planning takes most of the time."""
    known = known_things(seed)
    plans = planned(known, TASKS, seed)
    drawn = [scene_of(known, plan, n)[0] for n, plan in enumerate(plans)]
    return known, {scene.id: plan for scene, plan in zip(drawn, plans, strict=True)}, drawn


def write_suite(out: Path, seed: int, *, same_thing: bool = False, tasks: int = TASKS) -> Path:
    """Tasks in words; with ``same_thing`` the meant one of a use is always called alike."""
    known, by_id, drawn = drawn_tasks(seed)

    def asked(scene_id: str, question: Question) -> Question:
        if not same_thing:
            return question
        name, part = question.accepted
        planted = f"thing for {by_id[scene_id].use}"
        things = tuple(
            t.model_copy(update={"name": planted}) if t.name == name else t
            for t in question.candidates
        )
        return question.model_copy(update={"candidates": things, "accepted": (planted, part)})

    with SuiteWriter.open(out, name="familiar", request={}, gl_renderer="none") as writer:
        for scene in drawn[:tasks]:
            writer.add((scene.model_copy(update={"objects": (), "views": ()}),), {}, {})
        writer.finish(
            lambda scenes: [
                asked(s.id, make_use_question(known, by_id[s.id], s.model_copy(
                    update={"objects": (), "views": ()}))) for s in scenes
            ]
        )  # fmt: skip
    return out


def found(suite: Path, found_on: Path | None = None) -> float:
    """The share of tasks whose meant thing it takes."""
    opened = Suite.open(suite)
    hits = []
    for question in opened.questions():
        asked = QuestionRef(
            store=Store(),  # not one that an evaluation before has left
            suite=str(suite),
            suite_hash=opened.info.content_hash,
            question_id=question.id,
        )
        reply = familiar_part(
            asked, question, np.random.default_rng(0), found_on=str(found_on or "")
        )
        hits.append(json.loads(reply)["entity"] == question.accepted[0])
    return float(np.mean(hits))


@pytest.fixture
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows no other seeds."""
    monkeypatch.setattr(uses, "other_seeds", Known)


@pytest.mark.usefixtures("nothing_known")
def test_it_finds_what_is_always_meant_and_knows_nothing_of_its_own_question(tmp_path):
    plain = write_suite(tmp_path / "plain", 5)
    planted = write_suite(tmp_path / "planted", 5, same_thing=True)
    elsewhere = write_suite(tmp_path / "elsewhere", 6, same_thing=True)
    assert found(planted, elsewhere) > 0.6  # but for uses that are not among the other tasks
    assert found(planted) > 0.6  # uses occur in several folds
    # Most things are asked about twice or more, each time with another answer.
    assert found(plain, plain) < 0.6 and found(plain) < 0.4


def test_by_default_it_knows_what_other_seeds_have(tmp_path, monkeypatch):
    suite = write_suite(tmp_path / "suite", 5, tasks=8)
    known = Known()
    for question in Suite.open(suite).questions():
        known.add_question(question)
    assert Known.read(json.loads(json.dumps(known.record()))) == known
    before = found(suite)
    monkeypatch.setattr(uses, "other_seeds", lambda: known)
    assert found(suite) > max(before, 0.4)  # it has seen these very questions


def test_it_answers_through_the_whole_path_and_nothing_but_uses(tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", 5, tasks=3)
    logs = evaluate(suite, ["pactwin/familiar"], log_dir=tmp_path / "logs")
    rows = [row for row in read_rows(logs) if isinstance(row, UseRow)]
    assert len(rows) == 3 and all(row.found_entity and row.found_part for row in rows)
    from pactwin.solvers.baselines.provider import refuse_unable_baseline

    with pytest.raises(InvalidInputError, match="cannot answer questions of kind constraint"):
        refuse_unable_baseline("familiar", "constraint")
