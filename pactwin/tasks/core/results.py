"""Common fields of answers: a flat row per question, view, epoch and model.

Each kind adds its facts and its outcome in its package of :mod:`pactwin.tasks.kinds`.
"""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, FiniteFloat

from pactwin.suite import DomainName, Form, Name, OpaqueId, Record, short_name
from pactwin.tasks.core.views import Condition

Count = Annotated[int, Field(ge=0, le=10**12)]
Amount = Annotated[FiniteFloat, Field(ge=0, le=1e12)]
Share = Annotated[FiniteFloat, Field(ge=0, le=1)]
JUDGE_ROLE = "judge"
"""Inspect's role name of the judge in an evaluation (``--model-role judge=...``)."""


PUBLISHED = "published"
"""Strategy name of answers that were released with a benchmark."""
INTERRUPTED_ERROR = "CancelledError("
"""Prefix of the error that Inspect logs for a question that was interrupted."""


class AnswerState(StrEnum):
    """Final state of a question. Only the first two are answers.

    ``unsure`` exists only if a probability was asked for besides the answer.
    """

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNSURE = "unsure"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    ERROR = "error"

    @classmethod
    def of(cls, right: bool) -> Self:
        """The state of a correct or incorrect answer."""
        return cls("correct" if right else "incorrect")


class AskedFacts(Record):
    """Metadata of a sample of any kind.

    ``kind`` is the kind of question. ``pair_id`` is shared by both twins of a scene. ``view`` names
    the condition: a camera (``head``), cameras joined by a plus (``head+side``), or ``joint``.
    """

    kind: str
    question_id: OpaqueId
    scene_id: OpaqueId
    pair_id: OpaqueId
    domain: DomainName
    view: Condition
    form: Form


class AnswerStatus(Record):
    """The outcome of a sample of any kind.

    ``reason`` says why there is no answer, empty if there is one. ``judged`` is the judge's reading
    of the reply, empty without a judge.
    """

    state: AnswerState
    reason: str = ""
    judged: str = ""

    @property
    def answered(self) -> bool:
        """Return whether there is an answer, correct or incorrect."""
        return self.state in (AnswerState.CORRECT, AnswerState.INCORRECT)


class StatedProbability(AnswerStatus):
    """Outcome of a yes/no question with probabilities of yes.

    ``probability`` is stated in the reply, ``token_probability`` is that of the answer token, and
    ``token_outside`` the mass of neither yes nor no there. They are None if absent.
    """

    probability: Share | None = None
    token_probability: Share | None = None
    token_outside: Share | None = None


class Call(Record):
    """Model, pictures and cost of a call: the part of a row that all kinds share.

    ``model`` names the evaluated system: see :func:`evaluated_system`. ``strategy`` names its
    strategy; ``prompts`` names the prompt pack and its version, empty for the built-in one.
    ``reply`` is the model's text, untrusted. ``pictures`` are the SHA-256 of the pictures shown, by
    path in the suite; ``asked`` is the hash of everything shown
    (:func:`~pactwin.tasks.core.asked.asked_hash`). ``run_id`` names the run (one log), which
    ``planned`` that number of questions, epochs included; ``epoch`` counts from 1. ``confidence``
    says whether a probability was requested besides the answer, ``logprobs`` whether log
    probabilities of tokens were.

    ``calls`` to the model produced the answer, ``replayed`` of them from the cache. Tokens (with
    hidden reasoning and the provider's cache), ``cost_usd`` and ``latency_s`` (the provider's
    working time, without waiting and failed attempts) are totals over all calls, at the time of
    payment. They are None if the provider reports none, or no price was known.
    """

    model: Name
    strategy: Name = "direct"
    prompts: Name = ""
    suite_name: Name
    suite_hash: str
    sample_id: OpaqueId
    epoch: Annotated[int, Field(ge=1, le=10**6)] = 1
    reply: str = ""
    pictures: dict[str, str] = Field(default_factory=dict)
    asked: str = ""
    run_id: str = ""
    planned: Count = 0
    confidence: bool = False
    logprobs: bool = False
    calls: Count = 0
    replayed: Count = 0
    tokens_in: Count | None = None
    tokens_out: Count | None = None
    latency_s: Amount | None = None
    cost_usd: Amount | None = None


class Row(AskedFacts, AnswerStatus, Call):
    """One model's answer to one question under one view condition, in one epoch."""


def evaluated_system(
    model: str,
    strategy: str,
    prompts: str,
    *,
    structured: bool = False,
    confidence: bool = False,
) -> str:
    """Name of the evaluated system in tables: model, strategy and pack.

    It is the model's name alone for direct questions with the built-in prompts. Otherwise it is
    followed by the strategy, by the prompt pack unless built in, by ``json`` for JSON answers, and
    by ``confidence`` for probabilities.
    """
    how = (prompts, "json" if structured else "", "confidence" if confidence else "")
    if strategy == "direct" and not any(how):
        return short_name(model)
    parts = (model, strategy, *how)
    return short_name(" · ".join(filter(None, parts)))
