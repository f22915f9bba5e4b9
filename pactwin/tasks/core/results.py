"""Answers as a flat table: one row per question, view condition and model.

All rows share what was asked where, what state it ended in and what it took; questions about
constraints and questions about objects (properties, affordances) add their own truth and answer.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, FiniteFloat, model_validator

from pactwin.policies import QuestionKind
from pactwin.suite import Constraint, DomainName, Form, Observability, OpaqueId, Record, one_line
from pactwin.tasks.core.views import Condition

TASK_NAMES: dict[QuestionKind, str] = {
    "constraint": "pac_constraints",
    "property": "pac_properties",
    "affordance": "pac_affordances",
    "problem": "macgyver",
    "recognition": "recognition",
    "plan": "tool_plan",
    "named_plan": "named_tool_plan",
    "creative_use": "creative_use",
}
"""The Inspect task that asks each kind of question."""
LIST_KINDS: tuple[QuestionKind, ...] = ("recognition", "plan", "named_plan")
"""Kinds of questions that ask for a list of things."""
Count = Annotated[int, Field(ge=0, le=10**12)]
Amount = Annotated[FiniteFloat, Field(ge=0, le=1e12)]
JUDGE_ROLE = "judge"
"""What Inspect calls the judge among an evaluation's models (``--model-role judge=...``)."""


INTERRUPTED_ERROR = "CancelledError("
"""How the error begins that Inspect logs of a question which was under way at an interruption."""


