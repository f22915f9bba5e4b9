"""What an evaluation is asked to do: one record from the command line to the last log."""

from pathlib import Path
from typing import Any, Literal

from inspect_ai.model import GenerateConfig
from pydantic import Field

from pactwin.suite import Record
from pactwin.tasks.core.results import LIST_KINDS, QuestionKind
from pactwin.tasks.core.views import EACH
from pactwin.tasks.kinds.constraint.tasks import ALL_FORMS
from pactwin.tasks.kinds.objects.tasks import ALL_TOPICS
from pactwin.tasks.kinds.problem.tasks import VOTES

ALL_KINDS = "all"
Display = Literal["full", "rich", "plain", "log", "none"]


class EvalRequest(Record):
    """Ask ``models`` the questions of the suite at ``suite``; logs go to ``log_dir``.

    ``kind`` is a kind of question, or ``all`` that the suite has.
    ``views``, ``form``, ``scene``, ``limit`` (twin pairs), ``strategy``, ``prompts`` and
    ``judge_self`` are those of :func:`pac_constraints`, ``topic`` is that of
    :func:`pac_properties` and ``embeddings`` that of :func:`pac_affordances`, ``efforts`` and
    ``judge_votes`` are those of :func:`macgyver`; ``judge`` is the model that reads answers ours
    cannot.
    ``base_url`` and ``model_args`` go to every model's provider, ``config`` holds Inspect's
    generation options (``temperature``, ``max_tokens``, ``max_retries``, ``attempt_timeout`` ...).

    With ``resume`` the newest log of each model in ``log_dir`` is continued: only questions without
    an answer are asked, and the new log takes the place of the old one. Replies are kept in
    Inspect's cache and used again; with ``fresh`` only those that were given for this ``log_dir``.
    ``log_images`` says whether pictures go into the log, None: if they are few. ``vision_check`` is
    whether models must first show that they see (baselines need not). ``prices`` is a file of
    prices that goes before ours; ``max_cost_usd`` is what all models together may spend.
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
    efforts: int = 1
    judge_votes: int = VOTES
    resume: bool = False
    fresh: bool = False
    max_cost_usd: float | None = None
    prices: Path | None = None
    log_images: bool | None = None
    vision_check: bool = True
    base_url: str | None = None
    model_args: dict[str, Any] = Field(default_factory=dict)
    config: GenerateConfig = Field(default_factory=GenerateConfig)
    display: Display = "none"

    def task_args(self, kind: QuestionKind) -> dict[str, Any]:
        """Arguments of the task that asks questions of ``kind``."""
        own: dict[QuestionKind, dict[str, Any]] = {
            **{kind: {"judge_self": self.judge_self} for kind in LIST_KINDS},
            "creative_use": {"judge_self": self.judge_self},
            "constraint": {
                "form": self.form,
                "judge_self": self.judge_self,
                "scene": self.scene,
            },
            "property": {"topic": self.topic},
            "affordance": {"embeddings": self.embeddings, "judge_self": self.judge_self},
            "problem": {
                "efforts": self.efforts,
                "judge_votes": self.judge_votes,
                "judge_self": self.judge_self,
            },
        }
        return {
            "suite": str(self.suite),
            "views": self.views,
            "limit": self.limit,
            "strategy": self.strategy,
            "prompts": None if self.prompts is None else str(self.prompts),
            **own[kind],
        }
