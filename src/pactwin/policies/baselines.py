"""Baselines as an Inspect model provider: ``pactwin/always-no`` and its siblings.

Each decides on one constraint of the taxonomy (``none``: it can be done) and writes it as a reply
to the form it is asked in, so baselines pass through the same parser and scorer as real models.
None of them looks at a picture, counts tokens or touches the network.
"""

import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from pactwin.policies.answers import OPTION_LETTERS, STATEMENTS
from pactwin.policies.asked import Asked, asked_now, load_records
from pactwin.suite import Constraint, InvalidInputError, Question, unknown_name

PROVIDER = "pactwin"
_REASONS = tuple(constraint for constraint in Constraint if constraint is not Constraint.NONE)

Decision = Callable[[Asked, int], Constraint]


def _always_yes(asked: Asked, seed: int) -> Constraint:
    return Constraint.NONE


def _always_no(asked: Asked, seed: int) -> Constraint:
    """Always the same reason: the taxonomy's first."""
    return _REASONS[0]


def _random(asked: Asked, seed: int) -> Constraint:
    """A fair coin, then any reason; fixed by the seed, the question and the view."""
    key = f"{seed}:{asked.question_id}:{asked.view}".encode()
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(key).digest()[:8], "big"))
    return Constraint.NONE if rng.random() < 0.5 else _REASONS[rng.integers(len(_REASONS))]


def _blind(asked: Asked, seed: int) -> Constraint:
    form = _question(asked).form
    return _priors(asked.suite, asked.suite_hash, form)[_question(asked).text]


def _oracle(asked: Asked, seed: int) -> Constraint:
    scenes = load_records(asked.suite, asked.suite_hash).scenes
    return scenes[_question(asked).scene_id].decided.constraint


BASELINES: dict[str, Decision] = {
    "always-no": _always_no,
    "always-yes": _always_yes,
    "random": _random,
    "blind": _blind,
    "oracle": _oracle,
}


@modelapi(name=PROVIDER)
class Baseline(ModelAPI):
    """The provider ``pactwin``; its models are the names in ``BASELINES``.

    ``seed`` (a model argument, ``-M seed=1``) is that of ``random``. Raises InvalidInputError for a
    name that is no baseline.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - Inspect's own signature
        seed: int = 0,
        **model_args: Any,
    ) -> None:
        if model_name not in BASELINES:
            names = [f"{PROVIDER}/{name}" for name in BASELINES]
            raise unknown_name("baseline", f"{PROVIDER}/{model_name}", names)
        if model_args:
            raise InvalidInputError(
                f"{PROVIDER}/{model_name} takes no model argument {min(model_args)!r}: only seed"
            )
        super().__init__(model_name, base_url, api_key, [], config)
        self.seed = seed

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer the question this sample asks; InvalidInputError outside a pactwin task."""
        asked = asked_now()
        decision = BASELINES[self.model_name](asked, self.seed)
        output = ModelOutput.from_content(self.model_name, write_reply(decision, _question(asked)))
        output.usage = ModelUsage()
        return output


def write_reply(decision: Constraint, question: Question) -> str:
    """``decision`` as a reply to ``question`` in the form it asks for."""
    statement = STATEMENTS[decision]
    if question.form != "choice":
        return f"{'Yes' if decision is Constraint.NONE else 'No'}. {statement}"
    if statement not in question.options:
        raise InvalidInputError(
            f"question {question.id} has no option for {decision.value!r}: baselines answer "
            "questions over the constraint taxonomy only"
        )
    letter = OPTION_LETTERS[question.options.index(statement)]
    return f"{letter}) {statement}"


def _question(asked: Asked) -> Question:
    return load_records(asked.suite, asked.suite_hash).questions[asked.question_id]


@lru_cache(maxsize=16)
def _priors(suite: str, suite_hash: str, form: str) -> dict[str, Constraint]:
    """The text prior's guess for every question text of one form in a suite."""
    from pactwin.policies.blind import text_priors  # heavy: scikit-learn

    records = load_records(suite, suite_hash)
    questions = [q for q in records.questions.values() if q.form == form]
    scenes = [records.scenes[q.scene_id] for q in questions]
    return text_priors(
        texts=[q.text for q in questions],
        pairs=[min(s.id, s.twin_id or s.id) for s in scenes],
        truths=[s.decided.constraint for s in scenes],
    )
