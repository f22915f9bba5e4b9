"""PAC Bench's layout: folders, files, names and counts of the published data set.

Atharva Gundawar, Som Sagar, Ransalu Senanayake: PAC Bench (NeurIPS 2025, data sets and benchmarks).
"""

import re

from pactwin.catalogue import PROPERTIES
from pactwin.suite import Constraint

GROUND_TRUTH = "ground_truth"
OPEN_IMAGES = "open_images"
OBJECT_VIEWS = "robocasa_objects/object_views"
MODEL_FOLDER = "unnamed"
"""The single folder in an object's folder that holds its views."""
CAPTURES = "humanoid/captured_images"
CONSTRAINT_IMAGES = "constraint_images"

OPEN_IMAGES_TABLES = {name: f"property_{name}_.csv" for name in PROPERTIES}
OBJECT_PROPERTIES = "syn_properties.psv"
HUMANOID_PROPERTIES = "robo_properties.psv"
OBJECT_AFFORDANCES = "syn_affordance.psv"
HUMANOID_AFFORDANCES = "robo_affordances.psv"
HUMANOID_CONSTRAINTS = "robo_constraints.psv"
SIMULATED_CONSTRAINTS = "syn_constraints.psv"
CLASS_AFFORDANCES = "open_images_affordances.csv"
"""pactwin's name; the published one is unknown. Any other table with these columns is read."""

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")
CAM0, CAM1 = "agent", "side"
"""pactwin's names of the humanoid's cameras: its head camera and the one beside it."""
PHOTO = "photo"
"""pactwin's name of the camera of a photo."""

# Domains of imported scenes; simulated constraints have the published key as theirs.
PHOTOS, OBJECTS, HUMANOID = "open_images", "robocasa_objects", "humanoid"
OTHER_KEYS = "constraint_images"
"""Domain of keys that are not published."""

SIMULATED_TRUTHS = {
    "impossible_place": Constraint.DOES_NOT_FIT,
    "stack_bottom": Constraint.SUPPORTS_OTHER,
    "stack_top": Constraint.SUPPORTS_OTHER,
    "stack_edge": Constraint.OUT_OF_REACH,
}
"""Constraints by published key. Nothing rests on ``stack_top``'s object, but its verifier also
expects that the top object falls."""

NON_ANSWERS = ("Don't-know", "Not-applicable", "Invalid-format")

PUBLISHED_COUNTS: dict[str, tuple[int, ...]] = {
    "Open Images pictures": (673, 679),
    "Open Images classes": (115, 116),
    **{
        f"Open Images rows: {name}": (count,)
        for name, count in (
            ("WEIGHT", 1358),
            ("COLOR", 818),
            ("HARDNESS", 679),
            ("ORIENTATION", 887),
            ("CONSUMABILITY", 679),
            ("COMPLEXITY", 1140),
            ("CAPACITY", 679),
            ("CONTENTS", 679),
            ("SEALING", 871),
            ("DENSITY", 679),
            ("THICKNESS", 679),
            ("STICKINESS", 1358),
        )
    },
    "Open Images rows": (10506,),
    "Open Images pairs of picture and property": (8148,),
    "RoboCasa objects": (45,),
    "RoboCasa pictures": (1080,),
    "RoboCasa objects with properties": (41,),
    "RoboCasa property rows": (424,),
    "RoboCasa affordances": (89,),
    "humanoid scenes with properties": (67,),
    "humanoid property rows": (785,),
    "humanoid scenes with affordances": (68,),
    "humanoid affordances": (165, 170, 181),
    "humanoid constraint rows": (53, 2727),
    "simulated constraint pictures": (120,),
}
"""Counts in the paper and its appendix, which sometimes differ."""

_FOLDED = {
    name: {re.sub(r"[\s_-]+", "-", word.casefold()): word for word in (*words, *NON_ANSWERS)}
    for name, words in PROPERTIES.items()
}


def read_published_choice(name: str, text: str) -> str | None:
    """A choice of the property ``name`` in its published spelling; None for other text.

    Descriptors after a category's colon are kept.
    """
    category, _, descriptors = (part.strip() for part in text.partition(":"))
    folded = re.sub(r"[\s_-]+", "-", category.replace("’", "'").casefold())
    known = _FOLDED[name] | {"dont-know": NON_ANSWERS[0]}
    word = known.get(folded)
    return f"{word}: {descriptors}" if word and descriptors else word


def category_of(choice: str) -> str | None:
    """Category of a choice of :func:`read_published_choice`; None for a non-answer."""
    category = choice.partition(":")[0]
    return None if category in NON_ANSWERS else category
