"""Compare answers about simulated scenes with answers about captures of the same scenes.

A real (or rehearsed) scene names the simulated one it copies, ``mirror_of``; a question of it is
compared with the same form about that scene, in the view of the same camera. A copy counts only if
each object stands within PLACED_WITHIN_M of its place in simulation and no object differs. Real and
rehearsed scenes are never pooled.

Suites that are rendered again, from a capture's own cameras, are of source ``sim`` and have a
``mirror_of``, too. With them the gap splits into steps that sum to it:

- appearance: real minus rendered from the real cameras with objects where they were measured;
- geometry: that minus rendered with objects where simulation has them;
- camera: that minus the original.

Replies that are neither yes nor no are not part of the gap in right answers. Questions that were
asked on both sides are therefore counted by answer state, and the shares of answered questions are
compared, too. Failed calls (state ``error``) are counted but not compared.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pactwin.compare.across_models import AcrossModels, across_models
from pactwin.compare.dependence import SceneKey
from pactwin.compare.frame import answer_frame
from pactwin.compare.paired import PairedTest, holm, paired_test
from pactwin.compare.prediction_powered import (
    MIN_REAL_PAIRS,
    PpiScore,
    prediction_powered,
)
from pactwin.suite import InvalidInputError, Scene
from pactwin.tasks import POOLED, AnswerRow, AnswerState

PLACED_WITHIN_M = 0.02
SAME_PLACE_M = 1e-4
CAPTURED = ("real", "rehearsal")
STEPS = {"appearance": ("captured", "measured"), "geometry": ("measured", "nominal")}
STEPS |= {"camera": ("nominal", "sim")}
_ANSWERED = "answered"
_KEY = ["model", "pair", "domain", "original", "form", "view", "feasible", "epoch"]


@dataclass(frozen=True, slots=True)
class Gap:
    """A model's gap in one domain or all: ``test`` compares captured (first) with simulated."""

    model: str
    domain: str
    test: PairedTest


@dataclass(frozen=True, slots=True)
class Silence:
    """Unanswered questions, among those asked both in simulation and on captures.

    ``captured`` and ``sim`` count questions without yes or no, by state. ``test`` compares the
    shares answered; None if every question failed on one side.
    """

    model: str
    asked: int
    captured: dict[str, int]
    sim: dict[str, int]
    test: PairedTest | None


@dataclass(frozen=True, slots=True)
class SimToReal:
    """The gap between simulation and one ``source``: ``real`` or ``rehearsal``.

    ``pairs`` and ``scenes`` were copied accurately enough; ``misplaced`` scenes were not.
    ``worst_m`` is the median over the other scenes of the largest placement error. ``gaps`` lack a
    model that answered nothing on one side, ``silences`` do not. ``ppi`` are informedness on the
    table, by model; ``splits`` are, by model, the steps of the gap as paired tests, corrected as
    one family.
    """

    source: str
    pairs: int
    scenes: int
    misplaced: tuple[str, ...]
    worst_m: float
    gaps: list[Gap]
    silences: list[Silence]
    across: AcrossModels | None
    ppi: dict[str, PpiScore]
    splits: dict[str, dict[str, PairedTest]]


def sim_to_real(rows: Sequence[AnswerRow], scenes: Mapping[SceneKey, Scene]) -> list[SimToReal]:
    """One panel per source whose questions were also asked about the simulated original.

    Empty if no original is among ``scenes``. Raises InvalidInputError if only some are missing.
    """
    sources = sorted({s.source for s in scenes.values() if s.source in CAPTURED and s.mirror_of})
    originals = {
        scene.id: scene
        for scene in scenes.values()
        if scene.source == "sim" and scene.mirror_of is None
    }
    if not rows or not sources or not originals:
        return []
    frame = _frame(rows, scenes, originals)
    panels = []
    for source in sources:
        captured = {
            k: s
            for k, s in scenes.items()
            if s.source == source and s.mirror_of and s.verdict and not _unverified(s)
        }
        off = {key: _worst_offset_m(s, originals) for key, s in captured.items()}
        well = {key for key, offset in off.items() if offset <= PLACED_WITHIN_M}
        mine = frame[(frame.stage != source) | frame.scene_key.isin(well)]
        ended = _wide(mine, source, "state").dropna(subset=["captured", "sim"])
        if ended.empty:
            continue
        both = _wide(mine, source, "right")
        shared = both.dropna(subset=["captured", "sim"])
        panels.append(
            SimToReal(
                source=source,
                pairs=ended.index.get_level_values("pair").nunique(),
                scenes=len(well),
                misplaced=tuple(sorted(key[1] for key in captured.keys() - well)),
                worst_m=float(np.median([off[key] for key in well])),
                gaps=_gaps(shared),
                silences=_silences(ended),
                across=across_models(_pair_scores(shared)),
                ppi=_ppi(both),
                splits=_splits(both),
            )
        )
    return panels


