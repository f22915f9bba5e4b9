"""What Inspect finds through the entry point ``inspect_ai``: our tasks, scorers and models."""

from pactwin.policies import Baseline, direct
from pactwin.tasks.constraints import pac_constraints
from pactwin.tasks.scorers import answer_scorer

__all__ = ["Baseline", "answer_scorer", "direct", "pac_constraints"]
