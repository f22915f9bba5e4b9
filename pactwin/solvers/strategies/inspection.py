"""Strategies that inspect one object or part per turn, until the answer.

The first message names the objects, which are described on request (``explore``), or shows them in
one picture and then one by one. Strategies differ in the earlier pictures that remain in view: the
first and the newest (``inspect-last``), all (``inspect-all``), or none at all (``inspect-text``).
All text remains.
"""

from dataclasses import dataclass

from inspect_ai.model import ChatMessage, ChatMessageUser, Content, ContentImage, ContentText
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.solvers.prompts import Explore, Inspect, load_prompts
from pactwin.solvers.question_ref import question_of
from pactwin.solvers.replies.uses import PartChoice, parse_part_choice
from pactwin.solvers.strategies.conversation import Conversation, kind_of
from pactwin.suite import Candidate, Question, shuffled_by

EXPLORED = "explored"
"""Metadata key of the objects that were described, in order."""

TRACE = "trace"
"""Metadata key of what each reply inspected: [], [thing], or [thing, part]."""

INSPECTING = ("inspect-last", "inspect-all", "inspect-text")
"""Names of these strategies; the last shows no pictures."""


@solver
def explore(prompts: str | None = None) -> Solver:
    """Objects are described instead of shown; see :func:`_inspecting`."""
    return _inspecting("explore", prompts)


@solver
def inspect_last(prompts: str | None = None) -> Solver:
    """The first picture and the newest remain in view; see :func:`_inspecting`."""
    return _inspecting("inspect-last", prompts)


@solver
def inspect_all(prompts: str | None = None) -> Solver:
    """All pictures remain in view; see :func:`_inspecting`."""
    return _inspecting("inspect-all", prompts)


@solver
def inspect_text(prompts: str | None = None) -> Solver:
    """There are no pictures; see :func:`_inspecting`."""
    return _inspecting("inspect-text", prompts)


def _inspecting(strategy: str, prompts: str | None) -> Solver:
    """Name and show all objects, show or describe the requested one, read the answer.

    Unreadable replies and requests for absent objects cost a turn. After the last turn it ends as
    its last reply does: with no answer, if that asked for more.
    """
    pack = load_prompts(prompts).pack

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        script: Inspect | Explore = pack.prompts_of(strategy, kind_of(state))
        question = question_of(state.metadata)
        talk = Conversation.begin(state, generate, script)
        if strategy == "inspect-last" and isinstance(script, Inspect):
            gone = script.gone
            talk.in_view = lambda messages: _first_and_newest(messages, gone)
        images = [part for part in talk.pictures if isinstance(part, ContentImage)]
        shown = dict(zip(state.metadata["cameras"], images, strict=True))
        inspection = Inspection(question, script)
        trace: list[list[str]] = []
        turn = inspection.start()
        for left in range(script.turns, 0, -1):
            picture: list[Content] = [shown[turn.camera]] if turn.camera in shown else []
            reply = await talk.say(turn.template, picture, **turn.words, left=str(left))
            if reply is None:
                break
            said = parse_part_choice(reply)
            if said.entity:
                break
            turn = inspection.after(said)
            trace.append(list(turn.looked))
        if isinstance(script, Explore):
            talk.state.metadata[EXPLORED] = [thing for looked in trace for thing in looked]
        else:
            talk.state.metadata[TRACE] = trace
        return talk.state

    return solve


@dataclass(frozen=True)
class InspectionTurn:
    """The next message, the camera of its picture, and what may be inspected next."""

    template: str
    words: dict[str, str]
    camera: str = ""
    looked: tuple[str, ...] = ()


class Inspection:
    """Rules for inspecting the objects of one question."""

    def __init__(self, question: Question, script: Inspect | Explore) -> None:
        self._script = script
        order = shuffled_by(question.id, question.candidates)
        self._things = {thing.name.casefold(): thing for thing in order}
        names = "\n".join(f"- {thing.name}" for thing in order)
        self._words = {"question": question.text, "things": names}
        self._environment = next(iter(question.views), "")

    def start(self) -> InspectionTurn:
        """The question and all objects."""
        return InspectionTurn(self._script.start, self._words, self._environment)

    def after(self, said: PartChoice) -> InspectionTurn:
        """The response to a reply that is not an answer."""
        script, words = self._script, self._words | {"name": said.explore}
        thing = self._things.get(said.explore.casefold())
        if thing is None:
            return InspectionTurn(script.unknown if said.explore else script.unread, words)
        looked = (thing.name,)
        if isinstance(script, Explore):
            words |= {"name": thing.name, "description": described(thing)}
            return InspectionTurn(script.show, words, "", looked)
        words |= {"parts": ", ".join(thing.parts)}
        if not said.explore_part:
            return InspectionTurn(script.thing, words | {"name": thing.name}, thing.view, looked)
        part = {part.casefold(): part for part in thing.parts}.get(said.explore_part.casefold())
        if part is None:
            return InspectionTurn(script.unknown_part, words | {"name": said.explore_part})
        unseen = thing.unseen.get(part, thing.parts[part])
        words |= {"name": f"{part} of the {thing.name}", "unseen": unseen}
        camera = thing.part_views.get(part, "")
        return InspectionTurn(script.part, words, camera, (thing.name, part))


def described(thing: Candidate) -> str:
    """Description of an object: one line per part, or of the object itself."""
    if not thing.parts:
        return thing.description
    return "\n".join(f"- {part}: {text}" for part, text in thing.parts.items())


def _first_and_newest(messages: list[ChatMessage], gone: str) -> list[ChatMessage]:
    """The messages with all pictures except the first and last replaced by words."""
    pictured = [k for k, message in enumerate(messages) if _pictures(message)]
    stale = set(pictured[1:-1])
    return [_without(m, gone) if k in stale else m for k, m in enumerate(messages)]


def _pictures(message: ChatMessage) -> int:
    parts = [] if isinstance(message.content, str) else message.content
    return sum(isinstance(part, ContentImage) for part in parts)


def _without(message: ChatMessage, gone: str) -> ChatMessage:
    parts: list[Content] = [
        ContentText(text=gone) if isinstance(part, ContentImage) else part
        for part in message.content
        if not isinstance(part, str)
    ]
    return ChatMessageUser(content=parts)
