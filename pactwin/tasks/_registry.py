"""Tasks, scorers and models for Inspect's entry point ``inspect_ai``."""

# ruff: noqa: F401 - what is imported here is registered

from pactwin.solvers import (
    Baseline,
    People,
    explore,
    inspect_all,
    inspect_last,
    inspect_text,
    scripted,
    self_reflect,
    verify,
    views,
)
from pactwin.tasks.core.scoring import answer_scorer
from pactwin.tasks.kinds import registry  # the scorer looks kinds up in it
from pactwin.tasks.kinds.constraint.tasks import pac_constraints
from pactwin.tasks.kinds.ladder.tasks import pac_ladders
from pactwin.tasks.kinds.lists.tasks import named_tool_plan, recognition, tool_plan
from pactwin.tasks.kinds.objects.tasks import pac_affordances, pac_properties
from pactwin.tasks.kinds.part.tasks import creative_use
from pactwin.tasks.kinds.problem.tasks import macgyver
