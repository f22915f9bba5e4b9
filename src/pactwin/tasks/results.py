"""Answers as a flat table: one row per question, view condition and model."""

from enum import StrEnum

from pydantic import Field

from pactwin.suite import Constraint, OpaqueId, Record

TASK_NAME = "pac_constraints"
JUDGE_ROLE = "judge"
"""What Inspect calls the judge among an evaluation's models (``--model-role judge=...``)."""


class AnswerState(StrEnum):
    """The one state every asked question ends in. Only the first two are answers."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    ERROR = "error"


class SampleFacts(Record):
    """What is known of a sample before it is asked: the metadata of Inspect's sample.

    ``pair_id`` is shared by both twins of a scene. ``view`` names the condition: a camera
    (``head``), cameras joined by a plus (``head+side``), or ``all``.
    """

    question_id: OpaqueId
    scene_id: OpaqueId
    pair_id: OpaqueId
    domain: str
    view: str
    form: str
    truth_feasible: bool
    truth_constraint: Constraint


class Outcome(Record):
    """What a sample ended in: the metadata of Inspect's score.

    ``predicted_feasible`` and ``predicted_constraint`` are None where the reply does not say; both
    are None in every state but ``correct`` and ``incorrect``. ``reason`` says why there is no
    answer, empty where there is one. ``judged`` is what a judge model read in the reply, empty
    where none was asked.
    """

    state: AnswerState
    predicted_feasible: bool | None = None
    predicted_constraint: Constraint | None = None
    reason: str = ""
    judged: str = ""


class AnswerRow(SampleFacts, Outcome):
    """What one model answered to one question under one view condition.

    ``model`` names who answered: see :func:`contender`. ``strategy`` is how it was asked;
    ``prompts`` names the pack of prompts and its version, empty where it is ours. ``reply`` is the
    model's text, untrusted. ``pictures`` are the SHA-256 of what was shown, by path in the suite.

    ``calls`` to the model gave the answer, ``replayed`` of them from the cache; tokens (hidden
    reasoning and what the provider cached included), ``cost_usd`` and ``latency_s`` (the provider's
    working time, without waiting and vain attempts) are those of all of them, when they were paid
    for. None where the provider reports none, or no price was known.
    """

    model: str
    strategy: str = "direct"
    prompts: str = ""
    suite_name: str
    suite_hash: str
    sample_id: OpaqueId
    reply: str = ""
    pictures: dict[str, str] = Field(default_factory=dict)
    calls: int = 0
    replayed: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    latency_s: float | None = None
    cost_usd: float | None = None


def contender(model: str, strategy: str, prompts: str) -> str:
    """Who answers, as tables name it: a model asked in another way is another contender.

    The name of the model alone if it was asked directly in our words; otherwise followed by the
    strategy, and by the pack of prompts unless that is ours.
    """
    if strategy == "direct" and not prompts:
        return model
    return " · ".join(filter(None, (model, strategy, prompts)))
