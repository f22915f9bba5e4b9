"""Check twins: they share everything except the cause, and have the same questions and views.

Recognition questions are about single scenes, independent of the cause.
"""

from collections.abc import Iterator, Sequence

from pactwin.suite.checking.faults import Fault
from pactwin.suite.questions import Question
from pactwin.suite.records import NONE_OF_THEM, SET_FORMS, TOLD, Scene
from pactwin.suite.visibility import all_to_see, answerable_views

_SHARED = ("domain", "source", "seed", "robot", "appearance")
_SHARED_VERDICT = ("action", "objects", "involved", "trial", "trial_version")
_SHARED_QUESTION = ("kind", "form", "text", "options", "objects", "views", "equivalent_constraints")


def check_twins(
    scene: Scene, twin: Scene, asked: Sequence[Question], asked_twin: Sequence[Question]
) -> Iterator[Fault]:
    """Faults of a pair of scenes and their questions."""
    where = f"{scene.id} and {twin.id}"
    if scene.decided.feasible == twin.decided.feasible:
        word = "feasible" if scene.decided.feasible else "infeasible"
        yield Fault("twins", where, f"both are {word}")
    for key in _SHARED:
        if getattr(scene, key) != getattr(twin, key):
            yield Fault("twins", where, f"differ in {key}")
    for key in _SHARED_VERDICT:
        if getattr(scene.decided, key) != getattr(twin.decided, key):
            yield Fault("twins", where, f"differ in verdict.{key}")
    if _cameras(scene) != _cameras(twin):
        yield Fault("twins", where, "differ in cameras")

    alone = [[q for q in questions if _asks_what_is_there(q)] for questions in (asked, asked_twin)]
    asked, asked_twin = (
        [q for q in questions if not _asks_what_is_there(q)] for questions in (asked, asked_twin)
    )
    for one, questions in zip((scene, twin), alone, strict=True):
        for question in questions:
            yield from _what_is_there_faults(question, one)
    if not any(alone) and not (asked and asked_twin):
        yield Fault("question", where, "no question is asked about both")
    if len(asked) != len(asked_twin):
        yield Fault("question", where, "are not asked the same number of questions")
    for question, same in zip(asked, asked_twin, strict=False):
        for key in _SHARED_QUESTION:
            if key == "text" and question.kind == "named_plan":
                continue  # it tells the names of what there is
            if getattr(question, key) != getattr(same, key):
                yield Fault("question", f"{question.id} and {same.id}", f"differ in {key}")
        if question.kind == "constraint" and question.truth == same.truth:
            yield Fault("question", f"{question.id} and {same.id}", "have the same truth")
    for one, questions in ((scene, asked), (twin, asked_twin)):
        for question in questions:
            views = answerable_views(scene, twin, _named(question, one))
            if question.kind == "named_plan" or question.form == TOLD:
                views = ()
            if question.views != views:
                message = (
                    f"is asked of views {list(question.views)}, those that can answer are "
                    f"{list(views)}"
                )
                yield Fault("question", question.id, message)
            for message in _question_faults(question, one):
                yield Fault("question", question.id, message)


def check_single(scene: Scene, asked: Sequence[Question]) -> Iterator[Fault]:
    """Faults of the questions about a scene without a twin."""
    cameras = [view.camera.name for view in scene.views]
    for question in asked:
        if _asks_what_is_there(question) and scene.objects:
            yield from _what_is_there_faults(question, scene)
            continue
        if question.kind == "constraint" and scene.source == "sim":
            yield Fault("question", question.id, "asks what only a twin can keep honest")
        for name in question.views:
            if name not in cameras:
                yield Fault("question", question.id, f"is asked of {name!r}, no view of its scene")
        for message in _question_faults(question, scene):
            yield Fault("question", question.id, message)


def _cameras(scene: Scene) -> list[dict[str, object]]:
    """Cameras that twins share; on a real table without poses, because the head sways."""
    sways = {"world_from_camera"} if scene.mirror_of else set()
    return [view.camera.model_dump(exclude=sways) for view in scene.views]


def _asks_what_is_there(question: Question) -> bool:
    """Whether it asks for all visible objects, which may differ between twins."""
    return question.kind == "recognition" and not question.objects


def _what_is_there_faults(question: Question, scene: Scene) -> Iterator[Fault]:
    """Check that every view of a recognition question shows exactly the accepted objects."""
    views = {view.camera.name: view for view in scene.views}
    for name in question.views:
        if name not in views:
            yield Fault("question", question.id, f"is asked of {name!r}, no view of its scene")
        elif set(shown := all_to_see(scene, views[name])) != set(question.accepted):
            message = f"accepts {list(question.accepted)}, {name!r} shows {list(shown)}"
            yield Fault("question", question.id, message)
    for message in _question_faults(question, scene):
        yield Fault("question", question.id, message)


def _named(question: Question, scene: Scene) -> tuple[str, ...]:
    """Objects of the scene that a question names; unknown names are reported elsewhere."""
    known = {obj.name for obj in scene.objects}
    return tuple(name for name in question.objects if name in known)


def _question_faults(question: Question, scene: Scene) -> Iterator[str]:
    names = {obj.name for obj in scene.objects}
    for name in question.objects if names else ():  # a photo's objects are not recorded
        if name not in names:
            yield f"is about {name!r}, which is not an object of scene {scene.id}"
    if question.form == "choice" and question.truth not in question.options:
        yield f"has the truth {question.truth!r}, which is not one of its options"
    known = ("yes", "no", "undecided") if question.kind == "ladder" else ("yes", "no")
    if question.form == "yes_no" and question.truth not in known:
        yield f"has the truth {question.truth!r}, neither 'yes' nor 'no'"
    if question.form in SET_FORMS:
        if question.truth != ("; ".join(question.accepted) or NONE_OF_THEM):
            yield f"has the truth {question.truth!r}, which is not what it accepts, in a row"
        for option in question.accepted:
            if option not in question.options:
                yield f"accepts {option!r}, which is not one of its options"
    if question.form == "list" and question.truth != "; ".join(question.accepted):
        yield f"has the truth {question.truth!r}, which is not what it accepts, in a row"
    if (
        scene.verdict is not None
        and question.kind == "constraint"
        and question.form == "yes_no"
        and question.truth != ("yes" if scene.decided.feasible else "no")
    ):
        yield f"has the truth {question.truth!r}, which contradicts the verdict"
