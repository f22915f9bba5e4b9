"""What a reply to a question ends in, before any judge."""

from typing import Any

from inspect_ai.model import ModelOutput

from pactwin.suite import Question
from pactwin.tasks.core.kind import Reply
from pactwin.tasks.core.results import AskedFacts
from pactwin.tasks.core.scoring import outcome_of
from pactwin.tasks.kinds.registry import KINDS


def marked(question: Question, output: ModelOutput | str, facts: AskedFacts | None = None) -> Any:
    """The outcome of ``output`` or of a reply with such a text; ``facts`` where it needs any."""
    if isinstance(output, str):
        output = ModelOutput.from_content("m", output)
    return outcome_of(KINDS[question.kind], Reply(facts, question, output))
