"""Three scripted replies at every turn of an inspection, from knowledge of the parts.

A stack determines the inspections: objects with a part similar to the gold one, in random order,
and those parts of an inspected object. The guided reply follows the stack, gives its reasons, and
answers at the end; only it continues the conversation. The natural reply makes human errors: it
chooses too soon, looks again, or looks elsewhere. The ungrounded reply concludes without having
looked.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from string import Template

import numpy as np

from pactwin.solvers import Inspection, InspectionTurn, load_prompts, parse_part_choice
from pactwin.suite import Question
from pactwin.tasks.kinds.part.training.reasons import (
    finding_in_words,
    needs_in_words,
    use_in_words,
)


@dataclass(frozen=True)
class Said:
    """One message: its role and text, and the camera of its picture, if any."""

    role: str
    text: str
    camera: str = ""


@dataclass(frozen=True)
class Step:
    """An action as JSON, and alternative sentences that give its reason, shortest first."""

    whys: tuple[str, ...]
    action: str


@dataclass(frozen=True)
class Turn:
    """A turn: earlier messages (actions only), findings ``before`` it, and its action.

    ``judged`` is the object and part inspected last, if it was a part.
    """

    context: tuple[Said, ...]
    before: str
    judged: tuple[str, str] | None
    step: Step

    @property
    def action(self) -> str:
        """The action as JSON."""
        return self.step.action

    @property
    def guidance(self) -> str:
        """Guidance for the guided reply only: the findings, and the reason for the action."""
        return f"{self.before} {self.step.whys[1]}"


@dataclass(frozen=True)
class Branches:
    """One turn with its replies; a reply that cannot be ``rejected`` is empty.

    ``earlier`` are the full guided replies to all earlier messages but the last.
    """

    context: tuple[Said, ...]
    earlier: tuple[str, ...]
    guided: str
    natural: str
    ungrounded: str

    @property
    def rejected(self) -> tuple[str, ...]:
        """Replies to which the guided one is preferred."""
        return tuple(filter(None, (self.natural, self.ungrounded)))


def turns(question: Question, rng: np.random.Generator) -> Iterator[Turn]:
    """Every turn of one inspection."""
    pack = load_prompts().pack.prompts_of("inspect-last", "creative_use")
    inspection = Inspection(question, pack)
    context: list[Said] = []
    turn, left = inspection.start(), pack.turns
    for before, judged, step in _stacked(question, rng):
        context.append(_ours(turn, pack.answer["creative_use"], left))
        yield Turn(tuple(context), before, judged, step)
        context.append(Said("assistant", step.action))
        turn, left = inspection.after(parse_part_choice(step.action)), left - 1


def branches(question: Question, rng: np.random.Generator) -> list[Branches]:
    """Every turn of one inspection with scripted replies.

    All three begin with findings, true or assumed, and have similar lengths; they differ in their
    decision.
    """
    found: list[Branches] = []
    earlier: list[str] = []
    for turn in turns(question, rng):
        natural_step = _natural(question, turn, rng)
        steps = (turn.step, natural_step, _ungrounded(question, natural_step, rng))
        opened = [(_taken_for_found(question, turn, step), step) for step in steps]
        guided, natural, ungrounded = _of_like_length(opened, rng)
        found.append(Branches(turn.context, tuple(earlier), guided, natural, ungrounded))
        earlier.append(guided)
    return found


def _taken_for_found(question: Question, turn: Turn, step: Step) -> str:
    """The last finding, misread so that it fits the step: a part that is chosen seems to serve, a
    part that is passed over seems not to.
    """
    done = json.loads(step.action)
    if turn.judged is None or done["action"] != "answer":
        return turn.before
    took = (done["entity"], done["part"]) == turn.judged
    if took == (turn.judged == question.accepted):
        return turn.before
    return finding_in_words(question, *turn.judged, misread=True)


def _of_like_length(
    opened: Sequence[tuple[str, Step]], rng: np.random.Generator
) -> tuple[str, ...]:
    """One reply for each step, worded so that length does not tell the first from the others."""
    choices = []
    for whys in product(*(step.whys for _, step in opened)):
        replies = tuple(
            f"{before} {why}\n{step.action}"
            for (before, step), why in zip(opened, whys, strict=True)
        )
        apart = [len(reply) - len(replies[0]) for reply in replies[1:]]
        choices.append((sum(map(abs, apart)), replies))
    wanted = rng.choice((-1, 1), len(opened) - 1)  # whether each is to be shorter or longer

    def unfit(replies: tuple[str, ...]) -> int:
        lengths = np.array([len(reply) for reply in replies])
        return int((np.sign(lengths[1:] - lengths[0]) != wanted).sum())

    return min(choices, key=lambda one: (unfit(one[1]), one[0]))[1]


def relevant(question: Question) -> dict[str, list[str]]:
    """Objects with their parts that are gold, or were judged to serve alike."""
    found: dict[str, list[str]] = {}
    for thing in question.candidates:
        for part in thing.parts:
            like = thing.likeness.get(part, "")
            if (thing.name, part) == question.accepted or like.startswith("similar"):
                found.setdefault(thing.name, []).append(part)
    return found


def _stacked(
    question: Question, rng: np.random.Generator
) -> Iterator[tuple[str, tuple[str, str] | None, Step]]:
    """Turns of an inspection: the last finding, the part that it is about, and the next step."""
    parts = relevant(question)
    things = sorted(parts)
    stack = [(things[k], "") for k in rng.permutation(len(things))]
    before, judged = needs_in_words(question), None
    while stack:
        name, part = stack.pop()
        if part:
            yield before, judged, _looks_at_part(name, part)
            before, judged = finding_in_words(question, name, part), (name, part)
            if (name, part) == question.accepted:  # who has found it looks no further
                break
        else:
            yield before, judged, _looks_at(name)
            these = ", the ".join(parts[name])
            before = f"Of the {name}, what comes nearest to what is needed: the {these}."
            judged = None
            stack += [(name, each) for each in reversed(parts[name])]
    yield before, judged, _decides(question, *question.accepted)


def _looks_at(name: str) -> Step:
    whys = (
        f"I look at the {name}.",
        f"I look at the {name} from nearer.",
        f"I look at the {name}, which may have a part that serves.",
        f"I look at the {name}: from here I cannot tell whether a part of it serves.",
        f"I look at the {name}: from here I cannot tell what parts it has, or whether one serves.",
        f"I look at the {name}: from here I cannot tell what parts it has, nor whether one of them "
        "is of the right size.",
        f"I look at the {name}: from here I cannot tell what parts it has, how large these are or "
        "what they are made of.",
        f"I look at the {name}: from here I cannot tell what parts it has, how large these are, "
        "what they are made of, or whether one of them would do the work.",
        f"I look at the {name}: from here I cannot tell what parts it has, how large these are, "
        "what they are made of, or whether one of them would do the work, and all of that decides "
        "what can be done with it.",
    )
    return Step(whys, inspect_thing(name))


def _looks_at_part(name: str, part: str) -> Step:
    look = f"I look at the {part} of the {name}"
    whys = (
        f"I look at the {part}.",
        f"{look}.",
        f"{look} more closely.",
        f"{look} more closely, since its size decides.",
        f"{look} more closely, since its size and its material decide.",
        f"{look} more closely, since both its size and what it is made of decide here.",
        f"{look} more closely, since both its size and what it is made of decide here, and are "
        "best seen from near by.",
        f"{look} more closely: whether it will do the work depends on its size and on what it is "
        "made of, and both have to be seen from near by.",
        f"{look} more closely: whether it will do the work depends on its size and on what it is "
        "made of, and both have to be seen from near by before anything can be done with it here.",
    )
    return Step(whys, inspect_part(name, part))


def _looks_again(name: str, part: str | None) -> Step:
    look = f"I look at the {name}" if part is None else f"I look at the {part} of the {name}"
    whys = (
        f"{look} again.",
        f"{look} once more, to be sure.",
        f"{look} once more, to be sure of what I saw there.",
        f"{look} once more, to be sure of what I saw there, before I go on to anything else.",
        f"{look} once more, to be sure of what I saw there, before I go on to anything else: it "
        "may be that I took it for larger or smaller than it is.",
    )
    return Step(whys, inspect_thing(name) if part is None else inspect_part(name, part))


def _decides(question: Question, name: str, part: str) -> Step:
    take = f"I take the {part} of the {name}"
    whys = (
        f"{take}.",
        f"{take} for it.",
        f"{take} and look no further.",
        f"{take}, since the work can be done with it.",
        f"{take} and look no further, since the work can be done with it.",
        f"{take} and look no further, since the work can be done with it as well as it has to be.",
    )
    return Step(whys, answer(name, part, use_in_words(question, name, part)))


def _natural(question: Question, turn: Turn, rng: np.random.Generator) -> Step:
    """An error that looking allows: a choice too soon, the same again, or something else."""
    parts = relevant(question)
    alike = [
        (name, part)
        for name, own in sorted(parts.items())
        for part in own
        if (name, part) != question.accepted
    ]
    others = [thing.name for thing in question.candidates if thing.name not in parts]
    choices = [_decides(question, *pair) for pair in alike or [_other_part(question, rng)]]
    if json.loads(turn.action)["action"] != "answer":
        # Beside a look at another object nothing tells yet which of them is worth it.
        if json.loads(turn.action).get("part"):
            choices += [_looks_at(name) for name in others]
        done = [json.loads(said.text) for said in turn.context if said.role == "assistant"]
        for last in done[-1:]:
            again = _looks_again(last["entity"], last.get("part"))
            choices += [again] if again.action != turn.action else []
    return choices[int(rng.integers(len(choices)))]


def _ungrounded(question: Question, natural: Step, rng: np.random.Generator) -> Step:
    """A conclusion that nothing seen supports, another than the natural one."""
    taken = json.loads(natural.action)
    return _decides(question, *_other_part(question, rng, (taken["entity"], taken.get("part"))))


def _other_part(
    question: Question, rng: np.random.Generator, taken: tuple[str, str | None] = ("", None)
) -> tuple[str, str]:
    pairs = [(t.name, p) for t in question.candidates for p in t.parts]
    wrong = [pair for pair in pairs if pair not in (question.accepted, taken)]
    return wrong[int(rng.integers(len(wrong)))]


def _ours(turn: InspectionTurn, how_to_answer: str, left: int) -> Said:
    words = turn.words | {"answer": how_to_answer, "left": str(left)}
    return Said("user", Template(turn.template).substitute(words).strip(), turn.camera)


def inspect_thing(name: str) -> str:
    """The action of inspecting an object."""
    return json.dumps({"action": "inspect_entity", "entity": name})


def inspect_part(name: str, part: str) -> str:
    """The action of inspecting a part."""
    return json.dumps({"action": "inspect_part", "entity": name, "part": part})


def answer(name: str, part: str, use: str) -> str:
    """The action of answering."""
    return json.dumps({"action": "answer", "entity": name, "part": part, "use": use})
