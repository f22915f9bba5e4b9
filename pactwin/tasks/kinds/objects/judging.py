"""A judge model for what is left: which listed phrases mean which accepted affordances.

It sees the accepted affordances and the phrases, never which model gave them. A verdict that is not
one JSON object over exactly these phrases is a fault of the instrument.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from string import Template

from inspect_ai.model import Model

from pactwin.suite import Question
from pactwin.tasks.core.judge import JudgePrompt, put_to, read_pairs, read_prompt


@lru_cache
def affordance_judge_prompt() -> JudgePrompt:
    """The prompt that comes with pactwin."""
    return read_prompt("pactwin.tasks.kinds.objects")


async def judge_affordances(
    judge: Model, question: Question, items: Sequence[str]
) -> dict[str, str]:
    """The accepted affordance that each of ``items`` means, where it means one.

    Raises JudgeFaultError if the judge has no verdict to give.
    """
    material = json.dumps({"known": question.accepted, "found": items}, ensure_ascii=False)
    prompt = Template(affordance_judge_prompt().prompt).substitute(material=material)
    return read_pairs(await put_to(judge, prompt), question.accepted, items)
