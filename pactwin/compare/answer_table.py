"""All answers as one tidy table for other programs: a row per answer, a column per attribute."""

import io
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from pactwin.suite import InvalidInputError, install_command, plain_cell, write_file
from pactwin.tasks import KINDS, Row

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
    "epoch",
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


def answer_table(rows: Sequence[Row]) -> pd.DataFrame:
    """Return one table row per answer, in the order of ``rows``; missing where not applicable.

    ``truth`` and ``said`` are words; the columns after them are facts of all kinds.
    """
    facts = [name for kind in KINDS.values() for name in kind.scoring.facts]
    columns = dict.fromkeys(("kind", *_SHARED, "truth", "said", *facts))
    return pd.DataFrame([_facts(row) for row in rows], columns=list(columns))


def check_table_name(path: Path) -> None:
    """Raise InvalidInputError for another suffix than .csv and .parquet, or without pyarrow."""
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInputError(f"{path}: answers are written as .csv or .parquet")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise InvalidInputError(
            f"{path}: Parquet needs pyarrow; name a .csv file, or {install_command('export')}"
        )


def write_answers(rows: Sequence[Row], path: Path) -> None:
    """Write the table as CSV or Parquet, by the name's suffix; raises as check_table_name."""
    check_table_name(path)
    table = answer_table(rows)
    if path.suffix == ".csv":
        shown = table.map(lambda cell: plain_cell(cell) if isinstance(cell, str) else cell)
        return write_file(path, shown.to_csv(index=False, lineterminator="\n"))
    buffer = io.BytesIO()
    table.to_parquet(buffer, index=False)
    write_file(path, buffer.getvalue())


def _facts(row: Row) -> dict[str, object]:
    scoring = KINDS[row.kind].scoring
    return {
        "kind": row.kind,
        **{name: getattr(row, name) for name in _SHARED},
        "state": str(row.state),
        "truth": scoring.truth(row) or None,
        "said": scoring.said(row),
        **{name: fact(row) for name, fact in scoring.facts.items()},
    }
