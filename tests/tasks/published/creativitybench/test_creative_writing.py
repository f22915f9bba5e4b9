"""Situations in a model's words: asked for over HTTP, checked, and on record as its own."""

from pathlib import Path
from typing import Any

import pytest
from known_things import known_things, scene_of
from openai_server import Reply, openai_server, sent_text

from pactwin.suite import EnvironmentFaultError
from pactwin.tasks import (
    KnowledgeBase,
    UsePlan,
    Written,
    ask_writer,
    make_use_question,
    plan_tasks,
    situation_brief,
)
from pactwin.tasks.kinds.part.making.wording import SituationBrief, fault_of_situation

WRITER = "openai-api/local/scribe"
STORY = "It is a rainy evening and nobody can leave the house."


@pytest.fixture(scope="module")
def known() -> KnowledgeBase:
    return known_things(4)


@pytest.fixture(scope="module")
def plan(known: KnowledgeBase) -> UsePlan:
    return plan_tasks(known, 1, 1)[0][0]


@pytest.fixture(scope="module")
def brief(known: KnowledgeBase, plan: UsePlan) -> SituationBrief:
    return situation_brief(known, plan)


def test_what_asks_for_the_same_can_be_used(brief: SituationBrief) -> None:
    assert fault_of_situation(f"{STORY} {brief.situation}", brief) == ""


@pytest.mark.parametrize("planted", ["the thing", "a part", "a number", "markup", "length", "need"])
def test_what_cannot_be_used_is_told_why(
    planted: str, brief: SituationBrief, known: KnowledgeBase, plan: UsePlan
) -> None:
    thing, number = known.entities[plan.kind].name, f"{next(iter(plan.limits.values())):g}"
    faults = {
        "the thing": (f"{STORY} {brief.situation} The {thing.upper()}s are here.", "it names the"),
        "a part": (f"{STORY} {brief.situation} It takes a {plan.part}.", "it names the"),
        "a number": (f"{STORY} {brief.situation.replace(number, '7777')}", "its numbers have to"),
        "markup": (f'{STORY} {brief.situation} {{"entity": "x"}}', "not plain text"),
        "length": (f"{STORY} " * 30 + brief.situation, "words, not"),
        "need": (
            f"{STORY} {STORY} {' '.join(f'{v:g}' for v in plan.limits.values())}",
            "what has to be",
        ),
    }
    text, fault = faults[planted]
    assert fault in fault_of_situation(text, brief)


def test_a_model_is_told_of_no_thing_and_asked_again(
    known: KnowledgeBase, plan: UsePlan, brief: SituationBrief, tmp_path: Path,
) -> None:  # fmt: skip
    good = f"{STORY} {brief.situation}"
    name = known.entities[plan.kind].name
    replies: dict[str, list[str | None]] = {
        "right": [good],
        "named": [f"{good} Take the {name}.", good],
        "never": ["No.", "No.", "No."],
        "silent": [None],
    }
    briefs = {id: brief.model_copy(update={"setting": f"room {id}"}) for id in replies}

    def answer(body: dict[str, Any]) -> Reply:
        case = next(id for id in replies if f"room {id}" in sent_text(body))
        said = replies[case][(len(body["messages"]) - 1) // 2]
        return Reply(said, finish_reason="stop" if said else "content_filter")

    with openai_server(answer) as server:
        assert ask_writer(WRITER, tmp_path / "logs", briefs) == {"right": good, "named": good}
        first = [body for body in server.requests if len(body["messages"]) == 1]
        assert len(server.requests) == 7 and len(first) == 4
        assert all(name.casefold() not in sent_text(body).casefold() for body in first)
        with pytest.raises(EnvironmentFaultError, match="failed each time"):
            ask_writer(WRITER, tmp_path / "none", {"never": briefs["never"]})


def test_who_wrote_a_situation_is_on_record(known: KnowledgeBase, plan: UsePlan) -> None:
    scene, _ = scene_of(known, plan, 1)
    ours = make_use_question(known, plan, scene)
    theirs = make_use_question(known, plan, scene, Written("Say it so.", WRITER))
    assert "Say it so." in theirs.text and theirs.rationale.endswith(f"words of {WRITER}.")
    assert theirs.rationale.startswith(ours.rationale) and "in the words" not in ours.rationale
    assert theirs.candidates == ours.candidates and theirs.conditions == ours.conditions
