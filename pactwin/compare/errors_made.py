"""What went wrong where an answer was wrong: by twin, and by the cause that was named."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pactwin.compare.counts import FORMS_WITH_REASON, POOLED, answer_frame
from pactwin.compare.objects.confusion import Confusion
from pactwin.suite import Constraint
from pactwin.tasks import AnswerRow


@dataclass(frozen=True, slots=True)
class TwinTable:
    """One model's pairs x views x forms in which the feasibility of both twins was answered.

    ``only_feasible`` is where it was right of the feasible twin alone: it said yes to both.
    """

    model: str
    both: int
    only_feasible: int
    only_infeasible: int
    neither: int

    @property
    def n(self) -> int:
        """All of them."""
        return self.both + self.only_feasible + self.only_infeasible + self.neither


def twin_tables(rows: Sequence[AnswerRow]) -> list[TwinTable]:
    """A table per model, by name."""
    if not rows:
        return []
    frame = answer_frame(rows)
    frame = frame[frame.says_yes | frame.says_no]
    frame = frame.assign(right=frame.says_yes == frame.feasible)
    wide = frame.pivot_table(
        index=["model", "pair", "view", "form"],
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


def reason_confusions(rows: Sequence[AnswerRow]) -> list[Confusion]:
    """For each model the causes it named of infeasible scenes, by the true cause.

    Over the forms that ask for one; ``none`` is named by an answer that nothing prevents it.
    """
    counted: dict[str, Counter[tuple[str, str]]] = {}
    for row in rows:
        if (
            row.form in FORMS_WITH_REASON
            and row.truth_constraint not in (None, Constraint.NONE)
            and row.predicted_constraint is not None
        ):
            cell = str(row.truth_constraint), str(row.predicted_constraint)
            counted.setdefault(row.model, Counter())[cell] += 1
    found = []
    for model, counts in sorted(counted.items()):
        names = tuple(str(c) for c in Constraint if any(str(c) in cell for cell in counts))
        matrix = tuple(tuple(counts[truth, said] for said in names) for truth in names)
        found.append(Confusion(model, POOLED, names, matrix))
    return found
