"""Questions for all true options (maybe none), which only a trial can answer.

- ``checklist``: which of the action's preconditions hold?
- ``outcome``: what would fall or shift if the target were taken anyway?
- ``repair``: which of a few single changes would make the action feasible?
- ``thing`` and ``part``: which objects, and which of their parts, could serve a creative use?

Text, options and views are the same for both twins. A form is asked about a pair only if the truth
of some option differs between them, so that no answer without the pictures can be correct for both.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from pactwin.suite import (
    NONE_OF_THEM,
    SET_FORMS,
    WHOLE,
    Constraint,
    Form,
    PlayedUse,
    Question,
    Scene,
    answerable_views,
    opaque_id,
)
from pactwin.tasks.kinds.constraint.situation import conventions, situation_of

_ASKS: dict[Form, str] = {
    "checklist": "Which of these statements hold? Name all that do.",
    "outcome": (
        "Suppose that it lifts the {target} straight up and takes it away, whatever that does. "
        "Which of these things would not stay where they are, but fall, shift or come along? Name "
        "all that would."
    ),
    "repair": (
        "Suppose that one of these changes were made beforehand, and nothing else. After which of "
        "them could it be done? Name all."
    ),
    "thing": (
        "Suppose that it may take any one of these things for that, each as it is. With which of "
        "them could it be done? Name all."
    ),
    "part": (
        "Suppose that it may take any one of these things for that, and that the part which is "
        "named is the one that does the work. With which of them could it be done? Name all."
    ),
}
# What preconditions say; "{0}" is the object that they are about.
_STATEMENTS = {
    "hand_gets_to": "A hand of the robot can get to the {0}, and nothing is in its way.",
    "hand_gets_to_it": "A hand of the robot can get to it, and nothing is in its way.",
    "one_hand_brings": "One and the same hand gets to the {0} and to where it goes.",
    "hand_bears": "One hand of the robot can carry the {0}.",
    "hand_holds": "One hand of the robot can hold and carry the {0}.",
    "one_hand_holds_it_level": "One hand can hold it level.",
    "nothing_else_moves": "Taking it away makes nothing else fall or shift.",
    "nothing_else_moves_with": "Taking the {0} away makes nothing else fall or shift.",
    "the_rest_keeps_standing": "Without it, everything else keeps standing.",
    "it_fits": "It fits through the opening that it has to go through.",
    "it_is_open": "Nothing closes off what it has to get to.",
    "nothing_covers_it": "Nothing lies over the opening.",
    "the_opening_is_up": "The opening is not upside down.",
    "there_is_room_in_it": "There is room left in what it goes into.",
    "it_goes_in_and_stays": "It gets in there, and stays.",
    "it_stays_in_it": "Once it is in there, it stays in there.",
    "its_place_is_free": "The place where it goes is free.",
    "the_way_there_is_free": "Nothing that stands elsewhere is in its way there.",
    "it_stays_there": "Once it is let go of there, it stays there.",
    "each_move_can_be_made": "Each of the moves can be made.",
}


class _Options(NamedTuple):
    """The truth of each option by its text, and the objects that the options name."""

    truths: dict[str, bool]
    names: tuple[str, ...]


def make_set_questions(scene: Scene, twin: Scene) -> tuple[Question, ...]:
    """Questions of ``SET_FORMS`` about ``scene`` that its trials and its twin's can answer."""
    found = ((form, find(scene, twin), find(twin, scene)) for form, find in _OPTIONS.items())
    return tuple(
        _question(scene, twin, form, mine)
        for form, mine, other in found
        if mine.truths != other.truths
    )


