"""Side channel that tells baselines which question is being asked.

A task stores a :class:`QuestionRef` in the sample before the model is called. Providers get
messages only, so it is never sent to a real model. It holds no gold answer, only where to find the
question; baselines that need more read it from the suite.
"""

from typing import Any

from inspect_ai.util import StoreModel, store_as

from pactwin.suite import InvalidInputError, LoadedSuite, Question, Scene, load_suite


class QuestionRef(StoreModel):
    """Reference to the question being asked: suite folder and hash, question id, view, epoch.

    ``confidence`` says whether a probability is asked for besides the answer.
    """

    suite: str = ""
    suite_hash: str = ""
    question_id: str = ""
    view: str = ""
    epoch: int = 1
    confidence: bool = False


def current_question() -> QuestionRef:
    """The question of this sample; InvalidInputError outside a pactwin task."""
    asked = store_as(QuestionRef)
    if not asked.question_id:
        raise InvalidInputError(
            "pactwin's baselines answer only the questions of a suite: use `pactwin eval SUITE`"
        )
    return asked


def cameras_asked(asked: QuestionRef, question: Question) -> tuple[str, ...]:
    """Cameras whose pictures accompany the question."""
    return question.views if asked.view == "joint" else tuple(asked.view.split("+"))


def load_records(suite: str, suite_hash: str) -> LoadedSuite:
    """Records of the suite at ``suite``; its hash must still be ``suite_hash``."""
    loaded = load_suite(suite)
    if loaded.suite.info.content_hash != suite_hash:
        raise InvalidInputError(f"{suite} changed while its questions were being asked")
    return loaded


def object_id(scene: Scene, question: Question) -> str:
    """Identifier of the question's object, shared by all its pictures: its asset.

    A photo's object has no asset; the scene's id replaces it.
    """
    assets = {obj.name: obj.asset for obj in scene.objects}
    return assets.get(question.objects[0], "") or scene.id


_questions: dict[str, tuple[dict[str, Any], Question]] = {}


def question_metadata(question: Question) -> dict[str, Any]:
    """A question as stored in a sample's metadata, cached for :func:`question_of`."""
    raw = question.model_dump(mode="json", exclude={"answers"})
    _questions[question.id] = raw, question.model_copy(update={"answers": ()})
    return raw


def question_of(metadata: dict[str, Any]) -> Question:
    """The question in a sample's metadata, validated once per process."""
    raw = metadata["question"]
    known = _questions.get(raw["id"])
    if known is None or known[0] != raw:
        known = _questions[raw["id"]] = raw, Question.model_validate(raw)
    return known[1]
