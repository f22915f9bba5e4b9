"""Training trajectories from a teacher model, which writes the replies of every branch.

The stack decides the actions (see ``part.training``): the teacher writes the reasons, makes errors
without being told anything, and concludes without having looked. A guided reply with any other
action ends its trajectory in an error; the trajectory is left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from string import Template

import numpy as np
import yaml
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    Model,
)

from pactwin.solvers import fault_of, parse_part_choice, strip_reasoning
from pactwin.suite import LoadedSuite, Question, Record, View, data_uri
from pactwin.tasks.kinds.part.matching import choose
from pactwin.tasks.kinds.part.training.branches import Branches, Turn, turns
from pactwin.tasks.kinds.part.training.rows import in_view
from pactwin.tasks.running.ask import ask_each
from pactwin.tasks.running.request import Display


class TeacherFaultError(Exception):
    """The teacher gave no reply, or one with another action than requested."""


class TeacherPrompts(Record):
    """Instructions to a teacher at every turn, by branch."""

    version: int
    guided: str
    natural: str
    ungrounded: str


@lru_cache
def teacher_prompts() -> TeacherPrompts:
    """The built-in instructions."""
    text = (files("pactwin.tasks.kinds.part.training") / "teacher.yaml").read_text("utf-8")
    return TeacherPrompts(**yaml.safe_load(text))


def ask_teacher(
    teacher: str,
    log_dir: Path,
    loaded: LoadedSuite,
    questions: Sequence[Question],
    seed: int,
    display: Display = "none",
) -> dict[str, list[Branches]]:
    """Replies of ``teacher`` in every branch of every turn; leaves a log.

    Questions on which it failed are left out. Raises the errors of :func:`ask_each`.
    """
    led = {
        q.id: (q, list(turns(q, np.random.default_rng([seed, number]))))
        for number, q in enumerate(questions)
    }
    prompts = teacher_prompts()

    async def teach(model: Model, id: str) -> list[list[str]]:
        question, its_turns = led[id]
        scene = loaded.scenes[question.scene_id]
        pictures = {v.camera.name: _uri(loaded, v) for v in scene.views}
        replies = []
        for number, turn in enumerate(its_turns, start=1):
            words = {"guidance": turn.guidance, "action": turn.action}
            guided = Template(prompts.guided).substitute(words)
            notes = (guided, prompts.natural, prompts.ungrounded)
            said = [await _reply(model, _messages(turn, pictures, note)) for note in notes]
            if _done(said[0]) != _done(turn.action):
                raise TeacherFaultError(
                    f"turn {number}: the guided reply acts otherwise than scripted"
                )
            replies.append(said)
        return replies

    inputs = {id: question.text for id, (question, _) in led.items()}
    notes = {"teacher_prompts": prompts.version, "seed": seed}
    said = ask_each("teaching", inputs, teach, teacher, log_dir, notes=notes, display=display)
    return {id: _read(led[id][1], replies, led[id][0]) for id, replies in said.items()}


def _messages(turn: Turn, pictures: Mapping[str, str], note: str) -> list[ChatMessage]:
    """The conversation so far, with the pictures in view and a note at the end."""
    shown = in_view(turn.context)
    messages: list[ChatMessage] = []
    for k, said in enumerate(turn.context):
        if said.role == "assistant":
            messages.append(ChatMessageAssistant(content=said.text))
            continue
        last = k == len(turn.context) - 1
        parts: list[Content] = [ContentText(text=f"{said.text}\n\n{note}" if last else said.text)]
        if k in shown:
            parts.insert(0, ContentImage(image=pictures[said.camera]))
        messages.append(ChatMessageUser(content=parts))
    return messages


async def _reply(model: Model, messages: list[ChatMessage]) -> str:
    output = await model.generate(messages, cache=model.config.cache or False)
    fault = fault_of(output)
    if fault is not None:
        raise TeacherFaultError(f"it gave no reply: {fault[1]}")
    return strip_reasoning(output.completion)


def _read(led: Iterable[Turn], said: Sequence[Sequence[str]], question: Question) -> list[Branches]:
    """The turns with the teacher's replies, without rejected ones that are not mistakes."""
    found: list[Branches] = []
    earlier: list[str] = []
    for turn, (guided, *others) in zip(led, said, strict=True):
        natural, ungrounded = (_mistaken(reply, turn, question) for reply in others)
        found.append(Branches(turn.context, tuple(earlier), guided, natural, ungrounded))
        earlier.append(guided)
    return found


def _mistaken(reply: str, turn: Turn, question: Question) -> str:
    """The reply, or nothing if it is correct, unreadable, or acts like the guided one."""
    said = parse_part_choice(reply)
    right = choose(question, said.entity, said.part) == question.accepted
    return "" if said.problem or right or _done(reply) == _done(turn.action) else reply


def _done(reply: str) -> tuple[str, str, str, str]:
    """The action in a reply, independent of its words."""
    said = parse_part_choice(reply)
    return said.explore, said.explore_part, said.entity, said.part


def _uri(loaded: LoadedSuite, view: View) -> str:
    return data_uri(loaded.suite.resolve(view.image).read_bytes())
