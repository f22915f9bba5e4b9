"""Questions about simulated creative uses: does this object serve, why not, which one serves?

Both twins have the same questions. In one of them the object in question serves; in the other it
has swapped places with an object that serves, so no rule about names, places or words is correct
for both. The form ``told`` is the same problem without pictures: it lists the objects with their
measured sizes, masses and poses.
"""

from collections.abc import Iterator, Sequence

from pactwin.suite import TOLD, Candidate, ObjectRecord, Question, Scene, opaque_id
from pactwin.tasks.kinds.constraint.questions import make_questions
from pactwin.tasks.kinds.constraint.set_questions import make_set_questions

_WHICH = ("thing", "part")
_FORMS = ("yes_no", "choice", *_WHICH)


def make_use_questions(twins: tuple[Scene, ...]) -> tuple[Question, ...]:
    """All questions about both ``twins``, those of the first scene first."""
    scene, twin = twins
    return (*_questions(scene, twin), *_questions(twin, scene))


def _questions(scene: Scene, twin: Scene) -> Iterator[Question]:
    asked = (*make_questions(scene, twin), *make_set_questions(scene, twin))
    kept = [question for question in asked if question.form in _FORMS]
    yield from kept
    which = [question for question in kept if question.form in _WHICH]
    yield from (_told(scene, question) for question in which[-1:])


def _told(scene: Scene, question: Question) -> Question:
    by_name = {obj.name: obj for obj in scene.objects}
    there = " ".join(_place(by_name[name]) for name in scene.decided.objects[1:])
    things = sorted({use.thing for use in scene.decided.played})
    return question.model_copy(
        update={
            "id": opaque_id(f"{scene.id}:{TOLD}"),
            "form": TOLD,
            "text": f"{question.text} On the table there are, in cm ahead, to the left and up: "
            f"{there} The things that it may take are described below.",
            "views": (),
            "candidates": tuple(
                Candidate(name=name, description=_described(by_name[name])) for name in things
            ),
        }
    )


def _place(obj: ObjectRecord) -> str:
    at = ", ".join(f"{100 * row[3]:.1f}" for row in obj.world_from_object[:3])
    return f"the {obj.name}, {_cm(obj.size_m)} cm, its middle at {at};"


def _described(obj: ObjectRecord) -> str:
    """Size, mass, main material and pose of an object, in words."""
    state = obj.state.replace("_", " ")
    return f"{_cm(obj.size_m)} cm; {1000 * obj.mass_kg:.0f} g; mostly {obj.material}; {state}"


def _cm(size_m: Sequence[float]) -> str:
    return " x ".join(f"{100 * size:.1f}" for size in size_m)
