"""Questions about an object's properties and affordances, generated from records alone.

Objects with labels are asked about. A picture of one object asks about "the object in the picture".
If a box is drawn around the object (``appearance["box"]`` is its colour), the question names the
box and not the object, so that its text does not reveal the answer. An object among others without
a box must be named.
"""

from collections.abc import Iterator

import numpy as np

from pactwin.catalogue import PROPERTIES
from pactwin.suite import (
    BETWEEN,
    Label,
    ObjectRecord,
    Question,
    Scene,
    SuiteError,
    opaque_id,
    views_showing,
)

_ASKS: dict[str, str] = {
    "WEIGHT": (
        "How heavy is it? Light: finger and thumb hold it with ease. Medium: one hand lifts it. "
        "Heavy: lifting it takes an effort or both hands. Dynamic: its weight changes in use."
    ),
    "COLOR": (
        "What is its colour like? Monochromatic: one colour all over. Multicolored: a second "
        "colour or a pattern is plain to see. Metallic: mostly bare metal. Matte: what stands out "
        "is a surface without any shine."
    ),
    "HARDNESS": (
        "What is it like to the touch? Hard: it keeps its shape and is not easily broken. Soft: "
        "it gives way or bends. Brittle: it is stiff, but cracks or shatters."
    ),
    "ORIENTATION": (
        "How does it stand or lie in the picture? Vertical: clearly higher than it is long. "
        "Horizontal: flat, or much longer than it is high. Multi-directional: alike from every "
        "side, or made to be turned any way."
    ),
    "CONSUMABILITY": (
        "Is it used up by using it? Consumable: it is eaten, burnt, spent or thrown away after "
        "use. Non-consumable: it lasts and is used again."
    ),
    "COMPLEXITY": (
        "Is it one piece, or put together? Simple: made in one piece. Multi-object: put together "
        "from several separately made pieces."
    ),
    "CAPACITY": (
        "Can things be kept inside it? Containable: it has room inside to hold things. "
        "Non-containable: it has none, or things would only lie on it."
    ),
    "CONTENTS": (
        "Is anything inside it as shown? Contains: something is in it. Empty: nothing is in it."
    ),
    "SEALING": (
        "Is it tightly closed as shown? Sealed: closed so that nothing leaks. Unsealed: open, or "
        "it may leak."
    ),
    "DENSITY": (
        "How heavy is it for the room it takes up? High-density: it would sink in water. "
        "Low-density: it would float. Variable: it depends on how it is filled or pressed."
    ),
    "THICKNESS": (
        "How thick is it: its wall if it is hollow, its body if it is not? Thin: thinner than a "
        "finger. Medium: between thin and thick. Thick: so thick that thumb and fingers do not "
        "meet around it."
    ),
    "STICKINESS": (
        "Does its surface stick to what touches it? Sticky: it does. Non-sticky: it does not. "
        "Variable: only at times, as when wet or warm."
    ),
}
_WHICH = "Which category is true of it?"
_USES = (
    "What can it be used for, and how can it be handled? List what a person or a robot can do "
    "with it, as its shape, its parts and its material allow."
)


def make_object_questions(scene: Scene) -> tuple[Question, ...]:
    """A ``choice`` question per property label and a ``list`` question, for each labelled object.

    For twins of a kind, the options are the categories of the two twins. The order of options
    depends on the scene's id and the property, never on the label. Views are those that show the
    object well enough. Raises SuiteError for an unknown property or category, and for a box without
    its object.
    """
    return tuple(question for obj in _asked(scene) for question in _about(scene, obj))


def _asked(scene: Scene) -> list[ObjectRecord]:
    """The labelled objects, or the one in the box."""
    labelled = [obj for obj in scene.objects if obj.properties or obj.affordances]
    if "box" in scene.appearance and len(labelled) > 1:
        labelled = [obj for obj in labelled if obj.name == scene.appearance.get("boxed")]
        if not labelled:
            raise SuiteError(
                f"scene {scene.id} has a box and several labelled objects: its appearance has to "
                "name the one in the box as 'boxed'"
            )
    return labelled


def _about(scene: Scene, obj: ObjectRecord) -> Iterator[Question]:
    it = _called(scene, obj)
    views = views_showing(scene, (obj.name,))
    for topic, label in obj.properties.items():
        if topic not in PROPERTIES or label.value not in PROPERTIES[topic]:
            raise SuiteError(
                f"scene {scene.id}, {obj.name}: {topic} {label.value!r} is not in the vocabulary "
                f"of properties: use {', '.join(PROPERTIES.get(topic, PROPERTIES))}"
            )
        yield Question(
            id=_id(scene, obj, topic),
            scene_id=scene.id,
            kind="property",
            form="choice",
            text=property_question(topic, it),
            options=_shuffled(_categories(scene, topic), _id(scene, obj, topic)),
            truth=label.value,
            rationale=_rationale(topic, label),
            objects=(obj.name,),
            views=views,
            topic=topic,
            observability=label.observability,
        )
    if obj.affordances:
        names = tuple(affordance.name for affordance in obj.affordances)
        yield Question(
            id=_id(scene, obj, ""),
            scene_id=scene.id,
            kind="affordance",
            form="list",
            text=affordance_question(it),
            truth="; ".join(names),
            accepted=names,
            rationale="; ".join(
                f"{a.name}: {a.evidence} ({a.observability})" for a in obj.affordances
            ),
            objects=(obj.name,),
            views=views,
        )


def property_question(topic: str, it: str = "the object in the picture") -> str:
    """Text of a question about the property ``topic`` of the object called ``it``."""
    return f"Look at {it}. {_ASKS[topic]}\n{_WHICH}"


def affordance_question(it: str = "the object in the picture") -> str:
    """Text of a question about the affordances of the object called ``it``."""
    return f"Look at {it}. {_USES}"


def _called(scene: Scene, obj: ObjectRecord) -> str:
    if "box" in scene.appearance:
        return f"the object in the {scene.appearance['box']} box"
    return "the object in the picture" if len(scene.objects) == 1 else f"the {obj.name}"


def _categories(scene: Scene, topic: str) -> tuple[str, ...]:
    """All categories of a property, or, for twins of a kind, the two categories of the twins."""
    between = scene.appearance.get(BETWEEN)
    return tuple(str(between).split(", ")) if between else PROPERTIES[topic]


def _shuffled(categories: tuple[str, ...], key: str) -> tuple[str, ...]:
    order = np.random.default_rng(int(key, 16)).permutation(len(categories))
    return tuple(categories[i] for i in order)


def _rationale(topic: str, label: Label) -> str:
    return f"{topic} is {label.value} ({label.observability}): {label.evidence}"


def _id(scene: Scene, obj: ObjectRecord, topic: str) -> str:
    return opaque_id(f"{scene.id}:{obj.name}:{topic}")
