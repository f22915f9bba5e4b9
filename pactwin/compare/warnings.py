"""Caveats of a model's scores: too few answers, or an incomplete run."""

from collections.abc import Mapping

from pactwin.compare.scores import Score

COVERAGE_FLOOR = 0.9
"""A model's scores are flagged below this share of answered questions."""

LOW_COVERAGE, UNFINISHED = "low coverage", "unfinished"
WARNING_SIGNS = {LOW_COVERAGE: "!", UNFINISHED: "…"}
"""Footnote signs of caveats."""


def warnings_of(coverage: Score | None, completeness: Score | None) -> tuple[str, ...]:
    """Caveats of scores with this coverage and this completeness of the run."""
    low = (LOW_COVERAGE,) if coverage is None or is_low(coverage) else ()
    return (*low, UNFINISHED) if unfinished(completeness) else low


def is_low(coverage: Score | None) -> bool:
    """Return whether a coverage was measured and is too low."""
    return bool(coverage and (coverage.value or 0.0) < COVERAGE_FLOOR)


def unfinished(completeness: Score | None) -> Score | None:
    """Return ``completeness`` if some planned questions were not asked, else None."""
    partial = completeness and completeness.value is not None and completeness.value < 1
    return completeness if partial else None


def warning_caption(models: Mapping[str, tuple[Score | None, Score | None]]) -> str | None:
    """Rich markup below a table of {model: (coverage, completeness)}; None without caveats."""
    from rich.markup import escape

    lines = []
    for model, (_, completeness) in models.items():
        cut = unfinished(completeness)
        if cut and cut.value is not None:
            asked = f"was asked {cut.value * cut.n:,.0f} of {cut.n:,} questions planned"
            lines.append(f"{escape(model)} is [red]unfinished[/red]: it {asked}")
    if any(is_low(coverage) for coverage, _ in models.values()):
        lines.append(
            f"[red]![/red] fewer than {COVERAGE_FLOOR:.0%} of the questions were answered; strict "
            "counts the rest as wrong"
        )
    return "\n".join(lines) or None


def coverage_cell(coverage: Score) -> str:
    """A measured coverage as Rich markup."""
    return f"{'[red]![/red]' if is_low(coverage) else ''}{coverage.value or 0.0:.0%}"
