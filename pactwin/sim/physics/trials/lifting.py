"""Trial of lifting and keeping level with one hand of limited force and torque.

A hand is a servo that keeps its grip where it was, in place and turn, with limited force and
torque; it lifts in a smooth motion and holds. What it cannot hold sags, tilts or drops what stands
on it. The limits are assumptions for a Unitree G1 (EDU) with three-fingered Dex3-1 hands:

- ``FORCE_N``: 3 kg, what the maker states for one arm.
- ``WRIST_NM``: 60 % of the 5 N m that the maker's description gives the wrist's pitch and yaw
  joints; the rest holds the hand itself (0.7 kg) and is kept in reserve.
- ``SLIP_NM``: about its own axis a bar turns in the fist: fingers that press with 60 N in sum
  (joint torques of 1.4 N m, 6 cm from the tip) at a friction of 0.8 hold a bar of 22 mm with
  0.5 N m.

Rated for pinching, such a hand lifts less (0.5 kg is reported): things to lift have handles.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.trials.removal import LIMIT_M, LIMIT_RAD
from pactwin.sim.physics.world import GRAVITY_M_S2, World
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.pose import Vec3

FORCE_N = 3.0 * GRAVITY_M_S2
WRIST_NM = 3.0
SLIP_NM = 0.5

# Hand and arm give way by 4 mm and 3 degrees at these limits.
_STIFF_N_M = FORCE_N / 0.004
_STIFF_NM_RAD = WRIST_NM / float(np.deg2rad(3.0))
_DAMPING = 0.7  # of critical, for what is lifted
_HAND_KG, _HAND_KG_M2 = 0.7, (0.001,) * 3
_HEIGHT_M, _RISING_S, _HOLDING_S = 0.16, 0.8, 0.3
_CHUNK_S, _LOOK_EVERY = 0.004, 10
_FALLEN = 2.5
GROUP = 1


@dataclass(frozen=True)
class Grip:
    """A grasp of a bar in the object's frame (m).

    ``bar`` is the axis, (1, 0, 0) or (0, 1, 0), of the grasped bar; None for a hand that lies flat
    under the object.
    """

    at: Vec3
    bar: Vec3 | None = None


@dataclass(frozen=True)
class Lift:
    """Result of a lift.

    ``displacement`` is the largest tilt, sag or sliding of objects on top, in units of the limit of
    removal trials (10 degrees, 10 mm); ``tilt_rad`` is the tilt alone. ``load`` is the share of the
    hands' capacity needed to hold level; ``torque_nm`` and ``weight_n`` are those of one hand;
    ``bar_torque_nm`` is the torque that turns a bar in the fist. ``settle_error`` is the reason if
    nothing was lifted.
    """

    displacement: float = 0.0
    tilt_rad: float = 0.0
    load: float = 0.0
    torque_nm: float = 0.0
    weight_n: float = 0.0
    bar_torque_nm: float = 0.0
    settle_error: str = ""


def lift(layout: Layout, perturbation: Perturbation, name: str, grips: Sequence[Grip]) -> Lift:
    """Lift the item by ``grips``, with one hand each, and hold it; returns the result."""
    slip_nm = SLIP_NM * perturbation.friction_scale
    world = World(
        layout,
        perturbation,
        held=name,
        prepare=lambda spec: add_hands(spec, name, grips, slip_nm),
    )
    world.model.opt.disableactuator = 1 << GROUP
    if settle_error := settle(world):
        return Lift(settle_error=settle_error)
    on_it = standing_on(world, name)
    torque, bar_torque, weight, load = _needed(world, (name, *on_it), grips[0], slip_nm)
    hands = [world.model.body(hand_name(k)).mocapid[0] for k in range(len(grips))]
    for k, hand in enumerate(hands):
        world.data.mocap_pos[hand] = world.data.site(grip_name(k)).xpos
        world.data.mocap_quat[hand] = world.pose(name).quat
    damp(world, (name, *on_it), len(grips))
    world.model.opt.disableactuator = 0
    before = relative_m(world, name, on_it)
    low = world.data.mocap_pos[hands].copy()
    displacement = 0.0
    rising_s = _RISING_S / perturbation.hand_speed_scale
    for k in range(round((rising_s + _HOLDING_S) / _CHUNK_S)):
        share = min(1.0, (k + 1) * _CHUNK_S / rising_s)
        height = _HEIGHT_M * (1 - np.cos(np.pi * share)) / 2
        world.data.mocap_pos[hands] = low + np.array([0.0, 0.0, height])
        world.run(_CHUNK_S)
        if (k + 1) % _LOOK_EVERY == 0:
            tilt = float(np.arccos(np.clip(world.pose(name).matrix()[2, 2], -1.0, 1.0)))
            slid = np.linalg.norm(relative_m(world, name, on_it) - before, axis=1)
            sag = max(_sag_m(world, k, hand) for k, hand in enumerate(hands))
            displacement = max(
                tilt / LIMIT_RAD, float(slid.max(initial=0.0)) / LIMIT_M, sag / LIMIT_M
            )
            if displacement > _FALLEN:
                break
    return Lift(round(displacement, 4), tilt, load, torque, weight, bar_torque)


def standing_on(world: World, name: str) -> list[str]:
    """Objects that touch the resting item, over several steps because contacts flicker."""
    found: set[str] = set()
    for _ in range(5):
        found |= world.touching(name)
        world.run(_CHUNK_S)
    return sorted(found - {"table"})


def hand_name(k: int) -> str:
    """Name of the body and its site towards which the servos of a grip pull."""
    return f"lifting hand {k}"


def _servo_name(k: int, axis: int) -> str:
    return f"{hand_name(k)} {axis}"


def grip_name(k: int) -> str:
    """Name of the site on the item where a hand grasps it."""
    return f"grip {k}"


def add_hands(spec: mujoco.MjSpec, name: str, grips: Sequence[Grip], slip_nm: float) -> None:
    """Add a moving frame per grip, and servos that pull the grip towards it."""
    for k, grip in enumerate(grips):
        # MuJoCo 3.3 turns sites the wrong way round in these servos: they keep the body's axes.
        body = spec.body(name)
        body.add_site(name=grip_name(k), pos=grip.at)
        # The hand moves along, but its weight is the arm's.
        body.add_body(
            pos=grip.at, mass=_HAND_KG, inertia=_HAND_KG_M2, explicitinertial=True, gravcomp=1
        )
        spec.worldbody.add_body(name=hand_name(k), mocap=True).add_site(name=hand_name(k))
        for axis, limit in enumerate((FORCE_N,) * 3 + tuple(_torques_nm(grip, slip_nm))):
            stiff = _STIFF_N_M if axis < 3 else _STIFF_NM_RAD
            gain, bias = np.zeros(10), np.zeros(10)
            gain[0], bias[1] = stiff, -stiff
            spec.add_actuator(
                name=_servo_name(k, axis),
                trntype=mujoco.mjtTrn.mjTRN_SITE,
                target=grip_name(k),
                refsite=hand_name(k),
                gear=np.eye(6)[axis],
                gaintype=mujoco.mjtGain.mjGAIN_FIXED,
                biastype=mujoco.mjtBias.mjBIAS_AFFINE,
                gainprm=gain,
                biasprm=bias,
                forcelimited=True,
                forcerange=(-limit, limit),
                group=GROUP,
            )


def damp(world: World, names: Sequence[str], hands: int) -> None:
    """Set the servos' damping for the lifted ``names`` together."""
    bodies = [world.model.body(name).id for name in names]
    for k in range(hands):
        site = world.data.site(grip_name(k))
        axes = site.xmat.reshape(3, 3)
        inertia = np.zeros(3)
        for body in bodies:
            principal = axes.T @ world.data.ximat[body].reshape(3, 3)
            apart = axes.T @ (world.data.xipos[body] - site.xpos)
            mass = world.model.body_mass[body]
            inertia += principal**2 @ world.model.body_inertia[body]
            inertia += mass * (apart @ apart - apart**2)
        total = float(world.model.body_mass[bodies].sum()) + hands * _HAND_KG
        resisting = np.concatenate([np.full(3, total * _STIFF_N_M), inertia * _STIFF_NM_RAD])
        servos = [world.model.actuator(_servo_name(k, axis)).id for axis in range(6)]
        world.model.actuator_biasprm[servos, 2] = -2 * _DAMPING * np.sqrt(resisting) / hands


