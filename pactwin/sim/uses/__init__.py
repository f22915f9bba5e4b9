"""Simulated creative uses: every YAML file here declares one.

Their names are those of the files, so that a command can check user input without MuJoCo.
"""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pactwin.catalogue import read_data
from pactwin.suite import unknown_name

if TYPE_CHECKING:  # it loads the simulator
    from pactwin.sim.uses.declared import Use

_FILES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.yaml"))}


def use_names() -> tuple[str, ...]:
    """Names of all uses, sorted."""
    return tuple(_FILES)


@cache
def load_use(name: str) -> "Use":
    """The use called ``name``; raises InvalidInputError naming those that exist."""
    from pactwin.sim.uses.declared import Use

    if name not in _FILES:
        raise unknown_name("use", name, use_names())
    return read_data(_FILES[name], Use).model_copy(update={"name": name})
