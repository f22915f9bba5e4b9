"""The capture side runs on the robot's own computer, which has neither MuJoCo nor torch."""

import subprocess
import sys

BLOCKED = """
import sys
for name in ("mujoco", "torch", "robosuite", "pactwin.sim", "scipy", "matplotlib"):
    sys.modules[name] = None
import pactwin.hardware as hardware
for name in hardware.__all__:
    getattr(hardware, name)
from pactwin.hardware import board_drawing, CalibrationBoard, pdf_of
assert pdf_of(board_drawing(CalibrationBoard()), "a3").startswith(b"%PDF")
print(len(hardware.__all__))
"""


def test_everything_of_the_face_is_there_without_simulator_and_torch() -> None:
    run = subprocess.run(
        [sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 20
