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
class Branches:
    """One turn: all that was said before it, without guidance, and the three replies.

    ``earlier`` are the guided replies to the messages of ours in ``context``, in full.
    """

    context: tuple[Said, ...]
    earlier: tuple[str, ...]
    guided: str
    natural: str
    ungrounded: str


def branches(question: Question, rng: np.random.Generator) -> Iterator[Branches]:
    """Every turn of one inspection."""
    pack = load_prompts().pack.prompts_of("inspect-last", "creative_use")
    inspection = Inspection(question, pack)
    context: list[Said] = []
    earlier: list[str] = []
    turn, left = inspection.start(), pack.turns
    for why, action in _guided(question, rng):
        context.append(_ours(turn, pack.answer.creative_use, left))
        yield Branches(
            tuple(context),
            tuple(earlier),
            f"{why}\n{action}",
            _natural(question, [said.text for said in context], action, rng),
            _ungrounded(question, rng),
        )
        context.append(Said("assistant", action))
        earlier.append(f"{why}\n{action}")
        turn, left = inspection.after(parse_part_choice(action)), left - 1


def relevant(question: Question) -> dict[str, list[str]]:
    """Things with their parts that are meant, or were judged to serve alike."""
    found: dict[str, list[str]] = {}
    for thing in question.candidates:
        for part in thing.parts:
            like = thing.likeness.get(part, "")
            if (thing.name, part) == question.accepted or like.startswith("similar"):
                found.setdefault(thing.name, []).append(part)
    return found


def _guided(question: Question, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """Why, and what is done, turn by turn."""
    parts = relevant(question)
    needs = question.rationale.partition("\n")[0].partition(" has ")[2]
    things = sorted(parts)
    stack = [(things[k], "") for k in rng.permutation(len(things))]
    while stack:
        name, part = stack.pop()
        if part:
            why = f"What decides is measured on the part: {needs or 'what it is like'}."
            yield f"{why} I look at the {part} of the {name}.", inspect_part(name, part)
        else:
            why = f"The {name} has a part that may serve; its parts will tell."
            yield why, inspect_thing(name)
            stack += [(name, each) for each in reversed(parts[name])]
    lines = question.rationale.splitlines()
    name, part = question.accepted
    yield (
        f"Compared, one part meets every need. {lines[0] if lines else ''}",
        answer(name, part, f"Use the {part} for it."),
    )


def _natural(question: Question, said: list[str], guided: str, rng: np.random.Generator) -> str:
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
    if json.loads(guided)["action"] != "answer":
        choices += [f"Perhaps this one.\n{inspect_thing(name)}" for name in others]
        choices += [f"Let me look at that again.\n{a}" for a in said[1::2][-1:] if a != guided]
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
