"""What tests of suites share."""

import pytest

from pactwin.suite.checking import leaks


@pytest.fixture
def linear_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is plain needs no forest, which takes most of the time."""
    monkeypatch.setattr(leaks, "_CLASSIFIERS", {"linear classifier": leaks._linear})
