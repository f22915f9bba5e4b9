"""The report: one self-contained HTML page of scores, tests, figures and a gallery."""

import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from itertools import combinations, product
from pathlib import Path
from types import MappingProxyType

from pactwin.compare.dependence import scenes_of
from pactwin.compare.details import constraint_details
from pactwin.compare.figures import Axis, Panel, shared_axis, strip
from pactwin.compare.gallery import PAIRS_PER_DOMAIN, GalleryPair, build_gallery
from pactwin.compare.index import ScoreIndex, view_order
from pactwin.compare.judge_trust import JudgeTrust
from pactwin.compare.kind_section import groups_of, kind_section
from pactwin.compare.metrics import MIN_CLUSTERS
from pactwin.compare.outcomes import outcome_tables
from pactwin.compare.page import render
from pactwin.compare.paired import compare_models, compare_views
from pactwin.compare.perceived import Perceived
from pactwin.compare.plain import plain_table
from pactwin.compare.ranking import headline, rankings
from pactwin.compare.reliability import confidence_section
from pactwin.compare.runs import runs_of
from pactwin.compare.scores import Score, by_kind, decisions_of
from pactwin.compare.sim_to_real import PLACED_WITHIN_M, one_source, sim_to_real
from pactwin.compare.warnings import COVERAGE_FLOOR, LOW_COVERAGE, WARNING_SIGNS, unfinished
from pactwin.suite import MIN_FRACTION, MIN_PIXELS, SET_FORMS, Suite, write_file
from pactwin.tasks import (
    EPOCHS,
    FORMS_WITH_REASON,
    JOINT,
    KINDS,
    AnswerRow,
    AnswerState,
    PublishedTable,
    Row,
    ScoreTable,
)


def write_report(
    rows: Sequence[Row],
    scores: Sequence[Score],
    suites: Sequence[Suite],
    out_html: Path,
    *,
    published: Sequence[PublishedTable] = (),
    released: Sequence[Row] = (),
    trust: JudgeTrust | None = None,
    perceived: Mapping[str, Perceived] = MappingProxyType({}),
    pairs_per_domain: int = PAIRS_PER_DOMAIN,
) -> None:
    """Write the page. ``scores`` belong to ``rows``; ``suites``, if given, fill the gallery.

    ``published`` are scores by a benchmark's own rules. ``released`` are answers published with a
    suite; ``trust`` holds the agreement of judges; ``perceived`` the detection scores by source of
    captures.

    The same input gives the same page. Raises SuiteError if a picture of a suite cannot be read.
    """
    every = decisions_of(rows)
    scenes = scenes_of(suites) if every else {}
    source, constraints = one_source(every, scenes)
    kind = constraints[0].kind if constraints else next(iter(KINDS))
    constraint_scores = [score for score in scores if score.kind == kind]
    first = headline(kind, constraint_scores)
    index = ScoreIndex(kind, constraint_scores, [model for model, _ in first.rows])
    labels = {c.metric: first.label(c) for c in first.columns}
    axis = shared_axis(s for s in constraint_scores if s.metric == "informedness")
    view_series = index.views if len(index.views) > 1 else []
    groups = groups_of(index.models)
    evaluated = groups[0][1] if groups else []
    baselines = [m for _, members in groups[1:] for m in members]
    sections = [
        kind_section(name, mine, scores, suites, trust or JudgeTrust())
        for name, mine in by_kind([*rows, *released]).items()
        if not KINDS[name].scoring.feasibility
    ]
    asked = {row.model for row in rows}
    others = [model for section in sections for model in section.scores.models if model in asked]
    all_models = list(dict.fromkeys([*index.models, *others]))
    runs = runs_of(rows, all_models)
    galleries = [
        (suite, build_gallery(suite, constraints, pairs_per_domain))
        for suite in suites
        if constraints
    ]
    pairs = [pair for _, gallery in galleries for pair in gallery]
    domains = sorted({pair.twins[0].scene.domain for pair in pairs})
    model_tests = compare_models(constraints, combinations(evaluated, 2))
    page = render(
        "report.html",
        filters=len(domains),
        picture_size=_picture_size(pairs),
        scores=index,
        axis=axis,
        labels=labels,
        states=list(AnswerState),
        all_models=all_models,
        published=published,
        sections=sections,
        usage_domains=sorted({r.domain for r in rows}),
        usage_views=sorted({r.view for r in rows}, key=view_order),
        suite_names=sorted({r.suite_name for r in rows}),
        asked_suites=sorted({(r.suite_name, r.suite_hash) for r in rows}),
        answers=f"{len(rows):,}",
        unequal=any(not run.same_questions for run in runs_of(constraints, index.models)),
        warned=index.warned(),
        warning_signs=WARNING_SIGNS,
        constant=[model for model in index.models if _is_constant(index, model)],
        low_coverage=[m for m in index.models if LOW_COVERAGE in index.warnings(m)],
        unfinished={m: s for m in index.models if (s := unfinished(index.get(m, "completeness")))},
        set_forms=[form for form in index.forms if form in SET_FORMS],
        view_series=view_series,
        groups=groups,
        headline=list(labels),
        domain_panels=_panels(index, axis, "domain", index.domains, view_series),
        view_panels=_panels(index, axis, "view", index.views),
        model_tests=model_tests,
        confidence=confidence_section(constraints, constraint_scores, index.models),
        epochs=[plain_table(f) for f in rankings(constraint_scores) if f.table is EPOCHS],
        source=source,
        panels=sim_to_real(every, scenes),
        perceived=perceived,
        placed_within_m=PLACED_WITHIN_M,
        outcomes=outcome_tables(scenes.values()),
        evidence=_shown(index, KINDS[kind].scoring.tables, "evidence_over_view"),
        details=constraint_details(constraints, scenes, index.models, model_tests),
        baseline_tests=compare_models(constraints, product(evaluated, baselines)),
        view_tests=compare_views([r for r in constraints if r.model in evaluated]),
        runs=runs,
        replayed=any(run.whole.replayed for run in runs),
        with_usage=[run for run in runs if run.has_usage],
        suites=suites,
        pairs=pairs,
        changed=sorted({name for p in pairs for t in p.twins for name in t.changed}),
        gallery_domains=domains,
        pairs_per_domain=pairs_per_domain,
        total_pairs=_twin_pairs(constraints),
        constants={
            "coverage_floor": COVERAGE_FLOOR,
            "min_pixels": MIN_PIXELS,
            "min_fraction": MIN_FRACTION,
            "fewest_pairs": MIN_CLUSTERS,
            "joint": JOINT,
            "reason_forms": FORMS_WITH_REASON,
        },
        versions={"pactwin": version("pactwin"), "Python": platform.python_version()},
    )
    write_file(out_html, page)


