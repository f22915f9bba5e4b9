"""View conditions: pictures sent with a question.

``each`` asks every camera alone, ``joint`` sends all cameras in one message, ``head+side`` sends
those two; commas separate conditions: ``each,head+side``. Only views that can answer the question
are sent; a set such as ``head+side`` is asked only if each of its cameras can answer. Older
commands and logs call ``joint`` ``together`` or ``all``.
"""

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator

from pactwin.suite import InvalidInputError

EACH = "each"
JOINT = "joint"
_FORMER = ("together", "all")
NO_PICTURE = "text"
"""Condition of questions without pictures."""


def condition_name(name: str) -> str:
    """Canonical name of a view condition."""
    return JOINT if name in _FORMER else name


Condition = Annotated[str, AfterValidator(condition_name)]


def parse_views(views: str | Sequence[str], cameras: Sequence[str]) -> tuple[str, ...]:
    """Parse ``views`` into unique names of view conditions, in order.

    A sequence is treated as if joined by commas (Inspect's command line passes lists like this).
    ``cameras`` are those of the suite, in order; the cameras of a set are put in that order.
    Without any camera, the only condition is ``text``. Raises InvalidInputError for an unknown
    camera, an empty condition or a repeated camera.
    """
    spec = views if isinstance(views, str) else ",".join(views)
    names: list[str] = []
    if not cameras and condition_name(spec) in (EACH, JOINT, NO_PICTURE):
        return (NO_PICTURE,)
    for condition in (condition_name(part.strip()) for part in spec.split(",")):
        if condition == EACH:
            names += cameras
        elif condition == JOINT:
            names.append(JOINT)
        else:
            names.append(_camera_set(condition, cameras))
    return tuple(dict.fromkeys(names))


def is_one_camera(condition: str) -> bool:
    """Return whether the condition is a single camera."""
    return condition not in (JOINT, NO_PICTURE) and "+" not in condition


def _camera_set(condition: str, cameras: Sequence[str]) -> str:
    chosen = [camera.strip() for camera in condition.split("+")]
    unknown = [camera for camera in chosen if camera not in cameras]
    if unknown:
        raise InvalidInputError(
            f"unknown view {unknown[0]!r}: use {EACH}, {JOINT}, or cameras of this suite "
            f"({', '.join(cameras)}), joined by + and separated by commas"
        )
    if len(set(chosen)) != len(chosen):
        raise InvalidInputError(f"view {condition!r} names a camera twice")
    return "+".join(sorted(chosen, key=list(cameras).index))


def cameras_of(condition: str, answerable: Sequence[str]) -> tuple[str, ...]:
    """Cameras to send under ``condition``, among those that can answer; empty means do not ask."""
    if condition == JOINT:
        return tuple(answerable)
    wanted = tuple(condition.split("+"))
    return wanted if set(wanted) <= set(answerable) else ()
