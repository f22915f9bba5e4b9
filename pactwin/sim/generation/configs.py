"""Settings that determine a suite's content, a frozen record for each kind of suite."""

from dataclasses import dataclass

from pydantic import JsonValue

from pactwin.sim.robots.custom import RobotModel


@dataclass(frozen=True, kw_only=True)
class SuiteConfig:
    """Settings of every suite: ``seed``, and width and height of the pictures."""

    seed: int
    width_px: int
    height_px: int

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the pictures."""
        return self.width_px, self.height_px

    @property
    def size(self) -> str:
        """The pictures' size in words."""
        return f"{self.width_px}x{self.height_px}"

    def record(self) -> dict[str, JsonValue]:
        """The settings as JSON for the suite's header, without those that are as by default."""
        found: dict[str, JsonValue] = {}
        for name, value in vars(self).items():
            if isinstance(value, RobotModel):
                found[name] = value.record()
            elif name == "height_px":
                found["size"] = [found.pop("width_px"), value]
            elif value != getattr(type(self), name, None):
                found[name] = list(value) if isinstance(value, tuple) else value
        return found


@dataclass(frozen=True, kw_only=True)
class RobotSuiteConfig(SuiteConfig):
    """Settings of scenes before a robot.

    ``robot_model`` is the source of a user's robot, whose name is then ``robot``. ``room`` is
    ``study`` (built in) or ``kitchen`` (RoboCasa's).
    """

    robot: str
    cameras: tuple[str, ...]
    robot_model: RobotModel | None = None
    room: str = "study"

    @property
    def seen_by(self) -> str:
        """Robot, cameras and size in words."""
        return f"for {self.robot!r} and cameras {', '.join(self.cameras)} at {self.size} px"


@dataclass(frozen=True, kw_only=True)
class ConstraintSuiteConfig(RobotSuiteConfig):
    """Settings of a suite of twin pairs: total number of ``pairs``; domains alternate.

    With ``repairs``, changes of each scene are tried for questions about which of them help.
    """

    pairs: int
    domains: tuple[str, ...]
    repairs: bool = False


@dataclass(frozen=True, kw_only=True)
class UseSuiteConfig(RobotSuiteConfig):
    """Settings of a suite of creative uses: total number of ``pairs``; uses alternate."""

    pairs: int
    uses: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LadderSuiteConfig(RobotSuiteConfig):
    """Settings of a suite of ladders: their number; quantities alternate."""

    ladders: int
    quantities: tuple[str, ...]
    steps: int


@dataclass(frozen=True, kw_only=True)
class ToolSuiteConfig(SuiteConfig):
    """Settings of a suite of tools: ``pairs`` of scenes; tasks alternate."""

    pairs: int
