"""Three scripted replies at every turn of an inspection, from knowledge of the parts.

A stack determines the inspections: objects with a part similar to the gold one, in random order,
and those parts of an inspected object. The guided reply follows the stack, gives its reasons, and
answers at the end; only it continues the conversation. The natural reply looks amiss: again, or
elsewhere, at the end because it misread what it found. The ungrounded reply claims to have found
what serves: at the end in another part, and at one turn before that too soon. So neither a look nor
an answer is preferred.
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

    All begin with findings, true or assumed, and have similar lengths; they differ in their
    decision.
    """
    made = list(turns(question, rng))
    hasty = _hasty_turn(made, rng)
    found: list[Branches] = []
    earlier: list[str] = []
    for k, turn in enumerate(made):
        amiss = _looks_amiss(question, turn, rng)
        opened = [(turn.before, turn.step), *([amiss] if amiss else [])]
        if k in (hasty, len(made) - 1):
            opened.append(_concludes(question, turn, rng))
        guided, *rejected = _of_like_length(opened, rng)
        natural = rejected.pop(0) if amiss else ""
        found.append(Branches(turn.context, tuple(earlier), guided, natural, "".join(rejected)))
        earlier.append(guided)
    return found


def _hasty_turn(made: Sequence[Turn], rng: np.random.Generator) -> int:
    """The turn at which one concludes too soon: after a part that fails, else at once."""
    return int(rng.choice([k for k, turn in enumerate(made[:-1]) if turn.judged] or [0]))


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
            yield before, judged, _looks(name, part)
            before, judged = finding_in_words(question, name, part), (name, part)
            if (name, part) == question.accepted:  # who has found it looks no further
                break
        else:
            yield before, judged, _looks(name)
            these = ", the ".join(parts[name])
            before = (
                f"Of the parts of the {name}, what comes nearest to what is needed: the {these}."
            )
            judged = None
            stack += [(name, each) for each in reversed(parts[name])]
    yield before, judged, _decides(question, *question.accepted)


def _looks(name: str, part: str = "") -> Step:
    look = f"I look at the {part} of the {name}" if part else f"I look at the {name}"
    decide = f"{look} more closely: whether it will do the work depends on size and on material"
    whys = (
        f"{look}.",
        f"{look} more closely.",
        f"{look} more closely, since size decides.",
        f"{look} more closely, since size and material decide.",
        f"{look} more closely, since both size and material decide here.",
        f"{look} more closely, since both size and material decide here, and are best seen from "
        "near by.",
        f"{decide}, and both have to be seen from near by.",
        f"{decide}, and both have to be seen from near by before anything can be done with it.",
        f"{decide}, and both have to be seen from near by before anything can be done with it: "
        "what is too large, too small or too soft is of no use here.",
    )
    return Step(whys, inspect_part(name, part) if part else inspect_thing(name))


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


def _looks_amiss(
    question: Question, turn: Turn, rng: np.random.Generator
) -> tuple[str, Step] | None:
    """A look that is not worth it: the same again, or elsewhere than where a part may serve.

    None at the first turn, at which nothing tells yet which object is worth a look.
    """
    before, parts, action = turn.before, relevant(question), json.loads(turn.action)
    found = turn.judged == question.accepted
    if turn.judged and found:
        before = finding_in_words(question, *turn.judged, misread=True)
    done = [json.loads(said.text) for said in turn.context if said.role == "assistant"]
    choices = [] if found else [(last["entity"], last.get("part", "")) for last in done[-1:]]
    if action.get("part"):  # beside a look at an object another one may be as good
        name = action["entity"]
        things = {thing.name: thing for thing in question.candidates}
        useless = [(name, part) for part in things[name].parts if part not in parts[name]]
        elsewhere = [(n, "") for n in things if n not in parts or (found and n != name)]
        choices += useless if useless and rng.random() < 0.5 else elsewhere
    wrong = [step for step in (_looks(*one) for one in choices) if step.action != turn.action]
    return (before, wrong[int(rng.integers(len(wrong)))]) if wrong else None


def _concludes(question: Question, turn: Turn, rng: np.random.Generator) -> tuple[str, Step]:
    """A conclusion that nothing seen supports: what was inspected last, or any other part."""
    pairs = [(thing.name, part) for thing in question.candidates for part in thing.parts]
    wrong = [pair for pair in pairs if pair != question.accepted]
    taken = turn.judged if turn.judged in wrong else wrong[int(rng.integers(len(wrong)))]
    before = turn.before
    if turn.judged is not None:
        seen = taken == turn.judged
        before = finding_in_words(question, *taken, misread=True, seen=seen)
    return before, _decides(question, *taken)


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
