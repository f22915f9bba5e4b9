"""Fixtures of several modules: a rig whose cameras are slightly off, and a table with a scene."""

from pathlib import Path

import pytest
from measured import Measured
from tables import Table, set_table


@pytest.fixture(scope="module")
def measured() -> Measured:
    return Measured(1)


@pytest.fixture
def table(fake_suite_path: Path, tmp_path: Path, measured: Measured) -> Table:
    return set_table(fake_suite_path, tmp_path / "real", measured)
