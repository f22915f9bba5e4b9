"""Scores of answers to creative-use questions.

Inspection metrics include every run whose calls did not fail, also runs that ended without a
choice. Similar to the gold part are parts judged to serve alike, and objects that have one.
Repeated inspections count once. A judge's marks, from 0 to 2, are halved; published tables have
them from 1 to 5.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pactwin.tasks.core.metrics import Mean, Metric, Rate, ScoreTable, Scoring, columns, strictly
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.kinds.part.judging import USE_ERRORS
from pactwin.tasks.kinds.part.records import UseRow

_MARKS = {
    "environment": "covers_environment",
    "use": "covers_use",
    "recipient": "covers_recipient",
    "grounding": "grounding",
    "feasibility": "feasibility",
}
"""The judge's marks, and what they are called among the metrics."""
Looked = tuple[str, ...]
"""An object, or an object and its part."""


def _measured(row: UseRow) -> Mapping[str, Any]:
    answered = row.answered
    thing = row.found_entity == row.gold_entity
    exact = (row.entity, row.part) == (row.gold_entity, row.gold_part)
    return {
        "gold": int(answered and row.relation == "gold"),
        "entity": int(answered and thing),
        "exact": int(answered and exact),
        "hallucination": int(answered and row.relation == "hallucination"),
        "similar": int(answered and row.relation.startswith("similar")),
        "failed": int(row.state is AnswerState.ERROR),
        **(_looked(row) if row.strategy.startswith(("explore", "inspect-")) else {}),
        **(_inspected(row) if row.strategy.startswith("inspect-") else {}),
        **_judged(row),
    }


def _looked(row: UseRow) -> dict[str, Any]:
    if row.state is AnswerState.ERROR:
        return {}
    right, before = row.found_entity == row.gold_entity, row.gold_entity in row.explored
    return {
        "looked": 1,
        "turns": row.calls,
        "explored": len(set(row.explored)),
        "repeated_things": int(len(set(row.explored)) < len(row.explored)),
        "chose_right": int(right),
        "chose_wrong": int(not right),
        "right_before_right": int(right and before),
        "right_before_wrong": int(not right and before),
    }


def _inspected(row: UseRow) -> dict[str, Any]:
    if row.state is AnswerState.ERROR:
        return {}
    parts = [one for one in row.trace if len(one) == 2]
    right, before = row.relation == "gold", (row.gold_entity, row.gold_part) in parts
    found: dict[str, Any] = {
        "inspected": 1,
        "parts_explored": len(set(parts)),
        "repeated_parts": int(len(set(parts)) < len(parts)),
        "part_right": int(right),
        "part_wrong": int(not right),
        "part_before_right": int(right and before),
        "part_before_wrong": int(not right and before),
    }
    for size, name in ((1, "things"), (2, "parts")):
        seen = {one for one in row.trace if len(one) == size}
        if seen:
            share = len(seen & (_gold(row, size) | _similar(row, size))) / len(seen)
            found |= {f"{name}_seen": 1, f"density_{name}": share}
    for size, name in ((1, "thing"), (2, "part")):
        for what, wanted in (("gold", _gold(row, size)), ("similar", _similar(row, size))):
            progress = list(_progress(row, wanted))
            found[f"{what}_{name}_found"] = len(progress)
            found[f"progress_{what}_{name}"] = sum(progress)
    return found


def _gold(row: UseRow, size: int) -> set[Looked]:
    return {(row.gold_entity, row.gold_part)[:size]}


def _similar(row: UseRow, size: int) -> set[Looked]:
    return {pair[:size] for pair in row.similar} - _gold(row, size)


def _progress(row: UseRow, wanted: set[Looked]) -> Iterator[float]:
    """For each ``wanted`` look that was made, its turn over the number of turns."""
    for one in sorted(wanted & set(row.trace)):
        yield (row.trace.index(one) + 1) / row.calls


def _judged(row: UseRow) -> dict[str, Any]:
    found: dict[str, Any] = {"graded": int(bool(row.grades))}
    right = row.relation == "gold"
    for mark, name in _MARKS.items():
        if right and mark in row.grades:
            found |= {f"{name}_given": 1, name: row.grades[mark] / 2}
    found["feasibility_reached"] = row.grades.get("feasibility", 0) / 2 * right
    for code in USE_ERRORS:
        found[f"error_{code}"] = int(row.error == code)
    return found


def _share(name: str, label: str, explanation: str) -> tuple[Metric, Metric]:
    return strictly(name, label, explanation)


