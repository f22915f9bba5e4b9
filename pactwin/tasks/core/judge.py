"""Judge models, which read open answers that the parser cannot decide.

The judge sees the question and the answer, but neither the gold answer nor the model's name. It
reports the content of the answer in the taxonomy's terms; the scorer decides whether that is
correct. A judge that fails, or replies anything but one verdict, is an instrument failure: the
sample ends in an error, never in an incorrect answer.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from string import Template
from typing import Any, Literal, Self, TypeVar

import yaml
from inspect_ai.model import CachePolicy, ChatMessageUser, Model, ModelOutput
from inspect_ai.util import LimitExceededError
from pydantic import (
    BaseModel,
    RootModel,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from pactwin.solvers import STATEMENTS, fault_of, replayed_output, strip_reasoning
from pactwin.suite import SCENE_CONSTRAINTS, Constraint, InvalidInputError, Record, first_fault

UNCLEAR = "unclear"
"""Verdict on an unclear answer; all other verdicts are the taxonomy's."""

V = TypeVar("V", bound=BaseModel)

_FENCED = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.S)


class JudgeFaultError(Exception):
    """The judge could not be asked, or gave no verdict."""


class JudgePrompt(Record):
    """Prompt of a judge, with the SHA-256 of its file."""

    version: int
    prompt: str
    sha256: str

    def identity(self) -> dict[str, str | int]:
        """Identity of the prompt in logs."""
        return {"version": self.version, "sha256": self.sha256}


def judge_prompt() -> JudgePrompt:
    """Prompt for answers to open questions about constraints."""
    return read_prompt("pactwin.tasks.core")


@lru_cache
def read_prompt(package: str) -> JudgePrompt:
    """Read the judge's prompt included in one of pactwin's packages."""
    data = (files(package) / "judge.yaml").read_bytes()
    return JudgePrompt(**yaml.safe_load(data), sha256=hashlib.sha256(data).hexdigest())


def judge_question(question: str, reply: str) -> str:
    """Message to the judge about one reply without its reasoning.

    The material is JSON, so that no answer can end its quotation.
    """
    choices = [f'- "{c.value}": {STATEMENTS[c]}' for c in SCENE_CONSTRAINTS]
    choices.append(f'- "{UNCLEAR}": none of these, or not clear which.')
    material = {
        "question": question,
        "answer": strip_reasoning(reply),
    }
    return Template(judge_prompt().prompt).substitute(
        choices="\n".join(choices), material=json.dumps(material, ensure_ascii=False, indent=1)
    )


class ConstraintVerdict(Record):
    """Content of an open answer in the taxonomy's terms."""

    says: Constraint | Literal["unclear"]

    @field_validator("says")
    @classmethod
    def _offered(cls, says: str) -> str:
        if says != UNCLEAR and says not in SCENE_CONSTRAINTS:
            raise ValueError("not one of the names that were given")
        return says


class Meanings(RootModel[dict[str, str | None]]):
    """The known name of each phrase; the context holds the ``accepted`` names and ``items``."""

    @model_validator(mode="after")
    def _about_the_phrases(self, info: ValidationInfo) -> Self:
        known = info.context or {}
        if set(self.root) != set(known["items"]):
            raise ValueError("not about the phrases that were given")
        if not {name for name in self.root.values() if name is not None} <= {*known["accepted"]}:
            raise ValueError("not one of the known names")
        return self


def read_verdict(output: ModelOutput) -> Constraint | None:
    """Parse the judge's verdict, None for unclear; JudgeFaultError if there is none."""
    says = verdict_in(output, ConstraintVerdict).says
    return says if isinstance(says, Constraint) else None


def read_pairs(
    output: ModelOutput, accepted: Sequence[str], items: Sequence[str]
) -> dict[str, str]:
    """Parse which of ``accepted`` each of ``items`` means, if any, according to the judge.

    JudgeFaultError for anything but a complete verdict.
    """
    found = verdict_in(output, Meanings, accepted=accepted, items=items).root
    return {item: name for item, name in found.items() if name is not None}


def verdict_in(output: ModelOutput, verdict: type[V], **context: Any) -> V:
    """Parse the judge's whole reply as a ``verdict`` in JSON; JudgeFaultError otherwise.

    ``context`` is passed to the validators of ``verdict``.
    """
    fault = fault_of(output)
    if fault is not None:
        raise JudgeFaultError(f"the judge gave no verdict: {fault[1]}")
    text = strip_reasoning(output.completion)
    fenced = _FENCED.fullmatch(text)
    try:
        return verdict.model_validate_json(fenced[1] if fenced else text, context=context)
    except ValidationError as error:
        raise JudgeFaultError(
            f"the judge's reply is not the JSON object asked for: {first_fault(error)}"
        ) from error


async def judge_reading(judge: Model, question: str, reply: str) -> Constraint | None:
    """The judge's reading of ``reply``, None for unclear; JudgeFaultError without a verdict."""
    return read_verdict(await put_to(judge, judge_question(question, reply)))


async def same_meaning(
    judge: Model, package: str, known: Sequence[str], found: Sequence[str]
) -> dict[str, str]:
    """Ask the judge which of the ``known`` names each of ``found`` means, if any.

    The judge gets the prompt of ``package``. JudgeFaultError if it returns no verdict.
    """
    material = json.dumps({"known": known, "found": found}, ensure_ascii=False, indent=1)
    prompt = Template(read_prompt(package).prompt).substitute(material=material)
    return read_pairs(await put_to(judge, prompt), known, found)


def in_words(pairs: Mapping[str, str]) -> str:
    """The pairs of :func:`same_meaning` in the form of rows."""
    return "; ".join(f"{item} = {name}" for item, name in pairs.items()) or "nothing more"


async def put_to(judge: Model, prompt: str, vote: int = 1) -> ModelOutput:
    """The judge's reply to ``prompt``; JudgeFaultError if it cannot be obtained.

    Each ``vote`` on the same prompt is a separate reply with its own cache entry.
    """
    before = replayed_output(judge, [ChatMessageUser(content=prompt)])
    if before is not None:
        return before
    cache = judge.config.cache or False
    if vote > 1 and isinstance(cache, CachePolicy):
        cache = cache.model_copy(update={"scopes": {**cache.scopes, "vote": str(vote)}})
    try:
        return await judge.generate(prompt, cache=cache)
    except LimitExceededError:
        raise
    except Exception as error:  # providers raise errors of every kind
        cause = error.__cause__ or error  # who gives up after retries says only that
        line = (str(cause).splitlines() or [""])[0]
        raise JudgeFaultError(f"the judge failed: {type(cause).__name__}: {line}") from error


def refuse_self_judging(judge: str, models: Sequence[str]) -> None:
    """Raise InvalidInputError if ``judge`` is one of ``models``, under any provider."""
    for model in models:
        if model.rpartition("/")[2].casefold() == judge.rpartition("/")[2].casefold():
            raise InvalidInputError(
                f"{judge} would judge its own answers: choose another judge, or force it with "
                "--judge-self"
            )
