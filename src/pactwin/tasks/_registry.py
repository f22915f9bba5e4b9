"""What Inspect finds through the entry point ``inspect_ai``: our tasks, scorers and models."""

from pactwin.policies import Baseline, People, affordances, describe, direct, reason, verify, views
from pactwin.tasks.agreement import judge_agreement, verdict_scorer
from pactwin.tasks.constraints import pac_constraints
from pactwin.tasks.objects import (
    affordance_scorer,
    pac_affordances,
    pac_properties,
    property_scorer,
)
from pactwin.tasks.scorers import answer_scorer

__all__ = [
    "Baseline",
    "People",
    "affordance_scorer",
    "affordances",
    "answer_scorer",
    "describe",
    "direct",
    "judge_agreement",
    "pac_affordances",
    "pac_constraints",
    "pac_properties",
    "property_scorer",
    "reason",
    "verdict_scorer",
    "verify",
    "views",
]
