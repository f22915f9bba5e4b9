"""Choose the OpenGL backend by a test render, before mujoco is imported.

mujoco binds to the backend named by ``MUJOCO_GL`` when it is first imported, and a broken backend
may raise odd errors there or end the process. So backends are first tested in a separate process.
The result stays in the environment, where worker processes find it without another test.
"""

import atexit
import importlib
import json
import os
import re
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pactwin.suite import EnvironmentFaultError, unknown_name

if TYPE_CHECKING:
    from mujoco.egl import GLContext

FIXES = {
    "egl": "apt-get install -y libegl1 libgl1-mesa-dri libopengl0",
    "osmesa": "apt-get install -y libosmesa6",
    "glfw": "apt-get install -y libgl1 libgl1-mesa-dri, and run under a display (xvfb-run)",
}
"""Backends, the first two in order of preference, with instructions for Debian."""

PROBE_TIMEOUT_S = 60.0

# Set by a successful trial for this process and those it starts.
_FOUND = "PACTWIN_GL_FOUND"


@dataclass(frozen=True)
class GLInfo:
    """OpenGL in use: backend as in ``MUJOCO_GL``, and name of the renderer."""

    backend: str
    renderer: str

    @property
    def software(self) -> bool:
        """Return whether the CPU renders: correct, but slower."""
        words = ("llvmpipe", "softpipe", "swrast", "software")
        return any(word in self.renderer.lower() for word in words)


def ensure_gl() -> GLInfo:
    """Choose a working OpenGL: the user's ``MUJOCO_GL`` if set, else EGL, else OSMesa.

    Sets ``MUJOCO_GL``. Raises InvalidInputError if the user's choice is not a backend, and
    EnvironmentFaultError with the command that fixes it if no allowed backend works.
    """
    chosen = os.environ.get("MUJOCO_GL", "").lower().strip()
    if chosen and chosen not in FIXES:
        raise unknown_name("MUJOCO_GL", chosen, list(FIXES))
    if _FOUND in os.environ:
        found = GLInfo(**json.loads(os.environ[_FOUND]))
        if not chosen or chosen == found.backend:
            os.environ["MUJOCO_GL"] = found.backend
            return found
    failures = {}
    for backend in [chosen] if chosen else ["egl", "osmesa"]:
        result = _try(backend)
        if isinstance(result, GLInfo):
            os.environ["MUJOCO_GL"] = backend
            os.environ[_FOUND] = json.dumps(asdict(result))
            return result
        failures[backend] = result
    first = next(iter(failures))
    reasons = "; ".join(f"{backend}: {reason}" for backend, reason in failures.items())
    raise EnvironmentFaultError(f"OpenGL cannot draw ({reasons}). Fix: {FIXES[first]}")


def use_gl() -> None:
    """Make this process's only OpenGL context current. Raises as :func:`ensure_gl`."""
    _context().make_current()


@lru_cache(maxsize=1)
def renderer_in_use() -> str:
    """Name of the renderer of this process's OpenGL context. Raises as :func:`ensure_gl`."""
    use_gl()
    return _renderer_name()


@lru_cache(maxsize=1)
def _context() -> "GLContext":
    module = importlib.import_module(f"mujoco.{ensure_gl().backend}")
    # Mesa's software OpenGL shares a picture among threads otherwise: which draws what depends on
    # the moment, and with a worker per core threads only compete (20 % more processor time).
    os.environ.setdefault("LP_NUM_THREADS", "0")
    context = module.GLContext(1920, 1080)
    # Not left to the interpreter's end, when the modules it needs are gone.
    atexit.register(context.free)
    return context


def _try(backend: str) -> GLInfo | str:
    """Result of a test render with ``backend`` in its own process, or why it failed."""
    environment = os.environ | {"MUJOCO_GL": backend}
    environment.pop(_FOUND, None)
    try:
        run = subprocess.run(
            [sys.executable, "-m", "pactwin.sim.rendering.gl", backend],
            env=environment,
            capture_output=True,
            text=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {PROBE_TIMEOUT_S:.0f} s"
    if run.returncode == 0:
        return GLInfo(backend, run.stdout.splitlines()[-1])
    if run.returncode < 0:
        return f"crashed with signal {-run.returncode}"
    raised = re.search(r"^[\w.]*(?:Error|Exception|Warning): .*$", run.stderr, re.MULTILINE)
    return raised.group() if raised else f"exit code {run.returncode}"


def _probe(backend: str) -> str:
    """Draw a red box with ``backend`` and return the renderer's name; raises if it is not red."""
    mujoco = importlib.import_module("mujoco")
    context = importlib.import_module(f"mujoco.{backend}").GLContext(64, 64)
    context.make_current()
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><visual><headlight ambient='1 1 1'/></visual><worldbody>"
        "<geom type='box' size='.2 .2 .2' rgba='1 0 0 1'/>"
        "<camera pos='0 0 1'/></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with mujoco.Renderer(model, 32, 32) as renderer:
        renderer.update_scene(data, camera=0)
        red, green, blue = (int(v) for v in renderer.render()[16, 16])
        if red <= 2 * max(green, blue):
            raise RuntimeError(f"the test picture shows {red, green, blue} instead of red")
        return _renderer_name()


def _renderer_name() -> str:
    """The renderer of the current context."""
    gl = importlib.import_module("OpenGL.GL")
    return gl.glGetString(gl.GL_RENDERER).decode()


if __name__ == "__main__":
    sys.stdout.write(_probe(sys.argv[1]))
    sys.stdout.flush()
    # Some drivers crash while they are taken down at exit, after all has worked.
    os._exit(0)
