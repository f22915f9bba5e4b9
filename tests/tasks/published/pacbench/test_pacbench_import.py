"""PAC Bench's data, whole and with every known defect: nothing is lost, each fault is reported."""

import csv
import io
import json
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st
from pacbench_data import KEYS, defective_data, table, whole_data

from pactwin.catalogue import PROPERTIES
from pactwin.suite import Constraint, Question, Suite, check_suite
from pactwin.tasks import import_published, import_report_path
from pactwin.tasks.published.contract import ConsensusRule
from pactwin.tasks.published.issues import ImportReport, IssueKind, IssueLog
from pactwin.tasks.published.pacbench.layout import NON_ANSWERS, category_of, read_published_choice
from pactwin.tasks.published.pacbench.tables import Table, read_table


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Suite, ImportReport]:
    """The data, what was made of them, and the report."""
    data = whole_data(tmp_path_factory.mktemp("whole") / "data")
    _, report = import_published("pacbench", data, data.with_name("suite"))
    return data, Suite.open(data.with_name("suite")), report


@pytest.fixture(scope="module")
def defective(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return defective_data(tmp_path_factory.mktemp("defective") / "data")


@pytest.fixture(scope="module")
def imported(defective: Path) -> dict[ConsensusRule, tuple[Suite, ImportReport]]:
    """The defective data by each rule of consensus."""
    found: dict[ConsensusRule, tuple[Suite, ImportReport]] = {}
    rules: tuple[ConsensusRule, ...] = ("unanimous", "majority", "all")
    for rule in rules:
        _, report = import_published("pacbench", defective, defective.with_name(rule), rule)
        found[rule] = Suite.open(defective.with_name(rule)), report
    return found


def questions_of(suite: Suite, **wanted: object) -> list[Question]:
    return [
        question
        for question in suite.questions()
        if all(getattr(question, key) == value for key, value in wanted.items())
    ]


def test_whole_data_keep_their_bytes_and_have_nothing_odd(whole) -> None:
    data, suite, report = whole
    assert report.issues == ()
    assert check_suite(suite.path) == []
    views = [view for scene in suite.scenes() for view in scene.views]
    assert len(views) == len([p for p in data.rglob("*") if p.suffix in (".jpg", ".png")])
    for view in views:
        assert suite.resolve(view.image).read_bytes() == (data / view.origin).read_bytes()


def test_cameras_and_turntables_are_views_of_one_scene(whole) -> None:
    _, suite, _ = whole
    humanoid = [scene for scene in suite.scenes() if scene.domain == "humanoid"]
    assert [[v.camera.name for v in scene.views] for scene in humanoid] == [["agent", "side"]] * 3
    for view, camera in zip(humanoid[0].views, (0, 1), strict=True):
        assert view.origin == f"humanoid/captured_images/a_cam{camera}.png"
    simulated = [scene for scene in suite.scenes() if scene.domain in KEYS]
    assert len(simulated) == 2 * len(KEYS)
    assert {tuple(sorted(v.camera.name for v in s.views)) for s in simulated} == {
        ("agent", "front", "side")
    }
    objects = [scene for scene in suite.scenes() if scene.domain == "robocasa_objects"]
    cameras = [view.camera.name for view in objects[0].views]
    assert len(objects) == 2 and len(cameras) == 24
    assert cameras[:3] == ["elev0_azim0", "elev0_azim45", "elev0_azim90"]


def test_labels_are_as_published(whole) -> None:
    _, suite, _ = whole
    (color,) = questions_of(suite, topic="COLOR", objects=("apple",))
    assert (color.truth, color.votes) == ("Multicolored", {"Multicolored: Gradient, Striped": 1})
    assert color.options == ("Monochromatic", "Multicolored", "Metallic", "Matte")
    (uses,) = questions_of(suite, kind="affordance", objects=("mug",))
    assert uses.accepted == ("pour", "drink", "hold")
    edges = [q for q in questions_of(suite, kind="constraint") if "out of reach" in q.check]
    assert {q.truth for q in edges} == {Constraint.OUT_OF_REACH.statement}
    assert {q.check for q in edges} == {KEYS["stack_edge"][1]}


# What each defect of ``defective_data`` must lead to: (kept, skipped).
EXPECTED = {
    IssueKind.MISSING_FILE: (0, 1),
    IssueKind.UNKNOWN_FILE: (0, 2),
    IssueKind.BAD_HEADER: (0, 2),  # the file and its row
    IssueKind.BAD_ENCODING: (1, 0),
    IssueKind.NUL_BYTE: (1, 0),
    IssueKind.BAD_QUOTES: (1, 0),
    IssueKind.BAD_ROW: (0, 2),
    IssueKind.BLANK_FIELD: (0, 3),
    IssueKind.BLANK_SLOT: (1, 0),
    IssueKind.NON_ANSWER: (3, 0),
    IssueKind.ONLY_NON_ANSWERS: (0, 2),
    IssueKind.UNKNOWN_CATEGORY: (0, 1),
    IssueKind.UNKNOWN_PROPERTY: (0, 1),
    IssueKind.UNKNOWN_KEY: (0, 1),
    IssueKind.REPEATED_ROW: (1, 0),
    IssueKind.SAME_ANNOTATOR: (1, 0),
    IssueKind.TIE: (1, 0),
    IssueKind.UNSAFE_NAME: (0, 1),
    IssueKind.NO_PICTURE: (0, 5),
    IssueKind.NO_REASON: (1, 0),
    IssueKind.BROKEN_PICTURE: (0, 1),
    IssueKind.HUGE_PICTURE: (0, 1),
    IssueKind.WRONG_SUFFIX: (1, 0),
    IssueKind.SAME_PICTURE: (1, 0),
    IssueKind.MISSING_VIEW: (3, 0),
    IssueKind.NO_QUESTION: (3, 1),
    IssueKind.LINK: (0, 1),
    IssueKind.DS_STORE: (0, 2),
}


def test_every_fault_is_reported_and_nothing_outside_is_read(defective, imported) -> None:
    suite, report = imported["all"]
    found = Counter((issue.kind, issue.lost) for issue in report.issues)
    assert {o: (found[o, False], found[o, True]) for o in report.issues_by_kind} == EXPECTED
    assert check_suite(suite.path) == []
    secret = (defective.parent / "secret.png").read_bytes()
    assert secret not in [p.read_bytes() for p in suite.path.rglob("*") if p.is_file()]


@pytest.mark.parametrize("consensus", ["unanimous", "majority", "all"])
def test_every_row_and_picture_is_accounted_for(defective, imported, consensus):
    suite, report = imported[consensus]
    for file, count in report.files.items():
        lines = (defective / file).read_bytes().strip().split(b"\n")
        assert count.rows == len(lines) - 1, file
        assert count.used + count.skipped == count.rows, file
        lost = {f.row for f in report.issues if f.file == file and f.lost and f.row}
        assert count.skipped == len(lost), file
    photos_and_humanoid = ("open_images", "humanoid")
    voted = sum(
        sum(q.votes.values())
        for scene in suite.scenes()
        for q in suite.questions()
        if q.scene_id == scene.id and scene.domain in photos_and_humanoid
    )
    used = sum(
        count.used
        for file, count in report.files.items()
        if not file.startswith("ground_truth/syn_")
    )
    assert voted == used
    pictures = {
        p.relative_to(defective).as_posix()
        for p in defective.rglob("*")
        if p.suffix in (".jpg", ".png")
    }
    kept = {view.origin for scene in suite.scenes() for view in scene.views}
    lost_pictures = {f.file for f in report.issues if f.lost and f.row == 0} & pictures
    assert kept | lost_pictures == pictures
    assert not kept & lost_pictures
    assert len(kept) == report.pictures.used


def test_consensus_decides_what_is_asked(imported) -> None:
    asked = {rule: {q.id: q for q in suite.questions()} for rule, (suite, _) in imported.items()}
    assert asked["unanimous"].items() < asked["majority"].items() < asked["all"].items()
    (by_majority,) = asked["majority"].keys() - asked["unanimous"].keys()
    assert asked["all"][by_majority].votes == {"Medium": 2, "Heavy": 3}
    assert asked["all"][by_majority].truth == "Heavy"
    (tied,) = asked["all"].keys() - asked["majority"].keys()
    assert asked["all"][tied].votes == {"Heavy": 1, "Light": 1}


def test_affordances_of_classes_are_asked_of_their_photos(tmp_path: Path) -> None:
    data = whole_data(tmp_path / "data")
    table(data, "classes.csv", [
        ("object", "affordance1", "affordance2", "affordance3"), ("M0JBK", "read", "open", ""),
    ])  # fmt: skip
    import_published("pacbench", data, tmp_path / "suite")
    uses = questions_of(Suite.open(tmp_path / "suite"), kind="affordance", objects=("m0jbk",))
    assert [q.accepted for q in uses] == [("read", "open")] * 2


def test_the_command_sums_up_and_writes_the_report(defective: Path, tmp_path: Path) -> None:
    out = tmp_path / "suite"
    result = invoke("import", "pacbench", defective, "--out", out)
    report = ImportReport.model_validate(json.loads(import_report_path(out).read_text()))
    for kind in report.issues_by_kind:
        assert kind.value in result.stdout
    for count in report.counts:
        assert (f" {count.what} " in result.stdout) == (count.found not in count.published)


FIELDS = st.text(st.characters(exclude_characters="\0\r\n", codec="utf-8"), max_size=12)


def read(data: bytes, name: str = "t.csv", needed: tuple[str, ...] = ("image", "choice")) -> tuple:
    issues = IssueLog()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        return read_table(path, name, needed, issues), issues


@given(st.binary(max_size=300))
def test_any_bytes_are_accounted_for(data: bytes) -> None:
    table: Table
    table, issues = read(b"image,choice\n" + data)
    assert issues.files()["t.csv"].rows == len(table.rows) + issues.lost_rows("t.csv")
    for row in table.rows:
        assert set(row.fields) <= {"image", "choice"}


@given(st.lists(st.tuples(FIELDS, FIELDS), max_size=8), st.sampled_from([",", "|"]))
def test_what_csv_writes_is_read(rows: list[tuple[str, str]], separator: str) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerows([("Image ", " CHOICE"), *rows])
    name = "t.psv" if separator == "|" else "t.csv"
    table, _ = read(text.getvalue().encode(), name)
    kept = [(a.strip(), b.strip()) for a, b in rows]
    found = [(row["image"], row["choice"]) for row in table.rows]
    blank = {("", "")}  # a line of nothing but separators and blanks may be a blank line
    assert [pair for pair in found if pair not in blank] == [p for p in kept if p not in blank]


@given(st.binary(max_size=60), st.integers(0, 3))
def test_a_bad_line_leaves_the_others(bad: bytes, at: int) -> None:
    good = [b"a,Light", b"b,Heavy", b"c,Medium"]
    bad = bad.replace(b"\n", b" ").replace(b"\r", b" ")
    table, _ = read(b"\n".join([b"image,choice", *good[:at], bad, *good[at:]]))
    found = [(row["image"], row["choice"]) for row in table.rows]
    if b'"' not in bad:  # which may open a field that goes on
        assert {("a", "Light"), ("b", "Heavy"), ("c", "Medium")} <= set(found)


def test_a_quoted_field_may_go_over_lines() -> None:
    table, issues = read(b'image,choice\na,"Light:\nFeatherweight"\nb,Heavy\n')
    assert [row["choice"] for row in table.rows] == ["Light:\nFeatherweight", "Heavy"]
    assert [row.line for row in table.rows] == [2, 4]
    assert issues.all == []


def test_choices_are_read_in_any_spelling() -> None:
    for name, categories in PROPERTIES.items():
        for category in categories:
            spelled = (category, category.upper(), category.replace("-", " "), f" {category} : x")
            choices = [read_published_choice(name, text) for text in spelled]
            assert {choice and category_of(choice) for choice in choices} == {category}
        for text in (*NON_ANSWERS, "don’t know", "NOT APPLICABLE"):
            choice = read_published_choice(name, text)
            assert choice in NON_ANSWERS and category_of(choice) is None
        assert read_published_choice(name, "Enormous") is read_published_choice(name, "") is None