def _shown(index: ScoreIndex, tables: Sequence[ScoreTable], metric: str) -> dict[str, str]:
    """Columns {metric: head} of the table that ``metric`` leads; empty if no model has it."""
    if not any(index.get(model, metric) for model in index.models):
        return {}
    (table,) = (table for table in tables if table.columns[0].metric == metric)
    return {column.metric: column.head for column in table.columns}


def _twin_pairs(rows: Sequence[AnswerRow]) -> int:
    """Number of twin pairs that were asked about."""
    return len({(r.suite_hash, r.pair_id) for r in rows if r.pair_id != r.scene_id})


def _picture_size(pairs: Sequence[GalleryPair]) -> tuple[int, int]:
    """Width and height of the first picture in px."""
    pictures = (p for pair in pairs for twin in pair.twins for p in twin.pictures)
    first = next(pictures, None)
    return (first.width_px, first.height_px) if first else (4, 3)


def _is_constant(index: ScoreIndex, model: str) -> bool:
    """Whether a model answered every question with yes, or every question with no."""
    rates = [index.get(model, metric) for metric in ("sensitivity", "specificity")]
    return {rate.value for rate in rates if rate} == {0.0, 1.0}


def _panels(
    index: ScoreIndex, axis: Axis, along: str, names: Sequence[str], views: Sequence[str] = ()
) -> list[Panel]:
    """A panel per domain or view (``along``): every model, pooled and in each of ``views``."""
    panels = []
    for name in names:
        cell = {along: name}
        strips = [
            strip(
                pooled,
                [index.get(model, "informedness", view=view, **cell) for view in views],
                axis,
                index.warnings(model, **cell),
            )
            for model in index.models
            if (pooled := index.get(model, "informedness", **cell))
        ]
        panels.append(Panel(name, axis, tuple(strips)))
    return panels
