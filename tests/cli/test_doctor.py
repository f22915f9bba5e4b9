"""``pactwin doctor``: every finding says what and how to mend it; only needs decide the code."""

import subprocess
from collections import namedtuple

import pytest
from commands import invoke

from pactwin.cli import doctor
from pactwin.cli.doctor import Finding, findings

Usage = namedtuple("Usage", "total used free")


def test_every_subject_is_looked_at_and_every_complaint_has_more_to_say() -> None:
    found = list(findings())
    subjects = {finding.subject for finding in found}
    assert subjects >= {"python", "packages", "disk", "opengl", "gpu", "realsense", "network"}
    for finding in found:
        assert finding.detail
        assert finding.state == "ok" or finding.fix or "Fix: " in finding.detail


@pytest.mark.parametrize(("state", "code"), [("ok", 0), ("warning", 0), ("missing", 1)])
def test_only_something_missing_fails(monkeypatch, state, code):
    monkeypatch.setattr(doctor, "findings", lambda: [Finding("disk", state, "1 GiB", "free some")])
    result = invoke("doctor", code=code)
    assert [state, "disk", "1 GiB; free some"] == result.stdout.rstrip().split(maxsplit=2)
    assert ("disk" in result.stderr) == (code == 1)


def test_a_missing_opengl_names_its_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "glfw")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("PACTWIN_GL_FOUND", raising=False)
    (finding,) = (f for f in findings() if f.subject == "opengl")
    assert finding.state == "missing"
    assert "apt-get install" in finding.detail


@pytest.mark.parametrize(("version", "state"), [("0.0.1", "warning"), (None, "missing")])
def test_a_package_of_another_version_or_none(monkeypatch, version, state):
    real = doctor._installed
    monkeypatch.setattr(doctor, "_installed", lambda n: version if n == "mujoco" else real(n))
    found = {f.state: f for f in findings() if f.subject == "packages"}
    assert "mujoco" in found[state].detail
    assert found[state].fix
    monkeypatch.setattr(doctor, "_installed", real)
    monkeypatch.setattr(doctor, "_pins", lambda: iter(()))  # a wheel knows of no tested versions
    assert [f.state for f in findings() if f.subject == "packages"] == ["ok"]


@pytest.mark.parametrize(("free_gib", "state"), [(100, "ok"), (2, "warning"), (0.1, "missing")])
def test_disk(monkeypatch: pytest.MonkeyPatch, free_gib: float, state: str) -> None:
    usage = Usage(0, 0, int(free_gib * 2**30))
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: usage)
    (finding,) = (f for f in findings() if f.subject == "disk")
    assert finding.state == state


@pytest.mark.parametrize(
    ("returncode", "stdout", "state"),
    [(0, "Intel RealSense D435I 123\n", "ok"), (0, "\n", "warning"), (-11, "", "warning")],
)
def test_cameras_even_if_the_driver_crashes(monkeypatch, returncode, stdout, state):
    done = subprocess.CompletedProcess([], returncode, stdout, "")
    monkeypatch.setattr(doctor, "find_spec", lambda _: object())
    monkeypatch.setattr(doctor.subprocess, "run", lambda *_, **__: done)
    assert doctor._realsense().state == state
