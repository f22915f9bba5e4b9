"""The contract of published benchmarks: one import, one report, scores by their own rules."""

import json
from collections.abc import Callable
from pathlib import Path

import creativity_data
import macgyver_data
import pacbench_data
import phystool_data
import pytest

from pactwin.suite import InvalidInputError, Suite, SuiteError, check_suite
from pactwin.tasks import (
    BENCHMARKS,
    ImportReport,
    import_published,
    import_report_path,
    score_as_published,
)
from pactwin.tasks.published import benchmark
from pactwin.tasks.published.issues import IssueKind, IssueLog

DATA: dict[str, Callable[[Path], object]] = {
    "pacbench": pacbench_data.whole_data,
    "macgyver": macgyver_data.write,
    "phystool": phystool_data.write,
    "creativitybench": creativity_data.write,
}
every = pytest.mark.parametrize("name", BENCHMARKS)


@every
def test_what_is_imported_is_sound_and_accounted_for(name: str, tmp_path: Path) -> None:
    DATA[name](tmp_path / "data")
    first, report = import_published(name, tmp_path / "data", tmp_path / "suite")
    assert check_suite(tmp_path / "suite") == []
    assert report.files
    for count in (*report.files.values(), report.pictures):
        assert count.used + count.skipped == count.rows
    written = json.loads(import_report_path(tmp_path / "suite").read_text(encoding="utf-8"))
    assert ImportReport.model_validate(written) == report
    again, _ = import_published(name, tmp_path / "data", tmp_path / "suite")
    assert again.content_hash == first.content_hash


@every
def test_an_interrupted_import_goes_on(name: str, tmp_path: Path) -> None:
    def interrupt(step: str, done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    DATA[name](tmp_path / "data")
    with pytest.raises(KeyboardInterrupt):
        import_published(name, tmp_path / "data", tmp_path / "suite", progress=interrupt)
    with pytest.raises(SuiteError, match="half-written"):
        Suite.open(tmp_path / "suite")
    resumed, _ = import_published(name, tmp_path / "data", tmp_path / "suite")
    straight, _ = import_published(name, tmp_path / "data", tmp_path / "other")
    assert resumed.content_hash == straight.content_hash


@every
def test_a_snapshot_of_the_hub_is_read_through_its_links(name: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    DATA[name](data)
    (tmp_path / "hub" / "blobs").mkdir(parents=True)
    for number, path in enumerate(p for p in sorted(data.rglob("*")) if p.is_file()):
        blob = tmp_path / "hub" / "blobs" / str(number)
        blob.write_bytes(path.read_bytes())
        link = tmp_path / "hub" / "snapshots" / "0a1b" / path.relative_to(data)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(blob)
    linked, _ = import_published(name, tmp_path / "hub" / "snapshots" / "0a1b", tmp_path / "suite")
    direct, _ = import_published(name, data, tmp_path / "other")
    assert linked.content_hash == direct.content_hash


@every
def test_another_suite_is_not_gone_on_with(name: str, tmp_path: Path) -> None:
    other = next(o for o in BENCHMARKS if o != name)
    DATA[other](tmp_path / "other")
    import_published(other, tmp_path / "other", tmp_path / "suite")
    DATA[name](tmp_path / "data")
    with pytest.raises(SuiteError):
        import_published(name, tmp_path / "data", tmp_path / "suite")


@every
def test_another_folder_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=benchmark(name).title) as error:
        import_published(name, tmp_path, tmp_path / "suite")
    assert str(tmp_path) in str(error.value) and "\n" not in str(error.value)
    assert not (tmp_path / "suite").exists()


@every
def test_votes_and_logs_are_asked_for_where_there_are_any(name: str, tmp_path: Path) -> None:
    declared = benchmark(name)
    DATA[name](tmp_path / "data")
    if not declared.vote:
        with pytest.raises(InvalidInputError, match="consensus"):
            import_published(name, tmp_path / "data", tmp_path / "suite", "all")
    import_published(name, tmp_path / "data", tmp_path / "suite")
    suite = Suite.open(tmp_path / "suite")
    if declared.released is None:
        with pytest.raises(InvalidInputError, match="needs the logs"):
            score_as_published(suite)
    else:
        tables, _ = score_as_published(suite)
        assert all(table.rows for table in tables)


def test_an_unknown_benchmark_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=BENCHMARKS[0]):
        import_published("imagenet", tmp_path, tmp_path / "suite")


def test_a_row_is_lost_once_and_the_first_reason_stands() -> None:
    log = IssueLog()
    log.count_rows("a.csv", 3)
    log.skip(IssueKind.BAD_ROW, "a.csv", row=2)
    log.skip(IssueKind.BLANK_FIELD, "a.csv", row=2)
    log.skip(IssueKind.BAD_ROW, "a.csv", "x", 2, "w" * 1000)
    log.note(IssueKind.TIE, "a.csv", row=1)
    assert [issue.kind for issue in log.all if issue.lost] == [IssueKind.BAD_ROW] * 2
    assert max(len(issue.what) for issue in log.all) == 200
    (count,) = log.files().values()
    assert (count.rows, count.used, count.skipped) == (3, 1, 2)
