"""The long soak: questions, claims, faults, kills, two resumers: ``stand_ins/soak.py``."""

import os
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

QUESTIONS, CLAIMS, KILLS, SEED = 2000, 1000, 5, 1


def run() -> None:
    """Print what became of each question and claim, and what was paid for them."""
    from soak import soak

    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"LOCAL_API_KEY": "none", "INSPECT_CACHE_DIR": f"{folder}/cache"}
        result = soak(Path(folder), QUESTIONS, CLAIMS, SEED, KILLS)
    table = Table("what", "count")
    for name, value in vars(result).items():
        table.add_row(name, str(value))
    Console().print(table)
