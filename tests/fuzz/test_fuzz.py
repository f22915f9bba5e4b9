"""Whatever foreign files hold, their reader ends in a record or in one line, within bounds.

A short form of ``make fuzz``, the same examples every time.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import SECONDS
from readers import READERS

pytestmark = pytest.mark.slow

EXAMPLES = 10


@pytest.mark.timeout(11 * SECONDS)
def test_damaged_files_end_in_a_record_or_in_one_line() -> None:
    """All in one process, since most of the time is its start."""
    script = Path(__file__).with_name("fuzz.py")
    done = subprocess.run(
        [sys.executable, str(script), ",".join(READERS), str(EXAMPLES)],
        capture_output=True,
        text=True,
        timeout=10 * SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-5000:]
