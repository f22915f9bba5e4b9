"""Questions about creative uses that were played: will this one do, why not, which one would.

Both twins are asked the same. In one of them the thing that is asked about serves, in the other the
one that it has changed places with, so no rule about names, places or words is right of both.
"""

from collections.abc import Iterator

from pactwin.suite import Question, Scene
from pactwin.tasks.constraints.questions import make_questions
from pactwin.tasks.constraints.set_questions import make_set_questions

_FORMS = ("yes_no", "choice", "thing", "part")


def make_use_questions(twins: tuple[Scene, ...]) -> tuple[Question, ...]:
    """All questions about both ``twins``, the first scene's first."""
    scene, twin = twins
    return (*_questions(scene, twin), *_questions(twin, scene))


def _questions(scene: Scene, twin: Scene) -> Iterator[Question]:
    asked = (*make_questions(scene, twin), *make_set_questions(scene, twin))
    yield from (question for question in asked if question.form in _FORMS)
