"""Scores as tables for papers and for comments in CI: LaTeX and Markdown.

Names of models come from logs and are escaped.
"""

from collections.abc import Sequence
from pathlib import Path

from pactwin.compare.baseline import Change
from pactwin.compare.ranking import Cells, Ranking, rankings
from pactwin.compare.scores import Score
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


def write_markdown(scores: Sequence[Score], changes: Sequence[Change], path: Path) -> None:
    """Write GitHub Markdown: a table per kind, and changes since the baseline if given."""
    lines = [MARKDOWN_HEAD]
    for table in rankings(scores, brief=True):
        body = [[_markdown(model), *_cells(found, table)] for model, found in table.rows]
        heads = ["model", *map(table.label, table.columns)]
        lines += _markdown_table(f"{table.title}, with 95 % intervals", heads, body)
    if changes:
        heads = ["model", "about", "then", "now", "difference", "95 % interval", "p (Holm)", ""]
        body = [[_markdown(c.model), c.kind, *change_cells(c)] for c in changes]
        lines += _markdown_table("Right answers since the baseline", heads, body)
    write_file(path, "\n".join(lines) + "\n")


def write_latex(scores: Sequence[Score], path: Path) -> None:
    """Write one booktabs ``tabular`` per kind of question."""
    lines = [LATEX_HEAD]
    for table in rankings(scores, brief=True):
        heads = ["Model", *map(table.label, table.columns)]
        lines += [
            f"% {table.title}",
            rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
            r"\toprule",
            " & ".join(map(_latex, heads)) + r" \\",
            r"\midrule",
            *(
                " & ".join([_latex(model), *map(_latex, _cells(found, table))]) + r" \\"
                for model, found in table.rows
            ),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    write_file(path, "\n".join(lines))


def change_cells(change: Change) -> list[str]:
    """Shares of correct answers before and now, their difference with interval, p, verdict."""
    shares = ["-" if share is None else f"{share:.3f}" for share in (change.then, change.now)]
    test = change.test
    if test is None:
        return [*shares, "-", "-", "-", "new" if change.then is None else "gone"]
    interval = f"{test.low:+.3f} to {test.high:+.3f}"
    verdict = "worse" if change.is_loss else "better" if test.p_holm < 0.05 else ""
    return [*shares, f"{test.difference:+.3f}", interval, f"{test.p_holm:.3g}", verdict]


def _cells(found: Cells, table: Ranking) -> list[str]:
    cells = []
    for i, column in enumerate(table.columns):
        score = found.get(column)
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
    """Text as inline code, safe in a table cell."""
    return "`" + one_line(text).replace("`", "'").replace("|", "\\|") + "`"


def _latex(text: str) -> str:
    return one_line(text).translate(_LATEX)
