"""The table of tasks: whole, balanced between look-alikes, and a fault is named on one line."""

from collections import Counter
from pathlib import Path

import pytest

import pactwin.catalogue
from pactwin.catalogue import load_catalogue, load_procedures
from pactwin.catalogue.procedures import read_procedures
from pactwin.suite import InvalidInputError

FILE = Path(pactwin.catalogue.__file__).with_name("procedures.yaml")
TASKS = load_procedures().tasks


def test_forty_tasks_some_of_them_without_an_order() -> None:
    assert len(TASKS) >= 40
    free = [task for task in TASKS.values() if task.order_free]
    assert 3 <= len(free) < len(TASKS) / 2
    assert len({task.task for task in TASKS.values()}) == len(TASKS)


def test_a_tool_is_looked_for_as_often_as_it_lies_in_anothers_place() -> None:
    """Or else which of the two lies there would tell whether a tool is missing."""
    needed = Counter(task.decides.tool for task in TASKS.values())
    assert needed == Counter(task.decides.instead for task in TASKS.values())


def test_a_task_does_not_name_the_tool_that_decides() -> None:
    for name, task in TASKS.items():
        for kind in (task.decides.tool, task.decides.instead):
            assert load_catalogue().kinds[kind].title not in task.task.lower(), name


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("bradawl: starts", "braddle: starts", "coat_hook: unknown tool 'braddle'"),
        ("source: gardening", "source: hearsay", "unknown source 'hearsay'"),
        ("instead: ring_spanner", "instead: pipe_cutter", "is a tool of the task"),
        ("decides: {tool: gouge", "decides: {tool: rasp", "is not the tool of one step"),
        ("sources:", "springs:", "sources"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = FILE.read_text(encoding="utf-8")
    assert old in text
    broken = tmp_path / "procedures.yaml"
    broken.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"^procedures.yaml: [^\n]*$") as caught:
        read_procedures(broken)
    assert says in str(caught.value)
