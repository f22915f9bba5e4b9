"""The difficulty study: how answers are distributed over the paper's sub-categories."""

from collections import Counter
from collections.abc import Sequence

from pactwin.compare.intervals import Interval, wilson
from pactwin.suite import Suite
from pactwin.tasks import ProblemRow, difficulty_table

_SOLVABLE = {"A": "1.1", "B": "1.2", "D": "1.3", "E": "1.3", "F": "1.4"}
_UNSOLVABLE = {"C": "2.1", "D": "2.2", "E": "2.2", "F": "2.3"}


def difficulty(row: ProblemRow) -> str:
    """The sub-category of a graded answer, empty for one that is not graded or has none.

    1.x are solvable problems: efficient, inefficient, infeasible, called unsolvable. 2.x are
    unsolvable ones: said so with the right reason, with a wrong one, solved.
    """
    return (_SOLVABLE if row.solvable else _UNSOLVABLE).get(row.category, "")


def difficulty_shares(
    rows: Sequence[ProblemRow], suites: Sequence[Suite]
) -> dict[str, dict[str, tuple[float, Interval, int]]]:
    """{sub-category: {system: (share, interval, n)}}, GPT-4's published answers to all first."""
    found: dict[str, dict[str, tuple[float, Interval, int]]] = {}
    for suite in suites:
        for line in difficulty_table(suite.questions()):
            if line.n:
                cell = (line.count / line.n, wilson(line.count, line.n), line.n)
                found.setdefault(line.label, {})["GPT-4, all problems (published)"] = cell
    labels = {label.partition(" ")[0]: label for label in found}
    for model in dict.fromkeys(row.model for row in rows):
        mine = [difficulty(row) for row in rows if row.model == model]
        counts = Counter(code for code in mine if code)
        for code, label in labels.items():
            n = sum(count for other, count in counts.items() if other[0] == code[0])
            if n:
                cell = (counts[code] / n, wilson(counts[code], n), n)
                found[label][model] = cell
    return found
