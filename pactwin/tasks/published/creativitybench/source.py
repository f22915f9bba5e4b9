"""Read the published task files (CreativityBench/CreativityBench), task by task.

A file is a JSON list of tasks. An object's description consists of its parts, ``part: physical -
...; state - ...``, and marks the gold part with ``[gold part]``; ``judge_output`` gives the
similarity of its other parts to the gold part.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from pactwin.suite import ConditionName, InvalidInputError
from pactwin.tasks.published.issues import IssueKind, IssueLog
from pactwin.tasks.published.records import read_records

_PEEK_BYTES = 4096
NA = "NA"
_MIN_SHARED = 1 / 3
_COMMON = {"with", "that", "this", "from", "into", "over", "under", "very", "more", "most", "some"}
# The names of things end in the number of a variant.
_VARIANT = re.compile(r"\b(?:the|an?) ([a-z][a-zA-Z' -]{3,80}? \d{1,2})(?=[,.;)]| with | and |$)")


Text = Annotated[str, Field(pattern=r"\S")]


class _Setting(BaseModel):
    difficulty: str = ""
    entity_count: int = 0


class _Affordance(BaseModel):
    """A possible use of a part, with its conditions."""

    use_condition: str = ""
    environment_condition: str = ""
    recipient_condition: str = ""
    attribute: list[list[str]] = []
    affordance: str = ""

    @property
    def conditions(self) -> dict[ConditionName, str]:
        """Conditions that apply and are known."""
        found: dict[ConditionName, str] = {
            "environment": self.environment_condition,
            "use": self.use_condition,
            "recipient": self.recipient_condition,
        }
        return {name: text for name, text in found.items() if text.strip() not in ("", NA)}

    @property
    def words(self) -> set[str]:
        """Words that describe the use and the part, without names of attributes."""
        return words_of(self.use_condition) | self._attributes

    @property
    def _attributes(self) -> set[str]:
        said = (entry[0].partition(":")[2] or entry[0] for entry in self.attribute if entry)
        return words_of(" ".join(said))

    def belongs_to(self, part: set[str], others: Iterable[set[str]]) -> bool:
        """Whether it seems to describe the part with these words, not another.

        Then it has more of its words than most others have, and of its attributes a third or more.
        """
        shared = [len(self.words & words) for words in (part, *others)]
        least = _MIN_SHARED * len(self._attributes)
        return shared[0] >= sum(shared) / len(shared) and len(self._attributes & part) >= least


class _Gold(BaseModel):
    gold_entity: Text
    gold_part: Text
    gold_affordance: _Affordance


class Judged(BaseModel):
    """Judged similarity of a part to the gold part."""

    similar_affordance: str = ""
    gold_change: str = ""
    decision_making_difficulty: Any = None

    @property
    def likeness(self) -> str:
        """``similar-1`` to ``similar-5``, ``similar``, or ``not similar``, as published."""
        if self.similar_affordance != "Yes" or self.gold_change != "No":
            return "not similar"
        try:
            level = int(self.decision_making_difficulty)
        except (TypeError, ValueError):
            level = 10
        return f"similar-{level}" if level <= 5 else "similar"


class _Entity(BaseModel):
    name: Text
    description: Text
    judge_output: dict[str, Judged] = {}


class _Item(BaseModel):
    name: Text
    description: str = ""
    interactable: str = "No"


class TaskRecord(BaseModel):
    """One task, as published."""

    task_id: Text
    scenario: str = ""
    setting: _Setting = _Setting()
    golds: list[_Gold] = Field(min_length=1)
    entities: list[_Entity] = Field(min_length=1)
    items: list[_Item] = []
    environment: str = ""
    task: Text
    solution: dict[str, str] = {}

    @property
    def gold(self) -> _Gold:
        """The gold answer; the first one if there are several."""
        return self.golds[0]


Parts = dict[str, dict[str, str]]
"""Descriptions of each part of each object, by name."""


def published_files(folder: Path) -> list[Path]:
    """The JSON files in ``folder``; InvalidInputError if there are none."""
    names = ("*.json", "*.jsonl")
    files = [path for name in names for path in folder.glob(name)] if folder.is_dir() else []
    if not files:
        raise InvalidInputError(f"{folder} is not CreativityBench's data: no *.json in it")
    return sorted(files)


def read_tasks(files: Iterable[Path], issues: IssueLog) -> dict[str, tuple[TaskRecord, Parts]]:
    """Valid tasks of ``files`` by id, with the parts of their objects.

    Entity files are left out, because nothing is asked about them. Issues go to ``issues``. Raises
    InvalidInputError for a file that is no list.
    """
    found: dict[str, tuple[TaskRecord, Parts]] = {}
    for path in files:
        if _holds_entities(path):
            issues.skip(IssueKind.UNKNOWN_FILE, path.name, what="a file of entities")
            continue
        for row, task in read_records(TaskRecord, path, issues):
            if task.task_id in found:
                issues.skip(IssueKind.REPEATED_ID, path.name, task.task_id, row)
                continue
            parts = _parts(task, path.name, row, issues)
            if parts is not None:
                found[task.task_id] = task, parts
    return found


def _holds_entities(path: Path) -> bool:
    """Whether a file begins with an entity, not with a task; InvalidInputError if unreadable."""
    try:
        with path.open("rb") as file:
            start = file.read(_PEEK_BYTES)
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
    return b'"entity_name"' in start and b'"task_id"' not in start


def untagged(description: str) -> str:
    """A description without the mark of the gold part."""
    return re.sub(r"\s*\[gold part\]\s*", " ", description).strip()


def split_parts(description: str, names: list[str]) -> dict[str, str]:
    """Sections of a description about each of ``names``, in order."""
    text = untagged(description)
    known = sorted((re.escape(name) for name in names), key=len, reverse=True)
    if not known:
        return {}
    marks = list(re.finditer(rf"(?:(?<=^)|(?<=\. )|(?<=\.\. ))({'|'.join(known)})\s*:\s*", text))
    found: dict[str, str] = {}
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        end = after.start() if after else len(text)
        found.setdefault(mark[1], text[mark.end() : end].strip().rstrip(".").strip() + ".")
    return found


def _parts(task: TaskRecord, file: str, row: int, issues: IssueLog) -> Parts | None:
    """Parts of every object; None, with an issue, if the task cannot be asked."""
    gold = task.gold
    names = [entity.name for entity in task.entities]
    if gold.gold_entity not in names:
        issues.skip(IssueKind.NO_GOLD_ENTITY, file, task.task_id, row, gold.gold_entity)
        return None
    if repeated := {name for name in names if names.count(name) > 1}:
        issues.skip(IssueKind.REPEATED_ENTITY, file, task.task_id, row, min(repeated))
        return None
    found: Parts = {}
    for entity in task.entities:
        known = [*entity.judge_output]
        if entity.name == gold.gold_entity and gold.gold_part not in known:
            known.append(gold.gold_part)
        found[entity.name] = split_parts(entity.description, known)
        if "[gold part]" in entity.description:
            issues.note(IssueKind.TAGGED, file, task.task_id, row, entity.name)
        for part in known:
            if part not in found[entity.name] and part != gold.gold_part:
                what = f"{entity.name}: {part}"
                issues.note(IssueKind.UNDESCRIBED_PART, file, task.task_id, row, what)
    if gold.gold_part not in found[gold.gold_entity]:
        issues.skip(IssueKind.NO_GOLD_PART, file, task.task_id, row, gold.gold_part)
        return None
    if names[0] == gold.gold_entity and len(names) > 1:
        issues.note(IssueKind.GOLD_FIRST, file, task.task_id, row)
    _note_text(task, found, file, row, issues)
    return found


def _note_text(task: TaskRecord, parts: Parts, file: str, row: int, issues: IssueLog) -> None:
    """Note inconsistencies between the text of a task and its other fields."""
    gold = task.gold
    described = {
        (name, part): words_of(text) for name, said in parts.items() for part, text in said.items()
    }
    mine = described.pop((gold.gold_entity, gold.gold_part))
    if not gold.gold_affordance.belongs_to(mine, described.values()):
        what = gold.gold_affordance.affordance
        issues.note(IssueKind.OTHER_PART, file, task.task_id, row, what)
    names = [entity.name for entity in task.entities]
    environment = task.environment.casefold()
    absent = set(_VARIANT.findall(task.environment)) - {*names, *(i.name for i in task.items)}
    for name in sorted(absent):
        issues.note(IssueKind.ABSENT_NAMED, file, task.task_id, row, name)
    for name in names:
        if name.casefold() not in environment:
            issues.note(IssueKind.NOT_NAMED, file, task.task_id, row, name)
    for key in ("use_condition", "environment_condition", "recipient_condition"):
        if not getattr(gold.gold_affordance, key).strip():
            issues.note(IssueKind.NO_CONDITION, file, task.task_id, row, key)


def words_of(text: str) -> set[str]:
    """Words of a text, without common ones."""
    return {word for word in re.findall(r"[a-z]{4,}", text.casefold()) if word not in _COMMON}
