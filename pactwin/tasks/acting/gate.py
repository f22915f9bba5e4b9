"""Ask a model, before a robot acts, whether an action's preconditions hold."""

from collections.abc import Callable, Mapping
from enum import StrEnum

import cv2
import numpy as np
from anyio.from_thread import start_blocking_portal
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText

from pactwin.solvers import direct_prompt, fault_of, parse_reply
from pactwin.suite import EnvironmentFaultError, InvalidInputError, Record, data_uri
from pactwin.tasks.core.asking import CALLING
from pactwin.tasks.core.pictures import captioned
from pactwin.tasks.kinds.constraint.questions import question_about
from pactwin.tasks.running.models import resolve_model


class Decision(StrEnum):
    """Whether to act; ``ask`` if the model gave no answer and a person should be asked."""

    YES = "yes"
    NO = "no"
    ASK = "ask"


class GateReply(Record):
    """A decision, and the reply that it was parsed from."""

    decision: Decision
    reply: str
    model: str


Gate = Callable[[Mapping[str, np.ndarray], str], GateReply]
"""Decides from pictures (h, w, 3), uint8 RGB, by camera, and the action in words."""


def model_gate(model: str, limits: str = "") -> Gate:
    """A gate that asks the Inspect model ``model`` pactwin's yes/no question about an action.

    ``limits`` describes in words what a hand of the robot can hold and bear. A failed call decides
    nothing: the gate raises the provider's error, EnvironmentFaultError for an output without a
    reply, InvalidInputError without a picture.
    """

    async def ask(message: ChatMessageUser) -> GateReply:
        async with resolve_model(model) as asked:
            output = await asked.generate([message], config=CALLING)
        fault = fault_of(output)
        if fault is not None and fault[0] == "error":
            raise EnvironmentFaultError(f"{model} gave the gate no reply: {fault[1]}")
        feasible = None if fault else parse_reply("yes_no", output.completion).feasible
        decision = {True: Decision.YES, False: Decision.NO, None: Decision.ASK}[feasible]
        return GateReply(decision=decision, reply=output.completion, model=model)

    def gate(images: Mapping[str, np.ndarray], action: str) -> GateReply:
        if not images:
            raise InvalidInputError(f"the gate needs a picture to decide on {action!r}")
        shown = [ContentImage(image=_png_uri(image)) for image in images.values()]
        text = direct_prompt("constraint", "yes_no", question_about(action, "yes_no", limits))
        content = [*captioned(list(images), shown), ContentText(text=text)]
        with start_blocking_portal() as portal:  # whoever calls may have a loop of its own
            return portal.call(ask, ChatMessageUser(content=content))

    return gate


def _png_uri(image: np.ndarray) -> str:
    data = cv2.imencode(".png", np.ascontiguousarray(image[..., ::-1]))[1].tobytes()
    return data_uri(data)
