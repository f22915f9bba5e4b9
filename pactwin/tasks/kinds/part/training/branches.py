"""Three replies at every turn of an inspection, scripted from what is known of the parts.

A stack decides what is looked at: things that have a part like the meant one, in a drawn order; of
a thing that was looked at, those parts. The guided reply follows it, says why, and answers at its
end; it alone leads on. The natural reply errs as people do who look but choose too soon, look
again, or look elsewhere. The ungrounded one concludes without having looked.
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

_TAILS = (
    "",
    " That is my next step.",
    " That is my next step, going by what was asked.",
    " That is my next step, going by what was asked and by all that I know.",
    " That is my next step, going by what was asked and by all that I know of the things here.",
    " That is my next step, going by what was asked and by all that I know so far of the things "
    "that are here, of their parts and of what these are made of.",
)
"""By these replies become about as long as each other; they say nothing of what is decided."""


@dataclass(frozen=True)
class Said:
    """One message: who says what, and the camera whose picture goes with it, if any."""

    role: str
    text: str
    camera: str = ""


@dataclass(frozen=True)
class Step:
    """What is done, as JSON, and the sentence that says why."""

    why: str
    action: str


@dataclass(frozen=True)
class Turn:
    """All that was said before, actions alone; what was found out ``before``, and what is done."""

    context: tuple[Said, ...]
    before: str
    step: Step

    @property
    def action(self) -> str:
        """What is done, as JSON."""
        return self.step.action

    @property
    def guidance(self) -> str:
        """What only the guided know: what was found out, and why this is done."""
        return f"{self.before} {self.step.why}"


@dataclass(frozen=True)
class Branches:
    """One turn with its replies; a reply that cannot be ``rejected`` is empty.

    ``earlier`` are the guided replies to the messages of ours before the last, in full.
    """

    context: tuple[Said, ...]
    earlier: tuple[str, ...]
    guided: str
    natural: str
    ungrounded: str

    @property
    def rejected(self) -> tuple[str, ...]:
        """The replies that the guided one is preferred to."""
        return tuple(filter(None, (self.natural, self.ungrounded)))


def turns(question: Question, rng: np.random.Generator) -> Iterator[Turn]:
    """Every turn of one inspection."""
    pack = load_prompts().pack.prompts_of("inspect-last", "creative_use")
    inspection = Inspection(question, pack)
    context: list[Said] = []
    turn, left = inspection.start(), pack.turns
    for before, step in _stacked(question, rng):
        context.append(_ours(turn, pack.answer["creative_use"], left))
        yield Turn(tuple(context), before, step)
        context.append(Said("assistant", step.action))
        turn, left = inspection.after(parse_part_choice(step.action)), left - 1


def branches(question: Question, rng: np.random.Generator) -> list[Branches]:
    """Every turn of one inspection with scripted replies.

    All three begin with what was found out before, and are about as long as each other: they differ
    in what they decide.
    """
    found: list[Branches] = []
    earlier: list[str] = []
    for turn in turns(question, rng):
        natural_step = _natural(question, turn, rng)
        steps = (turn.step, natural_step, _ungrounded(question, natural_step, rng))
        guided, natural, ungrounded = _of_like_length(turn.before, steps, rng)
        found.append(Branches(turn.context, tuple(earlier), guided, natural, ungrounded))
        earlier.append(guided)
    return found


def _of_like_length(
    before: str, steps: Sequence[Step], rng: np.random.Generator
) -> tuple[str, ...]:
    """A reply of each step, with tails by which none is longer than the first more often."""
    choices = []
    for tails in product(_TAILS, repeat=len(steps)):
        replies = tuple(
            f"{before} {step.why}{tail}\n{step.action}"
            for step, tail in zip(steps, tails, strict=True)
        )
        apart = [len(reply) - len(replies[0]) for reply in replies[1:]]
        choices.append((sum(map(abs, apart)), replies))
    wanted = rng.integers(0, 2, len(steps) - 1) == 1  # whether each is to be longer

    def fits(replies: tuple[str, ...]) -> int:
        longer = [len(reply) > len(replies[0]) for reply in replies[1:]]
        return sum(is_longer != want for is_longer, want in zip(longer, wanted, strict=True))

    return min(choices, key=lambda one: (fits(one[1]), one[0]))[1]


def relevant(question: Question) -> dict[str, list[str]]:
    """Things with their parts that are meant, or were judged to serve alike."""
    found: dict[str, list[str]] = {}
    for thing in question.candidates:
        for part in thing.parts:
            like = thing.likeness.get(part, "")
            if (thing.name, part) == question.accepted or like.startswith("similar"):
                found.setdefault(thing.name, []).append(part)
    return found


def _stacked(question: Question, rng: np.random.Generator) -> Iterator[tuple[str, Step]]:
    """What was found out turn by turn, and what is done then."""
    parts = relevant(question)
    things = sorted(parts)
    stack = [(things[k], "") for k in rng.permutation(len(things))]
    before = needs_in_words(question)
    while stack:
        name, part = stack.pop()
        if part:
            yield before, _looks_at_part(name, part)
            before = finding_in_words(question, name, part)
            if (name, part) == question.accepted:  # who has found it looks no further
                break
        else:
            yield before, _looks_at(name)
            before = f"Of the {name} this may do here: the {' or the '.join(parts[name])}."
            stack += [(name, each) for each in reversed(parts[name])]
    yield before, _decides(question, *question.accepted)


def _looks_at(name: str) -> Step:
    return Step(f"I look at the {name}, which may have a part that serves.", inspect_thing(name))


def _looks_at_part(name: str, part: str) -> Step:
    return Step(f"I look at the {part} of the {name} more closely.", inspect_part(name, part))


def _decides(question: Question, name: str, part: str) -> Step:
    use = use_in_words(question, name, part)
    return Step(f"I take the {part} of the {name}.", answer(name, part, use))


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
        choices += [_looks_at(name) for name in others]
        done = [json.loads(said.text) for said in turn.context if said.role == "assistant"]
        for last in done[-1:]:
            again = (
                _looks_at_part(last["entity"], last["part"])
                if "part" in last
                else _looks_at(last["entity"])
            )
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
    """The action that looks at a thing."""
    return json.dumps({"action": "inspect_entity", "entity": name})


def inspect_part(name: str, part: str) -> str:
    """The action that looks at a part."""
    return json.dumps({"action": "inspect_part", "entity": name, "part": part})


def answer(name: str, part: str, use: str) -> str:
    """The action that answers."""
    return json.dumps({"action": "answer", "entity": name, "part": part, "use": use})
