"""Do answers follow the evidence (which differs between twins) or the camera?

The probability that two answers differ is the sum of a noise term and the squared difference of the
probabilities behind them. The noise term is the same for twins in one view and for views of one
scene, so it cancels in the difference of both shares.
"""

from typing import TYPE_CHECKING

from pactwin.tasks.core.metrics import POOLED, Metric, Rate, ScoreTable, columns
from pactwin.tasks.core.views import is_one_camera

if TYPE_CHECKING:
    import pandas as pd


def evidence_units(frame: "pd.DataFrame") -> "pd.DataFrame":
    """One unit per pair, form and epoch: do answers change with evidence or with the camera?

    ``twins_differ`` is the share of single views in which the twins got different answers;
    ``views_differ`` is the share of pairs of views of one scene that did. A pair has a unit if a
    view was answered for both twins, and a scene in two views.
    """
    used = ~frame.asks_set.astype(bool) & frame.view.map(is_one_camera).astype(bool)
    single = frame[used & (frame.judged == 1)]
    keys = ["model", "cluster", "domain", "form", "epoch"]
    signed = single.assign(gain=single.says_yes * (2 * single.feasible.astype(int) - 1))
    twins = signed.groupby([*keys, "view"], as_index=False).agg(
        answers=("says_yes", "size"),
        truths=("feasible", "nunique"),
        yes=("says_yes", "sum"),
        gain=("gain", "sum"),
    )
    twins = twins[(twins.answers == 2) & (twins.truths == 2)]
    twins = twins.assign(differ=(twins.yes == 1).astype(float)).groupby(keys, as_index=False)
    views = single.groupby([*keys, "question"], as_index=False).agg(
        n=("says_yes", "size"), yes=("says_yes", "sum")
    )
    views = views.assign(
        pairs=views.n * (views.n - 1) / 2, differ=views.yes * (views.n - views.yes)
    )
    views = views.groupby(keys, as_index=False)[["pairs", "differ"]].sum()
    units = twins.agg(twins_differ=("differ", "mean"), twins_gain=("gain", "mean")).merge(
        views[views.pairs > 0], on=keys
    )
    differ = units.differ / units.pairs
    return units[[*keys[:-1], "twins_differ", "twins_gain"]].assign(
        view=POOLED,
        evidence_pairs=1,
        views_differ=differ,
        evidence=units.twins_differ - differ,
    )


def _of_pair(name: str, count: str, label: str, explanation: str, lowest: float = 0.0) -> Metric:
    rate = Rate(count, "evidence_pairs", lowest)
    return Metric(name, rate, ("evidence_pairs",), label, explanation)


EVIDENCE = (
    _of_pair(
        "evidence_over_view",
        "evidence",
        "Evidence over view",
        "How much more often the answers of twins differ than those of two views of one scene: 0 "
        "for noise, below 0 where the camera decides, 1 where the evidence alone does. Noise "
        "cancels.",
        lowest=-1.0,
    ),
    _of_pair(
        "twins_right_way",
        "twins_gain",
        "Right way",
        "Share of twins told apart the right way round minus the wrong way round, in one view.",
        lowest=-1.0,
    ),
    _of_pair(
        "twins_differ", "twins_differ", "Twins differ", "Share of twins answered differently."
    ),
    _of_pair(
        "views_differ",
        "views_differ",
        "Views differ",
        "Share of pairs of views of one scene that were answered differently.",
    ),
)

EVIDENCE_TABLE = ScoreTable(
    "What answers follow: the evidence or the view",
    columns(
        "evidence_over_view: evidence over view | twins_right_way: right way | "
        "twins_differ: twins differ | views_differ: views differ"
    ),
    "Over pairs whose twins were answered in a common view, and a scene in two views or more. "
    "Evidence over view is the share of twins answered differently minus the share of views of one "
    "scene answered differently: 0 for constant answers and for noise, below 0 where the camera "
    "decides. Right way is 0 where twins are told apart by something else than what decides.",
)
