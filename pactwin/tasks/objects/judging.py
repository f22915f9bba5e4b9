"""A judge model for what is left: which listed phrases mean which accepted affordances.

It sees the accepted affordances and the phrases, never which model gave them. A verdict that is not
one JSON object over exactly these phrases is a fault of the instrument.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from string import Template

from inspect_ai.model import Model, ModelOutput

from pactwin.suite import Question
from pactwin.tasks.core.judge import JudgeFaultError, JudgePrompt, put_to, read_prompt, verdict_of


@lru_cache
def affordance_judge_prompt() -> JudgePrompt:
    """The prompt that comes with pactwin."""
    return read_prompt("pactwin.tasks.objects")


async def judge_affordances(
    judge: Model, question: Question, items: Sequence[str]
) -> dict[str, str]:
    """The accepted affordance that each of ``items`` means, where it means one.

    Raises JudgeFaultError if the judge has no verdict to give.
    """
    material = json.dumps({"known": question.accepted, "found": items}, ensure_ascii=False)
    prompt = Template(affordance_judge_prompt().prompt).substitute(material=material)
    return read_pairs(await put_to(judge, prompt), question.accepted, items)


def read_pairs(
    output: ModelOutput, accepted: Sequence[str], items: Sequence[str]
) -> dict[str, str]:
    """What the judge matched; JudgeFaultError for anything but a whole verdict."""
    verdict = verdict_of(output)
    known = (*accepted, None)
    if set(verdict) != set(items) or any(value not in known for value in verdict.values()):
        raise JudgeFaultError("the judge's verdict is not about the phrases and uses it was given")
    return {item: str(name) for item, name in verdict.items() if name is not None}
