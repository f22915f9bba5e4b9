"""Data set card for the Hub: the page of an export, with metadata in its header."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template

import yaml

from pactwin.suite import COMMITMENT, Suite, contact_sheet, one_line

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_OURS = "apache-2.0"
PICTURE = "example.png"


def write_card(
    suite: Suite, folder: Path, rows: Mapping[str, int], license: str | None = None
) -> None:
    """Write ``README.md``, and its picture of twins, to ``folder``.

    ``rows`` counts the rows of each configuration, the default one first, which has the split
    ``test``.
    """
    first = next(suite.scenes(), None)
    simulated = all(scene.source in ("sim", "rehearsal") for scene in suite.scenes())
    default, *others = rows
    n_rows = rows[default]
    header = {
        "pretty_name": one_line(suite.info.name),
        "license": license or (_OURS if simulated else "other"),
        "language": ["en"],
        "task_categories": ["visual-question-answering"],
        "tags": ["robotics", "vision-language", "pactwin"],
        "size_categories": [next((s for n, s in _SIZES if n_rows < n), "100K<n<1M")],
        "configs": [
            {
                "config_name": default,
                "default": True,
                "data_files": [{"split": "test", "path": f"{default}/*.parquet"}],
            },
            *({"config_name": name, "data_files": f"{name}/*.parquet"} for name in others),
        ],
    }
    request = suite.info.request
    seed = request.get("seed", f"committed to: {request.get(COMMITMENT, 'unknown')}")
    shown = ""
    if first is not None and first.views:
        contact_sheet(suite, first.id, folder / PICTURE)
        shown = f"![A scene, with its twin if it has one]({PICTURE})"
    card = Template((files("pactwin.tasks.exporting") / "card.md").read_text(encoding="utf-8"))
    text = card.substitute(
        header=yaml.safe_dump(header, sort_keys=False, allow_unicode=True).strip(),
        name=one_line(suite.info.name),
        made_by=one_line(suite.info.made_by),
        seed=one_line(str(seed)),
        content_hash=suite.info.content_hash,
        shown=shown,
        labels=_LABELS["sealed" if suite.is_sealed else "tried" if simulated else "published"],
        **{f"n_{name}": f"{count:,}" for name, count in rows.items()},
    )
    (folder / "README.md").write_text(text, encoding="utf-8")


_LABELS = {
    "tried": "Labels are trials: each action was simulated, repeatedly and with small changes of "
    "friction, mass, time step and poses. Feasible means that every precondition of the action "
    "holds; a label that flips is not in the set. Each scene has a twin that differs in the cause "
    "alone and has the other answer, so that no constant answer and no word of the question earns "
    "anything. A question is asked of a view only if the deciding objects can be seen there.",
    "sealed": "This suite is sealed: `truth`, `accepted`, `feasible` and `constraint` are empty, "
    "and no twin is named. Its organiser scores the logs of `pactwin eval`.",
    "published": "Labels are those of the source that the scenes come from, as far as nothing was "
    "simulated.",
}
