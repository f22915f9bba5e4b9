"""Show one view at a time; the model may request another before it answers."""

import re
from string import Template

from inspect_ai.model import ContentImage
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.solvers.prompts import Views, load_prompts
from pactwin.solvers.replies.text import visible_text
from pactwin.solvers.strategies.conversation import Conversation, kind_of

_REQUEST = re.compile(r"^\W*look\s*:[\W_]*(?P<camera>\w[\w -]*?)[\W_]*$", re.M)


@solver
def views(prompts: str | None = None) -> Solver:
    """Show the sample's first picture, and another for every ``LOOK: camera`` in a reply.

    The pictures are those of the sample, so each can answer its question. Requesting an unknown or
    already shown camera also costs a look, so that the conversation ends.
    """
    pack = load_prompts(prompts).pack

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        script: Views = pack.prompts_of("views", kind_of(state))
        talk = Conversation.begin(state, generate, script)
        images = [part for part in talk.pictures if isinstance(part, ContentImage)]
        unseen = dict(zip(state.metadata["cameras"], images, strict=True))
        view = next(iter(unseen))
        template, shown = script.start, [unseen.pop(view)]
        for left in reversed(range(script.looks)):
            more = min(left, len(unseen))
            close = Template(script.offer if more else script.close).substitute(
                talk.words, others=", ".join(unseen), left=str(more)
            )
            reply = await talk.say(template, shown, view=view, next=close)
            wanted = requested_view(reply or "")
            if not more or wanted is None:
                break
            if wanted in unseen:
                view, template, shown = wanted, script.show, [unseen.pop(wanted)]
            else:
                template, shown = script.unknown, []
        return talk.state

    return solve


def requested_view(reply: str) -> str | None:
    """The camera that a line of ``reply`` requests; None without a request."""
    request = _REQUEST.search(visible_text(reply))
    return request["camera"] if request else None
