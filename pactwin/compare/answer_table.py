"""All answers as one tidy table: a row per answer, a column per fact, for other programs."""

import io
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from pactwin.suite import SET_FORMS, InvalidInputError, plain_cell, write_file
from pactwin.tasks import AnswerRow, ObjectRow, ProblemRow, Row, ToolRow, UseRow

_SHARED = (
    "model",
    "strategy",
    "prompts",
    "suite_name",
    "suite_hash",
    "question_id",
    "scene_id",
    "pair_id",
    "domain",
    "view",
    "form",
    "state",
    "reason",
    "judged",
    "run_id",
    "calls",
    "replayed",
    "tokens_in",
    "tokens_out",
    "latency_s",
    "cost_usd",
)
COLUMNS = ("kind", *_SHARED, "topic", "object", "truth", "said", "feasible", "says_feasible")
"""``truth`` and ``said`` are words; the last two are about feasibility or solvability."""


def answer_table(rows: Sequence[Row]) -> pd.DataFrame:
    """The table, in the order of ``rows``; what does not apply is missing."""
    return pd.DataFrame([_facts(row) for row in rows], columns=list(COLUMNS))


def check_table_name(path: Path) -> None:
    """Raise InvalidInputError for a file that is neither .csv nor .parquet."""
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInputError(f"{path}: answers are written as .csv or .parquet")


def write_answers(rows: Sequence[Row], path: Path) -> None:
    """Write the table as CSV or Parquet, by the name's suffix.

    Raises InvalidInputError for another suffix, or for Parquet without pyarrow.
    """
    check_table_name(path)
    table = answer_table(rows)
    if path.suffix == ".csv":
        shown = table.map(lambda cell: plain_cell(cell) if isinstance(cell, str) else cell)
        return write_file(path, shown.to_csv(index=False, lineterminator="\n"))
    buffer = io.BytesIO()
    try:
        table.to_parquet(buffer, index=False)
    except ImportError as error:
        raise InvalidInputError(
            f"{path}: Parquet needs pyarrow: pip install 'pactwin[export]', or name a .csv file"
        ) from error
    write_file(path, buffer.getvalue())


def _facts(row: Row) -> dict[str, object]:
    facts: dict[str, object] = {name: getattr(row, name) for name in _SHARED}
    facts["state"] = str(row.state)
    facts["kind"] = "constraint" if isinstance(row, AnswerRow) else row.kind
    if isinstance(row, AnswerRow):
        said, true = row.predicted_constraint, row.truth_constraint
        facts |= {
            "truth": None if true is None else str(true),
            "said": None if said is None else str(said),
            "feasible": row.truth_feasible,
            "says_feasible": row.predicted_feasible,
        }
        if row.form in SET_FORMS:
            facts |= {"truth": "; ".join(row.accepted), "said": "; ".join(row.selected)}
    elif isinstance(row, ObjectRow):
        facts |= {"topic": row.topic, "object": row.object_id, "truth": row.truth}
        facts["said"] = row.said or "; ".join(row.items)
    elif isinstance(row, ProblemRow):
        facts |= {"said": row.category}
        facts |= {"feasible": row.solvable, "says_feasible": row.says_solvable}
    elif isinstance(row, ToolRow):
        facts |= {"truth": "; ".join(row.accepted), "said": "; ".join(row.items)}
    elif isinstance(row, UseRow):
        facts |= {"truth": f"{row.gold_entity}: {row.gold_part}"}
        facts["said"] = f"{row.found_entity}: {row.found_part}" if row.found_entity else row.entity
    return facts
