"""Numbers of a declaration: given, computed from others by name, or drawn."""

import ast
import operator
from collections.abc import Callable, Mapping
from math import asin, atan, degrees, inf, sqrt

import numpy as np

from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import InvalidInputError, Record

Names = Mapping[str, float]
Formula = float | str
"""A number, or arithmetic on named ones: ``min(wide, 0.5 * long)``. Angles are in degrees."""

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "asin": lambda share: degrees(asin(share)),
    "atan": lambda slope: degrees(atan(slope)),
    "max": max,
    "min": min,
    "sqrt": sqrt,
}


class Choice(Record):
    """One of the numbers in ``any``, or of its rows; within ``least`` and ``most``."""

    any: tuple[float | tuple[float, ...], ...]
    least: Formula = -inf
    most: Formula = inf


Size = Choice | tuple[Formula, Formula] | Formula
"""A choice, a range (drawn evenly), or a formula."""


def computed(formula: Formula, names: Names) -> float:
    """Value of a formula; InvalidInputError says what of it cannot be computed."""
    if not isinstance(formula, str):
        return float(formula)
    try:
        parsed = ast.parse(formula, mode="eval")
    except SyntaxError as error:
        raise InvalidInputError(f"formula: {formula!r} is not arithmetic") from error
    return _value(parsed.body, names)


def _value(node: ast.expr, names: Names) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return float(_OPERATORS[type(op)](_value(left, names), _value(right, names)))
        case ast.Call(func=ast.Name(id=name), args=args) if name in _FUNCTIONS:
            return float(_FUNCTIONS[name](*(_value(arg, names) for arg in args)))
    raise InvalidInputError(
        f"formula: {ast.unparse(node)!r} is none of {', '.join((*names, *_FUNCTIONS))}"
    )


def drawn(sizes: Mapping[str, Size], rng: np.random.Generator) -> dict[str, float]:
    """Draw ``sizes`` in order; each may depend on those before it.

    "a, b" names the columns of a choice of rows. RejectedLayout if a choice leaves nothing.
    """
    found: dict[str, float] = {}
    for name, size in sizes.items():
        match size:
            case Choice():
                row = _chosen(size, found, rng)
                found |= zip(name.split(", "), row, strict=True)
            case (low, high):
                found[name] = float(rng.uniform(computed(low, found), computed(high, found)))
            case _:
                found[name] = computed(size, found)
    return found


def _chosen(choice: Choice, names: Names, rng: np.random.Generator) -> tuple[float, ...]:
    rows = [row if isinstance(row, tuple) else (row,) for row in choice.any]
    least, most = computed(choice.least, names), computed(choice.most, names)
    rows = [row for row in rows if least <= row[0] <= most]
    if not rows:
        raise RejectedLayout("no size is left to choose")
    return rows[int(rng.integers(len(rows)))]
