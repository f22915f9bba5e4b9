"""``tools/audit.sh`` tells what is known of the pins, or that nobody could be asked."""

import json
import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "tools" / "audit.sh"
KNOWN = {"id": "CVE-1", "fix_versions": ["3.1.6"]}


def pin(**about: object) -> dict[str, object]:
    return {"name": "jinja2", "version": "3.1.2", **about}


@pytest.mark.parametrize(
    ("pins", "status", "told"),
    [
        ([pin(vulns=[])], 0, "asked about 1 of 1 pins"),
        ([pin(vulns=[KNOWN])], 1, "jinja2 3.1.2: CVE-1, mended in 3.1.6"),
        ([pin(skip_reason="not found")], 0, "skipped: the index"),
        (None, 0, "skipped: no advisories could be asked for (error: no route to host)"),
    ],
)
def test_what_is_known_is_told(tmp_path, pins, status, told):
    """pip-audit itself is a stand-in that writes this report; the real one needs the network."""
    report = tmp_path / "report.json"
    lines = ["#!/bin/bash", 'test -s "$7" || exit 9']
    if pins is None:
        lines += ["echo 'error: no route to host' >&2", "exit 1"]
    else:
        report.write_text(json.dumps({"dependencies": pins}))
        lines += [f'cp {report} "${{!#}}"', f"exit {status}"]
    uv = tmp_path / "uv"
    uv.write_text("\n".join(lines))
    uv.chmod(0o755)
    done = subprocess.run(
        [SCRIPT], env=os.environ | {"UV": str(uv)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stderr
    assert told in done.stdout + done.stderr
