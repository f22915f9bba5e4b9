"""The short form of the soak; ``python -m benchmarks soak`` runs the long one."""

from pathlib import Path

import pytest
from soak import AT_ONCE, soak

pytestmark = pytest.mark.nightly


def test_each_question_ends_in_its_state_and_is_paid_once(tmp_path: Path) -> None:
    result = soak(tmp_path, questions=60, claims=40, seed=1)
    assert result.wrong == ()
    assert sum(result.ends.values()) == 100
    assert result.faulty == 30
    assert result.refused >= 3, "of two processes at once, one works"
    # What was under way when it was stopped, or paid and not written yet, once the cache is lost.
    assert sum(result.again.values()) <= result.stopped * 2 * AT_ONCE
    assert result.judged_again <= result.stopped * result.ends["error"]
