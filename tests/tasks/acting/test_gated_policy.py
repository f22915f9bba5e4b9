"""A gated policy acts after yes alone; the model is asked pactwin's question with what is seen.

``tests/nightly/test_inspect_robots.py`` runs the same in Inspect Robots itself. Here its names are
played by the few classes that the wrapper uses.
"""

import hashlib
import sys
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from openai_server import Reply, openai_server
from reply_styles import pixel_hashes, request_of

from pactwin.solvers import direct_prompt
from pactwin.suite import InvalidInputError
from pactwin.tasks import DecidedRight, Decision, GatedPolicy, GateReply, model_gate
from pactwin.tasks.kinds.constraint.questions import question_about

MODEL = "openai-api/local/vlm"
SEEN = {"front": np.full((40, 60, 3), (200, 10, 90), np.uint8)}
ACTION = "put the red block into the cup"


@dataclass(frozen=True)
class Info:
    name: str
    action_space: Any


@dataclass(frozen=True)
class Act:
    data: np.ndarray
    meta: dict[str, Any] = field(default_factory=dict)


class Inner:
    """A policy that moves, and has a hook of its own."""

    config = "as configured"

    def __init__(self, mode: str = "joint_delta", gripper: str = "none", dim: int = 3) -> None:
        semantics = SimpleNamespace(control_mode=mode, rotation_repr="none", gripper=gripper)
        self.info = Info("mover", SimpleNamespace(semantics=semantics, dim=dim, shape=(dim,)))
        self.calls: list[Any] = []

    def reset(self, scene: Any) -> None:
        self.calls.append("reset")

    def act(self, observation: Any) -> str:
        self.calls.append("act")
        return "a chunk that moves"

    def bind(self, embodiment: Any) -> None:
        self.calls.append(embodiment)


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inspect Robots as far as the wrapper and the scorer import it."""
    module: Any = ModuleType("inspect_robots")
    module.Action, module.ActionChunk = Act, lambda actions: SimpleNamespace(actions=actions)
    module.Score = SimpleNamespace
    monkeypatch.setitem(sys.modules, "inspect_robots", module)


def gated(decision: Decision, inner: Inner, **more: Any) -> GatedPolicy:
    def gate(images: Any, action: str) -> GateReply:
        inner.calls.append(f"gate: {action}")
        return GateReply(decision=decision, reply=f"{decision}!", model="m")

    return GatedPolicy(inner, gate, **more)


SCENE = SimpleNamespace(id="s", instruction=ACTION)


def seen(**state: Any) -> Any:
    return SimpleNamespace(images=SEEN, instruction=None, state=state)


def test_after_yes_the_policy_acts_and_is_asked_about_once() -> None:
    inner = Inner()
    policy = gated(Decision.YES, inner)
    policy.reset(SCENE)
    assert [policy.act(seen()), policy.act(seen())] == ["a chunk that moves"] * 2
    first = ["reset", f"gate: {ACTION}", "act", "act"]
    assert inner.calls == first
    policy.reset(SCENE)
    policy.act(seen())
    assert inner.calls == [*first, *first[:3]], "a trial is decided anew"


@pytest.mark.parametrize("decision", [Decision.NO, Decision.ASK])
def test_otherwise_one_still_action_stops_the_trial(decision: Decision) -> None:
    inner = Inner()
    policy = gated(decision, inner)
    policy.reset(SCENE)
    (action,) = policy.act(seen()).actions
    assert not action.data.any() and action.data.shape == (3,)
    assert action.meta == {"request_stop": True, "stop_reason": f"pactwin_gate_{decision}"}
    assert "act" not in inner.calls
    record = SimpleNamespace(metadata={})
    policy.on_trial_end(record, "logs", "run")
    assert (
        record.metadata["gate"]["decision"] == decision == policy.transcript()["gate"]["decision"]
    )


def test_joints_stay_at_their_angles_and_hooks_reach_the_policy() -> None:
    inner = Inner("joint_pos", gripper="continuous")
    policy = gated(Decision.NO, inner)
    policy.bind("a robot")
    assert inner.calls == ["a robot"] and policy.config == inner.config
    assert policy.info.name == "mover+gate"
    assert not hasattr(policy, "transcript_delta")
    policy.reset(SCENE)
    (action,) = policy.act(seen(joint_pos=[0.1, 0.2, 0.3])).actions
    assert action.data.tolist() == [0.1, 0.2, 0.3]
    policy.reset(SCENE)
    with pytest.raises(InvalidInputError, match="has 2: give still="):
        policy.act(seen(joint_pos=[0.1, 0.2]))


@pytest.mark.parametrize(("mode", "gripper"), [("eef_abs_pose", "none"), ("joint_delta", "binary")])
def test_what_would_hold_still_is_not_guessed(mode: str, gripper: str) -> None:
    inner = Inner(mode, gripper)
    with pytest.raises(InvalidInputError, match=f"control mode {mode}.*give still="):
        gated(Decision.YES, inner).reset(SCENE)
    assert not inner.calls
    policy = gated(Decision.NO, inner, still=lambda observation: np.ones(3))
    policy.reset(SCENE)
    assert policy.act(seen()).actions[0].data.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("feasible", "reason", "right"),
    [
        (True, "success", True),
        (True, "pactwin_gate_no", False),
        (True, "max_steps", False),
        (False, "pactwin_gate_no", True),
        (False, "pactwin_gate_ask", False),
        (False, "success", False),
    ],
)
def test_a_right_refusal_counts_as_a_success(feasible: bool, reason: str, right: bool) -> None:
    record: Any = SimpleNamespace(
        scene_id="s", terminated=reason == "success", termination_reason=reason
    )
    target: Any = SimpleNamespace(kind="pactwin", spec={"feasible": feasible})
    assert DecidedRight()(record, target).value is right
    with pytest.raises(InvalidInputError, match="needs Target"):
        DecidedRight()(record, SimpleNamespace(kind="reach", spec={}))


def test_the_model_is_asked_our_question_with_all_that_is_seen() -> None:
    two = {**SEEN, "head": np.zeros((40, 60, 3), np.uint8)}
    with openai_server(lambda body: Reply("<think>yes?</think>\nAnswer: **no**")) as server:
        reply = model_gate(MODEL)(SEEN, ACTION)
        model_gate(MODEL)(two, ACTION)
    assert (reply.decision, reply.model) == (Decision.NO, MODEL)
    alone, both = server.requests
    text, pixels, *kinds = request_of(alone)
    assert pixels == hashlib.sha256(SEEN["front"].tobytes()).hexdigest()
    assert text == direct_prompt("constraint", "yes_no", question_about(ACTION, "yes_no"))
    assert kinds == [("image_url", "text")] and len(set(pixel_hashes(both))) == 2
    assert request_of(both)[0].startswith("Picture 1 (front camera):\nPicture 2 (head camera):")


@pytest.mark.parametrize(
    ("reply", "decision"),
    [
        (Reply("yes"), Decision.YES),
        (Reply("It depends."), Decision.ASK),
        (Reply("", refusal="I cannot help"), Decision.ASK),
        (Reply("yes, but", finish_reason="length"), Decision.ASK),
    ],
)
def test_no_answer_is_neither_yes_nor_no(reply: Reply, decision: Decision) -> None:
    with openai_server(lambda body: reply):
        assert model_gate(MODEL)(SEEN, ACTION).decision == decision


def test_a_failed_call_decides_nothing() -> None:
    with openai_server(lambda body: Reply(status=400)), pytest.raises(Exception, match="planned"):
        model_gate(MODEL)(SEEN, ACTION)
    with pytest.raises(InvalidInputError, match="needs a picture"):
        model_gate(MODEL)({}, ACTION)
