"""The lean physics model: items on a table, and a hand that can grasp one of them.

The robot is not in it: trials move the grasped item kinematically (a mocap body welded to it), as
a robot that grips well would. Contact settings follow from measurements on stacks, bridges and
tight fits: with them a resting scene drifts by less than 0.05 mm, while MuJoCo's default soft
contacts mislabel fits with 3 mm of clearance.
"""

import math
from collections.abc import Callable, Mapping
from copy import copy
from functools import lru_cache

import mujoco
import numpy as np

from pactwin.sim.physics.perturbation import Perturbation, perturbed_pose
from pactwin.sim.physics.stability import ensure_stable
from pactwin.sim.scene.geometry import part_volume_m3
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.mjcf import log_warnings
from pactwin.sim.scene.pose import ORIGIN, Pose, quat, quat_angle_rad, vec3
from pactwin.sim.scene.spec import add_part

TIME_STEP_S = 0.002
GRAVITY_M_S2 = 9.81
HAND_CHUNK_S = 0.008
"""Duration of one motion step of hands; half, once and twice the time step divide it."""

# Torsional and rolling friction, m: a hard ball on a hard table rolls as easily as this.
TORSIONAL_FRICTION_M, ROLLING_FRICTION_M = 0.005, 0.0001
_HAND = "hand"
_RESTING = 0.7  # a contact's normal is at least so much upright where one thing rests on another
_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class World:
    """Physics of one layout under one perturbation.

    Distractors and ``fixed`` items of the layout cannot move, which saves time. Rows of all pose
    arrays follow ``names``, the other items. ``grip_time_s`` is the time constant of the weld of
    hand and item: about 0.01 holds firmly, 0.02 yields before an item is forced through a wall.
    ``prepare`` may add to the model before it is compiled; bodies have the items' names.

    A mass scale s applies to the deciding items alternately as s and 1/s, so that ratios change.
    """

    def __init__(
        self,
        layout: Layout,
        perturbation: Perturbation,
        *,
        held: str,
        grip_time_s: float = 0.01,
        prepare: Callable[[mujoco.MjSpec], None] | None = None,
    ) -> None:
        self.names = [item.name for item in layout.items if layout.moves(item)]
        self.hand_speed_scale = perturbation.hand_speed_scale
        self.model = _compiled(layout) if prepare is None else _compile(layout, prepare)
        _perturb(self.model, layout, perturbation)
        self.data = mujoco.MjData(self.model)
        # As if compiled with these poses and masses.
        mujoco.mj_setConst(self.model, self.data)
        mujoco.mj_resetData(self.model, self.data)
        self.bodies = np.array([self.model.body(name).id for name in self.names], dtype=int)
        self.hold(held, grip_time_s)
        mujoco.mj_forward(self.model, self.data)

    def hold(self, name: str, grip_time_s: float | None = None) -> None:
        """Select the item that the open hand can grasp."""
        self.held = self.names.index(name)
        if grip_time_s is not None:
            self.model.eq_solref[0, 0] = grip_time_s
        body = self.bodies[self.held]
        self._held_weight_n = float(self.model.body_subtreemass[body]) * GRAVITY_M_S2
        self.model.eq_obj2id[0] = body
        self.release()

    def positions(self) -> np.ndarray:
        """Item positions, (n, 3), m, a copy."""
        return self.data.xpos[self.bodies].copy()

    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        """Item positions (n, 3), m, and orientations w x y z (n, 4), copies."""
        return self.positions(), self.data.xquat[self.bodies].copy()

    def moved_since(self, before: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Translation (n,), m, and rotation (n,), rad, of each item since the poses ``before``."""
        moved_m = np.linalg.norm(self.positions() - before[0], axis=1)
        return moved_m, quat_angle_rad(self.data.xquat[self.bodies], before[1])

    def displaced_beyond(
        self, which: np.ndarray, far_m: float, far_rad: float
    ) -> Callable[[], bool]:
        """Return a predicate: has any of ``which`` (n,) moved by far_m or turned by far_rad?"""
        bodies = self.bodies[which]
        start, turned = self.data.xpos[bodies], self.data.xquat[bodies]
        far_m2, alike = far_m**2, math.cos(far_rad / 2)

        def strays() -> bool:
            apart = self.data.xpos[bodies] - start
            if (apart * apart).sum(axis=1).max(initial=0.0) > far_m2:
                return True
            cosines = (self.data.xquat[bodies] * turned).sum(axis=1)
            return bool(np.abs(cosines).min(initial=1.0) < alike)

        return strays

    def speeds(self) -> np.ndarray:
        """Largest linear (m/s) and angular (rad/s) speed component of each item, (n, 2).

        An attached item has the speed of the item it is attached to.
        """
        joints = self.model.body_jntadr[self.model.body_rootid[self.bodies]]
        qvel = np.abs(self.data.qvel[self.model.jnt_dofadr[joints][:, None] + np.arange(6)])
        return np.stack([qvel[:, :3].max(axis=1), qvel[:, 3:].max(axis=1)], axis=1)

    def pose(self, name: str) -> Pose:
        """Current ``world_from_object`` of an item."""
        body = self.data.body(name)
        return Pose(vec3(body.xpos), quat(body.xquat))

    def mass_kg(self, name: str) -> float:
        """Mass of the item, as perturbed, without attached items."""
        return float(self.model.body(name).mass[0])

    def touching(self, name: str) -> frozenset[str]:
        """Names of what the item currently touches: items, or ``table``."""
        bodies = self.model.geom_bodyid[self.data.contact.geom]
        others = bodies[(bodies == self.model.body(name).id)[:, ::-1]]
        return frozenset(self.model.body(body).name if body else "table" for body in others)

    def supported_items(self, name: str) -> frozenset[str]:
        """Names of items that rest on ``name`` directly or indirectly, by current contacts."""
        bodies = self.model.geom_bodyid[self.data.contact.geom]
        up = self.data.contact.frame[:, 2]  # the normal's z, from the first body to the second
        lower = np.where(up > 0, bodies[:, 0], bodies[:, 1])[np.abs(up) > _RESTING]
        upper = np.where(up > 0, bodies[:, 1], bodies[:, 0])[np.abs(up) > _RESTING]
        found, new = set[int](), {self.model.body(name).id}
        while new:
            found |= new
            new = set(upper[np.isin(lower, list(new))].tolist()) - found
        return frozenset(self.model.body(body).name for body in found) - {name}

    def contact_cluster(self, name: str) -> frozenset[str]:
        """Names of items that touch ``name`` directly or through other items."""
        found, new = {name}, {name}
        while new:
            new = set[str]().union(*map(self.touching, new)) - found - {"table"}
            found |= new
        return frozenset(found) - {name}

    def deepest_contact_m(self, name: str = "") -> float:
        """Largest penetration (m) among current contacts, of all items or of one."""
        depth = -self.data.contact.dist
        if name:
            bodies = self.model.geom_bodyid[self.data.contact.geom]
            depth = depth[(bodies == self.model.body(name).id).any(axis=1)]
        return float(depth.max(initial=0.0))

    def steps_in(self, duration_s: float) -> int:
        """Number of time steps in ``duration_s``; ValueError if they do not divide it."""
        step_s = self.model.opt.timestep
        steps = round(duration_s / step_s)
        if abs(steps * step_s - duration_s) > 1e-3 * step_s:
            raise ValueError(f"{duration_s} s is not a whole number of time steps of {step_s} s")
        return steps

    def run(self, duration_s: float) -> None:
        """Simulate for ``duration_s``, a whole number of time steps."""
        mujoco.mj_step(self.model, self.data, self.steps_in(duration_s))
        ensure_stable(self.data)

    def snapshot(self) -> np.ndarray:
        """Full state of the simulation, for :meth:`restore`."""
        state = np.empty(mujoco.mj_stateSize(self.model, _STATE))
        mujoco.mj_getState(self.model, self.data, state, _STATE)
        return state

    def restore(self, state: np.ndarray) -> None:
        """Restore a snapshot."""
        mujoco.mj_setState(self.model, self.data, state, _STATE)
        mujoco.mj_forward(self.model, self.data)

    def place_held(self, pose: Pose) -> None:
        """Put the held item at ``pose``, at rest; overlaps are not checked."""
        joint = self._pose_held(pose)
        start = self.model.jnt_dofadr[joint]
        self.data.qvel[start : start + 6] = 0.0
        mujoco.mj_forward(self.model, self.data)

    def touched_at(self, pose: Pose) -> frozenset[str]:
        """Names of what the held item touches at ``pose``; leaves the state as it is there."""
        self._pose_held(pose)
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_collision(self.model, self.data)
        return self.touching(self.names[self.held])

    def _pose_held(self, pose: Pose) -> int:
        joint = int(self.model.body_jntadr[self.bodies[self.held]])
        start = self.model.jnt_qposadr[joint]
        self.data.qpos[start : start + 7] = (*pose.pos, *pose.quat)
        return joint

    def grasp(self) -> None:
        """Close the hand on the held item where it is; from now on the hand carries its weight."""
        body = self.bodies[self.held]
        self.data.mocap_pos[0] = self.data.xpos[body]
        self.data.mocap_quat[0] = self.data.xquat[body]
        self.data.eq_active[0] = 1
        self.data.xfrc_applied[body, 2] = self._held_weight_n

    def release(self) -> None:
        """Open the hand."""
        self.data.eq_active[0] = 0
        self.data.xfrc_applied[:] = 0.0

    def lag_m(self) -> float:
        """Distance of the held item behind the hand, m."""
        body = self.bodies[self.held]
        return math.dist(self.data.xpos[body].tolist(), self.data.mocap_pos[0].tolist())

    def move_hand(
        self,
        displacement_m: np.ndarray,
        speed_m_s: float,
        stop: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Move the hand in a straight line; False if ``stop`` (checked every 8 ms) ended it.

        The perturbation scales the speed.
        """
        speed_m_s *= self.hand_speed_scale
        distance = float(np.linalg.norm(displacement_m))
        per_chunk = self.steps_in(HAND_CHUNK_S)
        chunks = max(1, int(np.ceil(distance / (speed_m_s * HAND_CHUNK_S))))
        hand, way = self.data.mocap_pos[0], displacement_m / chunks
        arrived = True
        for _ in range(chunks):
            hand += way
            mujoco.mj_step(self.model, self.data, per_chunk)
            if stop():
                arrived = False
                break
        ensure_stable(self.data)
        return arrived


def _compiled(layout: Layout) -> mujoco.MjModel:
    """A new copy of the compiled model of the layout, without perturbation.

    Things are compiled once and then only moved: repetitions and trials differ in poses alone.
    """
    model = copy(_kept(_things_of(layout)))
    poses = {i.name: i.world_from_object for i in layout.items if not i.attached_to}
    _stand(model, poses)
    return model


@lru_cache(maxsize=16)
def _things_of(layout: Layout) -> Layout:
    """Its items alone, without poses and action: the key of compiled models."""

    def on_carrier(item: Item) -> Pose:  # rounded, to be the same wherever the carrier stands
        here = _from_carrier(layout, item)
        return Pose(vec3(np.round(here.pos, 9)), quat(np.round(here.quat, 9)))

    shapes = tuple(
        item.at(on_carrier(item) if item.attached_to else ORIGIN) for item in layout.items
    )
    fixed = frozenset(item.name for item in layout.items if not layout.moves(item))
    return Layout(shapes, "", (), fixed=fixed)


@lru_cache(maxsize=16)
def _kept(layout: Layout) -> mujoco.MjModel:
    return _compile(layout, lambda spec: None)


def _stand(model: mujoco.MjModel, poses: Mapping[str, Pose]) -> None:
    """Set the initial poses of things by name; attached things follow."""
    for name, pose in poses.items():
        body = model.body(name).id
        model.body_pos[body], model.body_quat[body] = pose.pos, pose.quat
        joint = model.body_jntadr[body]
        # What a use hinges or guides starts from where its body stands.
        if joint >= 0 and model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
            start = model.jnt_qposadr[joint]
            model.qpos0[start : start + 7] = (*pose.pos, *pose.quat)


def _compile(layout: Layout, prepare: Callable[[mujoco.MjSpec], None]) -> mujoco.MjModel:
    spec = physics_spec(layout)
    _add_hand(spec, next(item.name for item in layout.items if layout.moves(item)))
    prepare(spec)
    log_warnings()
    return spec.compile()


def _perturb(model: mujoco.MjModel, layout: Layout, perturbation: Perturbation) -> None:
    """Disturb a model of the undisturbed layout."""
    model.opt.timestep *= perturbation.time_step_scale
    bodies = {item.name: model.body(item.name).id for item in layout.items}
    geoms = np.isin(model.geom_bodyid, list(bodies.values()))
    model.geom_friction[geoms, 0] *= perturbation.friction_scale
    model.geom_friction[geoms, 2] *= perturbation.rolling_friction_scale
    for k, name in enumerate(dict.fromkeys(layout.critical_objects)):
        scale = perturbation.mass_scale if k % 2 == 0 else 1.0 / perturbation.mass_scale
        model.body_mass[bodies[name]] *= scale
        model.body_inertia[bodies[name]] *= scale
    if perturbation.pose_noise_m or perturbation.pose_noise_rad:
        _displace(model, layout, perturbation)


def _displace(model: mujoco.MjModel, layout: Layout, perturbation: Perturbation) -> None:
    rng = np.random.default_rng(perturbation.seed)
    placed: dict[str, Pose] = {}
    for item in _carriers_first(layout):
        if carrier := item.attached_to:
            placed[item.name] = placed[carrier] @ _from_carrier(layout, item)
        else:
            placed[item.name] = perturbed_pose(item, perturbation, rng)
    # What is attached moves along with its carrier.
    _stand(model, {i.name: placed[i.name] for i in layout.items if not i.attached_to})


def _from_carrier(layout: Layout, item: Item) -> Pose:
    carrier = layout.item(item.attached_to)
    return carrier.world_from_object.inverse() @ item.world_from_object


def _carriers_first(layout: Layout) -> list[Item]:
    return sorted(layout.items, key=lambda item: bool(item.attached_to))


def physics_spec(layout: Layout) -> mujoco.MjSpec:
    """Uncompiled model of table and items, each item a body of its name."""
    spec = mujoco.MjSpec()
    option = spec.option
    option.timestep = TIME_STEP_S
    option.gravity = (0.0, 0.0, -GRAVITY_M_S2)
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 10
    # Newer versions do so unless told otherwise, and have lost the name.
    option.enableflags |= getattr(mujoco.mjtEnableBit, "mjENBL_MULTICCD", 0)
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_NATIVECCD
    # The table's own friction is low: MuJoCo takes the larger of two, so the item decides.
    table = spec.worldbody.add_geom(
        name="table",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=(0.0, 0.0, 1.0),
        friction=(0.01, TORSIONAL_FRICTION_M, ROLLING_FRICTION_M),
    )
    _stiffen(table)
    bodies: dict[str, mujoco.MjsBody] = {}
    for item in _carriers_first(layout):
        if item.attached_to:
            here = _from_carrier(layout, item)
            carrier = bodies[item.attached_to]
            body = carrier.add_body(name=item.name, pos=here.pos, quat=here.quat)
        else:
            pose = item.world_from_object
            body = spec.worldbody.add_body(name=item.name, pos=pose.pos, quat=pose.quat)
            if layout.moves(item):
                body.add_freejoint()
        bodies[item.name] = body
        solid = [p for p in item.parts if p.collides]
        volume = sum(part_volume_m3(p) for p in solid)
        for j, part in enumerate(solid):
            geom = add_part(spec, body, part, f"{item.name}/{j}")
            geom.mass = item.mass_kg * part_volume_m3(part) / volume
            geom.friction = (item.friction, TORSIONAL_FRICTION_M, ROLLING_FRICTION_M)
            _stiffen(geom)
            geom.condim = 6 if part.shape in ("sphere", "cylinder", "ellipsoid", "capsule") else 3
    return spec


def _add_hand(spec: mujoco.MjSpec, held: str) -> None:
    spec.worldbody.add_body(name=_HAND, mocap=True)
    weld = spec.add_equality(
        name=_HAND,
        type=mujoco.mjtEq.mjEQ_WELD,
        objtype=mujoco.mjtObj.mjOBJ_BODY,
        name1=_HAND,
        name2=held,  # until the hand turns to another
        active=False,
    )
    weld.data[1] = 0.0  # where it holds; for a joint by default
    weld.data[6] = 1.0  # as the hand is turned


def _stiffen(geom: mujoco.MjsGeom) -> None:
    """Stiffer than by default, for contact with anything."""
    geom.solref[0] = 0.01
    geom.solimp[:2] = (0.95, 0.99)
