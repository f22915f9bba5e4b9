"""Verifier of the published scoring: a model that judges whether each reply is correct.

As published, the verifier is asked for one word, which is searched anywhere in its reply, at
temperature 0 with at most 50 tokens. Any other reply, or a failure, counts as incorrect.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Literal, NamedTuple

import yaml
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalSample, EvalSampleSummary
from inspect_ai.model import CachePolicy, GenerateConfig, Model
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score, Scorer, Target, accuracy, scorer
from inspect_ai.solver import TaskState, generate

from pactwin.tasks.core.asking import MAX_RETRIES
from pactwin.tasks.core.log_files import read_summaries
from pactwin.tasks.running.ask import ask_judge
from pactwin.tasks.running.models import CACHED_FOR, resolve_model
from pactwin.tasks.running.resume import log_headers

_TASK = "pacbench_verification"
_MAX_TOKENS = 50


Rule = Literal["property", "all_correct", "at_least_one", "answer", "check"]


class Claim(NamedTuple):
    """A reply to compare with ``truth`` by ``rule``; for ``check``, ``truth`` is the question."""

    rule: Rule
    truth: str
    reply: str


class PublishedVerdict(StrEnum):
    """Verdicts of a verifier; only the first counts as correct."""

    CORRECT = "CORRECT"
    INCORRECT = "INCORRECT"
    UNCERTAIN = "UNCERTAIN"
    ERROR = "ERROR"


Verdicts = Mapping[Claim, PublishedVerdict]


def read_published_verdict(rule: Rule, said: str) -> PublishedVerdict:
    """Parse a verifier's words as published: correct only if no word says wrong."""
    binary = rule in ("property", "answer")
    right, wrong = ("CORRECT", "INCORRECT") if binary else ("TRUE", "FALSE")
    text = said.upper()
    if wrong in text:
        return PublishedVerdict.INCORRECT
    return PublishedVerdict.CORRECT if right in text else PublishedVerdict.UNCERTAIN


def verifier(name: str, log_dir: Path | str) -> Callable[[Iterable[Claim]], Verdicts]:
    """A function that asks the model ``name`` about claims and caches its verdicts."""
    model = resolve_model(name, cache=CachePolicy(expiry=CACHED_FOR))
    return lambda claims: run_verifier(claims, model, log_dir)


def run_verifier(claims: Iterable[Claim], verifier: Model, log_dir: Path | str) -> Verdicts:
    """Verdict of ``verifier`` on each claim, asked once; leaves a log.

    Verdicts in earlier logs in ``log_dir``, including those of interrupted runs, are used again.
    Raises the errors of :func:`ask_judge`.
    """
    asked = {_id_of(claim): claim for claim in claims}
    said = _said_before(verifier, Path(log_dir))
    samples = [
        Sample(id=id, input=_prompt(claim), metadata={"rule": claim.rule})
        for id, claim in asked.items()
        if id not in said
    ]
    if samples:
        task = Task(
            name=_TASK,
            dataset=MemoryDataset(samples, name=_TASK),
            solver=generate(),
            scorer=published_verdict(),
            config=GenerateConfig(temperature=0.0, max_tokens=_MAX_TOKENS, max_retries=MAX_RETRIES),
            fail_on_error=False,
            metadata={"verifier_prompts": _prompts()["version"]},
        )
        said |= _verdicts(ask_judge(task, verifier, log_dir, "none"))
    return {claim: said.get(id, PublishedVerdict.ERROR) for id, claim in asked.items()}


def _said_before(verifier: Model, log_dir: Path) -> dict[str, PublishedVerdict]:
    said: dict[str, PublishedVerdict] = {}
    for path, log in log_headers(log_dir):
        if log.eval.task == _TASK and log.eval.model == str(verifier):
            said |= _verdicts(read_summaries(path))
    return said


def _verdicts(samples: Iterable[EvalSample | EvalSampleSummary]) -> dict[str, PublishedVerdict]:
    return {
        str(sample.id): PublishedVerdict(score.answer)
        for sample in samples
        if sample.error is None
        for score in (sample.scores or {}).values()
        if score.answer is not None
    }


@scorer(metrics=[accuracy()])
def published_verdict() -> Scorer:
    """Scorer that parses a verifier's words by the published rule."""

    async def score(state: TaskState, target: Target) -> Score:
        verdict = read_published_verdict(state.metadata["rule"], state.output.completion)
        values = {PublishedVerdict.CORRECT: CORRECT, PublishedVerdict.INCORRECT: INCORRECT}
        return Score(value=values.get(verdict, NOANSWER), answer=verdict.value)

    return score


def _id_of(claim: Claim) -> str:
    """Id of a claim; equal messages to the verifier have the same id."""
    return hashlib.sha256(_prompt(claim).encode()).hexdigest()[:16]


def _prompt(claim: Claim) -> str:
    about = "question" if claim.rule == "check" else "label"
    material = json.dumps({about: claim.truth, "reply": claim.reply}, ensure_ascii=False, indent=1)
    prompt = Template(_prompts()[claim.rule]).substitute(material=material)
    return prompt.encode(errors="backslashreplace").decode()  # no request holds lone surrogates


@lru_cache
def _prompts() -> dict[str, str]:
    return yaml.safe_load((files(__package__) / "verifier.yaml").read_bytes())
