"""Questions about objects: what they are, how they are asked and how answers are scored."""

from typing import TYPE_CHECKING

from pactwin.lazy import later
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
__getattr__ = later(
    __name__,
    {
        "matching": (
            "THRESHOLD",
            "Embed",
            "Matched",
            "calibrate_threshold",
            "load_embedder",
            "match_affordances",
        ),
        "scorers": ("affordance_scorer", "property_scorer"),
        "tasks": ("pac_affordances", "pac_properties"),
    },
)
