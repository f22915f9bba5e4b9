"""Whether views agree with each other, and whether several in one prompt help.

Both look at the feasibility answer alone, right or wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.inter_rater import fleiss_kappa

from pactwin.compare.frame import answer_frame
from pactwin.compare.intervals import LEVEL, Interval, clustered_rate
from pactwin.compare.paired import PairedTest, holm, paired_test
from pactwin.tasks import AnswerRow, is_one_camera


@dataclass(frozen=True, slots=True)
class ViewAgreement:
    """How much a model's answers to the same ``questions`` agree over ``views`` single views.

    ``kappa`` is Fleiss' (Psychological Bulletin 76, 1971), the views being the raters; None where
    all answers are the same, when agreement by chance is complete. ``same`` is the share of
    questions with one answer throughout. Only views that share questions are taken: those by which
    most answers remain.
    """

    model: str
    views: tuple[str, ...]
    questions: int
    kappa: float | None
    kappa_interval: Interval | None
    same: float
    same_interval: Interval


def view_agreement(rows: Sequence[AnswerRow]) -> list[ViewAgreement]:
    """The agreement of each model that answered questions in two single views or more."""
    found = []
    for model, wide in _by_view(rows, joint=False):
        views = _most_answers(wide)
        if len(views) < 2:
            continue
        whole = wide[views].dropna()
        yes = whole.sum(axis=1).to_numpy().astype(int)
        pair = pd.factorize(whole.index.get_level_values("pair"))[0]
        same = (yes == 0) | (yes == len(views))
        size = np.bincount(pair)
        kappa = _kappa(yes, len(views))
        found.append(
            ViewAgreement(
                model=model,
                views=tuple(views),
                questions=len(whole),
                kappa=kappa,
                kappa_interval=None if kappa is None else _jackknife(kappa, yes, pair, len(views)),
                same=float(same.mean()),
                same_interval=clustered_rate(np.bincount(pair, weights=same), size),
            )
        )
    return found


def joint_gains(rows: Sequence[AnswerRow]) -> list[PairedTest]:
    """Each condition of several views against the best single view of the same model.

    The best view is chosen without the answers that it is compared on: pairs are dealt into two
    halves, and each half is compared with the view that is best in the other. Chosen and compared
    on the same answers, the best of several equal views would look better than it is. ``within`` is
    the model, ``first`` the joint condition, ``second`` the views chosen.
    """
    tests = []
    for model, wide in _by_view(rows, joint=True):
        single = [view for view in wide.columns if is_one_camera(view)]
        for name in (view for view in wide.columns if view not in single):
            asked = wide[wide[name].notna()]
            pair = pd.factorize(asked.index.get_level_values("pair"), sort=True)[0]
            halves = []
            for half in (0, 1):
                shares = asked.loc[pair % 2 != half, single].mean().dropna()
                if len(shares):
                    best = max(shares.index, key=lambda view: (shares[view], view))
                    both = asked.loc[pair % 2 == half, [name, best]].dropna()
                    halves.append(both.set_axis(["joint", "single"], axis=1).assign(best=best))
            shown = pd.concat(halves) if halves else pd.DataFrame()
            if len(shown):
                pairs = shown.index.get_level_values("pair")
                views = " or ".join(sorted(set(shown.best)))
                a, b = shown.joint.to_numpy(), shown.single.to_numpy()
                tests.append(paired_test(model, name, views, a, b, pairs))
    return holm(tests)


def _by_view(rows: Sequence[AnswerRow], *, joint: bool) -> list[tuple[str, pd.DataFrame]]:
    """For each model a row per question, a column per view: yes of single views, else right."""
    if not rows:
        return []
    frame = answer_frame(rows)
    frame = frame[frame.judged == 1]
    if not joint:
        frame = frame[frame.view.map(is_one_camera).astype(bool)]
    said = frame.says_right if joint else frame.says_yes
    wide = frame.assign(said=said.astype(float)).pivot(
        index=["model", "pair", "question", "epoch"], columns="view", values="said"
    )
    return [
        (str(model), mine.dropna(axis=1, how="all")) for model, mine in wide.groupby(level="model")
    ]


def _most_answers(wide: pd.DataFrame) -> list[str]:
    """The views, best covered first, whose number times their shared questions is greatest."""
    order = sorted(wide.columns, key=lambda view: (-wide[view].notna().sum(), view))
    sets = [order[: i + 1] for i in range(1, len(order))]
    best = max(sets, key=lambda views: len(views) * len(wide[views].dropna()), default=[])
    return sorted(best) if len(wide[best].dropna()) else []


def _kappa(yes: np.ndarray, views: int) -> float | None:
    if yes.sum() in (0, len(yes) * views):
        return None
    return float(fleiss_kappa(np.column_stack([yes, views - yes])))


def _jackknife(kappa: float, yes: np.ndarray, pair: np.ndarray, views: int) -> Interval | None:
    """Student's interval of kappa, with the variance of leaving out each pair in turn."""
    n = int(pair.max()) + 1
    without = [_kappa(yes[pair != left_out], views) for left_out in range(n)]
    values = np.array([value for value in without if value is not None])
    if n < 3 or len(values) < n:
        return None
    error = np.sqrt((n - 1) / n * np.sum((values - values.mean()) ** 2))
    half = float(stats.t.ppf((1 + LEVEL) / 2, n - 1) * error)
    return max(kappa - half, -1.0), min(kappa + half, 1.0)
