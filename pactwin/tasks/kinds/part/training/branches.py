"""Three replies at every turn of an inspection, scripted from what is known of the parts.

A stack decides what is looked at: things that have a part like the meant one, in a drawn order; of
a thing that was looked at, those parts. The guided reply follows it, says why, and answers at its
end; it alone leads on. The natural reply errs as people do who look but choose too soon, look
again, or look elsewhere. The ungrounded one concludes fluently without having looked.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from string import Template

import numpy as np

from pactwin.policies import Inspection, InspectionTurn, load_prompts, parse_part_choice
from pactwin.suite import Question


@dataclass(frozen=True)
class Said:
    """One message: who says what, and the camera whose picture goes with it, if any."""

    role: str
    text: str
    camera: str = ""


@dataclass(frozen=True)
class Turn:
    """All that was said before, actions alone; what is done then, and what only the guided know."""

    context: tuple[Said, ...]
    action: str
    guidance: str


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
    for action, guidance in _stacked(question, rng):
        context.append(_ours(turn, pack.answer["creative_use"], left))
        yield Turn(tuple(context), action, guidance)
        context.append(Said("assistant", action))
        turn, left = inspection.after(parse_part_choice(action)), left - 1


def branches(question: Question, rng: np.random.Generator) -> list[Branches]:
    """Every turn of one inspection with scripted replies."""
    found: list[Branches] = []
    earlier: list[str] = []
    for turn in turns(question, rng):
        guided = f"{turn.guidance}\n{turn.action}"
        natural, ungrounded = _natural(question, turn, rng), _ungrounded(question, rng)
        found.append(Branches(turn.context, tuple(earlier), guided, natural, ungrounded))
        earlier.append(guided)
    return found


def relevant(question: Question) -> dict[str, list[str]]:
    """Things with their parts that are meant, or were judged to serve alike."""
    found: dict[str, list[str]] = {}
    for thing in question.candidates:
        for part in thing.parts:
            like = thing.likeness.get(part, "")
            if (thing.name, part) == question.accepted or like.startswith("similar"):
                found.setdefault(thing.name, []).append(part)
    return found


def _stacked(question: Question, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """What is done turn by turn, and why: what was found out, then what is to be looked at."""
    parts = relevant(question)
    evidence = {thing.name: thing.evidence for thing in question.candidates}
    things = sorted(parts)
    stack = [(things[k], "") for k in rng.permutation(len(things))]
    before = f"What decides: {question.conditions.get('use', 'what the parts are like')}."
    while stack:
        name, part = stack.pop()
        if part:
            yield inspect_part(name, part), f"{before} I look at the {part} of the {name}."
            serves = (name, part) == question.accepted
            before = (
                f"The {part} of the {name} has {evidence[name].get(part, 'what was told')}: "
                f"{'it meets every need' if serves else 'that does not do'}."
            )
        else:
            yield inspect_thing(name), f"{before} The {name} may have a part that serves."
            before = f"Of the {name} these may do: {', '.join(parts[name])}."
            stack += [(name, each) for each in reversed(parts[name])]
    name, part = question.accepted
    why = f"{before} Of all that I compared only the {part} of the {name} meets every need."
    yield answer(name, part, f"Use the {part} for it."), why


def _natural(question: Question, turn: Turn, rng: np.random.Generator) -> str:
    """An error that looking allows: a choice too soon, the same again, or something else."""
    parts = relevant(question)
    alike = [
        (name, part)
        for name, own in sorted(parts.items())
        for part in own
        if (name, part) != question.accepted
    ]
    others = [thing.name for thing in question.candidates if thing.name not in parts]
    choices = [
        f"That looks about right, so I decide.\n{answer(*pair, 'Just use it as it is.')}"
        for pair in alike or [_other_part(question, rng)]
    ]
    if json.loads(turn.action)["action"] != "answer":
        choices += [f"Perhaps this one.\n{inspect_thing(name)}" for name in others]
        done = [said.text for said in turn.context if said.role == "assistant"]
        choices += [f"Let me look at that again.\n{a}" for a in done[-1:] if a != turn.action]
    return choices[int(rng.integers(len(choices)))]


def _ungrounded(question: Question, rng: np.random.Generator) -> str:
    """A conclusion that nothing seen supports."""
    name, part = _other_part(question, rng)
    why = (
        f"Clearly the {part} of the {name} is exactly as strong, as long and as light as it has to "
        "be; there is no need to look any further."
    )
    return f"{why}\n{answer(name, part, 'It does the job at once.')}"


def _other_part(question: Question, rng: np.random.Generator) -> tuple[str, str]:
    pairs = [(t.name, p) for t in question.candidates for p in t.parts]
    wrong = [pair for pair in pairs if pair != question.accepted]
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