def _frame(
    rows: Sequence[AnswerRow], scenes: Mapping[SceneKey, Scene], originals: Mapping[str, Scene]
) -> pd.DataFrame:
    """Questions whose scene is known: ``right``, ``stage``, and the simulated ``original``.

    ``right`` is NaN, and ``state`` says why, unless the answer says yes or no.
    """
    frame = answer_frame(rows)
    right = frame.says_right.astype(float).where(frame.judged == 1)
    # Of forms that name things instead, an answer is neither right nor silence.
    state = frame.state.where((frame.judged == 0) & (frame.answered == 0), _ANSWERED)
    keys = list(zip(frame.suite, frame.scene, strict=True))
    frame = frame.assign(scene_key=keys, right=right, state=state)
    stages = {key: _stage(scene, originals) for key, scene in scenes.items()}
    frame = frame[[key in stages for key in frame.scene_key]]
    pairs = {
        scene.id: min(scene.id, scene.twin_id or scene.id)
        for scene in scenes.values()
        if scene.mirror_of is None
    }
    original = [scenes[key].mirror_of or scenes[key].id for key in frame.scene_key]
    return frame.assign(
        stage=[stages[key] for key in frame.scene_key],
        original=original,
        pair=[pairs.get(scene, scene) for scene in original],
    )


def _stage(scene: Scene, originals: Mapping[str, Scene]) -> str:
    if scene.source != "sim":
        return scene.source
    if scene.mirror_of is None:
        return "sim"
    return "measured" if _worst_offset_m(scene, originals) > SAME_PLACE_M else "nominal"


def _unverified(scene: Scene) -> bool:
    return scene.capture is not None and scene.capture.unverified != ""


def _worst_offset_m(scene: Scene, originals: Mapping[str, Scene]) -> float:
    """Largest displacement of an object, m; infinite if the objects differ."""
    original = originals.get(scene.mirror_of or "")
    if original is None:
        raise InvalidInputError(
            f"scene {scene.id} ({scene.source}) copies {scene.mirror_of}, of which no suite was "
            "found: name it with --suite"
        )
    places = {o.name: np.array(o.world_from_object)[:3, 3] for o in original.objects}
    if places.keys() != {o.name for o in scene.objects}:
        return float("inf")
    offsets = (
        np.linalg.norm(np.array(o.world_from_object)[:3, 3] - places[o.name]) for o in scene.objects
    )
    return float(max(offsets, default=0.0))


def _wide(frame: pd.DataFrame, source: str, values: str) -> pd.DataFrame:
    """``right`` or ``state`` by stage, a row per model and question of the simulated scene.

    Repeated captures of a scene are averaged only where they agree.
    """
    mine = frame[frame.stage.isin(["sim", "measured", "nominal", source])]
    mine = mine.assign(stage=mine.stage.replace({source: "captured"}))
    if mine.duplicated([*_KEY, "stage"]).any():
        twice = mine[mine.duplicated([*_KEY, "stage"])].iloc[0]
        raise InvalidInputError(
            f"scene {twice.original} was answered more than once as {twice.stage} by "
            f"{twice.model!r}: give one capture and one log of each"
        )
    wide = mine.pivot(index=_KEY, columns="stage", values=values)
    return wide.reindex(columns=["captured", "measured", "nominal", "sim"])


def _test(shared: pd.DataFrame, within: str, first: str, second: str) -> PairedTest:
    a, b = (shared[side].to_numpy() == 1 for side in (first, second))
    return paired_test(within, first, second, a, b, shared.index.get_level_values("pair"))


def _gaps(shared: pd.DataFrame) -> list[Gap]:
    """Each model's gap over all domains, then by domain: two families of tests."""
    if shared.empty:
        return []
    whole = [(model, POOLED, mine) for model, mine in shared.groupby(level="model")]
    parts = [(*key, part) for key, part in shared.groupby(level=["model", "domain"])]
    gaps = []
    for cells in (whole, parts):
        tests = holm([_test(part, str(model), "captured", "sim") for model, _, part in cells])
        for (model, domain, _), test in zip(cells, tests, strict=True):
            gaps.append(Gap(str(model), str(domain), test))
    return gaps


