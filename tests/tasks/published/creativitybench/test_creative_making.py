"""Tasks of our own: one part serves, no other nearly does, and only measures tell which."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from known_things import known_things, planned, scene_of
from openai_server import Reply, openai_server, sent_text

from pactwin.catalogue import BAND, Entity, MeasuredPart, Need, load_catalogue
from pactwin.solvers.baselines.uses import Known
from pactwin.suite import EnvironmentFaultError, InvalidInputError, Question, Scene, opaque_id
from pactwin.tasks import (
    KnowledgeBase,
    UsePlan,
    Written,
    ask_writer,
    make_use_question,
    plan_tasks,
    situation_brief,
)
from pactwin.tasks.core.asking import question_text
from pactwin.tasks.kinds.part.making import planning
from pactwin.tasks.kinds.part.making.planning import lacking
from pactwin.tasks.kinds.part.making.wording import SituationBrief, fault_of_situation

pytestmark = pytest.mark.slow

COUNT = 60


@pytest.fixture(scope="module")
def known() -> KnowledgeBase:
    return known_things(3)


@pytest.fixture(scope="module")
def groups(known: KnowledgeBase) -> list[list[UsePlan]]:
    return [list(group) for group in plan_tasks(known, COUNT, 5)]


@pytest.fixture(scope="module")
def plans(groups: list[list[UsePlan]]) -> list[UsePlan]:
    return [plan for group in groups for plan in group]


@pytest.fixture(scope="module")
def questions(known: KnowledgeBase, plans: list[UsePlan]) -> list[Question]:
    return [make_use_question(known, plan, scene(n, plan)) for n, plan in enumerate(plans)]


def scene(number: int, plan: UsePlan) -> Scene:
    return Scene(
        id=opaque_id(f"test:{number}"), domain=plan.tier, source="sim", seed=number, robot="none",
        objects=(), views=(),
    )  # fmt: skip


def least_ratio(
    known: KnowledgeBase, plan: UsePlan, kind: str, part: str, *, also: bool = False
) -> float:
    measured, needs = known.of(kind)[part], known.table.uses[plan.use].needs
    return min(need.ratio(measured, plan.limits, also=also) for need in needs)


def test_one_part_serves_and_no_other_nearly_does(known, plans):
    assert len(plans) == COUNT
    for plan in plans:
        assert least_ratio(known, plan, plan.kind, plan.part) >= BAND
        for kind in (plan.kind, *plan.others):
            for part in known.of(kind):
                if (kind, part) != (plan.kind, plan.part):
                    assert least_ratio(known, plan, kind, part, also=True) <= 1 / BAND


def test_what_might_serve_in_another_way_neither_serves_nor_fails(known: KnowledgeBase) -> None:
    need = Need(measure="width_mm", also=("depth_mm",), at_most="ledge")
    measures = {"thing_g": 90.0, "thing_mm": 90.0, "width_mm": 50.0, "depth_mm": 20.0,
                "roundness": 0.2, "off_mm": 0.0, "share": 1.0}  # fmt: skip
    part = MeasuredPart(material="steel", traits=(), measures=measures)
    assert (
        need.ratio(part, {"ledge": 25}) == 0.5
        and need.ratio(part, {"ledge": 25}, also=True) == 1.25
    )

    def short(limits: dict[str, float], **changed: float) -> list[int | None]:
        other = part.model_copy(update={"measures": measures | changed})
        entity = Entity(kind="mug", name="mug", state="", parts={"body": other})
        return lacking(KnowledgeBase({"mug": entity}, known.table), "weigh down", limits)["mug"]

    light = {"load": 60.0, "ledge": 100.0, "long": 900.0, "heavy": 900.0}
    assert short(light) == [0]
    assert short({**light, "ledge": 25.0}) == [None]  # on edge it would rest there
    assert short({**light, "load": 200.0}) == [1]
    assert short(light, off_mm=30.0) == [None]  # it does not balance by this part: who knows
    assert short({**light, "load": 200.0}, off_mm=30.0) == [2]


def test_where_nothing_made_for_it_is_said_to_be_there_there_is_none(known, plans, questions):
    catalogue = load_catalogue()
    said = 0
    for plan, question in zip(plans, questions, strict=True):
        words = set(known.table.uses[plan.use].made_for)
        made = [
            kind
            for kind in (plan.kind, *plan.others)
            if words & {one.name for one in catalogue.kind(kind).affordances}
        ]
        claims = "Nothing made for this is there" in question.text
        assert claims == (not made)
        said += claims
    assert COUNT / 2 < said < COUNT


def test_what_is_familiar_is_meant_in_one_task_in_four_at_most(known, monkeypatch):
    """By a table that knows these very tasks, as they would be if nobody looked at it."""

    def expected(plans: list[UsePlan]) -> float:
        return sum(planning._familiar(known, plan) for plan in plans)

    shop = {kind: known.entities[kind] for kind in known.table.settings["workshop"]}
    known, table = KnowledgeBase(shop, known.table), Known()
    monkeypatch.setattr(planning, "other_seeds", lambda: table)
    for plan in (free := planned(known, 16, 6)):
        names = [known.entities[kind].name for kind in (plan.kind, *plan.others)]
        table.add(plan.use, names[0], plan.part, names)
    assert expected(free) > 1 + 16 / 4 >= expected(planned(known, 16, 6))


def test_weight_alone_decides_one_task_in_seven_at_most(known, plans, monkeypatch):
    """A picture shows no weight: where all else is alike, looking does not help."""

    def weighed(plans: list[UsePlan]) -> float:
        return sum(planning._by_weight(known, plan) for plan in plans)

    assert weighed(plans) <= 1 + planning._BY_WEIGHT * len(plans)
    monkeypatch.setattr(planning, "_BY_WEIGHT", 1.0)
    assert weighed(planned(known, len(plans), 5)) > 1 + 0.15 * len(plans)


def test_a_plan_that_trials_do_not_bear_out_is_drawn_anew(known: KnowledgeBase) -> None:
    first = planned(known, 4, 5)
    refused = {plan.kind for plan in first[::3]}
    again = planned(known, 4, 5, lambda plan: plan.kind not in refused)
    assert len(again) == 4 and not refused & {plan.kind for plan in again}


def chosen_by(questions: list[Question], value: Callable[[Question, str], float]) -> float:
    """By how many standard deviations choosing the thing with most of ``value`` beats guessing."""
    hits = chance = spread = 0.0
    for question in questions:
        names = [thing.name for thing in question.candidates]
        most = max(value(question, name) for name in names)
        best = [name for name in names if value(question, name) == most]
        hits += (question.accepted[0] in best) / len(best)
        share = 1 / len(names)
        chance += share
        spread += share * (1 - share)
    return (hits - chance) / float(np.sqrt(spread))


def words(text: str) -> set[str]:
    return {word.strip(".,;:?").casefold() for word in text.split() if len(word) > 3}


def told(question: Question, name: str) -> str:
    thing = next(thing for thing in question.candidates if thing.name == name)
    return " ".join(f"{part}: {text}" for part, text in thing.parts.items())


SIGNS: dict[str, Callable[[Question, str], float]] = {
    "told first": lambda q, name: -question_text(q).index(f"\n{name}:"),
    "told last": lambda q, name: question_text(q).index(f"\n{name}:"),
    "longest description": lambda q, name: len(told(q, name)),
    "shortest description": lambda q, name: -len(told(q, name)),
    "words of the name in the text": lambda q, name: len(words(name) & words(q.text)),
    "words of the parts in the text": lambda q, name: len(words(told(q, name)) & words(q.text)),
}


@pytest.mark.parametrize("sign", SIGNS)
def test_no_sign_tells_the_meant_thing(sign: str, questions: list[Question]) -> None:
    assert abs(chosen_by(questions, SIGNS[sign])) < 3.5


def test_a_sign_would_be_seen(questions: list[Question]) -> None:
    planted = [
        q.model_copy(update={"text": f"{q.text} {q.accepted[0]} cardboard"}) for q in questions
    ]
    assert chosen_by(planted, SIGNS["words of the name in the text"]) > 3.5


def measured(
    known: KnowledgeBase, measure: str, sign: float = 1.0
) -> Callable[[Question, str], float]:
    """The most that a part of a thing has of a measure, by the sign."""
    parts = {entity.name: entity.parts.values() for entity in known.entities.values()}
    return lambda _, name: sign * max(part.measures.get(measure, 0.0) for part in parts[name])


def test_no_measure_tells_the_meant_thing(known: KnowledgeBase, questions: list[Question]) -> None:
    everywhere = {need.measure for need in known.table.everywhere.needs}
    for measure in known.table.measures.keys() - everywhere:
        asking = {
            name
            for name, use in known.table.uses.items()
            if measure in {need.measure for need in use.needs}
        }
        free = [q for q in questions if q.topic not in asking]
        assert len(free) > COUNT / 3
        for sign in (1.0, -1.0):
            assert abs(chosen_by(free, measured(known, measure, sign))) < 2.5, (measure, sign)


def test_a_measure_that_tells_it_would_be_seen(known, questions):
    """Planted: only tasks whose gold answer is the largest of the things."""
    volume = measured(known, "volume_ml")
    planted = [
        q
        for q in questions
        if volume(q, q.accepted[0]) == max(volume(q, thing.name) for thing in q.candidates)
    ]
    assert chosen_by(planted, volume) > 2.5


def test_more_tasks_than_there_are_is_refused(known: KnowledgeBase) -> None:
    few = {kind: known.entities[kind] for kind in ("mug", "cup", "fork", "plate", "spoon")}
    with pytest.raises(InvalidInputError, match=", not 30"):
        plan_tasks(KnowledgeBase(few, known.table), 30, 0)


WRITER = "openai-api/local/scribe"
STORY = "It is a rainy evening and nobody can leave the house."


@pytest.fixture(scope="module")
def plan(plans: list[UsePlan]) -> UsePlan:
    return plans[0]


@pytest.fixture(scope="module")
def brief(known: KnowledgeBase, plan: UsePlan) -> SituationBrief:
    return situation_brief(known, plan)


def test_what_asks_for_the_same_can_be_used(brief: SituationBrief) -> None:
    assert fault_of_situation(f"{STORY} {brief.situation}", brief) == ""


@pytest.mark.parametrize("planted", ["the thing", "a part", "a number", "markup", "length", "need"])
def test_what_cannot_be_used_is_told_why(planted, brief, known, plan):
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


def test_a_model_is_told_of_no_thing_and_asked_again(known, plan, brief, tmp_path):
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
