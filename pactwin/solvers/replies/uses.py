"""Parse the object and part that a reply chooses, or the object that it asks to see."""

import re

from pactwin.solvers.replies.places import no_answer
from pactwin.solvers.replies.text import (
    Problem,
    json_objects,
    silence_of,
    strip_reasoning,
    visible_text,
)
from pactwin.suite import Record

_NAMED = ("entity", "part", "action")
_FIELD = re.compile(r"^\W*(entity|part|use)\W*:\W*(\S.*?)\W*$", re.I | re.M)


class PartChoice(Record):
    """An object, its part and its use, as a reply names them, or the problem.

    ``explore`` is the object that the reply asks to see instead, if allowed, and ``explore_part``
    the part of it.
    """

    entity: str = ""
    part: str = ""
    use: str = ""
    explore: str = ""
    explore_part: str = ""
    problem: Problem | None = None


def parse_part_choice(reply: str) -> PartChoice:
    """Parse the last JSON object of a reply that names an object and a part, or one to explore.

    Without JSON, lines that begin with its keys are read.
    """
    text = strip_reasoning(reply)
    if not text:
        return PartChoice(problem=silence_of(reply))
    chosen: PartChoice | None = None
    for found in [record for record, _ in json_objects(text)] or [dict(_FIELD.findall(text))]:
        record = found.get("answer", found)
        fields = record.items() if isinstance(record, dict) else ()
        said = {key.casefold(): value.strip() for key, value in fields if isinstance(value, str)}
        entity, part, action = (" ".join(said.get(k, "").split()) for k in _NAMED)
        if action.casefold() == "inspect_entity" and entity:
            chosen = PartChoice(explore=entity)
        elif action.casefold() == "inspect_part" and entity:
            chosen = PartChoice(explore=entity, explore_part=part) if part else None
        elif entity and part:
            chosen = PartChoice(entity=entity, part=part, use=said.get("use", ""))
        elif said.get("explore"):
            chosen = PartChoice(explore=" ".join(said["explore"].split()))
    return chosen or PartChoice(problem=no_answer(visible_text(reply)))
