"""What Inspect finds through the entry point ``inspect_ai``: our tasks, scorers and models."""

# ruff: noqa: F401 - what is imported here is registered

from pactwin.policies import (
    Baseline,
    People,
    affordances,
    describe,
    direct,
    divergent_convergent,
    explore,
    inspect_all,
    inspect_last,
    inspect_text,
    reason,
    self_reflect,
    verify,
    views,
)
from pactwin.tasks.constraints.scorers import answer_scorer
from pactwin.tasks.constraints.tasks import pac_constraints
from pactwin.tasks.creativitybench.scorers import use_scorer
from pactwin.tasks.creativitybench.tasks import creative_use
from pactwin.tasks.macgyver.scorers import problem_scorer
from pactwin.tasks.macgyver.tasks import macgyver
from pactwin.tasks.objects.scorers import affordance_scorer, property_scorer
from pactwin.tasks.objects.tasks import pac_affordances, pac_properties
from pactwin.tasks.running.judge_agreement import judge_agreement, verdict_scorer
from pactwin.tasks.tools.scorers import tool_scorer
from pactwin.tasks.tools.tasks import named_tool_plan, recognition, tool_plan
