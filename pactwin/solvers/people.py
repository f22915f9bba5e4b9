"""People's answers as an Inspect model provider: ``people/majority``, ``people/a1``.

Their answers become replies to the same questions under the same views, and pass through the same
parser and scorer as a model's.
"""

from functools import lru_cache
from typing import Any

from inspect_ai.model import GenerateConfig, modelapi

from pactwin.solvers.person_answers import (
    Key,
    PersonAnswer,
    annotators_of,
    by_question,
    consensus_of,
    read_person_answers,
)
from pactwin.solvers.question_ref import QuestionRef
from pactwin.solvers.record_backed import RecordBackedModel
from pactwin.solvers.replies.choice import OPTION_LETTERS
from pactwin.suite import InvalidInputError, Question, unknown_name

PEOPLE = "people"
MAJORITY = "majority"
"""Name of the model that gives the answer of more than half of the people."""

NO_ANSWER = "I don't know."
"""Reply of a person without an answer, or without a majority."""


@modelapi(name=PEOPLE)
class People(RecordBackedModel):
    """The provider ``people``; its models are ``majority`` and the annotators in ``answers``.

    ``answers`` (a model argument) is a JSONL file of :class:`PersonAnswer`. Raises
    InvalidInputError for any other file, and for an unknown annotator.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - Inspect's own signature
        answers: str = "",
        **model_args: Any,
    ) -> None:
        if not answers or model_args:
            raise InvalidInputError(f"{PEOPLE}/{model_name} takes the model argument answers=FILE")
        self.answers, annotators = _load(answers)
        if model_name not in (MAJORITY, *annotators):
            raise unknown_name("annotator", model_name, (MAJORITY, *annotators))
        super().__init__(model_name, base_url, api_key, [], config)

    def reply(self, asked: QuestionRef, question: Question) -> str:
        """The answer of the person or the majority; ``NO_ANSWER`` if there is none."""
        given = self.answers.get((asked.question_id, asked.view), ())
        if self.model_name != MAJORITY:
            given = tuple(answer for answer in given if answer.annotator == self.model_name)
        agreed = consensus_of(given)
        return write_answer(agreed.answer, agreed.items, question)


def write_answer(answer: str, items: tuple[str, ...], question: Question) -> str:
    """Write a person's answer as a reply in the form of ``question``."""
    if items:
        return "\n".join(f"- {item}" for item in items)
    if answer in question.options:
        return f"{OPTION_LETTERS[question.options.index(answer)]}) {answer}"
    return answer or NO_ANSWER


@lru_cache(maxsize=4)
def _load(path: str) -> tuple[dict[Key, tuple[PersonAnswer, ...]], tuple[str, ...]]:
    answers = read_person_answers(path)
    return by_question(answers), annotators_of(answers)
