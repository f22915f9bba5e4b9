"""``pactwin doctor --robot`` and the options that say which robot."""

from pathlib import Path

import cv2
import pytest
from commands import invoke
from own_robot import write_robot

pytestmark = pytest.mark.slow


def test_a_robot_is_drawn_and_described(tmp_path: Path) -> None:
    model, mapping = write_robot(tmp_path / "tiny")
    out = tmp_path / "pictures" / "robot.png"
    options = ["--robot-model", str(model), "--robot-mapping", str(mapping), "--out", str(out)]
    out.parent.mkdir()
    out.touch()
    result = invoke("doctor", *options, "--force")
    assert "robot tiny@" in result.stdout
    assert "head camera at (-0.120, 0.000, 0.560) m, 36.9 degrees down" in result.stdout
    assert "turn -2.00..2.00" in result.stdout
    assert "swing -1.50..1.50" in result.stdout
    assert "at rest in the table: nothing" in result.stdout
    picture = cv2.imread(str(out))
    assert picture is not None
    assert picture.shape == (480, 3 * 640, 3)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--robot", "r2d2"], "use one of g1, panda"),
        (["--robot", "g1", "--robot-model", "x.xml"], "not both"),
        (["--robot-mapping", "x.yaml"], "needs the --robot-model"),
        (["--robot-model", "x.xml"], "x.xml is not a file"),
    ],
)
def test_wrong_options_are_one_line(tmp_path: Path, options: list[str], says: str) -> None:
    result = invoke("doctor", *options, "--out", tmp_path / "robot.png", code=2)
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "robot.png").exists()
