"""The table of constants that decide labels says what the code does, and leaves none out."""

import re
from importlib import import_module
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[2] / "docs" / "labels.md"
DECIDING = {
    "physics.trials.removal": {"LIMIT_M", "LIMIT_RAD", "UNDISTURBED", "DISTURBED"},
    "physics.trials.using": {"DONE", "HALF", "NOT_DONE"},
    "physics.trials.lifting": {"FORCE_N", "WRIST_NM", "SLIP_NM"},
    "physics.trials.fitting": {"_SCALE", "_RESISTS_NM", "_FRICTION"},
    "preconditions.going_in": {
        "_IN",
        "_LIMIT",
        "_OUT",
        "_OCCUPIES",
        "_FORCED_M",
        "CLEARANCE_UNIT_M",
    },
    "preconditions.handling": {"_NEARLY"},
    "preconditions.reach_outcome": {"CLEARANCE_UNIT_M", "_BLOCKED_UNIT_M"},
    "preconditions.letting_go": {"ALIGN_RAD"},
    "actions.lift_level": {"_LOAD_UNIT"},
    "reach.search": {"POSITION_TOLERANCE_M", "RESERVE_M"},
    "generation.pairs.verdicts": {"LEAST_MARGIN"},
    "physics.perturbation": {"KEPT_NOISE"},
}


def rows() -> list[tuple[str, list[str], list[float], str]]:
    """Module, names, values and reason of each row."""
    section = PAGE.read_text(encoding="utf-8").split("## Constants that decide")[1].split("## ")[0]
    found = []
    for line in section.splitlines():
        if not line.startswith("| `"):
            continue
        names, values, reason = (cell.strip() for cell in line.strip("|").split("|"))
        path, *others = re.findall(r"`([^`]+)`", names)
        module, first = path.rsplit(".", 1)
        found.append((module, [first, *others], [float(v) for v in values.split(",")], reason))
    return found


def test_every_value_of_the_table_is_the_code_s() -> None:
    table = rows()
    assert len(table) > 20
    for module, names, values, reason in table:
        loaded = import_module(f"pactwin.sim.{module}")
        held = np.concatenate([np.atleast_1d(getattr(loaded, name)) for name in names])
        np.testing.assert_allclose(held.astype(float), values, rtol=1e-3, err_msg=str(names))
        assert len(reason) > 10, names


def test_no_constant_that_decides_is_left_out() -> None:
    told = {(module, name) for module, names, *_ in rows() for name in names}
    needed = {(module, name) for module, names in DECIDING.items() for name in names}
    assert needed <= told, needed - told
