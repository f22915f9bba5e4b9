"""Answers as a flat table: one row per question, view condition and model."""

from enum import StrEnum

from pactwin.suite import Constraint
from pactwin.suite.records import OpaqueId, Record


class AnswerState(StrEnum):
    """The one state every asked question ends in. Only the first two are answers."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    ERROR = "error"


class AnswerRow(Record):
    """What one model answered to one question under one view condition.

    ``pair_id`` is shared by both twins of a scene. ``view`` names the condition: a camera
    (``head``), cameras joined by a plus (``head+side``), or ``all``. ``predicted_feasible`` and
    ``predicted_constraint`` are None where the reply does not say; both are None in every state but
    ``correct`` and ``incorrect``. ``reason`` says why there is no answer, empty where there is one.
    ``reply`` is the model's text, untrusted. ``latency_s``, tokens and ``cost_usd`` are None where
    the provider reports none.
    """

    model: str
    suite_name: str
    suite_hash: str
    sample_id: OpaqueId
    question_id: OpaqueId
    scene_id: OpaqueId
    pair_id: OpaqueId
    domain: str
    view: str
    form: str
    state: AnswerState
    truth_feasible: bool
    truth_constraint: Constraint
    predicted_feasible: bool | None = None
    predicted_constraint: Constraint | None = None
    reason: str = ""
    reply: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    latency_s: float | None = None
    cost_usd: float | None = None
