"""Quantities as people write them: two significant digits, a unit that fits, no exponent."""

_DIGITS = 2
_LEAST = 0.01
"""In the given unit; what is less is only said to be less."""
_LARGER = {"mm": "m", "g": "kg", "ml": "l", "N": "kN"}
_LARGE = 1000.0


def quantity(value: float, unit: str = "") -> str:
    """``value`` with its unit, or with the unit a thousand times as large from 1000 on.

    ``unit`` is one of mm, g, ml, N, or "" for a pure number. Negative values are not expected.
    """
    rounded = float(f"{value:.{_DIGITS}g}")
    if 0 < rounded < _LEAST:
        return f"less than {_LEAST:g} {unit}".strip()
    if rounded >= _LARGE and unit in _LARGER:
        rounded, unit = rounded / _LARGE, _LARGER[unit]
    return f"{rounded:,.10g} {unit}".strip()
