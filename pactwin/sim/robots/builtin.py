"""Built-in robots, declared in ``built_in/*.yaml``: mappings of models that packages install."""

from importlib.resources import files

from pactwin.sim.robots.mapping import Mapping
from pactwin.sim.robots.models import Arm, Robot
from pactwin.sim.robots.source import ModelSource
from pactwin.suite import parse_yaml


class BuiltIn(Mapping):
    """A mapping that names its model, see :class:`ModelSource`.

    Its head camera stands in the table frame, and each hand is on its arm's last body.
    """

    package: str
    model: str
    attached: tuple[tuple[str, str, str], ...] = ()

    @property
    def robot(self) -> Robot:
        """The robot; nothing has to be compiled for it."""
        return Robot(
            name=self.name,
            source=ModelSource(self.model, self.package, self.attached),
            world_from_base=self.base.pose,
            home=dict(self.rest),
            arms=tuple(Arm(a.name, a.joints, a.hand.body, a.hand.pose) for a in self.arms),
            world_from_head=self.head_camera.pose,
            span_m=self.span_m,
        )


def _declared() -> list[Robot]:
    found = sorted(files("pactwin.sim.robots").joinpath("built_in").iterdir(), key=lambda f: f.name)
    return [BuiltIn.model_validate(parse_yaml(f.read_bytes(), f.name)).robot for f in found]


ROBOTS: dict[str, Robot] = {robot.name: robot for robot in _declared()}
