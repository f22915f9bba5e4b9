"""Makes the suites of an edition anew and pins what came out: in editions.yaml, and on its page.

python tools/pin_edition.py 2026-12                      # every suite that the file has of it
python tools/pin_edition.py 2026-12 constraints ladders  # these
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from pactwin.suite import (
    EDITIONS_FILE,
    EditionSuite,
    Suite,
    edition_suite,
    load_editions,
    scene_digest,
    write_file,
)

PAGE = Path(__file__).parents[1] / "docs" / "editions.md"
_HEAD = "# Written by tools/pin_edition.py, but for the requests.\n"
_TABLE = re.compile(r"(\| edition \|.*\n\|.*\n)(?:\|.*\n)*")


def main(name: str, commands: tuple[str, ...]) -> None:
    """Make and pin the suites of edition ``name`` that ``commands`` make; all if there are none."""
    told = yaml.safe_load(EDITIONS_FILE.read_bytes())
    for command in commands or tuple(load_editions()[name]):
        told[name][command] = pinned(command, edition_suite(name, command))
        lines = yaml.safe_dump(told, sort_keys=False, default_flow_style=None, width=100)
        write_file(EDITIONS_FILE, _HEAD + lines)
    load_editions.cache_clear()
    page = PAGE.read_text(encoding="utf-8")
    write_file(PAGE, _TABLE.sub(lambda found: found[1] + "".join(rows()), page))


def pinned(command: str, fixed: EditionSuite) -> dict[str, Any]:
    """The suite made anew, as the file has it."""
    options = [f"--{key.replace('_', '-')}={value}" for key, value in fixed.options().items()]
    run = "from pactwin.cli import main; main()"
    with tempfile.TemporaryDirectory() as folder:
        out = ["--out", f"{folder}/suite", "--workers", "2"]
        subprocess.run([sys.executable, "-c", run, "make", command, *out, *options], check=True)
        suite = Suite.open(f"{folder}/suite")
        info, scenes = suite.info, list(suite.scenes())
    (version,) = {s.verdict.trial_version for s in scenes if s.verdict} or {None}
    found = fixed.model_copy(
        update={
            "trial_version": version,
            "made_by": info.made_by,
            "packages": info.packages,
            "gl_renderer": info.gl_renderer,
            "counts": {key: n for key, n in info.counts.items() if "/" not in key and n},
            "content_hash": info.content_hash,
            "scenes": tuple(sorted(set(map(scene_digest, scenes)))),
        }
    )
    return found.model_dump(mode="json")


def rows() -> list[str]:
    """Rows of the page's table, a suite each."""
    return [
        f"| {name} | `make {command}` | {', '.join(f'{n:,} {key}' for key, n in counts.items())} | "
        f"`{suite.content_hash}` |\n"
        for name, suites in load_editions().items()
        for command, suite in suites.items()
        for counts in [suite.counts]
    ]


if __name__ == "__main__":
    main(sys.argv[1], tuple(sys.argv[2:]))
