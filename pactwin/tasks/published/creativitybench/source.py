"""The published task files (CreativityBench/CreativityBench), task by task.

A file is a JSON list of tasks. A thing's description tells part after part, ``part: physical - ...;
state - ...``, and marks the part that is meant with ``[gold part]``; ``judge_output`` says of its
other parts how like the meant one they are.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from pactwin.suite import ConditionName, InvalidInputError, first_fault, read_json
from pactwin.tasks.core.import_issues import RowIssueLog

MAX_BYTES = 512 * 2**20
NA = "NA"
_LEAST_SHARED = 1 / 3
_COMMON = {"with", "that", "this", "from", "into", "over", "under", "very", "more", "most", "some"}
# The names of things end in the number of a variant.
_VARIANT = re.compile(r"\b(?:the|an?) ([a-z][a-zA-Z' -]{3,80}? \d{1,2})(?=[,.;)]| with | and |$)")


class IssueKind(StrEnum):
    """What can be odd about a file or a task."""

    BAD_RECORD = "not a record of the kind"
    REPEATED_ID = "id stands there more than once"
    NO_GOLD_ENTITY = "meant thing is not among the candidates"
    NO_GOLD_PART = "meant part is not described"
    REPEATED_ENTITY = "two candidates of one name"
    TAGGED = "description marks the meant part"
    GOLD_FIRST = "meant thing is listed first"
    UNDESCRIBED_PART = "part without a description"
    OTHER_PART = "affordance speaks of another part"
    ABSENT_NAMED = "environment names a thing that is not there"
    NOT_NAMED = "environment does not name a candidate"
    NO_CONDITION = "condition missing"
    NOT_KNOWN = "candidate is not among the entities"
    PART_TWICE = "part told twice, kept once"
    REPEATED_PART = "two parts of one name"
    ABSENT_NEIGHBOUR = "connected to a part that is not there, taken out"
    UNKNOWN_STATE = "state is none of those there are"
    OTHER_LEVELS = "affordances are not one of every level"


Text = Annotated[str, Field(pattern=r"\S")]


class _Setting(BaseModel):
    difficulty: str = ""
    entity_count: int = 0


class Affordance(BaseModel):
    """What a part could serve for, and under which conditions."""

    use_condition: str = ""
    environment_condition: str = ""
    recipient_condition: str = ""
    attribute: list[list[str]] = []
    affordance: str = ""
    level: str = ""

    @property
    def conditions(self) -> dict[ConditionName, str]:
        """What has to hold, without what is not applicable or missing."""
        found: dict[ConditionName, str] = {
            "environment": self.environment_condition,
            "use": self.use_condition,
            "recipient": self.recipient_condition,
        }
        return {name: text for name, text in found.items() if text.strip() not in ("", NA)}

    @property
    def words(self) -> set[str]:
        """Words that say how the part is used and what it is like, without names of attributes."""
        return words_of(self.use_condition) | self._attributes

    @property
    def _attributes(self) -> set[str]:
        said = (entry[0].partition(":")[2] or entry[0] for entry in self.attribute if entry)
        return words_of(" ".join(said))

    def belongs_to(self, part: set[str], others: Iterable[set[str]]) -> bool:
        """Whether it seems to speak of a part of these words, not of another.

        Then it has more of its words than most others have, and of its attributes a third or more.
        """
        shared = [len(self.words & words) for words in (part, *others)]
        least = _LEAST_SHARED * len(self._attributes)
        return shared[0] >= sum(shared) / len(shared) and len(self._attributes & part) >= least


class _Gold(BaseModel):
    gold_entity: Text
    gold_part: Text
    gold_affordance: Affordance


class Judged(BaseModel):
    """How like the meant part another was judged to be."""

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
        """What is meant: the first, where there are several."""
        return self.golds[0]


@dataclass
class Published:
    """All tasks that can be asked, in file order, and the parts of each of their things."""

    tasks: dict[str, TaskRecord] = field(default_factory=dict)
    parts: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)


def published_files(folder: Path) -> list[Path]:
    """The JSON files in ``folder``; InvalidInputError where there are none."""
    names = ("*.json", "*.jsonl")
    files = [path for name in names for path in folder.glob(name)] if folder.is_dir() else []
    if not files:
        raise InvalidInputError(f"{folder} is not CreativityBench's data: no *.json in it")
    return sorted(files)


def read_published(files: Iterable[Path], issues: RowIssueLog) -> Published:
    """The tasks of every one of ``files``; what is odd about them goes to ``issues``.

    Raises InvalidInputError for a file that is no list.
    """
    found = Published()
    for path in files:
        records = read_json(TypeAdapter(list[Any]), path, "a JSON list of tasks", MAX_BYTES)
        for row, record in enumerate(records, start=1):
            issues.count_row(path.name)
            try:
                task = TaskRecord.model_validate(record)
            except ValidationError as error:
                issues.skip(IssueKind.BAD_RECORD, path.name, "", row, first_fault(error))
                continue
            if task.task_id in found.tasks:
                issues.skip(IssueKind.REPEATED_ID, path.name, task.task_id, row)
                continue
            parts = _parts(task, path.name, row, issues)
            if parts is not None:
                found.tasks[task.task_id] = task
                found.parts[task.task_id] = parts
    return found


def untagged(description: str) -> str:
    """A description without the mark of what is meant."""
    return re.sub(r"\s*\[gold part\]\s*", " ", description).strip()


def split_parts(description: str, names: list[str]) -> dict[str, str]:
    """What a description says of each of ``names``, in its order."""
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


def _parts(
    task: TaskRecord, file: str, row: int, issues: RowIssueLog
) -> dict[str, dict[str, str]] | None:
    """The parts of every thing; None where the task cannot be asked."""
    gold = task.gold
    names = [entity.name for entity in task.entities]
    if gold.gold_entity not in names:
        issues.skip(IssueKind.NO_GOLD_ENTITY, file, task.task_id, row, gold.gold_entity)
        return None
    if repeated := {name for name in names if names.count(name) > 1}:
        issues.skip(IssueKind.REPEATED_ENTITY, file, task.task_id, row, min(repeated))
        return None
    found: dict[str, dict[str, str]] = {}
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


def _note_text(
    task: TaskRecord, parts: dict[str, dict[str, str]], file: str, row: int, issues: RowIssueLog
) -> None:
    """What the words of a task say that does not fit the rest of it."""
    gold = task.gold
    described = {
        (name, part): words_of(text) for name, told in parts.items() for part, text in told.items()
    }
    mine = described.pop((gold.gold_entity, gold.gold_part))
    if not gold.gold_affordance.belongs_to(mine, described.values()):
        what = gold.gold_affordance.affordance
        issues.note(IssueKind.OTHER_PART, file, task.task_id, row, what)
    names = [entity.name for entity in task.entities]
    told = task.environment.casefold()
    absent = set(_VARIANT.findall(task.environment)) - {*names, *(i.name for i in task.items)}
    for name in sorted(absent):
        issues.note(IssueKind.ABSENT_NAMED, file, task.task_id, row, name)
    for name in names:
        if name.casefold() not in told:
            issues.note(IssueKind.NOT_NAMED, file, task.task_id, row, name)
    for key in missing_conditions(gold.gold_affordance):
        issues.note(IssueKind.NO_CONDITION, file, task.task_id, row, key)


def missing_conditions(affordance: Affordance) -> list[str]:
    """Names of the conditions of which nothing is said, not even that there is none."""
    keys = ("use_condition", "environment_condition", "recipient_condition")
    return [key for key in keys if not getattr(affordance, key).strip()]


def words_of(text: str) -> set[str]:
    """The words of a text that tell something."""
    return {word for word in re.findall(r"[a-z]{4,}", text.casefold()) if word not in _COMMON}
