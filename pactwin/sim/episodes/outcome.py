"""Result of an episode: objects that moved, turned or fell unintentionally."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pactwin.sim.physics.trials.removal import LIMIT_M, LIMIT_RAD
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.pose import Pose, quat_angle_rad

Kind = Literal["fallen", "knocked over", "shifted", "spilled"]


@dataclass(frozen=True)
class Harm:
    """Harm to one object: distances moved and fallen (m), and angle turned (deg)."""

    kind: Kind
    name: str
    moved_m: float
    fallen_m: float
    turned_deg: float

    @property
    def sentence(self) -> str:
        """The harm in words, with measurements."""
        parts = [
            f"{1000 * self.fallen_m:.0f} mm down" if self.kind == "fallen" else "",
            f"moved {1000 * self.moved_m:.0f} mm" if self.moved_m else "",
            f"turned {self.turned_deg:.0f} degrees" if self.turned_deg else "",
        ]
        return f"{self.name} {self.kind}: {', '.join(filter(None, parts))}".removesuffix(": ")


def harms(
    layout: Layout, before: Sequence[Pose], after: Sequence[Pose], expected: Collection[str]
) -> tuple[Harm, ...]:
    """Objects other than ``expected`` ones that moved by more than the trials' limits.

    An object has fallen if it is lower by more than the limit; otherwise, if it turned, it was
    knocked over.
    """
    found = []
    for item, start, end in zip(layout.items, before, after, strict=True):
        if item.name in expected or item.distractor:
            continue
        way = np.subtract(end.pos, start.pos)
        moved = float(np.linalg.norm(way))
        turned = float(quat_angle_rad(end.quat, start.quat))
        if moved <= LIMIT_M and turned <= LIMIT_RAD:
            continue
        fallen = max(0.0, float(-way[2]))
        kind: Kind = "knocked over" if turned > LIMIT_RAD else "shifted"
        kind = "fallen" if fallen > LIMIT_M else kind
        found.append(_harm(kind, item.name, moved, fallen, turned))
    return tuple(found)


def dropped(
    layout: Layout, after: Sequence[Pose], released: Mapping[str, float], beads: Collection[str]
) -> tuple[Harm, ...]:
    """Objects that fell after a release, with their drop heights (m), and spilled contents."""
    found = []
    for item, pose in zip(layout.items, after, strict=True):
        height = pose.pos[2]
        fallen = released.get(item.name, height) - height
        if fallen > LIMIT_M:
            found.append(_harm("fallen", item.name, fallen, fallen, 0.0))
        elif item.name in beads and height < item.size_m[2]:
            found.append(_harm("spilled", item.name, 0.0, 0.0, 0.0))
    return tuple(found)


def _harm(kind: Kind, name: str, moved_m: float, fallen_m: float, turned_rad: float) -> Harm:
    turned_deg = round(float(np.rad2deg(turned_rad)), 1)
    return Harm(kind, name, round(moved_m, 4), round(fallen_m, 4), turned_deg)
