"""Scores as tables for papers and for comments in CI: LaTeX and Markdown.

Names of models come from logs: they are escaped, so that none is taken for markup.
"""

from collections.abc import Sequence
from pathlib import Path

from pactwin.compare.baseline import Change
from pactwin.compare.metrics import Score
from pactwin.compare.objects.table import AFFORDANCE_COLUMNS, PROPERTY_COLUMNS, ranked_by
from pactwin.compare.ranking import Ranked
from pactwin.compare.table import LABELS, ranked_constraints
from pactwin.suite import one_line, write_file

MARKDOWN_HEAD = "<!-- pactwin compare -->"
LATEX_HEAD = "% pactwin compare; needs \\usepackage{booktabs}"
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    }
)

Table = tuple[str, dict[str, str], Ranked]
"""Title, heads of the columns by metric, and the models, best first."""


def score_tables(scores: Sequence[Score]) -> list[Table]:
    """The tables of what was asked: constraints, properties, affordances."""
    tables: list[Table] = [("Constraints", LABELS, ranked_constraints(scores))]
    for title, columns in (("Properties", PROPERTY_COLUMNS), ("Affordances", AFFORDANCE_COLUMNS)):
        heads = {metric: head.replace(" (95 %)", "") for metric, head in columns.items()}
        tables.append((title, heads, ranked_by(scores, next(iter(columns)))))
    return [table for table in tables if table[2]]


def write_markdown(scores: Sequence[Score], changes: Sequence[Change], path: Path) -> None:
    """GitHub's Markdown: a table per kind, and what changed since the baseline, if there is one."""
    lines = [MARKDOWN_HEAD]
    for title, columns, rows in score_tables(scores):
        body = [[_markdown(model), *_cells(found, columns)] for model, found in rows]
        lines += _markdown_table(
            f"{title}, with 95 % intervals", ["model", *columns.values()], body
        )
    if changes:
        heads = ["model", "then", "now", "difference", "95 % interval", "p (Holm)", ""]
        body = [[_markdown(change.model), *change_cells(change)] for change in changes]
        lines += _markdown_table("Right answers since the baseline", heads, body)
    write_file(path, "\n".join(lines) + "\n")


def write_latex(scores: Sequence[Score], path: Path) -> None:
    """A ``tabular`` with booktabs' rules per kind of question."""
    lines = [LATEX_HEAD]
    for title, columns, rows in score_tables(scores):
        heads = ["Model", *columns.values()]
        lines += [
            f"% {title}",
            rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
            r"\toprule",
            " & ".join(map(_latex, heads)) + r" \\",
            r"\midrule",
            *(
                " & ".join([_latex(model), *map(_latex, _cells(found, columns))]) + r" \\"
                for model, found in rows
            ),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    write_file(path, "\n".join(lines))


def change_cells(change: Change) -> list[str]:
    """Shares of right answers then and now, difference with its interval, p, and the verdict."""
    shares = ["-" if share is None else f"{share:.3f}" for share in (change.then, change.now)]
    test = change.test
    if test is None:
        return [*shares, "-", "-", "-", "new" if change.then is None else "gone"]
    interval = f"{test.low:+.3f} to {test.high:+.3f}"
    verdict = "worse" if change.is_loss else "better" if test.p_holm < 0.05 else ""
    return [*shares, f"{test.difference:+.3f}", interval, f"{test.p_holm:.3g}", verdict]


def _cells(found: dict[str, Score], columns: dict[str, str]) -> list[str]:
    cells = []
    for i, metric in enumerate(columns):
        score = found.get(metric)
        if score is None or score.value is None:
            cells.append("-")
        elif i == 0 and score.low is not None and score.high is not None:
            cells.append(f"{score.value:.2f} [{score.low:.2f}, {score.high:.2f}]")
        else:
            cells.append(f"{score.value:.2f}")
    return cells


def _markdown_table(title: str, heads: list[str], body: list[list[str]]) -> list[str]:
    rules = ["---", *["--:"] * (len(heads) - 1)]
    rows = [heads, rules, *body]
    return ["", f"**{title}**", "", *("| " + " | ".join(row) + " |" for row in rows)]


def _markdown(text: str) -> str:
    """As code, in which nothing but its end and the table's bar mean anything."""
    return "`" + one_line(text).replace("`", "'").replace("|", "\\|") + "`"


def _latex(text: str) -> str:
    return one_line(text).translate(_LATEX)
