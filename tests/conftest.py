"""Fixtures shared by all tests. This folder and ``stand_ins/`` are on ``sys.path``."""

import importlib.metadata
import ssl
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from fakes import make_fake_suite
from hypothesis import settings

from pactwin.suite import Suite

# How long an example takes says more of the machine than of the code.
settings.register_profile("untimed", deadline=None, max_examples=40)
settings.register_profile("nightly", deadline=None, max_examples=1000)
settings.load_profile("untimed")

# Inspect lists all that is installed at each evaluation, and each client of a model reads all
# certificates: more than half of the time that a small evaluation takes.
for module, name in (
    (importlib.metadata, "packages_distributions"),
    (ssl, "create_default_context"),
):
    pytest.MonkeyPatch().setattr(module, name, cache(getattr(module, name)))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests go first, so that all workers end at about the same time."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session")
def fake_suite_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete made-up suite of eight pairs over four domains; do not change it."""
    return make_fake_suite(tmp_path_factory.mktemp("fake") / "suite", n_pairs=8)


@pytest.fixture(scope="session")
def suite(fake_suite_path: Path) -> Suite:
    """The same, opened; modules with a suite of their own call it so, too."""
    return Suite.open(fake_suite_path)


@pytest.fixture(autouse=True, scope="session")
def _replies_of_this_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No reply of an earlier session is used again, nor left for a later one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSPECT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def _replies_of_this_test(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A server of an earlier test may have had the port that this test's server has."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
