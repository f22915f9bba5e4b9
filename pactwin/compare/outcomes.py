"""Agreement of labels with outcomes that people recorded at the table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pactwin.compare.intervals import wilson
from pactwin.compare.plain import PlainTable
from pactwin.suite import Scene
from pactwin.tasks import POOLED


@dataclass(frozen=True, slots=True)
class OutcomeAgreement:
    """Agreement of labels and outcomes in one domain, or in all, of one ``source``.

    ``only_worked`` counts infeasible labels whose action worked, ``only_label`` feasible labels
    whose action failed. ``causes`` counts failures of infeasible labels with a recorded cause, and
    ``same_cause`` those whose cause is one of the label's.
    """

    source: str
    domain: str
    scenes: int
    agree: int
    only_worked: int
    only_label: int
    same_cause: int
    causes: int


def outcome_agreement(scenes: Iterable[Scene]) -> list[OutcomeAgreement]:
    """One row per source over all domains, then one per domain, from scenes with an outcome."""
    noted: dict[str, dict[str, list[Scene]]] = {}
    for scene in scenes:
        if scene.verdict is not None and scene.capture is not None and scene.capture.outcome:
            domains = noted.setdefault(scene.source, {POOLED: []})
            domains[POOLED].append(scene)
            domains.setdefault(scene.domain, []).append(scene)
    return [
        _agreement(source, domain, domains[domain])
        for source, domains in sorted(noted.items())
        for domain in (POOLED, *sorted(domains.keys() - {POOLED}))
    ]


def _agreement(source: str, domain: str, scenes: Sequence[Scene]) -> OutcomeAgreement:
    agree = only_worked = only_label = same = causes = 0
    for scene in scenes:
        verdict = scene.decided
        outcome = scene.capture.outcome if scene.capture else None
        if outcome is None:
            continue
        agree += verdict.feasible == outcome.worked
        only_worked += outcome.worked and not verdict.feasible
        only_label += verdict.feasible and not outcome.worked
        if not verdict.feasible and outcome.constraint is not None:
            causes += 1
            same += outcome.constraint in (verdict.constraint, *verdict.also)
    return OutcomeAgreement(
        source, domain, len(scenes), agree, only_worked, only_label, same, causes
    )


def outcome_tables(scenes: Iterable[Scene]) -> list[PlainTable]:
    """One table per source; empty without outcomes."""
    found = outcome_agreement(scenes)
    return [
        PlainTable(
            f"Labels and what happened: {source}",
            "domain",
            ("scenes", "agree (95 %)", "worked, not by label", "failed, not by label", "cause"),
            tuple(_cells(row) for row in found if row.source == source),
            _NOTES[source],
        )
        for source in dict.fromkeys(row.source for row in found)
    ]


_NOTES = {
    "real": "People carried the actions out, and noted what happened.",
    "rehearsal": "A disturbed simulation carried the actions out: nothing of this is real.",
}


def _cells(row: OutcomeAgreement) -> tuple[str, ...]:
    low, high = wilson(row.agree, row.scenes)
    return (
        row.domain,
        str(row.scenes),
        f"{row.agree / row.scenes:.2f} ({low:.2f}-{high:.2f})",
        str(row.only_worked),
        str(row.only_label),
        f"{row.same_cause} of {row.causes}",
    )
