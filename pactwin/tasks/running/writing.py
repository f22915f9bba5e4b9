"""Let a model write the situations of creative tasks.

Unusable texts are requested again, twice; a task without a usable text keeps the words of the
table, and its record says so.
"""

from collections.abc import Mapping
from pathlib import Path
from string import Template

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, Model

from pactwin.solvers import fault_of, strip_reasoning
from pactwin.tasks.kinds.part.making.wording import (
    SituationBrief,
    fault_of_situation,
    writer_prompts,
)
from pactwin.tasks.running.ask import ask_each
from pactwin.tasks.running.request import Display

_TRIES = 3


class WriterFaultError(Exception):
    """The model wrote no usable text."""


def ask_writer(
    writer: str, log_dir: Path, briefs: Mapping[str, SituationBrief], display: Display = "none"
) -> dict[str, str]:
    """Texts of ``writer`` for each of ``briefs``, by id; leaves a log.

    Briefs without a usable text are left out; their faults are in the log. Raises the errors of
    :func:`ask_each`.
    """
    prompts = writer_prompts()

    async def write(model: Model, id: str) -> str:
        messages: list[ChatMessage] = [ChatMessageUser(content=briefs[id].prompt)]
        fault = ""
        for _ in range(_TRIES):
            output = await model.generate(messages, cache=model.config.cache or False)
            failed = fault_of(output)
            if failed is not None:
                raise WriterFaultError(f"it gave no reply: {failed[1]}")
            text = " ".join(strip_reasoning(output.completion).split())
            fault = fault_of_situation(text, briefs[id])
            if not fault:
                return text
            mend = Template(prompts.again).substitute(fault=fault)
            messages += [ChatMessageAssistant(content=text), ChatMessageUser(content=mend)]
        raise WriterFaultError(f"nothing that it wrote can be used: {fault}")

    inputs = {id: brief.prompt for id, brief in briefs.items()}
    notes = {"writer_prompts": prompts.version}
    return ask_each("writing", inputs, write, writer, log_dir, notes=notes, display=display)
