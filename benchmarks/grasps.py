"""Whether an independent search confirms what labels say of hands: by least squares and MuJoCo.

``python -m benchmarks.grasps SUITE [FIRST [LAST]]``: of feasible scenes every stored grasp is put
into a model of its own. Its arm may be in nothing, and of two rays that start where the open
fingers are and run towards each other both have to meet the thing first. Of scenes in which a hand
does not get to a thing, or does not span it, SciPy's bounded least squares look for a grasp from
random postures, with MuJoCo's kinematics and Jacobians.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import mujoco
import numpy as np
from rich.console import Console
from scipy.optimize import least_squares

from pactwin.sim.actions.handling import Pour, PutInto, TakeOut, Write
from pactwin.sim.generation.pairs.retrial import rebuild
from pactwin.sim.physics.perturbation import undisturbed
from pactwin.sim.preconditions.letting_go import serve_together, turns_over
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.preconditions.surroundings import content_of
from pactwin.sim.reach.collider import reaching_spec
from pactwin.sim.reach.starts import reachers
from pactwin.sim.robots.models import ROBOT_GROUP, Arm
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.spec import add_part
from pactwin.suite import Grasp, Scene, Suite

STARTS, BACK_M, DEPTH_M = 40, 0.04, 0.006
CONSOLE = Console(width=120)


@dataclass
class Cell:
    """Robot, table and items; everything but the arms stands still."""

    robot: str
    items: Sequence[Item]

    def __post_init__(self) -> None:
        spec = reaching_spec(self.robot)
        for item in self.items:
            pose = item.world_from_object
            body = spec.worldbody.add_body(name=item.name, mocap=True, pos=pose.pos, quat=pose.quat)
            for k, part in enumerate(item.parts):
                if part.collides:
                    add_part(spec, body, part, f"{item.name}_{k}")
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        arms = robot_named(self.robot).arms
        for arm in arms:
            self.pose(arm, robot_named(self.robot).home_rad(arm))
        self.home = self.data.qpos.copy()
        self.ahead = dict(zip(arms, (self._ahead_m(k) for k in range(len(arms))), strict=True))

    def _ahead_m(self, k: int) -> float:
        """How far the fingertips are ahead of the palm's site."""
        arm, chain = robot_named(self.robot).arms[k], reachers(self.robot)[k].chain
        tip = chain.forward(self.data.qpos[chain.qpos][None])[0][0]
        return float(np.linalg.norm(tip - self.data.site(arm.palm_site).xpos))

    def pose(self, arm: Arm, angles_rad: Sequence[float]) -> None:
        """Put one arm into a posture."""
        for name, angle in zip(arm.joint_names, angles_rad, strict=True):
            self.data.joint(name).qpos[0] = angle
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)

    def hand(self, arm: Arm) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Fingertips (3,), the way they point (3,), and the line on which they close (3,)."""
        site = self.data.site(arm.palm_site)
        closing, _, pointing = site.xmat.reshape(3, 3).T
        return site.xpos + self.ahead[arm] * pointing, pointing, closing

    def depth_m(self, arm: Arm, target: str) -> float:
        """How deep the arm is in anything; its hand may be in the target."""
        mujoco.mj_collision(self.model, self.data)
        links = {int(self.model.joint(name).bodyid[0]) for name in arm.joint_names}
        hand, there = self.model.body(arm.hand_body).id, self.model.body(target).id
        deepest = 0.0
        for contact in self.data.contact:
            bodies = {int(self.model.geom_bodyid[geom]) for geom in contact.geom}
            if bodies & links and bodies != {hand, there}:
                deepest = max(deepest, -float(contact.dist))
        return deepest

    def first_met(self, start: np.ndarray, way: np.ndarray) -> tuple[str, float]:
        """The thing that a ray meets first, and after how many m; "" if none."""
        geom = np.array([-1], dtype=np.int32)
        seen = np.ones(mujoco.mjNGROUP, dtype=np.uint8)
        seen[ROBOT_GROUP] = 0
        far = float(mujoco.mj_ray(self.model, self.data, start, way, seen, 1, -1, geom))
        if geom[0] < 0:
            return "", np.inf
        return self.model.body(self.model.geom_bodyid[geom[0]]).name, far

    def contact(self, arm: Arm, target: str, opening_m: float) -> str:
        """What is wrong with how fingers, open so far, would close on the target; "" if nothing."""
        tip, pointing, closing = self.hand(arm)
        between = opening_m
        for side in (-1.0, 1.0):
            start = tip + side * opening_m / 2 * closing - DEPTH_M * pointing
            name, far = self.first_met(start, -side * closing)
            if name != target:
                return f"a finger meets {name or 'nothing'}"
            between -= far
        return "" if between >= 0.0 else "no side between the fingers"


def _away(cell: Cell, names: Sequence[str]) -> None:
    """Take away what was moved before."""
    for name in names:
        cell.data.mocap_pos[cell.model.body_mocapid[cell.model.body(name).id]] = (0.0, 0.0, 9.0)


def wrong_with(cell: Cell, target: str, grasp: Grasp) -> str:
    """What is wrong with a stored grasp; "" if nothing."""
    robot = robot_named(cell.robot)
    arm = robot.arm(grasp.arm)
    if grasp.opening_m > robot.span_m + 1e-9:
        return "wider open than the hand"
    cell.pose(arm, [grasp.waiting[name] for name in arm.joints])
    if cell.depth_m(arm, "world") > 0.0015:
        return "touches something in front of it"
    cell.pose(arm, [grasp.taking[name] for name in arm.joints])
    if cell.depth_m(arm, target) > 0.0015:
        return "touches something"
    return cell.contact(arm, target, grasp.opening_m)


def closing(cell: Cell, grasp: Grasp) -> np.ndarray:
    """The line (3,) along which fingers close where a grasp ends."""
    arm = robot_named(cell.robot).arm(grasp.arm)
    cell.pose(arm, [grasp.taking[name] for name in arm.joints])
    return cell.hand(arm)[2].copy()


def search(cell: Cell, target: str, rng: np.random.Generator) -> bool:
    """Whether least squares from random postures find a grasp of the target."""
    span_m = robot_named(cell.robot).span_m
    item = next(item for item in cell.items if item.name == target)
    points, _ = item_points(item)
    middle = np.array(item.world_from_object.pos)
    for arm in robot_named(cell.robot).arms:
        for _ in range(STARTS):
            turn = rng.uniform(0, np.pi)
            line = np.array([np.cos(turn), np.sin(turn), 0.0])
            if np.ptp(points @ line) + 0.01 > span_m:
                continue
            tip, pointing, closing = descend(cell, arm, middle, line, rng)
            level = closing * (1.0, 1.0, 0.0)
            wide = np.ptp(points @ level) / max(float(np.linalg.norm(level)), 1e-9)
            if np.linalg.norm(tip - middle) > 0.005 or pointing[2] > 0.02 or abs(closing[2]) > 0.7:
                continue
            if wide + 0.01 > span_m or cell.depth_m(arm, target) > 0.0:
                continue
            if not cell.contact(arm, target, min(span_m, wide + 0.016)):
                return True
    return False


def descend(
    cell: Cell, arm: Arm, middle: np.ndarray, line: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bring the fingertips to a point, closing along a line, not upwards; where the hand ends."""
    joints = [cell.model.joint(name) for name in arm.joint_names]
    dofs = [int(joint.dofadr[0]) for joint in joints]
    low, high = np.transpose([joint.range for joint in joints])
    cell.data.qpos[:] = cell.home

    def miss(q: np.ndarray) -> np.ndarray:
        cell.pose(arm, list(q))
        tip, pointing, closing = cell.hand(arm)
        rises = [0.15 * max(0.0, float(pointing[2]))]
        return np.concatenate([tip - middle, 0.05 * np.cross(closing, line), rises])

    def slope(q: np.ndarray) -> np.ndarray:
        cell.pose(arm, list(q))
        tip, pointing, closing = cell.hand(arm)
        moves, turns = np.zeros((2, 3, cell.model.nv))
        mujoco.mj_jac(cell.model, cell.data, moves, turns, tip, cell.model.body(arm.hand_body).id)
        moves, turns = moves[:, dofs], turns[:, dofs]
        closes = np.cross(np.cross(turns.T, closing), line).T
        rises = np.cross(turns.T, pointing)[:, 2] * (pointing[2] > 0.0)
        return np.concatenate([moves, 0.05 * closes, 0.15 * rises[None]])

    found = least_squares(miss, rng.uniform(low, high), slope, bounds=(low, high), max_nfev=40)
    cell.pose(arm, list(found.x))
    return cell.hand(arm)