def _question(scene: Scene, twin: Scene, form: Form, options: _Options) -> Question:
    order = np.random.default_rng([scene.seed, SET_FORMS.index(form)]).permutation(
        len(options.truths)
    )
    texts = tuple(list(options.truths)[k] for k in order)
    accepted = tuple(text for text in texts if options.truths[text])
    verdict = scene.decided
    situation = situation_of(verdict.action, conventions(verdict, (scene, twin)))
    objects = tuple(dict.fromkeys((*verdict.objects, *options.names)))
    return Question(
        id=opaque_id(f"{scene.id}:{form}"),
        scene_id=scene.id,
        kind="constraint",
        form=form,
        text=f"{situation} {_ASKS[form].format(target=verdict.objects[0])}",
        options=texts,
        truth="; ".join(accepted) or NONE_OF_THEM,
        rationale="Each was tried in simulation.",
        objects=objects,
        views=answerable_views(scene, twin, objects),
        accepted=accepted,
    )


def precondition_statement(name: str) -> str:
    """Sentence that states the precondition ``name`` (``key`` or ``key: object``)."""
    key, _, thing = name.partition(": ")
    then, key = ("Then ", key.removeprefix("then_")) if key.startswith("then_") else ("", key)
    statement = _STATEMENTS.get(key)
    if statement is None:
        words = key.replace("_", " ").capitalize()
        statement = f"{words}: {{0}}." if thing else f"{words}."
    statement = statement.format(thing)
    return then + statement[0].lower() + statement[1:] if then else statement


def _checklist(scene: Scene, twin: Scene) -> _Options:
    mine, other = scene.decided.checks, twin.decided.checks
    # In the order of names, which is the same for both twins.
    common = sorted(mine.keys() & other.keys())
    if any(one.decided.constraint is Constraint.PATH_BLOCKED for one in (scene, twin)):
        # It is tried from close over the place: a hand that gets there would have passed the rest.
        common = [name for name in common if not name.endswith("the_way_there_is_free")]
    things = (name.partition(": ")[2] for name in common)
    truths: dict[str, bool] = {}
    for name in common:
        statement = precondition_statement(name)
        truths[statement] = mine[name].holds and truths.get(statement, True)
    return _Options(truths, _known(scene, things))


def _outcome(scene: Scene, twin: Scene) -> _Options:
    moved = scene.decided.moved
    if moved is None or twin.decided.moved is None:
        return _Options({}, ())
    verdict = scene.decided
    rest = set(moved) | set(twin.decided.moved)
    names = dict.fromkeys((*verdict.objects[1:], *verdict.involved, *sorted(rest)))
    return _Options({f"the {name}": name in moved for name in names}, tuple(names))


def _repair(scene: Scene, twin: Scene) -> _Options:
    edits = scene.decided.edits
    if [edit.text for edit in edits] != [edit.text for edit in twin.decided.edits]:
        return _Options({}, ())
    names = (name for edit in edits for name in edit.objects)
    return _Options({edit.text: edit.works for edit in edits}, _known(scene, names))


def _known(scene: Scene, names: Iterable[str]) -> tuple[str, ...]:
    known = {obj.name for obj in scene.objects}
    return tuple(dict.fromkeys(name for name in names if name in known))


def _thing(scene: Scene, twin: Scene) -> _Options:
    truths: dict[str, bool] = {}
    for use in scene.decided.played:
        name = f"the {use.thing}"
        truths[name] = truths.get(name, False) or use.serves
    return _Options(truths, tuple(dict.fromkeys(use.thing for use in scene.decided.played)))


def _part(scene: Scene, twin: Scene) -> _Options:
    played = scene.decided.played
    if len({use.thing for use in played}) == len(played):  # no thing has parts that differ
        return _Options({}, ())
    truths = {part_in_words(use): use.serves for use in played}
    return _Options(truths, _thing(scene, twin).names)


def part_in_words(use: PlayedUse) -> str:
    """An object's part, or the whole object, as an option."""
    return f"the {use.thing}" if use.part == WHOLE else f"the {use.part} of the {use.thing}"


_OPTIONS: dict[Form, Callable[[Scene, Scene], _Options]] = {
    "checklist": _checklist,
    "outcome": _outcome,
    "repair": _repair,
    "thing": _thing,
    "part": _part,
}
