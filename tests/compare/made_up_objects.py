"""Made-up answers about objects whose statistics are known by construction."""

from collections.abc import Callable, Sequence
from typing import Any

from made_up import hex_id

from pactwin.catalogue import PROPERTIES
from pactwin.suite import Observability
from pactwin.tasks import AnswerState, ObjectRow

VIEWS = ("elev10_azim0", "elev10_azim45", "elev40_azim0")
SEEN: tuple[Observability, ...] = ("visible", "inferable", "hidden")

Says = Callable[[int, str, str], str | None]
"""What is said of object ``number`` and a property in a view; None is no answer."""


def truth_of(number: int, topic: str) -> str:
    options = PROPERTIES[topic]
    return options[number % len(options)]


def property_rows(
    says: Says,
    *,
    model: str = "m",
    objects: int = 6,
    topics: Sequence[str] = ("WEIGHT", "CAPACITY"),
    views: Sequence[str] = VIEWS,
) -> list[ObjectRow]:
    """``says(number, topic, view)`` for every question about every object."""
    rows = []
    for number in range(objects):
        for index, topic in enumerate(topics):
            for view in views:
                said, truth = says(number, topic, view), truth_of(number, topic)
                state = AnswerState.CORRECT if said == truth else AnswerState.INCORRECT
                rows.append(
                    ObjectRow(
                        kind="property",
                        form="choice",
                        topic=topic,
                        truth=truth,
                        said=said or "",
                        observability=SEEN[(number + index) % 3],
                        n_options=len(PROPERTIES[topic]),
                        state=AnswerState.REFUSED if said is None else state,
                        **_shared(model, number, topic, view),
                    )
                )
    return rows


def affordance_row(
    number: int,
    accepted: Sequence[str],
    items: Sequence[str] | None,
    *,
    model: str = "m",
    view: str = VIEWS[0],
) -> ObjectRow:
    """A row whose items match the accepted affordances word for word; None is no answer."""
    covered = tuple(name for name in accepted if name in (items or ()))
    complete = len(covered) == len(accepted)
    state = AnswerState.CORRECT if complete else AnswerState.INCORRECT
    return ObjectRow(
        kind="affordance",
        form="list",
        truth="; ".join(accepted),
        accepted=tuple(accepted),
        items=tuple(items or ()),
        right=covered,
        covered=covered,
        state=AnswerState.UNPARSED if items is None else state,
        **_shared(model, number, "", view),
    )


def _shared(model: str, number: int, topic: str, view: str) -> dict[str, Any]:
    scene = hex_id("object", number)
    return {
        "model": model,
        "suite_name": "made-up",
        "suite_hash": "1" * 64,
        "sample_id": hex_id(number, topic, view),
        "question_id": hex_id(number, topic),
        "scene_id": scene,
        "pair_id": scene,
        "object_id": f"kind {number}",
        "domain": "objects" if number % 2 else "tabletop",
        "view": view,
    }
