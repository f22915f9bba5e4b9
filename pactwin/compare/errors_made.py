"""Wrong answers by twin."""

from collections.abc import Sequence
from dataclasses import dataclass

from pactwin.compare.frame import answer_frame
from pactwin.tasks import AnswerRow


@dataclass(frozen=True, slots=True)
class TwinTable:
    """Answers of one model about both twins, counted per pair, view, form and epoch.

    ``only_feasible`` counts cases in which only the answer about the feasible twin was correct: yes
    to both.
    """

    model: str
    both: int
    only_feasible: int
    only_infeasible: int
    neither: int

    @property
    def n(self) -> int:
        """Total count."""
        return self.both + self.only_feasible + self.only_infeasible + self.neither


def twin_tables(rows: Sequence[AnswerRow]) -> list[TwinTable]:
    """A table per model, by name."""
    if not rows:
        return []
    frame = answer_frame(rows)
    frame = frame[frame.judged == 1]
    frame = frame.assign(right=frame.says_right)
    wide = frame.pivot_table(
        index=["model", "pair", "view", "form", "epoch"],
        columns="feasible",
        values="right",
        aggfunc="min",
    )
    if not {True, False} <= set(wide.columns):
        return []
    found = []
    for model, mine in wide.dropna().groupby(level="model"):
        yes, no = mine[True].astype(bool), mine[False].astype(bool)
        counts = ((yes & no), (yes & ~no), (~yes & no), (~yes & ~no))
        found.append(TwinTable(str(model), *(int(count.sum()) for count in counts)))
    return found
