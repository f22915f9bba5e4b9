"""Read people's answers from Label Studio's JSON export.

Source of the format: Label Studio's documentation, "Export annotations", format "JSON", version
1.23. The export is untrusted.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from pactwin.solvers import PersonAnswer
from pactwin.suite import InvalidInputError, Number, Question, Suite, read_json
from pactwin.tasks.annotation.interface import (
    AFFORDANCE,
    DONT_KNOW,
    affordance_fields,
    field_of,
    options_of,
)
from pactwin.tasks.annotation.project import one_condition


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Value(_Part):
    choices: tuple[str, ...] = ()
    text: tuple[str, ...] | str = ()


class _Result(_Part):
    from_name: str = ""
    value: _Value = _Value()


class _Person(_Part):
    id: int


class _Annotation(_Part):
    """One person's work on one task; ``completed_by`` is an id, or a record with one."""

    completed_by: int | _Person
    was_cancelled: bool = False
    lead_time: Annotated[Number, Field(ge=0)] | None = None
    result: tuple[_Result, ...] = ()

    @property
    def person(self) -> int:
        who = self.completed_by
        return who.id if isinstance(who, _Person) else who


class _Data(_Part):
    suite: str
    view: str
    questions: dict[str, str]


class _Task(_Part):
    id: int
    data: _Data
    annotations: tuple[_Annotation, ...] = ()


_EXPORT = TypeAdapter(tuple[_Task, ...])
_WHAT = "a JSON export of a project of ours"
_MAX_BYTES = 2**30  # the pictures of every task are in it


def read_exports(suite: Suite, exports: Sequence[Path]) -> list[PersonAnswer]:
    """Read all answers in exports of projects of ``suite``, in the order of the questions.

    Annotators become ``a1``, ``a2``, ... in the order of their ids; names and addresses are not
    read. Skipped tasks, open questions and "I don't know" become empty answers. Raises
    InvalidInputError for any other file, tasks of another suite, unknown questions or options, and
    repeated answers of one person.
    """
    scenes, questions = suite.records()
    work = [
        (str(path), task, annotation)
        for path in exports
        for task in read_json(_EXPORT, path, _WHAT, _MAX_BYTES)
        for annotation in task.annotations
    ]
    people = sorted({annotation.person for _, _, annotation in work})
    names = {person: f"a{number}" for number, person in enumerate(people, start=1)}
    answers: dict[tuple[str, str, str], PersonAnswer] = {}
    for path, task, annotation in work:
        where = f"{path}, task {task.id}"
        if task.data.suite != suite.info.content_hash:
            raise InvalidInputError(f"{where} is of another suite than {suite.path}")
        try:
            one_condition(task.data.view, scenes.values())
        except InvalidInputError as error:
            raise InvalidInputError(f"{where}: {error}") from error
        for field, question_id in task.data.questions.items():
            if question_id not in questions:
                raise InvalidInputError(f"{where}: {suite.path} has no question {question_id!r}")
            if field != field_of(questions[question_id]):
                raise InvalidInputError(f"{where}: {question_id} is not asked as {field!r}")
            answer = _answer(where, questions[question_id], field, task, annotation, names)
            key = (question_id, answer.view, answer.annotator)
            if key in answers:
                raise InvalidInputError(
                    f"{where}: {answer.annotator} answered question {question_id} twice"
                )
            answers[key] = answer
    if not answers:
        raise InvalidInputError(f"{', '.join(map(str, exports))}: nobody has annotated anything")
    return [answers[key] for key in sorted(answers)]


def _answer(
    where: str,
    question: Question,
    field: str,
    task: _Task,
    annotation: _Annotation,
    names: dict[int, str],
) -> PersonAnswer:
    results = () if annotation.was_cancelled else annotation.result
    said: dict[str, Any] = {}
    if field == AFFORDANCE:
        said["items"] = tuple(_texts(results))
    else:
        said["answer"] = _choice(where, question, [r for r in results if r.from_name == field])
    return PersonAnswer(
        question_id=question.id,
        view=task.data.view,
        page=next(iter(task.data.questions.values())),
        annotator=names[annotation.person],
        seconds=annotation.lead_time,
        **said,
    )


def _choice(where: str, question: Question, results: Sequence[_Result]) -> str:
    """The chosen option, spelled as in the question; empty if there is none."""
    chosen = {choice for result in results for choice in result.value.choices}
    if len(chosen) > 1:
        raise InvalidInputError(f"{where}: {sorted(chosen)} are chosen where one may be")
    (choice,) = chosen or {DONT_KNOW}
    if choice == DONT_KNOW:
        return ""
    if choice not in options_of(question):
        raise InvalidInputError(f"{where}: {choice!r} is not among the options of {question.id}")
    return choice


def _texts(results: Iterable[_Result]) -> list[str]:
    """Contents of the text fields, in order, without blank and repeated ones."""
    by_field = {result.from_name: result.value.text for result in results}
    texts: list[str] = []
    for field in affordance_fields():
        text = by_field.get(field, ())
        texts += [text] if isinstance(text, str) else text
    return list(dict.fromkeys(text.strip() for text in texts if text.strip()))
