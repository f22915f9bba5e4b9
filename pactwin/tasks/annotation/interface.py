"""The labelling interface of a Label Studio project, as XML.

Source of the tags: Label Studio's documentation, "Tags", version 1.23.
"""

from collections.abc import Iterable, Sequence
from itertools import repeat
from xml.etree import ElementTree

from pactwin.catalogue import DESCRIPTORS, PROPERTIES
from pactwin.solvers import STATEMENTS
from pactwin.suite import Question, constraints_among

DONT_KNOW = "I don't know"
AFFORDANCE = "affordance"
AFFORDANCE_FIELDS = 3
"""Number of slots in the published label files."""

_KEYS = "1234567890qwertyuiopasdfghjklzxcvbnm"


def field_of(question: Question) -> str:
    """Name of the control that takes a question's answer."""
    if question.kind == "property":
        return question.topic
    return AFFORDANCE if question.kind == "affordance" else question.form


def affordance_fields() -> tuple[str, ...]:
    """Names of the text fields that take a list, in order."""
    return tuple(f"{AFFORDANCE}{n}" for n in range(1, AFFORDANCE_FIELDS + 1))


def picture_names(n: int) -> tuple[str, ...]:
    """Keys of a task's pictures, in order."""
    return tuple(f"picture{k}" for k in range(1, n + 1))


def options_of(question: Question) -> tuple[str, ...]:
    """Options for people, in the same order in every task."""
    if question.kind == "property":
        return PROPERTIES[question.topic]
    return (
        ("yes", "no")
        if question.form == "yes_no"
        else tuple(STATEMENTS[constraint] for constraint in constraints_among(question.options))
    )


def labelling_interface(questions: Iterable[Question], n_pictures: int) -> str:
    """Pictures side by side; below them, a control for each field that ``questions`` need.

    Every option has a keyboard shortcut, in the order of the controls; the last option is "I don't
    know".
    """
    fields = {field_of(question): question for question in questions}
    view = ElementTree.Element("View")
    ElementTree.SubElement(view, "Header", value="$text", size="4")
    row = ElementTree.SubElement(
        view, "View", style="display: flex; gap: 8px; align-items: flex-start"
    )
    pictures = picture_names(n_pictures)
    for picture in pictures:
        cell = ElementTree.SubElement(row, "View", style="flex: 1 1 0; min-width: 0")
        ElementTree.SubElement(cell, "Image", name=picture, value=f"${picture}", zoomControl="true")
    keys = iter(_KEYS)
    for name in sorted(fields, key=_place):
        if name == AFFORDANCE:
            _text_fields(view, pictures[0])
        else:
            _choices(view, name, options_of(fields[name]), pictures[0], keys)
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def _place(field: str) -> tuple[int, str]:
    """Sort key: yes or no before the reason, properties as published, then affordances."""
    order = ("yes_no", "choice", *PROPERTIES, AFFORDANCE)
    return (order.index(field), field)


def _choices(
    view: ElementTree.Element, name: str, options: Sequence[str], picture: str, keys: Iterable[str]
) -> None:
    block = ElementTree.SubElement(view, "View", style="margin-top: 12px")
    ElementTree.SubElement(block, "Header", value=_HEADS.get(name, name.title()), size="5")
    choices = ElementTree.SubElement(
        block,
        "Choices",
        name=name,
        toName=picture,
        choice="single",
        showInline="false" if name == "choice" else "true",  # sentences stand on lines of their own
    )
    for option, key in zip(options, keys, strict=False):
        hint = ", ".join(DESCRIPTORS[name][option]) if name in DESCRIPTORS else ""
        attributes = {"value": option, "hotkey": key} | ({"hint": hint} if hint else {})
        ElementTree.SubElement(choices, "Choice", attributes)
    ElementTree.SubElement(choices, "Choice", value=DONT_KNOW)


_HEADS = {"yes_no": "Can it be done?", "choice": "Which of these is true?"}


def _text_fields(view: ElementTree.Element, picture: str) -> None:
    block = ElementTree.SubElement(view, "View", style="margin-top: 12px")
    ElementTree.SubElement(block, "Header", value="What can it be used for?", size="5")
    for name, placeholder in zip(affordance_fields(), repeat("one use"), strict=False):
        ElementTree.SubElement(
            block,
            "TextArea",
            name=name,
            toName=picture,
            placeholder=placeholder,
            maxSubmissions="1",
            rows="1",
            editable="true",
        )
