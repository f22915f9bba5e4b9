"""Fixtures shared by all tests. This folder is on ``sys.path``: ``from fakes import ...``."""

from pathlib import Path

import pytest
from fakes import make_fake_suite


@pytest.fixture(scope="session")
def fake_suite_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete made-up suite of eight pairs over four domains; do not change it."""
    return make_fake_suite(tmp_path_factory.mktemp("fake") / "suite", n_pairs=8)
