"""Rows for supervised and preference training, in the formats of TRL and LLaMA-Factory.

Pictures are those in view: the first and the newest, as with ``inspect-last``. Contexts of
preference rows hold earlier actions without guidance.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pactwin.suite import (
    InvalidInputError,
    LoadedSuite,
    Question,
    load_suite,
    new_folder,
    require_outside,
)
from pactwin.tasks.kinds.part.training.branches import Branches, Said, branches

Row = dict[str, Any]
Teach = Callable[[LoadedSuite, Sequence[Question], int], Mapping[str, Sequence[Branches]]]
"""Maps ordered questions and a seed to the turns of their inspections, by question."""
_DATASETS = {"sft": {}, "dpo": {"ranking": True}}
_COLUMNS = {"messages": "messages", "images": "images"}
_TAGS = {
    "role_tag": "role",
    "content_tag": "content",
    "user_tag": "user",
    "assistant_tag": "assistant",
}


def export_training(
    suite: Path, held_out: Path | None, out: Path, seed: int, teach: Teach | None = None
) -> dict[str, int]:
    """Write rows about all uses of a suite to the new folder ``out``; returns their numbers.

    There is one file for each trainer and kind of row, beside the pictures. Replies are scripted,
    or come from ``teach``; questions that it leaves out have no rows. Raises InvalidInputError if
    the suite has no such questions with pictures, contains a scene of an edition, or shares a
    scene, object or part with ``held_out``; and the errors of ``teach``.
    """
    loaded = load_suite(str(suite))
    loaded.suite.require_truths()
    asked = [q for q in loaded.questions.values() if q.kind == "creative_use" and q.views]
    if not asked:
        raise InvalidInputError(
            f"{suite} has no questions of creative uses with pictures to train on: "
            "pactwin make creative makes them"
        )
    require_outside(loaded.scenes.values())
    if held_out is not None:
        require_apart(asked, load_suite(str(held_out)).questions.values())
    rows: dict[str, list[Row]] = {name: [] for name in ("sft.trl", "dpo.trl", "sft.lf", "dpo.lf")}
    with new_folder(out) as folder:
        ordered = sorted(asked, key=lambda q: q.id)
        replies = (teach or scripted)(loaded, ordered, seed)
        for question in (q for q in ordered if q.id in replies):
            pictures = _copied(loaded, question, folder)
            for turn in replies[question.id]:
                for name, found in rows_of(turn, pictures).items():
                    rows[name] += found
        for name, found in rows.items():
            lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found)
            (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
        (folder / "dataset_info.json").write_text(json.dumps(_dataset_info(), indent=1) + "\n")
    return {name: len(found) for name, found in rows.items()}


def scripted(
    loaded: LoadedSuite, questions: Sequence[Question], seed: int
) -> dict[str, list[Branches]]:
    """Replies to every question without a model."""
    return {q.id: branches(q, np.random.default_rng([seed, k])) for k, q in enumerate(questions)}


def require_apart(train: Iterable[Question], held_out: Iterable[Question]) -> None:
    """Raise InvalidInputError that names a scene, object or part shared by both."""
    ours, theirs = _named(train), _named(held_out)
    if shared := sorted(ours & theirs):
        raise InvalidInputError(f"{shared[0]} is in both suites: make them of different --kinds")


def rows_of(turn: Branches, pictures: Mapping[str, str]) -> dict[str, list[Row]]:
    """Rows of one turn by file; ``pictures`` are paths by camera."""
    full = _told(turn.context, turn.earlier)
    bare = list(turn.context)
    return {
        "sft.trl": [
            {
                "prompt": _blocks(full),
                "completion": _blocks([Said("assistant", turn.guided)]),
                "images": _images(full, pictures),
            }
        ],
        "dpo.trl": [
            {
                "prompt": _blocks(bare),
                "chosen": _blocks([Said("assistant", turn.guided)]),
                "rejected": _blocks([Said("assistant", wrong)]),
                "images": _images(bare, pictures),
            }
            for wrong in turn.rejected
        ],
        "sft.lf": [
            {
                "messages": _tagged([*full, Said("assistant", turn.guided)]),
                "images": _images(full, pictures),
            }
        ],
        "dpo.lf": [
            {
                "messages": _tagged(bare),
                "chosen": {"role": "assistant", "content": turn.guided},
                "rejected": {"role": "assistant", "content": wrong},
                "images": _images(bare, pictures),
            }
            for wrong in turn.rejected
        ],
    }


def _named(questions: Iterable[Question]) -> set[str]:
    found = set()
    for question in questions:
        found.add(f"scene {question.scene_id}")
        for thing in question.candidates:
            found.add(f"thing {thing.name}")
            found |= {f"part {part} of the {thing.name}" for part in thing.parts}
    return found


def _copied(loaded: LoadedSuite, question: Question, folder: Path) -> dict[str, str]:
    """The question's pictures, copied: paths in the folder by camera."""
    scene, found = loaded.scenes[question.scene_id], {}
    for view in scene.views:
        path = f"images/{scene.id}/{view.camera.name}.png"
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(loaded.suite.resolve(view.image), folder / path)
        found[view.camera.name] = path
    return found


def _told(context: Sequence[Said], earlier: Sequence[str]) -> list[Said]:
    """The context with the guided replies in full."""
    replies = iter(earlier)
    return [
        Said("assistant", next(replies)) if said.role == "assistant" else said for said in context
    ]


def in_view(said: Sequence[Said]) -> set[int]:
    """Numbers of the messages whose pictures are in view."""
    pictured = [k for k, one in enumerate(said) if one.camera]
    return {*pictured[:1], *pictured[-1:]}


def _images(said: Sequence[Said], pictures: Mapping[str, str]) -> list[str]:
    return [pictures[said[k].camera] for k in sorted(in_view(said))]


def _blocks(said: Sequence[Said]) -> list[Row]:
    """Messages as lists of blocks; with plain strings, the first would get all the pictures."""
    shown = in_view(said)
    return [
        {
            "role": one.role,
            "content": [
                *([{"type": "image", "text": None}] if k in shown else []),
                {"type": "text", "text": one.text},
            ],
        }
        for k, one in enumerate(said)
    ]


def _tagged(said: Sequence[Said]) -> list[Row]:
    shown = in_view(said)
    return [
        {"role": one.role, "content": "<image>" * (k in shown) + one.text}
        for k, one in enumerate(said)
    ]


def _dataset_info() -> Row:
    """The description of the files for LLaMA-Factory."""
    info = {}
    for name, more in _DATASETS.items():
        columns = _COLUMNS | ({"chosen": "chosen", "rejected": "rejected"} if more else {})
        info[f"pactwin_{name}"] = {
            "file_name": f"{name}.lf.jsonl",
            "formatting": "sharegpt",
            "columns": columns,
            "tags": _TAGS,
            **more,
        }
    return info
