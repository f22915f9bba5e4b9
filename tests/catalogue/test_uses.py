"""The tables of uses and of tasks: whole, balanced, and what is wrong in them is named."""

from collections import Counter
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pactwin.catalogue
from pactwin.catalogue import (
    MeasuredPart,
    Need,
    load_catalogue,
    load_procedures,
    load_uses,
    quantity,
    read_uses,
)
from pactwin.catalogue.procedures import read_procedures
from pactwin.suite import InvalidInputError

ROD = MeasuredPart(material="steel", traits=("hard",), measures={"length_mm": 200.0})


def test_a_need_is_met_by_the_factor_to_its_limit() -> None:
    assert Need(measure="length_mm", at_least="deep").ratio(ROD, {"deep": 100}) == 2.0
    assert Need(measure="length_mm", at_most=100).ratio(ROD, {}) == 0.5
    assert Need(measure="room_ml", at_least=1).ratio(ROD, {}) == 0.0
    assert Need(trait="hard").ratio(ROD, {}) == inf
    assert Need(lacks="hard").ratio(ROD, {}) == 0.0


def test_twelve_uses_of_twenty_five_kinds_and_more() -> None:
    table = load_uses()
    assert len(table.uses) >= 12 and len(table.kinds()) >= 25
    for use in table.uses.values():
        for limit in use.limits.values():
            assert limit.least <= limit.usual <= limit.most


def test_what_a_task_asks_for_is_told_of_every_part() -> None:
    """Or else nobody could tell from a description whether it is met."""
    table = load_uses()
    asked = {n.measure for use in table.uses.values() for n in use.needs if not n.meant} - {""}
    assert "thing_mm" in asked
    assert not {name for name in asked if not table.measures[name].told}


FOLDER = Path(pactwin.catalogue.__file__).parent
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
    ("read", "old", "new", "says"),
    [
        (read_uses, "kitchen: [basket", "kitchen: [casket", "unknown kind 'casket'"),
        (read_uses, "made_for: [pierce]", "made_for: [impale]", "unknown affordance 'impale'"),
        (read_uses, "{trait: conducts}", "{trait: drinks}", "unknown trait 'drinks'"),
        (read_uses, "at_most: slot", "at_most: size", "needs and limits name different ones"),
        (read_uses, "depth_mm, at_most: slot", "depth_mm", "a measure has a limit"),
        (read_procedures, "bradawl: starts", "braddle: starts", "unknown tool 'braddle'"),
        (read_procedures, "source: gardening", "source: hearsay", "unknown source 'hearsay'"),
        (read_procedures, "instead: ring_spanner", "instead: pipe_cutter", "is a tool of the task"),
        (read_procedures, "{tool: gouge", "{tool: rasp", "is not the tool of one step"),
        (read_procedures, "sources:", "springs:", "sources"),
    ],
)
def test_a_fault_is_named(read, old, new, says, tmp_path):
    name = f"{read.__name__.removeprefix('read_')}.yaml"
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidInputError, match=rf"{name}.*{says}") as caught:
        read(tmp_path / name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("value", "unit", "words"), [
    (97.0, "mm", "97 mm"),
    (104.0, "mm", "100 mm"),
    (999.0, "mm", "1 m"),
    (64_000.0, "N", "64 kN"),
    (1250.0, "g", "1.2 kg"),
    (3_000_000.0, "N", "3,000 kN"),
    (0.0347, "ml", "0.035 ml"),
    (0.00002, "N", "less than 0.01 N"),
    (0.0, "g", "0 g"),
    (0.83, "", "0.83"),
    (1250.0, "", "1,200"),
])  # fmt: skip
def test_two_digits_and_a_unit_that_fits(value: float, unit: str, words: str) -> None:
    assert quantity(value, unit) == words


@given(st.floats(0.01, 1e9), st.sampled_from(["", "mm", "g", "ml", "N"]))
def test_what_is_told_is_within_a_twentieth_and_has_no_exponent(value: float, unit: str) -> None:
    number, _, told = quantity(value, unit).removeprefix("less than ").partition(" ")
    assert "e" not in number
    larger = 1000 if told != unit else 1
    assert float(number.replace(",", "")) * larger == pytest.approx(value, rel=0.051)
