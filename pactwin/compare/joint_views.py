"""Benefit of several views in one prompt, measured on feasibility answers."""

from collections.abc import Sequence

import pandas as pd

from pactwin.compare.frame import answer_frame
from pactwin.compare.paired import PairedTest, holm, paired_test
from pactwin.tasks import AnswerRow, is_one_camera


def joint_gains(rows: Sequence[AnswerRow]) -> list[PairedTest]:
    """Compare each condition of several views with the best single view of the same model.

    The best view is chosen on other answers than those compared: pairs are divided into two halves,
    and each half is compared with the view that is best in the other. If the choice used the same
    answers, the best of several equal views would look better than it is. ``within`` is the model,
    ``first`` the joint condition, ``second`` the views chosen.
    """
    tests = []
    for model, wide in _by_view(rows):
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


def _by_view(rows: Sequence[AnswerRow]) -> list[tuple[str, pd.DataFrame]]:
    """For each model a row per question, a column per view: 1 if the answer is right, else 0."""
    if not rows:
        return []
    frame = answer_frame(rows)
    frame = frame[frame.judged == 1]
    wide = frame.assign(right=frame.says_right.astype(float)).pivot(
        index=["model", "pair", "question", "epoch"], columns="view", values="right"
    )
    return [
        (str(model), mine.dropna(axis=1, how="all")) for model, mine in wide.groupby(level="model")
    ]