def _torques_nm(grip: Grip, slip_nm: float) -> np.ndarray:
    """Torque limits of the hand about the axes of the item's frame, N m."""
    along = np.zeros(3) if grip.bar is None else np.abs(grip.bar)
    return WRIST_NM + along * (min(slip_nm, WRIST_NM) - WRIST_NM)


def relative_m(world: World, name: str, others: Sequence[str]) -> np.ndarray:
    """Positions (n, 3) of other items in the frame of an item, m."""
    at = world.pose(name)
    apart = np.array([world.pose(other).pos for other in others]).reshape(-1, 3) - at.pos
    return apart @ at.matrix()[:3, :3]


def _sag_m(world: World, k: int, hand: int) -> float:
    return float(np.linalg.norm(world.data.mocap_pos[hand] - world.data.site(grip_name(k)).xpos))


def _needed(
    world: World, names: Sequence[str], grip: Grip, slip_nm: float
) -> tuple[float, float, float, float]:
    """What one hand needs to hold ``names`` level.

    The torque, its part about the bar (N m), the weight (N), and the largest share of a limit.
    """
    bodies = [world.model.body(name).id for name in names]
    weight = world.model.body_mass[bodies] * GRAVITY_M_S2
    at = world.data.site(grip_name(0)).xpos
    apart = world.data.xipos[bodies] - at
    torque = np.cross(apart, -weight[:, None] * (0.0, 0.0, 1.0)).sum(axis=0)
    about = world.data.site(grip_name(0)).xmat.reshape(3, 3).T @ torque
    share = np.abs(about) / _torques_nm(grip, slip_nm)
    load = max(float(share.max()), float(weight.sum()) / FORCE_N)
    about_bar = 0.0 if grip.bar is None else float(np.abs(about @ np.array(grip.bar)))
    return float(np.linalg.norm(torque)), about_bar, float(weight.sum()), load
