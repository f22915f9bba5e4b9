"""A policy for Inspect Robots that asks a gate before it acts, and a scorer of its trials.

Written for inspect-robots 0.60.0, whose ``Policy`` is a protocol: the wrapped policy keeps its
spaces, its configuration and its hooks.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pactwin.suite import InvalidInputError, needs
from pactwin.tasks.acting.gate import Decision, Gate, GateReply

if TYPE_CHECKING:
    from inspect_robots import (
        ActionChunk,
        Observation,
        PolicyConfig,
        PolicyInfo,
        Scene,
        Score,
        Target,
        TrialRecord,
    )

STOPPED = "pactwin_gate_"
"""Prefix of the end reason of trials that the gate stopped; the decision follows."""
TARGET = "pactwin"
"""Kind of a scene's target with the gold answer ``feasible``."""

Still = Callable[["Observation"], np.ndarray]
"""An action (d,) without motion, in the robot's units."""


class GatedPolicy:
    """Wraps a policy: at the first observation of a trial, ``gate`` decides whether it acts.

    After "no", or without an answer, the trial ends with one motionless action. ``still`` returns
    it; by default zeros if actions are changes or velocities of joints or of a pose, and the
    current angles if they are joint angles. If neither is known to be motionless, ``reset`` raises
    InvalidInputError before anything moves.

    The decision and the reply are in the trial's metadata and in the policy's transcript.
    """

    def __init__(self, policy: Any, gate: Gate, still: Still | None = None) -> None:
        self.policy = policy
        self._gate, self._given = gate, still
        self._instruction = ""
        self.decided: GateReply | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["policy"], name)  # hooks that the wrapped policy may have

    @property
    def info(self) -> "PolicyInfo":
        """Information of the wrapped policy, named as gated."""
        return replace(self.policy.info, name=f"{self.policy.info.name}+gate")

    @property
    def config(self) -> "PolicyConfig":
        """Configuration of the wrapped policy."""
        config: PolicyConfig = self.policy.config
        return config

    def reset(self, scene: "Scene") -> None:
        """Begin a trial without a decision."""
        self._instruction, self.decided = scene.instruction, None
        self._still = self._given or _still_of(self.policy.info.action_space)
        self.policy.reset(scene)

    def act(self, observation: "Observation") -> "ActionChunk":
        """The wrapped policy's actions after "yes"; otherwise an action that stops the trial."""
        if self.decided is None:
            action = observation.instruction or self._instruction
            self.decided = self._gate(observation.images, action)
        if self.decided.decision is Decision.YES:
            return self.policy.act(observation)
        with needs("a gated policy needs inspect-robots", "robots"):
            from inspect_robots import Action, ActionChunk
        stop = {"request_stop": True, "stop_reason": f"{STOPPED}{self.decided.decision}"}
        return ActionChunk([Action(self._still(observation), stop)])

    def on_trial_end(self, record: "TrialRecord", log_dir: str, run_id: str) -> None:
        """Put the decision into the trial's metadata."""
        if self.decided is not None:
            record.metadata["gate"] = self.decided.model_dump(mode="json")
        ended = getattr(self.policy, "on_trial_end", None)
        if ended is not None:
            ended(record, log_dir, run_id)

    def transcript(self) -> dict[str, Any]:
        """The decision and the wrapped policy's transcript."""
        told = getattr(self.policy, "transcript", None)
        gate = None if self.decided is None else self.decided.model_dump(mode="json")
        return {"gate": gate, "policy": None if told is None else told()}


def _still_of(space: Any) -> Still:
    """The action that holds still, if the action space defines one; else InvalidInputError."""
    semantics = space.semantics
    mode = getattr(semantics, "control_mode", "unknown")
    if mode == "joint_pos":
        return lambda observation: _angles(observation, space.dim)
    turns = getattr(semantics, "rotation_repr", "none") in ("none", "axis_angle", "euler_xyz")
    changes = mode in ("joint_vel", "joint_delta", "eef_delta_pos", "eef_delta_pose")
    if changes and turns and semantics.gripper == "none":
        return lambda observation: np.zeros(space.shape)
    raise InvalidInputError(
        f"GatedPolicy does not know an action of control mode {mode} (rotation "
        f"{getattr(semantics, 'rotation_repr', 'none')}, gripper "
        f"{getattr(semantics, 'gripper', 'unknown')}) that holds still: give still="
    )


def _angles(observation: "Observation", dim: int) -> np.ndarray:
    angles = np.asarray(observation.state.get("joint_pos", ()), dtype=float)
    if angles.size != dim:
        raise InvalidInputError(
            f"GatedPolicy holds {dim} joints still by the state joint_pos, which has "
            f"{angles.size}: give still="
        )
    return angles


class DecidedRight:
    """Scorer of gated trials: a correct refusal counts as much as a success.

    The scene's target is ``Target("pactwin", {"feasible": ...})``. A feasible action must be done
    (the trial ends with ``success``), an infeasible one refused by the gate.
    """

    name = "decided_right"

    def __call__(self, record: "TrialRecord", target: "Target | None") -> "Score":
        """1 or 0; InvalidInputError for another target."""
        with needs("the scorer of gated trials needs inspect-robots", "robots"):
            from inspect_robots import Score
        if target is None or target.kind != TARGET or "feasible" not in target.spec:
            raise InvalidInputError(
                f"scene {record.scene_id}: {self.name} needs Target({TARGET!r}, "
                '{"feasible": True or False})'
            )
        feasible, why = bool(target.spec["feasible"]), record.termination_reason
        done = record.terminated and why == "success"
        right = done if feasible else why == f"{STOPPED}{Decision.NO}"
        said = "feasible" if feasible else "infeasible"
        return Score(value=right, explanation=f"{said}; the trial ended by {why}")
