"""Peers of the robot's DDS version: C programs linked against Debian's CycloneDDS 0.10.2."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_SOURCE = Path(__file__).parent / "hardware" / "peer"
# 0.10.2 uses multicast on the loopback interface only when it is told to; 11 does by itself.
_URI = (
    '<CycloneDDS><Domain Id="any"><General><Interfaces><NetworkInterface name="lo" '
    'multicast="true"/></Interfaces></General></Domain></CycloneDDS>'
)


def built_peer(folder: Path) -> Path:
    """The program ``peer`` of ``peer.c``; skips where its compilers are not installed."""
    missing = [tool for tool in ("idlc", "gcc") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} missing: apt-get install cyclonedds-dev gcc libc6-dev")
    subprocess.run(["idlc", "-l", "c", str(_SOURCE / "lowstate.idl")], cwd=folder, check=True)
    sources = [str(_SOURCE / "peer.c"), "lowstate.c"]
    subprocess.run(["gcc", "-O2", "-I.", "-o", "peer", *sources, "-lddsc"], cwd=folder, check=True)
    return folder / "peer"


@contextmanager
def peers(
    program: Path, domain: int, rate_hz: int, seconds: float
) -> Iterator[tuple[subprocess.Popen[str], subprocess.Popen[str]]]:
    """A publisher and a second subscriber of joint states, both of version 0.10."""
    started = []
    try:
        for role in ("write", "read"):
            command = [str(program), role, str(domain), str(rate_hz), str(seconds)]
            process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=os.environ | {"CYCLONEDDS_URI": _URI},
            )
            started.append(process)
            assert process.stdout is not None
            assert process.stdout.readline().startswith("0.10.")
        yield started[0], started[1]
    finally:
        for process in started:
            process.kill()
            process.communicate()
