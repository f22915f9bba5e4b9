"""The table of uses: needs are met by measures and traits, and what is wrong in it is named."""

from math import inf
from pathlib import Path

import pytest

from pactwin.catalogue import MeasuredPart, Need, load_uses, read_uses
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


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kitchen: [basket", "kitchen: [casket", "unknown kind 'casket'"),
        ("made_for: [pierce]", "made_for: [impale]", "unknown affordance 'impale'"),
        ("{trait: absorbs}", "{trait: drinks}", "unknown trait 'drinks'"),
        ("at_least: bulk", "at_least: size", "soak up: needs and limits name different ones"),
        ("measure: volume_ml, at_least: bulk", "measure: volume_ml", "a measure has a limit"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    import pactwin.catalogue.uses as ours

    text = Path(ours.__file__).with_suffix(".yaml").read_text()
    assert old in text
    (tmp_path / "uses.yaml").write_text(text.replace(old, new))
    with pytest.raises(InvalidInputError, match=said):
        read_uses(tmp_path / "uses.yaml")
