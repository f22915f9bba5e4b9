"""Damages files for readers, in a process of its own of bounded memory.

``python tests/fuzz/fuzz.py READER,... EXAMPLES [SEED]``; ``all`` has a process for each. Any
damage has to end in a record or in one line that says what is wrong; a crash, a hang of more than
SECONDS or more than MEMORY_BYTES is a find. Without SEED the same examples are tried every time.
"""

import faulthandler
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import chdir
from pathlib import Path

MEMORY_BYTES = 6 * 2**30
SECONDS = 60


def run(name: str, examples: int, seed: int | None) -> None:
    """Try ``examples`` damages on the reader ``name``; raises what a reader must not raise."""
    from damage import several
    from hypothesis import HealthCheck, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st
    from readers import READERS

    from pactwin.suite import PactwinError

    reader = READERS[name]
    refused = 0
    with tempfile.TemporaryDirectory() as made:
        whole = Path(made) / "whole"
        whole.mkdir()
        reader.make(whole)
        reader.read(_copied(whole))  # undamaged, it is read
        files = sorted({p for glob in reader.files for p in whole.glob(glob) if p.is_file()})
        names = [path.relative_to(whole) for path in files]

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=seed is None,
            suppress_health_check=list(HealthCheck),
        )
        @given(data=st.data())
        def damage_and_read(data: st.DataObject) -> None:
            nonlocal refused
            folder = _copied(whole)
            file = folder / data.draw(st.sampled_from(names))
            file.write_bytes(several(file.read_bytes(), data.draw))
            if reader.repair and data.draw(st.booleans()):
                reader.repair(folder, file)
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            try:
                reader.read(folder)
            except PactwinError as error:
                refused += 1
                assert type(error).exit_code in (2, 3), error
                assert str(error)
                assert "\n" not in str(error)
            finally:
                faulthandler.cancel_dump_traceback_later()

        if seed is not None:
            damage_and_read = seeded(seed)(damage_and_read)
        start = time.monotonic()
        with chdir(made):
            damage_and_read()
        left = sorted(path.name for path in Path(made).iterdir())
        assert left == ["copy", "whole"], f"stray files: {left}"
        seconds = time.monotonic() - start
        told = f"{name}: {examples} examples, {refused} readings refused, {seconds:.0f} s"
        print(told, flush=True)  # noqa: T201


def _copied(whole: Path) -> Path:
    folder = whole.with_name("copy")
    shutil.rmtree(folder, ignore_errors=True)
    return Path(shutil.copytree(whole, folder))


def main(names: str, examples: str, seed: str = "") -> int:
    """Run some readers here, or all, each in a process of its own; how many failed."""
    if names != "all":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        for name in names.split(","):
            run(name, int(examples), int(seed) if seed else None)
        return 0
    from readers import READERS

    return sum(
        subprocess.run([sys.executable, __file__, each, examples, seed], check=False).returncode
        != 0
        for each in READERS
    )


if __name__ == "__main__":
    folder = Path(__file__).parent
    sys.path[:0] = [str(folder), str(folder.parent), str(folder.parents[1] / "stand_ins")]
    sys.exit(main(*sys.argv[1:]))
