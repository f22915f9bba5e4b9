"""Declaration of a kind of question, which all shared code uses."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from inspect_ai import Task
from inspect_ai.model import Model, ModelOutput

from pactwin.suite import Question, Scene
from pactwin.tasks.core.judge import JudgePrompt
from pactwin.tasks.core.metrics import Scoring
from pactwin.tasks.core.results import AnswerStatus, AskedFacts, Row
from pactwin.tasks.core.structured import JsonAnswer

F = TypeVar("F", bound=AskedFacts)
O = TypeVar("O", bound=AnswerStatus)


@dataclass(frozen=True)
class Reply(Generic[F]):
    """The reply to one question.

    ``metadata`` is the sample's, in which strategies record intermediate steps; ``options`` are
    those of the scorer. ``structured`` means that JSON was requested, ``confident`` that a
    probability was requested besides the answer.
    """

    facts: F
    question: Question
    output: ModelOutput
    metadata: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    structured: bool = False
    confident: bool = False


@dataclass(frozen=True)
class Judging(Generic[F, O]):
    """How a model judges answers of a kind.

    ``needed`` says whether a marked reply needs a judge. ``ask`` returns the outcome after the
    judge's verdict; it raises JudgeFaultError without one. ``prompt`` is the judge's prompt.
    """

    prompt: Callable[[], JudgePrompt]
    needed: Callable[[Reply[F], O], bool]
    ask: Callable[[Model, Reply[F], O], Awaitable[O]]


@dataclass(frozen=True)
class QuestionKind(Generic[F, O]):
    """One kind of question.

    ``name`` is the kind of :class:`~pactwin.suite.Question`; ``task`` asks it, as ``task_name`` in
    logs. ``described`` completes "the suite has no question ...", and ``unit`` names what a limit
    counts.

    ``row`` is an answer as a flat record: facts known before asking (``facts_type``), the outcome
    (``outcome_type``), and the call. ``facts`` makes the facts from a scene, a question and a view
    condition. ``mark`` parses and marks a reply; it is not called for an incomplete output.
    ``noted`` returns outcome fields that do not depend on the reply. ``said`` is the answer in
    words. ``answer`` is the schema of a question's answer, None for kinds that are always answered
    in text. With ``asks_probability``, yes/no questions can also ask for a probability; the outcome
    is then a :class:`~pactwin.tasks.core.results.StatedProbability`.

    ``scoring`` says how answers become scores. ``cluster`` names the fact shared by answers that
    are not independent. ``truth`` names the facts that do not depend on any model: logs of one
    suite must agree on them.
    """

    name: str
    task_name: str
    task: Callable[..., Task]
    described: str
    row: type[Row]
    facts_type: type[F]
    outcome_type: type[O]
    facts: Callable[[Scene, Question, str], F]
    mark: Callable[[Reply[F]], O]
    said: Callable[[Question, O], str]
    truth: tuple[str, ...]
    scoring: Scoring
    unit: str = "object"
    cluster: str = "pair_id"
    noted: Callable[[Reply[F]], Mapping[str, Any]] = lambda reply: {}
    judging: Judging[F, O] | None = None
    answer: Callable[[Question], type[JsonAnswer]] | None = None
    asks_probability: bool = False


KINDS: dict[str, QuestionKind] = {}
"""Every kind by name; filled by :mod:`pactwin.tasks.kinds.registry`."""


def kind_of_task(task_name: str) -> QuestionKind | None:
    """The kind of a log's task; None if the task is not pactwin's."""
    return next((kind for kind in KINDS.values() if kind.task_name == task_name), None)


def truth_of(row: AskedFacts) -> tuple[object, ...]:
    """The part of a row, or of a question's facts, that is independent of the model."""
    names = ("scene_id", "pair_id", "domain", "form", *KINDS[row.kind].truth)
    return (row.kind, *(getattr(row, name) for name in names))
