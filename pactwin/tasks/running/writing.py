"""Situations of creative tasks from a model that the user names.

What cannot be used is asked for again, twice; a task for which nothing usable came keeps the words
of the table, and its record says so.
"""

from collections.abc import Mapping
from pathlib import Path
from string import Template

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.solvers import fault_of, strip_reasoning
from pactwin.tasks.core.asking import MAX_RETRIES
from pactwin.tasks.kinds.part.making.wording import (
    SituationBrief,
    fault_of_situation,
    writer_prompts,
)
from pactwin.tasks.running.ask import ask_judge
from pactwin.tasks.running.models import CACHED_FOR, resolve_model
from pactwin.tasks.running.request import Display

_TRIES = 3
_WRITTEN = "written"


class WriterFaultError(Exception):
    """The model wrote nothing, or nothing that can be used."""


def ask_writer(
    writer: str, log_dir: Path, briefs: Mapping[str, SituationBrief], display: Display = "none"
) -> dict[str, str]:
    """What ``writer`` wrote for each of ``briefs``, by scene id; leaves a log.

    Those for which it wrote nothing usable are left out, their faults are in the log. Replies are
    cached, so that a run that was stopped can be made again. Raises EnvironmentFaultError if it
    failed at all of them, and what resolving a model raises.
    """
    samples = [
        Sample(id=id, input=brief.prompt, metadata={"brief": brief.model_dump(mode="json")})
        for id, brief in briefs.items()
    ]
    task = Task(
        dataset=MemoryDataset(samples, name="situations"),
        name="writing",
        solver=_writing(),
        config=GenerateConfig(max_retries=MAX_RETRIES),
        fail_on_error=False,
        metadata={"writer_prompts": writer_prompts().version},
    )
    model = resolve_model(writer, cache=CachePolicy(expiry=CACHED_FOR))
    done = ask_judge(task, model, log_dir, display)
    return {str(sample.id): str(sample.metadata[_WRITTEN]) for sample in done}


@solver
def _writing() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        brief = SituationBrief.model_validate(state.metadata["brief"])
        model = get_model()
        messages: list[ChatMessage] = [ChatMessageUser(content=brief.prompt)]
        fault = ""
        for _ in range(_TRIES):
            output = await model.generate(messages, cache=model.config.cache or False)
            failed = fault_of(output)
            if failed is not None:
                raise WriterFaultError(f"it gave no reply: {failed[1]}")
            text = " ".join(strip_reasoning(output.completion).split())
            fault = fault_of_situation(text, brief)
            if not fault:
                state.metadata[_WRITTEN] = text
                return state
            again = Template(writer_prompts().again).substitute(fault=fault)
            messages += [ChatMessageAssistant(content=text), ChatMessageUser(content=again)]
        raise WriterFaultError(f"nothing that it wrote can be used: {fault}")

    return solve
