"""Made-up answers whose statistics are known by construction."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from pactwin.suite import Constraint, Form, Scene, SuiteInfo
from pactwin.tasks import AnswerRow, AnswerState

VIEWS = ("agent", "front", "head", "side")
DOMAINS = {
    "size_mismatch": Constraint.DOES_NOT_FIT,
    "support": Constraint.SUPPORTS_OTHER,
    "stability": Constraint.WOULD_COLLAPSE,
    "reachability": Constraint.OUT_OF_REACH,
}

Answer = tuple[bool | None, Constraint | None]
"""Feasible? and which constraint; (None, None) is no answer."""


def hex_id(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def make_row(
    model: str,
    domain: str,
    pair: int,
    feasible: bool,
    view: str,
    form: Form,
    answer: Answer,
    state: AnswerState | None = None,
) -> AnswerRow:
    truth = Constraint.NONE if feasible else DOMAINS[domain]
    says, names = answer
    if state is None and says is None:
        state = AnswerState.REFUSED
    elif state is None:
        right = says == feasible if form == "yes_no" else names == truth
        state = AnswerState.CORRECT if right else AnswerState.INCORRECT
    scene = hex_id(domain, pair, feasible)
    return AnswerRow(
        model=model,
        suite_name="made-up",
        suite_hash="0" * 64,
        sample_id=hex_id(scene, form, view),
        question_id=hex_id(scene, form),
        scene_id=scene,
        pair_id=hex_id(domain, pair),
        domain=domain,
        view=view,
        form=form,
        state=state,
        truth_feasible=feasible,
        truth_constraint=truth,
        predicted_feasible=says,
        predicted_constraint=names,
        reply=f"{says} {names}",
    )


def scene_row(
    info: SuiteInfo, scene: Scene, *, says: bool | None, view: str, **facts: Any
) -> AnswerRow:
    """An answer of model "m" to a yes/no question about a scene of a suite, but for ``facts``."""
    feasible, question = scene.decided.feasible, facts.get("question_id", scene.id)
    right = AnswerState.CORRECT if says == feasible else AnswerState.INCORRECT
    known = {
        "model": "m",
        "suite_name": info.name,
        "suite_hash": info.content_hash,
        "sample_id": hex_id(question, view, facts.get("model"), facts.get("run_id")),
        "question_id": question,
        "scene_id": scene.id,
        "pair_id": min(scene.id, scene.twin_id or scene.id),
        "domain": scene.domain,
        "view": view,
        "form": "yes_no",
        "state": AnswerState.REFUSED if says is None else right,
        "truth_feasible": feasible,
        "truth_constraint": scene.decided.constraint,
        "predicted_feasible": says,
    }
    return AnswerRow(**known | facts)


def make_rows(
    answer: Callable[[str, int, bool, str, str], Answer],
    *,
    model: str = "m",
    pairs: int = 5,
    views: tuple[str, ...] = VIEWS,
    forms: tuple[Form, ...] = ("yes_no", "choice", "open"),
    domains: tuple[str, ...] = tuple(DOMAINS),
) -> list[AnswerRow]:
    """``answer(domain, pair, feasible, view, form)`` for every question of every pair."""
    return [
        make_row(
            model, domain, pair, feasible, view, form, answer(domain, pair, feasible, view, form)
        )
        for domain in domains
        for pair in range(pairs)
        for feasible in (False, True)
        for view in views
        for form in forms
    ]


def oracle(domain: str, pair: int, feasible: bool, view: str, form: str) -> Answer:
    return (True, Constraint.NONE) if feasible else (False, DOMAINS[domain])


def always(says: bool) -> Callable[..., Answer]:
    names = Constraint.NONE if says else Constraint.PATH_BLOCKED
    return lambda *question: (says, names)


def noisy(seed: int, skill: float = 0.3, silent: float = 0.1) -> Callable[..., Answer]:
    """Right more often than not, by ``skill``; a share ``silent`` gives no answer."""
    rng = np.random.default_rng(seed)

    def answer(domain: str, pair: int, feasible: bool, view: str, form: str) -> Answer:
        if rng.random() < silent:
            return None, None
        right = rng.random() < 0.5 + skill / 2
        says = feasible if right else not feasible
        if says:
            return True, Constraint.NONE
        return False, DOMAINS[domain] if rng.random() < 0.6 else Constraint.COVERED

    return answer
