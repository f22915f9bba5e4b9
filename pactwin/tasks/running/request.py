"""The request for an evaluation: one record from the command line to the last log."""

from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Literal

from inspect_ai.model import GenerateConfig, Model, ModelName
from pydantic import Field

from pactwin.suite import Record
from pactwin.tasks.core.asking import Asking, can_be_structured, require_schema
from pactwin.tasks.core.kind import QuestionKind
from pactwin.tasks.core.views import EACH
from pactwin.tasks.kinds.constraint.tasks import ALL_FORMS
from pactwin.tasks.kinds.objects.tasks import ALL_TOPICS
from pactwin.tasks.kinds.problem.tasks import VOTES
from pactwin.tasks.running.models import is_baseline

ALL_KINDS = "all"
KEEP_TO_SCHEMAS = frozenset(("openai", "google", "mistral", "vllm", "sglang"))
"""Providers whose models obey a JSON schema, according to Inspect's documentation.

Left out are those where only some models do, or where it depends on the server that is asked.
"""
Display = Literal["full", "rich", "plain", "log", "none"]


class EvalRequest(Record):
    """Ask ``models`` the questions of the suite at ``suite``; logs go to ``log_dir``.

    ``kind`` is a kind of question, or ``all`` for every kind of the suite.
    ``views``, ``form``, ``scene``, ``limit`` (twin pairs), ``strategy``, ``prompts`` and
    ``judge_self`` are those of :func:`pac_constraints`, ``topic`` is that of
    :func:`pac_properties`, ``embeddings`` that of :func:`pac_affordances` and ``judge_votes`` that
    of :func:`macgyver`; ``judge`` is the model that reads answers the parser cannot. Questions are
    asked in each of ``epochs``.
    ``structured`` is whether answers are asked for as JSON that fits a schema; None: where the
    provider is known to keep to one and the kind of question and the strategy have one. With
    ``confidence`` only yes/no questions are asked, for a probability beside the answer.
    ``base_url`` and ``model_args`` go to every model's provider, ``config`` holds Inspect's
    generation options (``temperature``, ``max_tokens``, ``max_retries``, ``attempt_timeout`` ...).

    With ``resume`` the newest log of each model in ``log_dir`` is continued: only questions without
    an answer are asked, and the new log takes the place of the old one. Replies are kept in
    Inspect's cache and used again; with ``no_cache`` only those that were given for this folder.
    With ``dry_run`` the estimate is made and nothing is asked.
    ``log_images`` says whether pictures go into the log, None: if they are few. ``vision_check`` is
    whether models must first show that they see (baselines need not). ``prices`` is a file of
    prices that override the built-in ones; ``max_cost_usd`` is the budget of all models.
    """

    suite: Path
    models: tuple[str, ...]
    log_dir: Path
    kind: str = ALL_KINDS
    views: str = EACH
    form: str = ALL_FORMS
    scene: str | None = None
    topic: str = ALL_TOPICS
    limit: int | None = None
    strategy: str = "direct"
    prompts: Path | None = None
    judge: str | None = None
    judge_self: bool = False
    embeddings: bool = False
    epochs: int = 1
    judge_votes: int = VOTES
    structured: bool | None = None
    confidence: bool = False
    resume: bool = False
    no_cache: bool = False
    max_cost_usd: float | None = None
    prices: Path | None = None
    log_images: bool | None = None
    vision_check: bool = True
    base_url: str | None = None
    model_args: dict[str, Any] = Field(default_factory=dict)
    config: GenerateConfig = Field(default_factory=GenerateConfig)
    dry_run: bool = False
    display: Display = "none"

    def asks_structured(self, kind: QuestionKind, model: Model) -> bool:
        """Return whether ``model`` is asked questions of ``kind`` for JSON answers.

        Baselines never are, because they do not read prompts. InvalidInputError if JSON is required
        but impossible.
        """
        if self.structured is False or is_baseline(model):
            return False
        if self.structured:
            require_schema(kind, self.strategy, _path(self.prompts))
            return True
        return ModelName(model).api in KEEP_TO_SCHEMAS and can_be_structured(
            kind, self.strategy, _path(self.prompts)
        )

    def task_args(self, kind: QuestionKind, *, structured: bool = False) -> dict[str, Any]:
        """Arguments of the task for questions of ``kind``: the fields that it accepts."""
        taken = signature(kind.task).parameters.values()
        names = {p.name for p in taken if p.kind is not Parameter.VAR_KEYWORD}
        if len(names) < len(taken):
            names |= Asking.__annotations__.keys()
        given = {name: getattr(self, name) for name in sorted(names)} | (
            {"structured": structured} if "structured" in names else {}
        )
        return {name: str(v) if isinstance(v, Path) else v for name, v in given.items()}


def _path(prompts: Path | None) -> str | None:
    return None if prompts is None else str(prompts)
