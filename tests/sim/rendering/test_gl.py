"""OpenGL is chosen by trying it, and a choice that cannot draw says what fixes it."""

import os
from pathlib import Path

import pytest

from pactwin.sim.rendering.gl import FIXES, GLInfo, ensure_gl, renderer_in_use
from pactwin.suite import EnvironmentFaultError, InvalidInputError


def test_a_backend_that_draws_is_found_and_left_for_child_processes() -> None:
    found = ensure_gl()
    assert found.backend in FIXES
    assert found.renderer
    assert os.environ["MUJOCO_GL"] == found.backend
    assert ensure_gl() == found


def test_a_picture_is_drawn_by_one_thread_so_that_none_depends_on_the_moment() -> None:
    if "llvmpipe" not in renderer_in_use():
        pytest.skip("another driver draws")
    names = [path.read_text() for path in Path("/proc/self/task").glob("*/comm")]
    assert not [name for name in names if name.startswith("llvmpipe")]


def test_an_unknown_choice_names_those_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "vulkan")
    with pytest.raises(InvalidInputError, match=r"'vulkan'.*egl.*osmesa"):
        ensure_gl()


def test_a_choice_that_cannot_draw_names_the_command_that_fixes_it(monkeypatch):
    ensure_gl()
    monkeypatch.delenv("PACTWIN_GL_FOUND")
    monkeypatch.setenv("MUJOCO_GL", "egl")
    monkeypatch.setenv("MUJOCO_EGL_DEVICE_ID", "99")
    with pytest.raises(EnvironmentFaultError, match=r"egl: .*Fix: apt-get install -y libegl1"):
        ensure_gl()


@pytest.mark.parametrize(
    ("renderer", "software"),
    [
        ("llvmpipe (LLVM 15.0.6, 256 bits)", True),
        ("softpipe", True),
        ("NVIDIA H100/PCIe/SSE2", False),
        ("Mesa Intel(R) UHD Graphics 620 (KBL GT2)", False),
    ],
)
def test_software_renderers_are_recognised(renderer: str, software: bool) -> None:
    assert GLInfo("egl", renderer).software is software
