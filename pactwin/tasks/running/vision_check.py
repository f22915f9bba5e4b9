"""Check that a model sees pictures before it is asked questions.

Some models accept no pictures; some servers drop them silently. Both would produce plausible
scores. So a model is first shown two pictures of one colour each and must name the colours.
"""

import io

from inspect_ai.model import (
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
    Model,
)
from PIL import Image

from pactwin.solvers import fault_of
from pactwin.suite import EnvironmentFaultError, data_uri
from pactwin.tasks.running.internals import PrerequisiteError
from pactwin.tasks.running.models import missing

COLORS = {
    "red": (220, 20, 30),
    "green": (20, 160, 40),
    "blue": (20, 50, 220),
    "yellow": (250, 220, 20),
    "orange": (255, 140, 0),
    "purple": (130, 20, 150),
}
SHOWN = ("purple", "orange")
"""Colours that a model without vision rarely names."""

COLOR_QUESTION = (
    f"One colour fills this picture. Which one is it: {', '.join(COLORS)}? Answer with one word."
)
_SIDE_PX = 256
_QUOTED = 80


async def check_vision(model: Model, config: GenerateConfig) -> None:
    """Raise EnvironmentFaultError, with the reason, unless ``model`` names both colours."""
    for color in SHOWN:
        reply = await _reply(model, config, color)
        if not _names(reply, color):  # a kept reply may be older than the mend of a server
            reply = await _reply(model, config.merge(GenerateConfig(cache=False)), color)
        if not _names(reply, color):
            raise EnvironmentFaultError(
                f"{model} does not see the pictures it is sent: shown one filled with {color}, it "
                f"said {reply[:_QUOTED]!r}"
            )


async def _reply(model: Model, config: GenerateConfig, color: str) -> str:
    content: list[Content] = [ContentImage(image=_picture(color)), ContentText(text=COLOR_QUESTION)]
    try:
        output = await model.generate([ChatMessageUser(content=content)], config=config)
    except PrerequisiteError as error:  # of those that load a model when first asked
        raise EnvironmentFaultError(f"cannot use model {model}: {missing(error)}") from error
    except Exception as error:
        cause = error.__cause__ or error  # who gives up after retries says only that
        line = (str(cause).strip().splitlines() or [type(cause).__name__])[-1]
        raise EnvironmentFaultError(
            f"{model} does not answer when shown a picture: {line}"
        ) from error
    fault = fault_of(output)
    if fault is not None:
        raise EnvironmentFaultError(f"{model} does not answer when shown a picture: {fault[1]}")
    return " ".join(output.completion.split())


def _names(reply: str, color: str) -> bool:
    named = {name for name in COLORS if name in reply.casefold()}
    return named == {color} or _concludes(reply, color)


def _concludes(reply: str, color: str) -> bool:
    """True if ``color`` is the last colour named; earlier thoughts may name others."""
    last = {name: reply.casefold().rfind(name) for name in COLORS}
    return last[color] >= 0 and last[color] == max(last.values())


def _picture(color: str) -> str:
    buffer = io.BytesIO()
    Image.new("RGB", (_SIDE_PX, _SIDE_PX), COLORS[color]).save(buffer, "PNG")
    return data_uri(buffer.getvalue())