def target_of(name: str) -> str:
    """The thing in a check's name."""
    return name.partition(": ")[2]


def unlike(scene: Scene, rng: np.random.Generator, counts: Counter[str]) -> list[str]:
    """What of a scene's checks an independent search does not confirm."""
    action, layout = rebuild(scene)
    cell, verdict, found = Cell(scene.robot, layout.items), scene.decided, []
    here = SettledScene(layout, undisturbed(0), scene.robot)
    taken: list[str] = []
    lines: dict[str, np.ndarray] = {}
    places = {getattr(action, what, "") for what in ("support", "vessel", "cup", "pad")}
    for name, check in verdict.checks.items():
        kind, thing = name.partition(": ")[0], target_of(name)
        if verdict.feasible and check.grasp is not None and thing in places:
            if isinstance(action, (Pour, Write)):  # nothing is let go of there
                continue
            counts["let go of"] += 1
            turns = turns_over(here, taken[-1], thing, into=isinstance(action, PutInto))
            line = closing(cell, check.grasp)
            if turns is not None and not serve_together(lines[taken[-1]], line, turns):
                found.append(f"{name}: turned wrong")
        elif verdict.feasible and check.grasp is not None:
            if isinstance(action, TakeOut):
                thing = content_of(layout.item(thing), layout.items).name
            counts["grasps"] += 1
            lines[thing] = closing(cell, check.grasp)
            _away(cell, taken)
            taken.append(thing)
            if wrong := wrong_with(cell, thing, check.grasp):
                found.append(f"{name}: {wrong}")
        wide = kind == "hand_holds" and (
            check.measurements["width"].value > robot_named(scene.robot).span_m
        )
        if not check.holds and (kind == "hand_gets_to" or wide):
            # Places, where there is no target to span, are another question.
            if kind == "hand_gets_to" and thing != verdict.objects[0]:
                continue
            counts["none expected"] += 1
            if search(cell, thing, rng):
                found.append(f"{name}: found")
    if verdict.feasible and not taken:
        found.append("no grasp is stored")
    return found


def main(suite: Suite, first: int = 0, last: int | None = None) -> None:
    """Print what is not confirmed, then how much is."""
    rng, counts, bad = np.random.default_rng(0), Counter[str](), Counter[str]()
    for scene in islice(suite.scenes(), first, last):
        for what in unlike(scene, rng, counts):
            bad["feasible" if scene.decided.feasible else "infeasible"] += 1
            CONSOLE.print(f"{scene.domain} {scene.id}: {what}")
    CONSOLE.print(f"not confirmed: {bad['feasible']} of {counts['grasps']} grasps")
    CONSOLE.print(f"looked at where it is let go of: {counts['let go of']}")
    CONSOLE.print(f"found all the same: {bad['infeasible']} of {counts['none expected']}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Suite.open(sys.argv[1]), *map(int, sys.argv[2:4]))
