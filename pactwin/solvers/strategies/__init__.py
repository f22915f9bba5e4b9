"""Prompting strategies as Inspect solvers, by name."""

from collections.abc import Callable

from inspect_ai.solver import Solver

from pactwin.solvers.prompts import Turns, load_prompts
from pactwin.solvers.strategies.inspection import explore, inspect_all, inspect_last, inspect_text
from pactwin.solvers.strategies.revise import self_reflect, verify
from pactwin.solvers.strategies.scripted import scripted
from pactwin.solvers.strategies.views import views
from pactwin.suite import InvalidInputError, unknown_name

_SOLVERS: dict[str, Callable[[str | None], Solver]] = {
    "verify": verify,
    "views": views,
    "self-reflect": self_reflect,
    "explore": explore,
    "inspect-last": inspect_last,
    "inspect-all": inspect_all,
    "inspect-text": inspect_text,
}
"""Strategies that depend on what is replied; each takes the file of a pack, None for ours."""

STRATEGIES = load_prompts().pack.names()
"""Names of the strategies in pactwin's own pack."""


def make_strategy(name: str, prompts: str | None = None, kind: str = "constraint") -> Solver:
    """The strategy called ``name``, for questions of ``kind``.

    Raises InvalidInputError for an unknown name, an invalid pack, or a pack without this strategy.
    """
    pack = load_prompts(prompts).pack
    if name not in (*STRATEGIES, *pack.names()):
        raise unknown_name("strategy", name, tuple(dict.fromkeys((*STRATEGIES, *pack.names()))))
    script = pack.prompts_of(name, kind)
    if isinstance(script, Turns):
        return scripted(name, prompts)
    if name not in _SOLVERS:
        raise InvalidInputError(
            f"the prompts {pack.name}: {name} is no list of turns; what depends on replies has one "
            f"of the names {', '.join(_SOLVERS)}"
        )
    return _SOLVERS[name](prompts)


def only_answers(name: str, prompts: str | None = None, kind: str = "constraint") -> bool:
    """Return whether every reply to ``$answer`` is only the answer, so that it can be JSON.

    With other strategies a reply may request something, or say that nothing has changed.
    """
    script = load_prompts(prompts).pack.prompts_of(name, kind)
    return isinstance(script, Turns) or name == "verify"
