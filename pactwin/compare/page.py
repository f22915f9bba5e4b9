"""Self-contained pages: one file without scripts, external fonts or linked pictures.

All text of models and suites reaches a page through Jinja's autoescape, and each page's content
security policy forbids all scripts and loading; it allows only its own style sheet (by hash), and
pictures in data URIs.
"""

import base64
import hashlib
from functools import cache
from typing import Any, Protocol

import jinja2
from markupsafe import Markup

from pactwin.suite import printable


class _Estimate(Protocol):
    """Anything with an interval."""

    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def render(
    template: str, *, filters: int = 0, picture_size: tuple[int, int] = (4, 3), **values: Any
) -> str:
    """Render a template. ``filters`` are the domains that the gallery can be filtered by.

    ``picture_size`` is the width and height of pictures in px, to reserve their place.
    """
    environment = _environment()
    css = environment.get_template("report.css").render(filters=filters, picture_size=picture_size)
    return environment.get_template(template).render(
        css=Markup(css),  # noqa: S704 - our own style sheet; only numbers were filled in
        css_hash=base64.b64encode(hashlib.sha256(css.encode()).digest()).decode(),
        **values,
    )


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pactwin.compare"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_cleaned,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": _number,
        "interval": _interval,
        "quantity": _quantity,
        "tick": lambda value: f"{value:g}".replace("-", "−"),
        "words": lambda name: str(name).replace("yes_no", "yes/no").replace("_", " "),
        "amount": lambda count: "–" if count is None else f"{count:,.0f}",
        "dollars": _dollars,
        "seconds": lambda time_s: "–" if time_s is None else f"{time_s:.2g} s",
        "p_value": lambda p: "< 0.001" if p < 0.001 else f"{p:.3f}",
    }
    return environment


def _cleaned(value: Any) -> Any:
    """Text without control characters; markup of templates unchanged."""
    return printable(value) if type(value) is str else value


def _number(value: float, signed: bool = False) -> str:
    text = f"{value:+.2f}" if signed else f"{value:.2f}"
    return ("0.00" if float(text) == 0 else text).replace("-", "−")


def _interval(score: _Estimate) -> str:
    if score.low is None or score.high is None:
        return "–"
    return f"{_number(score.low)} to {_number(score.high)}"


def _dollars(usd: float | None) -> str:
    """Amounts from one dollar on with cents, smaller ones with more digits."""
    return "–" if usd is None else f"${usd:.2f}" if usd >= 1 or usd == 0 else f"${usd:.2g}"


def _quantity(value: float) -> str:
    """Three significant digits, without an exponent where short."""
    size = abs(value)
    text = f"{value:.3g}" if size < 1e-3 or size >= 1e5 else f"{float(f'{value:.3g}'):,.10g}"
    return ("0" if size == 0 else text).replace("-", "−")
