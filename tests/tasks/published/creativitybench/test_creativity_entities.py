"""Importing CreativityBench's things: each fault is named, what is safe is put right."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from creativity_data import entity, write

from pactwin.suite import InvalidInputError, Suite
from pactwin.tasks import creative_entities_path, import_creativitybench
from pactwin.tasks.core.import_issues import RowIssueLog
from pactwin.tasks.published.creativitybench.entities import PublishedEntity, read_entities
from pactwin.tasks.published.creativitybench.source import IssueKind

Part = dict[str, Any]


def read(tmp_path: Path, records: list[Any]) -> tuple[list[PublishedEntity], RowIssueLog]:
    path, log = tmp_path / "8_entities_complete.json", RowIssueLog()
    path.write_text(json.dumps(records))
    found = read_entities([path], log)
    for count in log.counts().values():
        assert count.used + count.skipped == count.rows and count.used == len(found)
    return found, log


def with_bowl(change: Callable[[Part], object]) -> dict[str, Any]:
    changed = copy.deepcopy(entity())
    change(changed["parts"][0])
    return changed


def first_use(**changed: Any) -> Callable[[Part], object]:
    return lambda part: part["functional_affordances"][0].update(changed)


def test_what_is_whole_is_taken_as_it_is(tmp_path: Path) -> None:
    (found,), log = read(tmp_path, [entity()])
    assert log.all == []
    assert [part.part_name for part in found.parts] == ["ladle_bowl", "long_handle"]
    assert [use.number for use in found.parts[0].functional_affordances] == list(range(6))


FAULTS: dict[IssueKind, Callable[[Part], object]] = {
    IssueKind.ABSENT_NEIGHBOUR: lambda part: part["connected_to"].append("lid"),
    IssueKind.UNDESCRIBED_PART: lambda part: part.update(state_attributes={}),
    IssueKind.UNKNOWN_STATE: lambda part: part["state_attributes"].update(visibility="blurred"),
    IssueKind.OTHER_LEVELS: first_use(level="Emergency 5 (again)"),
    IssueKind.NO_CONDITION: first_use(recipient_condition=" "),
    IssueKind.OTHER_PART: first_use(
        use_condition="Grip the bowl.", attribute=[["material: flat ribbed rubber", "physical"]]
    ),
    IssueKind.REPEATED_PART: lambda part: part.update(part_name="long_handle", connected_to=[]),
}


def test_what_fits_no_part_of_the_thing_is_of_another(tmp_path: Path) -> None:
    """As published: a cloth's use at a lamp, with a word in common (`thin`, `light`)."""
    yarn = [["surface: slightly textured, polished, metallic sheen, regular yarns", "physical"]]
    _, log = read(tmp_path, [with_bowl(first_use(use_condition="NA", attribute=yarn))])
    assert [issue.kind for issue in log.all] == [IssueKind.OTHER_PART]


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_named_and_nothing_is_lost(kind: IssueKind, tmp_path: Path) -> None:
    found, log = read(tmp_path, [with_bowl(FAULTS[kind])])
    assert len(found) == 1 and len(found[0].parts) == 2
    others = {IssueKind.ABSENT_NEIGHBOUR} if kind is IssueKind.REPEATED_PART else set()
    assert {issue.kind for issue in log.all} - others == {kind}
    assert all(issue.id == "steel soup ladle 3" and issue.row == 1 for issue in log.all)


def test_what_is_safe_is_put_right(tmp_path: Path) -> None:
    odd = with_bowl(lambda part: part.update(connected_to=["long_handle", "lid"]))
    odd["entity_name"] = " steel soup ladle 3 "
    odd["parts"].append(odd["parts"][1])
    odd["parts"][1]["functional_affordances"][0]["example_recipient"] = ["dough", "clay"]
    (found,), log = read(tmp_path, [odd])
    assert found.entity_name == "steel soup ladle 3"
    assert [part.connected_to for part in found.parts] == [["long_handle"], ["ladle_bowl"]]
    assert found.parts[1].functional_affordances[0].example_recipient == "dough, clay"
    assert {i.kind for i in log.all} == {IssueKind.PART_TWICE, IssueKind.ABSENT_NEIGHBOUR}


def test_rows_that_are_no_things_are_left_out_and_said(tmp_path: Path) -> None:
    found, log = read(tmp_path, [entity(), entity(), {"entity_name": "cup 1"}, "cup"])
    assert [one.entity_name for one in found] == ["steel soup ladle 3"]
    assert [(i.kind, i.row, i.lost) for i in log.all] == [
        (IssueKind.REPEATED_ID, 2, True),
        (IssueKind.BAD_RECORD, 3, True),
        (IssueKind.BAD_RECORD, 4, True),
    ]


def test_things_beside_tasks_are_kept_beside_the_suite(tmp_path: Path) -> None:
    data, out = write(tmp_path / "data"), tmp_path / "suite"
    lines = [json.dumps(entity()), "{", json.dumps(entity("tin cup 1"))]
    (data / "8_entities_complete.json").write_text("\n".join(lines))
    result = invoke("import", "creativitybench", data, "--out", out)
    assert "2 of 3 rows" in " ".join(result.output.split())
    kept = json.loads(creative_entities_path(out).read_text())
    assert [one["entity_name"] for one in kept] == ["steel soup ladle 3", "tin cup 1"]
    assert kept[0]["parts"][0]["functional_affordances"][0]["failure_case"] == "too hard"
    report = json.loads((tmp_path / "suite.import.json").read_text())
    unknown = {i["what"] for i in report["issues"] if i["kind"] == IssueKind.NOT_KNOWN}
    assert unknown == {"wooden rolling pin 2"}
    assert len(list(Suite.open(out).questions())) == 3
    invoke("import", "creativitybench", data, "--out", out)


def test_things_alone_are_no_suite(tmp_path: Path) -> None:
    (tmp_path / "8.jsonl").write_text(json.dumps(entity()))
    with pytest.raises(InvalidInputError, match="holds no task"):
        import_creativitybench(tmp_path, tmp_path / "suite")
