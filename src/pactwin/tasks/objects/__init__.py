"""Questions about objects: what they are, how they are asked and how answers are scored."""

from typing import TYPE_CHECKING, Any

from pactwin.tasks.objects.questions import (
    affordance_question,
    make_object_questions,
    property_question,
)

if TYPE_CHECKING:
    from pactwin.tasks.objects.matching import (
        THRESHOLD,
        Embed,
        Matched,
        calibrate_threshold,
        load_embedder,
        match_affordances,
    )
    from pactwin.tasks.objects.scorers import affordance_scorer, property_scorer
    from pactwin.tasks.objects.tasks import pac_affordances, pac_properties

__all__ = [
    "THRESHOLD",
    "Embed",
    "Matched",
    "affordance_question",
    "affordance_scorer",
    "calibrate_threshold",
    "load_embedder",
    "make_object_questions",
    "match_affordances",
    "pac_affordances",
    "pac_properties",
    "property_question",
    "property_scorer",
]

# These need inspect_ai or numpy's linear algebra; questions do not.
_LAZY = {
    "THRESHOLD": "matching",
    "Embed": "matching",
    "Matched": "matching",
    "affordance_scorer": "scorers",
    "calibrate_threshold": "matching",
    "load_embedder": "matching",
    "match_affordances": "matching",
    "pac_affordances": "tasks",
    "pac_properties": "tasks",
    "property_scorer": "scorers",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
