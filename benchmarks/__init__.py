"""Measurements of time, memory, coverage and labels. Stand-ins are shared with the tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "stand_ins"))
