"""Marking of replies about constraints, and counts of answers and pairs.

It needs no packages, because the reader in exports includes this module unchanged.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pactwin.solvers import Problem, parse_reply
from pactwin.suite import SET_FORMS, Constraint
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import unanswered

FORMS_WITH_REASON = ("choice", "open")
"""Forms that ask for the deciding constraint."""

PAIR_KEYS = ("model", "cluster", "domain", "view", "form", "epoch")
"""Keys shared by answers about both twins."""


NOT_CALLED = ("[LMMS_EVAL_REQUEST_FAILED", "[LMMS_EVAL_BUDGET_EXCEEDED]", "Failed to obtain answer")
"""Prefixes of texts that harnesses store instead of a reply when a call failed."""


def mark_reply(
    reply: str,
    form: str,
    truth: str,
    feasible: bool,
    constraint: str | None,
    options: Sequence[str] = (),
    accepted: Sequence[str] = (),
    objects: Sequence[str] = (),
    equivalent_constraints: Sequence[Constraint] = (),
) -> dict[str, Any]:
    """Parse and mark a reply: the fields of an outcome.

    ``truth``, ``options``, ``accepted``, ``objects`` and ``equivalent_constraints`` are the
    question's; ``feasible`` and ``constraint`` are true of its scene. If the truth names no
    constraint (``constraint`` is None), answers need not name one either.
    """
    if constraint is None and form not in SET_FORMS:
        form = "yes_no"
    answer = parse_reply(form, reply, options, objects, equivalent_constraints)
    if answer.problem is Problem.NO_REASON:  # it was asked for one
        return {"state": AnswerState.INCORRECT, "predicted_feasible": answer.feasible}
    if answer.problem is not None:
        return {**unanswered(answer.problem), "predicted_feasible": answer.feasible}
    if form in SET_FORMS:
        right = set(answer.selected) == set(accepted)
        return {"state": AnswerState.of(right), "selected": answer.selected}
    correct = {
        "yes_no": answer.feasible == feasible,
        "choice": answer.option == truth,
        "open": answer.constraint == constraint,
    }[form]
    return {
        "state": AnswerState.of(correct),
        "predicted_feasible": answer.feasible,
        "predicted_constraint": answer.constraint,
    }


def mark_row(row: Mapping[str, Any], reply: str | None) -> dict[str, Any]:
    """Outcome of a reply: ``state``, and ``reason``, ``predicted_feasible``,
    ``predicted_constraint`` and ``selected`` where they exist.

    A failed call (None) is an error, never an incorrect answer.
    """
    if reply is None or reply.startswith(NOT_CALLED):
        return {"state": AnswerState.ERROR, "reason": "the call failed"}
    return mark_reply(
        reply,
        row["form"],
        row["truth"],
        row["feasible"],
        row["constraint"],
        row["options"],
        row["accepted"],
        row["objects"],
        tuple(map(Constraint, row["equivalent_constraints"])),
    )


def answer_counts(row: Any) -> dict[str, Any]:
    """Counts of one answer; ``judged`` says whether it is about feasibility.

    ``row`` has the attributes of an answer row: ``answered``, ``form``, ``truth_feasible``,
    ``truth_constraint``, ``predicted_feasible``, ``predicted_constraint``, ``accepted``,
    ``selected``.
    """
    answered = row.answered
    feasible, asks_set = row.truth_feasible, row.form in SET_FORMS
    yes, no = row.predicted_feasible is True, row.predicted_feasible is False
    judged = yes or no
    reason = not feasible and row.truth_constraint is not None and row.form in FORMS_WITH_REASON
    named = reason and answered and str(row.predicted_constraint) == str(row.truth_constraint)
    return {
        "feasible": feasible,
        "says_yes": yes,
        "judged": int(judged),
        "says_right": int(judged and yes == feasible),
        "asks_set": asks_set,
        "accepted": tuple(row.accepted),
        "selected": tuple(row.selected),
        "feasible_asked": int(feasible and not asks_set),
        "feasible_judged": int(feasible and judged),
        "feasible_yes": int(feasible and yes),
        "infeasible_asked": int(not feasible and not asks_set),
        "infeasible_judged": int(not feasible and judged),
        "infeasible_no": int(not feasible and no),
        "reasons_asked": int(reason),
        "reasons": int(reason and answered),
        "reasons_right": int(named),
    }


def pair_units(answers: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One unit per pair, view, form and epoch in which both twins were asked.

    ``answers`` have :data:`PAIR_KEYS`, ``feasible``, ``answered`` and ``right``.
    """
    asked: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for answer in answers:
        asked.setdefault(tuple(answer[key] for key in PAIR_KEYS), []).append(answer)
    return [
        {
            **dict(zip(PAIR_KEYS, keys, strict=True)),
            "pairs_asked": 1,
            "pairs": min(answer["answered"] for answer in twins),
            "pairs_right": min(answer["right"] for answer in twins),
        }
        for keys, twins in asked.items()
        if len({answer["feasible"] for answer in twins}) == 2
    ]


def set_units(answers: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One unit per answer to a question for all true options, over options true in one twin alone.

    An answer independent of the picture names such an option for both twins or for neither.
    """
    asked = [answer for answer in answers if answer["asks_set"]]
    both: dict[tuple[str, str], dict[str, frozenset[str]]] = {}
    for one in asked:
        both.setdefault((one["cluster"], one["form"]), {})[one["scene"]] = frozenset(
            one["accepted"]
        )
    units = []
    for one in asked:
        sets = list(both[one["cluster"], one["form"]].values())
        contested = sets[0] ^ sets[1] if len(sets) == 2 else frozenset()
        true, false = contested & set(one["accepted"]), contested - set(one["accepted"])
        selected = set(one["selected"])
        units.append(
            {
                **{key: one[key] for key in PAIR_KEYS},
                "contested_true_asked": len(true),
                "contested_true": len(true) * one["answered"],
                "contested_named": len(true & selected) * one["answered"],
                "contested_false_asked": len(false),
                "contested_false": len(false) * one["answered"],
                "contested_left": len(false - selected) * one["answered"],
            }
        )
    return units
