"""``pactwin doctor``: checks of this machine, with fixes."""

import importlib.metadata
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import typer

from pactwin.cli.boundary import handle_errors, negative
from pactwin.cli.options import Force, PicturePath, RobotMapping, RobotModelPath
from pactwin.cli.robots import draw_robot

State = Literal["ok", "warning", "missing"]
_COLORS = {"ok": typer.colors.GREEN, "warning": typer.colors.YELLOW, "missing": typer.colors.RED}

_LOW_DISK_GIB = 5.0
_NEEDED_DISK_GIB = 0.5


@dataclass(frozen=True)
class Finding:
    """One line of the report; ``missing`` means that something required does not work."""

    subject: str
    state: State
    detail: str
    fix: str = ""

    def __str__(self) -> str:
        mark = typer.style(f"{self.state:<8}", fg=_COLORS[self.state])
        return f"{mark} {self.subject:<10} {self.detail}" + (f"; {self.fix}" if self.fix else "")


@handle_errors
def doctor(
    robot: Annotated[
        str | None, typer.Option(help="Draw a built-in robot, g1 or panda, instead.")
    ] = None,
    robot_model: RobotModelPath = None,
    robot_mapping: RobotMapping = None,
    out: PicturePath = Path("robot.png"),
    force: Force = False,
) -> None:
    """Check what works on this machine, and how to fix it.

    With --robot or --robot-model, draw that robot at the table and list its parts and reach.
    """
    if robot is not None or robot_model is not None or robot_mapping is not None:
        return draw_robot(robot, robot_model, robot_mapping, out, force)
    missing = []
    for finding in findings():
        typer.echo(str(finding))
        if finding.state == "missing":
            missing.append(finding.subject)
    if missing:
        raise negative(f"needed and missing: {', '.join(missing)}")


def findings() -> Iterator[Finding]:
    """All checks, quick ones first."""
    yield _python()
    yield from _packages()
    yield _disk(Path.cwd())
    yield _renderer()
    yield from _devices()


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if (3, 11) <= sys.version_info[:2] <= (3, 13):
        return Finding("python", "ok", version)
    return Finding("python", "missing", version, "install Python 3.11, 3.12 or 3.13")


def _packages() -> Iterator[Finding]:
    wanted = [name for name, needed in _declared() if needed]
    pins = dict(_pins())
    absent = [name for name in wanted if _installed(name) is None]
    if absent:
        yield Finding("packages", "missing", f"not installed: {', '.join(absent)}", "run make env")
    drifted = [
        f"{name} {_installed(name)} (tested with {pins[name]})"
        for name in wanted
        if name in pins and _installed(name) not in (None, pins[name])
    ]
    if drifted:
        yield Finding(
            "packages", "warning", ", ".join(drifted), "make env installs the tested ones"
        )
    if not absent and not drifted:
        shown = ", ".join(f"{n} {_installed(n)}" for n in ("mujoco", "numpy", "inspect-ai"))
        known = "as tested" if pins else "installed"
        yield Finding("packages", "ok", f"all {len(wanted)} {known} ({shown})")
    if find_spec("rerun") is None:
        yield Finding("rerun", "warning", "not installed", "pactwin show --rerun needs rerun-sdk")
    else:
        yield Finding("rerun", "ok", str(_installed("rerun-sdk")))


def _declared() -> Iterator[tuple[str, bool]]:
    """(name, needed) of the packages in pactwin's own metadata; extras are not needed."""
    for line in importlib.metadata.requires("pactwin") or []:
        yield _name(line), "extra ==" not in line


def _pins() -> Iterator[tuple[str, str]]:
    """(name, version) of the tested packages; none if installed without the repository."""
    path = Path(__file__).parents[2] / "requirements" / "base.txt"
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            name, _, version = line.partition("==")
            yield _name(name), version


def _name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    return match.group().lower().replace("_", "-") if match else requirement


def _installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _disk(folder: Path) -> Finding:
    free_gib = shutil.disk_usage(folder).free / 2**30
    detail = f"{free_gib:.1f} GiB free in {folder}"
    if free_gib < _NEEDED_DISK_GIB:
        return Finding(
            "disk", "missing", detail, "free some: a suite of 100 pairs takes about half"
        )
    if free_gib < _LOW_DISK_GIB:
        return Finding("disk", "warning", detail, "large suites may not fit")
    return Finding("disk", "ok", detail)


def _renderer() -> Finding:
    from pactwin.sim import ensure_gl
    from pactwin.suite import PactwinError

    try:
        gl = ensure_gl()
    except PactwinError as error:
        return Finding("opengl", "missing", str(error))
    detail = f"{gl.backend}, {gl.renderer}: a test picture was drawn"
    if gl.software:
        return Finding("opengl", "warning", detail, "in software: correct, but slower than a GPU")
    return Finding("opengl", "ok", detail)


def _devices() -> Iterator[Finding]:
    yield _gpu()
    yield _realsense()
    names = sorted(path.name for path in Path("/sys/class/net").glob("*"))
    if names:
        yield Finding("network", "ok", f"interfaces: {', '.join(names)}")
    else:
        yield Finding("network", "warning", "no interface found", "a robot's link needs one")


def _gpu() -> Finding:
    nodes = sorted(str(p) for p in Path("/dev").glob("nvidia[0-9]*"))
    nodes += sorted(str(p) for p in Path("/dev/dri").glob("renderD*"))
    if nodes:
        return Finding("gpu", "ok", ", ".join(nodes))
    return Finding("gpu", "warning", "none found", "not needed")


def _realsense() -> Finding:
    if find_spec("pyrealsense2") is None:
        return Finding(
            "realsense",
            "warning",
            "pyrealsense2 is not installed",
            "only capture on a rig needs it",
        )
    # In a process of its own: the driver may crash on a machine without USB.
    listing = (
        "import pyrealsense2 as rs; "
        "print(*(f'{d.get_info(rs.camera_info.name)} {d.get_info(rs.camera_info.serial_number)}'"
        " for d in rs.context().query_devices()), sep=', ')"
    )
    try:
        run = subprocess.run(
            [sys.executable, "-c", listing], capture_output=True, text=True, timeout=30, check=False
        )
    except subprocess.TimeoutExpired:
        return Finding("realsense", "warning", "librealsense does not answer", "replug the camera")
    if run.returncode != 0:
        reason = (run.stderr.strip().splitlines() or [f"exit code {run.returncode}"])[-1]
        return Finding("realsense", "warning", reason, "apt-get install -y libusb-1.0-0")
    if not run.stdout.strip():
        return Finding("realsense", "warning", "no camera found", "only capture on a rig needs one")
    return Finding("realsense", "ok", run.stdout.strip())
