"""The verifier of the published scoring: a model that says of each reply whether it is right.

As published it answers with one word, is read by looking for that word anywhere in what it says,
and is asked at temperature 0 for at most 50 tokens. What it says otherwise, or does not say because
it failed, counts as wrong.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from string import Template

import yaml
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalSample, EvalSampleSummary
from inspect_ai.model import CachePolicy, GenerateConfig, Model
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score, Scorer, Target, accuracy, scorer
from inspect_ai.solver import TaskState, generate

from pactwin.suite import Suite
from pactwin.tasks.core.asking import MAX_RETRIES
from pactwin.tasks.core.judge import refuse_self_judging
from pactwin.tasks.core.log_files import logs_in, read_summaries
from pactwin.tasks.published.pacbench.claims import (
    Claim,
    PublishedVerdict,
    Verdicts,
    read_published_verdict,
)
from pactwin.tasks.published.pacbench.scoring import (
    PublishedCell,
    published_claims,
    published_scores,
)
from pactwin.tasks.running.ask import ask_judge
from pactwin.tasks.running.log_check import require_asked
from pactwin.tasks.running.models import CACHED_FOR, resolve_model
from pactwin.tasks.running.reading import read_rows
from pactwin.tasks.running.resume import log_headers

_TASK = "pacbench_verification"
_MAX_TOKENS = 50


def score_as_published(
    suite: Suite,
    logs: Sequence[Path],
    verifier: str | None = None,
    judge_self: bool = False,
    log_dir: Path | str = "verifier-logs",
) -> list[PublishedCell]:
    """Score the answers in ``logs`` (files, or folders of them) by the published rules and by ours.

    ``verifier`` is a model as Inspect names it; it must not be one that answered unless
    ``judge_self``. Raises InvalidInputError for that, for logs that cannot be read or are about
    another suite, and for a suite that was not imported; and what :func:`run_verifier` raises.
    """
    rows = read_rows(logs_in(logs))
    require_asked(suite, rows)
    verdicts = None
    if verifier is not None:
        if not judge_self:
            refuse_self_judging(verifier, sorted({row.model.partition(" · ")[0] for row in rows}))
        verdicts = run_verifier(published_claims(suite, rows), _cached(verifier), log_dir)
    return published_scores(suite, rows, verdicts)


def run_verifier(claims: Iterable[Claim], verifier: Model, log_dir: Path | str) -> Verdicts:
    """What ``verifier`` says of each claim, asked once; leaves a log.

    What it said in earlier logs in ``log_dir``, those of interrupted runs among them, is used
    again. Raises what :func:`ask_judge` raises.
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
    """Read a verifier's words as published."""

    async def score(state: TaskState, target: Target) -> Score:
        verdict = read_published_verdict(state.metadata["rule"], state.output.completion)
        values = {PublishedVerdict.CORRECT: CORRECT, PublishedVerdict.INCORRECT: INCORRECT}
        return Score(value=values.get(verdict, NOANSWER), answer=verdict.value)

    return score


def _cached(verifier: str) -> Model:
    """The model, with what it said before: nothing is paid for twice."""
    return resolve_model(verifier, cache=CachePolicy(expiry=CACHED_FOR))


def _id_of(claim: Claim) -> str:
    """The same for the same words to the verifier."""
    return hashlib.sha256(_prompt(claim).encode()).hexdigest()[:16]


def _prompt(claim: Claim) -> str:
    about = "question" if claim.rule == "check" else "label"
    material = json.dumps({about: claim.truth, "reply": claim.reply}, ensure_ascii=False, indent=1)
    prompt = Template(_prompts()[claim.rule]).substitute(material=material)
    return prompt.encode(errors="backslashreplace").decode()  # no request holds lone surrogates


@lru_cache
def _prompts() -> dict[str, str]:
    return yaml.safe_load((files(__package__) / "verifier.yaml").read_bytes())
