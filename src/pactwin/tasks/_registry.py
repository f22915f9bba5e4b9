"""What Inspect finds through the entry point ``inspect_ai``: our tasks, scorers and models."""

from pactwin.policies import Baseline, People, affordances, describe, direct, reason, verify, views
from pactwin.tasks.agreement import judge_agreement, verdict_scorer
from pactwin.tasks.constraints import pac_constraints
from pactwin.tasks.scorers import answer_scorer

__all__ = [
    "Baseline",
    "People",
    "affordances",
    "answer_scorer",
    "describe",
    "direct",
    "judge_agreement",
    "pac_constraints",
    "reason",
    "verdict_scorer",
    "verify",
    "views",
]