_METRICS = (
    *_share("gold", "Gold", "Share of answers that choose the gold thing and part."),
    *_share("entity", "Thing", "Share that choose the gold thing."),
    *_share("exact", "Exact", "Share that write both names to the letter."),
    *_share("hallucination", "Not there", "Share that choose what is not there."),
    *_share("similar", "Similar", "Share that choose another part judged to serve alike."),
    Metric("turns", Mean("turns", "looked"), ("looked",), "Turns", "Mean number of replies."),
    Metric(
        "explored",
        Mean("explored", "looked"),
        ("looked",),
        "Things",
        "Mean number of different things looked at before the choice.",
    ),
    Metric(
        "repeated",
        Rate("repeated_things", "looked"),
        ("looked",),
        "Thing again",
        "Share of runs that look at a thing again.",
    ),
    Metric(
        "looked_first_right",
        Rate("right_before_right", "chose_right"),
        ("looked",),
        "Thing first, right",
        "Share of runs that chose the right thing that looked at it before.",
    ),
    Metric(
        "looked_first_wrong",
        Rate("right_before_wrong", "chose_wrong"),
        ("looked",),
        "Thing first, wrong",
        "Share of all other runs that had looked at the right one.",
    ),
    Metric(
        "parts_explored",
        Mean("parts_explored", "inspected"),
        ("inspected",),
        "Parts",
        "Mean number of different parts inspected.",
    ),
    Metric(
        "parts_repeated",
        Rate("repeated_parts", "inspected"),
        ("inspected",),
        "Part again",
        "Share of runs that inspect a part again.",
    ),
    Metric(
        "part_looked_first_right",
        Rate("part_before_right", "part_right"),
        ("inspected",),
        "Part first, right",
        "Share of runs that chose the right part that inspected it before.",
    ),
    Metric(
        "part_looked_first_wrong",
        Rate("part_before_wrong", "part_wrong"),
        ("inspected",),
        "Part first, wrong",
        "Share of all other runs that had inspected the right one.",
    ),
    *(
        Metric(
            f"density_{name}",
            Rate(f"density_{name}", f"{name}_seen"),
            ("inspected",),
            f"Density, {name}",
            f"Of the {name} inspected, the share that is gold or like it.",
        )
        for name in ("things", "parts")
    ),
    *(
        Metric(
            f"progress_{what}_{name}",
            Rate(f"progress_{what}_{name}", f"{what}_{name}_found"),
            ("inspected",),
            f"Progress, {what} {name}",
            f"Turn over all turns at which the {what} {name} is found.",
        )
        for name in ("thing", "part")
        for what in ("gold", "similar")
    ),
    *(
        Metric(
            name,
            Rate(name, f"{name}_given"),
            ("graded",),
            name.removeprefix("covers_").capitalize(),
            f"By a judge, of right choices: {name.replace('_', ' ')}, 0 to 1.",
        )
        for name in _MARKS.values()
    ),
    Metric(
        "feasibility_strict",
        Rate("feasibility_reached", "asked"),
        ("graded",),
        "strict",
        "Feasibility of all that was asked, anything but a right choice being 0.",
    ),
    *(
        Metric(f"error_{code}", Rate(f"error_{code}", "asked"), ("graded",), code, text)
        for code, text in USE_ERRORS.items()
    ),
    Metric(
        "judged",
        Rate("graded", "asked"),
        ("graded",),
        "Judged",
        "Share of all that was asked that the judge marked.",
    ),
    Metric(
        "failed",
        Rate("failed", "asked"),
        label="Failed",
        explanation="Share of all that was asked whose calls failed.",
    ),
)

_TABLES = (
    ScoreTable(
        "Part that could serve",
        columns(
            "gold | gold_strict: strict | entity: thing | exact | similar | "
            "hallucination: not there | turns | explored: seen | failed | coverage: cover"
        ),
        "Gold: the gold thing and part, by the same name. Similar: another part that was judged to "
        "serve alike. Not there: names nothing that is there. Seen: different things looked at. "
        "Strict: no answer counts as wrong. Failed: calls that failed, of all that was asked.",
        by=("domain",),
        brief=True,
    ),
    ScoreTable(
        "How they looked around",
        columns(
            "turns | explored: things | parts_explored: parts | repeated: thing again | "
            "parts_repeated: part again | looked_first_right: thing first, right | "
            "looked_first_wrong: wrong | part_looked_first_right: part first, right | "
            "part_looked_first_wrong: wrong"
        ),
        "Over all runs but those whose calls failed; who never answered counts as wrong. Things "
        "and parts: mean numbers of different ones. Again: runs that look at one again. First: "
        "runs that looked at the right one before they chose right, or wrong.",
    ),
    ScoreTable(
        "What they found",
        columns(
            "density_things: density, things | density_parts: parts | "
            "progress_gold_thing: progress, gold thing | progress_gold_part: gold part | "
            "progress_similar_thing: similar thing | progress_similar_part: similar part"
        ),
        "Density: the share of what was looked at that is gold or like it. Progress: turn over all "
        "turns at which it was found.",
    ),
    ScoreTable(
        "How they would use it",
        columns(
            "judged | covers_environment: environment | covers_use: use | "
            "covers_recipient: recipient | grounding: grounded | feasibility: feasible | "
            "feasibility_strict: strict"
        ),
        "By a judge: of right choices, how far the use covers the conditions there are, rests on "
        "what is known of the part, and could be carried out (0 to 1; strict: of all that was "
        "asked).",
    ),
    ScoreTable(
        "How they err",
        columns(" | ".join(f"error_{code}: {code}" for code in USE_ERRORS)),
        "By a judge, of all that was asked, the share whose main error is: "
        + "; ".join(f"{code} {text}" for code, text in USE_ERRORS.items())
        + ".",
    ),
)

SCORING = Scoring(
    title="Part that could serve",
    prefix="creative_",
    metrics=_METRICS,
    tables=_TABLES,
    truth=lambda row: f"{row.gold_entity}: {row.gold_part}",
    said=lambda row: f"{row.found_entity}: {row.found_part}" if row.found_entity else row.entity,
    measured=_measured,
    axes=("domain", "view"),
    splits=((), ("domain",), ("view",)),
    right="the gold thing and part are chosen",
    clusters="situations",
    lead="Which part of which thing could serve for something it was not made for. What needs no "
    "looking: pactwin/familiar answers by the use and the names of the things alone, as tasks of "
    "other seeds do. Whoever looks has to be better.",
)