def _silences(ended: pd.DataFrame) -> list[Silence]:
    """States of answers on both sides, by model; the tests are one family."""
    models = [(str(model), mine) for model, mine in ended.groupby(level="model")]
    error = AnswerState.ERROR.value
    compared = {m: mine[(mine.captured != error) & (mine.sim != error)] for m, mine in models}
    tests = holm(
        [
            _test((mine == _ANSWERED).astype(float), model, "captured", "sim")
            for model, mine in compared.items()
            if len(mine)
        ]
    )
    by_model = {test.within: test for test in tests}
    return [
        Silence(
            model,
            len(mine),
            _unanswered(mine.captured),
            _unanswered(mine.sim),
            by_model.get(model),
        )
        for model, mine in models
    ]


def _unanswered(states: pd.Series) -> dict[str, int]:
    return dict(sorted(Counter(states[states != _ANSWERED]).items()))


def _pair_scores(shared: pd.DataFrame) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Scores of pairs, captured and simulated, by model; pairs in one order.

    Only pairs that all models answered, so that models are compared on the same pairs.
    """
    if shared.empty:
        return {}
    means = {
        str(model): _by_pair(mine, ["captured", "sim"]).dropna()
        for model, mine in shared.groupby(level="model")
    }
    pairs = sorted(set.intersection(*(set(mean.index) for mean in means.values())))
    return {
        model: (mean.captured.loc[pairs].to_numpy(), mean.sim.loc[pairs].to_numpy())
        for model, mean in means.items()
    }


def _by_pair(wide: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """A pair's score: the mean over both twins of the share of right answers; NaN without both."""
    twins = wide[columns].groupby(level=["pair", "feasible"]).mean()
    whole = twins.groupby(level="pair").transform("size") == 2
    return twins[whole].groupby(level="pair").mean()


def _ppi(both: pd.DataFrame) -> dict[str, PpiScore]:
    """Informedness on captures by model, if there are enough pairs; see the module."""
    found = {}
    for model, mine in both.groupby(level="model"):
        captured = mine.captured.notna()
        copied = _by_pair(mine[captured & mine.sim.notna()], ["captured", "sim"]).dropna()
        rest = _by_pair(mine[mine.sim.notna()], ["sim"]).sim.dropna()
        rest = rest[~rest.index.isin(copied.index)]
        if len(copied) >= MIN_REAL_PAIRS and len(rest) >= 2:
            found[str(model)] = prediction_powered(
                copied.captured.to_numpy(), copied.sim.to_numpy(), rest.to_numpy()
            )
    return found


def _splits(both: pd.DataFrame) -> dict[str, dict[str, PairedTest]]:
    """Steps of the gap, on questions answered at every available stage."""
    stages = [name for name in both.columns if both[name].notna().any()]
    steps = dict(_steps(stages))
    if len(steps) < 2:
        return {}
    whole = both.dropna(subset=stages)
    models = [(str(model), mine) for model, mine in whole.groupby(level="model")]
    cells = [(mine, model, name, ends) for model, mine in models for name, ends in steps.items()]
    tests = holm([_test(mine, model, *ends) for mine, model, _, ends in cells])
    found: dict[str, dict[str, PairedTest]] = {}
    for (_, model, name, _), test in zip(cells, tests, strict=True):
        found.setdefault(model, {})[name] = test
    return found


def _steps(stages: Sequence[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Steps between available stages; a missing stage joins the names of two steps."""
    names: list[str] = []
    first = "captured"
    for name, (_, end) in STEPS.items():
        names.append(name)
        if end in stages:
            yield " and ".join(names), (first, end)
            names, first = [], end


def one_source(
    rows: Sequence[AnswerRow], scenes: Mapping[SceneKey, Scene]
) -> tuple[str, list[AnswerRow]]:
    """Answers of one source, and its name: simulated if any, else real, else rehearsed.

    Scenes without a known suite count as originals.
    """
    by_source: dict[str, list[AnswerRow]] = {}
    for row in rows:
        scene = scenes.get((row.suite_hash, row.scene_id))
        copied = scene is not None and scene.mirror_of is not None
        source: str = "sim" if scene is None or scene.source == "imported" else scene.source
        by_source.setdefault("rendered again" if copied and source == "sim" else source, []).append(
            row
        )
    for name in ("sim", *CAPTURED, "rendered again"):
        if name in by_source:
            return name, by_source[name]
    return "sim", []
