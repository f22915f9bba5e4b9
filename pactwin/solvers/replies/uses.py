"""Which part of which thing a reply chooses, or which thing it asks to see."""

import re

from pactwin.solvers.replies.places import no_answer
from pactwin.solvers.replies.text import (
    Problem,
    ends_in_reasoning,
    json_objects,
    strip_reasoning,
    visible_text,
)
from pactwin.suite import Record

_FIELD = re.compile(r"^\W*(entity|part|use)\W*:\W*(\S.*?)\W*$", re.I | re.M)


class PartChoice(Record):
    """A thing, its part and how to use it, as a reply names them; or the problem why not.

    ``explore`` is the thing that it asks to see instead, where it may ask, and ``explore_part`` the
    part of it.
    """

    entity: str = ""
    part: str = ""
    use: str = ""
    explore: str = ""
    explore_part: str = ""
    problem: Problem | None = None


def parse_part_choice(reply: str) -> PartChoice:
    """Read the last JSON object of a reply that names a thing and a part, or one to explore.

    Where there is none, lines that begin with its keys stand for it.
    """
    text = strip_reasoning(reply)
    if not text:
        return PartChoice(problem=Problem.CUT_OFF if ends_in_reasoning(reply) else Problem.EMPTY)
    chosen: PartChoice | None = None
    records = [record for record, _ in json_objects(text)]
    for found in records or [dict(_FIELD.findall(text))]:
        inner = found.get("answer")
        record = inner if isinstance(inner, dict) else found
        said = {
            key.casefold(): " ".join(value.split()) if key.casefold() != "use" else value.strip()
            for key, value in record.items()
            if isinstance(value, str)
        }
        action = said.get("action", "").casefold()
        if action in ("inspect_entity", "inspect_part") and said.get("entity"):
            part = said.get("part", "") if action == "inspect_part" else ""
            whole = bool(part) or action == "inspect_entity"
            chosen = PartChoice(explore=said["entity"], explore_part=part) if whole else None
        elif said.get("entity") and said.get("part"):
            chosen = PartChoice(entity=said["entity"], part=said["part"], use=said.get("use", ""))
        elif said.get("explore"):
            chosen = PartChoice(explore=said["explore"])
    return chosen or PartChoice(problem=no_answer(visible_text(reply)))