class AnswerState(StrEnum):
    """The one state every asked question ends in. Only the first two are answers."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    ERROR = "error"


class AskedFacts(Record):
    """What is known of any sample before it is asked.

    ``pair_id`` is shared by both twins of a scene. ``view`` names the condition: a camera
    (``head``), cameras joined by a plus (``head+side``), or ``together``.
    """

    question_id: OpaqueId
    scene_id: OpaqueId
    pair_id: OpaqueId
    domain: DomainName
    view: Condition
    form: Form


class SampleFacts(AskedFacts):
    """What is known of a question about constraints: the metadata of Inspect's sample.

    ``truth_constraint`` is None where a published answer does not clearly say what prevents it.
    ``accepted`` are those of its ``options`` that are true, where all true ones are asked for.
    """

    truth_feasible: bool
    truth_constraint: Constraint | None
    options: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()


class ObjectSampleFacts(AskedFacts):
    """What is known of a question about an object.

    ``object_id`` is the same for all pictures of one object. ``topic`` is the property asked about,
    empty for affordances. ``truth`` is the true category, ``accepted`` are the true affordances.
    ``n_options`` is how many categories there were to choose from, 0 for affordances.
    """

    kind: Literal["property", "affordance"]
    object_id: str
    topic: str = ""
    observability: Observability | None = None
    truth: str
    accepted: tuple[str, ...] = ()
    n_options: int = 0


class ProblemFacts(AskedFacts):
    """What is known of a problem told in words.

    ``held_unsolvable``: people who answered it were right, said their raters, that it cannot be
    solved, and none solved it, whatever its flag says. ``uses`` are those that trials play.
    ``effort`` counts, from 1, how often it was put to the same model.
    """

    kind: Literal["problem"] = "problem"
    solvable: bool
    held_unsolvable: bool = False
    uses: tuple[str, ...] = ()
    effort: int = Field(default=1, ge=1)


class ToolFacts(AskedFacts):
    """What is known of a question that asks for a list of things.

    ``kind`` and the truth are those of the question: ``accepted`` names, for plans with their
    ``steps`` (all 1 where the order is free), and ``distractors`` beside them. ``published_id`` is
    what an imported question is called in its data.
    """

    kind: Literal["recognition", "plan", "named_plan"]
    accepted: tuple[str, ...]
    steps: tuple[int, ...] = ()
    distractors: tuple[str, ...] = ()
    published_id: str = ""


class UseFacts(AskedFacts):
    """What is known of a question which part of which thing could serve.

    ``gold_entity`` and ``gold_part`` are the ones meant, ``candidates`` the names of all things,
    and ``published_id`` is what an imported question is called in its data. ``similar`` are the
    pairs (thing, part) that were judged to serve alike.
    """

    kind: Literal["creative_use"] = "creative_use"
    gold_entity: str
    gold_part: str
    candidates: tuple[str, ...]
    published_id: str = ""
    similar: tuple[tuple[str, str], ...] = ()


class AnswerStatus(Record):
    """What any sample ended in. ``reason`` says why there is no answer, empty where there is one.

    ``judged`` is what a judge model read in the reply, empty where none was asked.
    """

    state: AnswerState
    reason: str = ""
    judged: str = ""


class ConstraintOutcome(AnswerStatus):
    """What a question about constraints ended in: the metadata of Inspect's score.

    ``predicted_feasible`` and ``predicted_constraint`` are None where the reply does not say; both
    are None in every state but ``correct`` and ``incorrect``, save that an ``unparsed`` reply to an
    open question may clearly say no, only not clearly why. ``selected`` are the options named in a
    reply to a form that asks for all true ones, which says nothing else.
    """

    predicted_feasible: bool | None = None
    predicted_constraint: Constraint | None = None
    selected: tuple[str, ...] = ()


class ObjectOutcome(AnswerStatus):
    """What a question about an object ended in.

    ``said`` is the category chosen. ``items`` are the different affordances that the reply lists;
    of these, ``right`` are among the accepted ones, and ``covered`` are the accepted ones that they
    name. An affordance answer is ``correct`` if it covers all that is accepted.
    """

    said: str = ""
    items: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()


class ProblemOutcome(AnswerStatus):
    """What a problem ended in. ``category`` is a letter from A (best) to F, empty for no answer.

    ``says_solvable`` is whether the reply solves it or calls it unsolvable, None if that is not
    clear. ``judged`` are the letters of a judge's votes, ``judge`` names it with its rubric; both
    are empty where none was needed.
    """

    category: str = Field(default="", pattern="^[A-F]?$")
    says_solvable: bool | None = None
    judge: str = ""


class ToolOutcome(AnswerStatus):
    """What a question that asks for a list of things ended in.

    ``items`` are what the reply lists, in order, repetitions too. ``found`` gives for each the
    index of the accepted name that it means, or None, and ``rules`` by what it was matched.
    ``distracted`` are indices of wrong items that name what is there: a distractor, or a right tool
    once more. An answer is ``correct`` if it is the accepted list, in an order that the steps
    allow.
    """

    items: tuple[str, ...] = ()
    found: tuple[int | None, ...] = ()
    rules: tuple[str, ...] = ()
    distracted: tuple[int, ...] = ()

    @model_validator(mode="after")
    def _one_each(self) -> "ToolOutcome":
        if not len(self.items) == len(self.found) == len(self.rules):
            raise ValueError("items, found and rules differ in length")
        return self


class UseOutcome(AnswerStatus):
    """What a question which part of which thing could serve ended in.

    ``entity`` and ``part`` are what the reply names, ``found_entity`` and ``found_part`` the
    candidate and part that it means, empty where it means none; ``use`` is how it would be used.
    ``relation`` is ``gold``, how like the gold part the chosen one was judged, ``unjudged``, or
    ``hallucination`` for what is not there. ``explored`` are the things looked at, in order; where
    parts are inspected too, ``trace`` says what each reply looked at: nothing, a thing, or a part
    of one. ``judge`` names the judge and its rubric, if one was asked; ``grades`` are its marks, 0
    to 2, ``error`` is what it mainly finds wrong with a wrong choice, and ``errors`` are all that.
    """

    entity: str = ""
    part: str = ""
    use: str = ""
    found_entity: str = ""
    found_part: str = ""
    relation: str = ""
    explored: tuple[str, ...] = ()
    trace: tuple[tuple[str, ...], ...] = ()
    judge: str = ""
    grades: dict[str, int] = Field(default_factory=dict)
    error: str = ""
    errors: tuple[str, ...] = ()


class Call(Record):
    """Who answered, to what pictures, and what that took: the part of a row that all kinds share.

    ``model`` names who answered: see :func:`evaluated_system`. ``strategy`` is how it was asked;
    ``prompts`` names the pack of prompts and its version, empty where it is ours. ``reply`` is the
    model's text, untrusted. ``pictures`` are the SHA-256 of what was shown, by path in the suite.
    ``run_id`` names the run (one log), in which ``planned`` questions were to be asked.

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
    run_id: str = ""
    planned: Count = 0
    calls: Count = 0
    replayed: Count = 0
    tokens_in: Count | None = None
    tokens_out: Count | None = None
    latency_s: Amount | None = None
    cost_usd: Amount | None = None


class AnswerRow(SampleFacts, ConstraintOutcome, Call):
    """What one model answered to one question about constraints under one view condition."""


class ObjectRow(ObjectSampleFacts, ObjectOutcome, Call):
    """What one model answered to one question about an object under one view condition."""


class ProblemRow(ProblemFacts, ProblemOutcome, Call):
    """What one model answered to one problem, in one of its efforts."""


class ToolRow(ToolFacts, ToolOutcome, Call):
    """What one model answered to one question that asks for a list of things."""


class UseRow(UseFacts, UseOutcome, Call):
    """What one model answered to one question which part of which thing could serve."""


Row = AnswerRow | ObjectRow | ProblemRow | ToolRow | UseRow


def evaluated_system(model: str, strategy: str, prompts: str) -> str:
    """Who answers, as tables name it: a model asked in another way is another system.

    The name of the model alone if it was asked directly in our words; otherwise followed by the
    strategy, and by the pack of prompts unless that is ours.
    """
    if strategy == "direct" and not prompts:
        return one_line(model)
    return one_line(" · ".join(filter(None, (model, strategy, prompts))))
