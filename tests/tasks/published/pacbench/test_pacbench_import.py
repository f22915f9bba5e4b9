"""PAC Bench's data, whole and with every known defect: nothing is lost, each fault is reported."""

import json
from collections import Counter
from pathlib import Path

import pytest
from commands import invoke
from pacbench_data import KEYS, append, defective_data, picture, table, whole_data, write

from pactwin.suite import Constraint, Question, Suite, check_suite
from pactwin.tasks import import_published, import_report_path
from pactwin.tasks.published.contract import ConsensusRule
from pactwin.tasks.published.issues import ImportReport, IssueKind


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole_data(tmp_path_factory.mktemp("whole") / "data")


@pytest.fixture(scope="module")
def defective(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return defective_data(tmp_path_factory.mktemp("defective") / "data")


def questions_of(suite: Suite, **wanted: object) -> list[Question]:
    return [
        question
        for question in suite.questions()
        if all(getattr(question, key) == value for key, value in wanted.items())
    ]


def test_whole_data_have_nothing_odd(whole: Path, tmp_path: Path) -> None:
    info, report = import_published("pacbench", whole, tmp_path / "suite")
    assert report.issues == ()
    assert check_suite(tmp_path / "suite") == []
    assert info.counts["views"] == len(
        [p for p in whole.rglob("*") if p.suffix in (".jpg", ".png")]
    )


def test_pictures_keep_their_bytes(whole: Path, tmp_path: Path) -> None:
    import_published("pacbench", whole, tmp_path / "suite")
    suite = Suite.open(tmp_path / "suite")
    views = [view for scene in suite.scenes() for view in scene.views]
    assert views
    for view in views:
        assert suite.resolve(view.image).read_bytes() == (whole / view.origin).read_bytes()


def test_two_cameras_are_two_views_of_one_scene(whole: Path, tmp_path: Path) -> None:
    import_published("pacbench", whole, tmp_path / "suite")
    suite = Suite.open(tmp_path / "suite")
    humanoid = [scene for scene in suite.scenes() if scene.domain == "humanoid"]
    assert [[v.camera.name for v in scene.views] for scene in humanoid] == [["agent", "side"]] * 3
    for view, camera in zip(humanoid[0].views, (0, 1), strict=True):
        assert view.origin == f"humanoid/captured_images/a_cam{camera}.png"
    simulated = [scene for scene in suite.scenes() if scene.domain in KEYS]
    assert len(simulated) == 2 * len(KEYS)
    assert {tuple(sorted(v.camera.name for v in s.views)) for s in simulated} == {
        ("agent", "front", "side")
    }


def test_turntables_are_one_scene_in_order(whole: Path, tmp_path: Path) -> None:
    import_published("pacbench", whole, tmp_path / "suite")
    objects = [s for s in Suite.open(tmp_path / "suite").scenes() if s.domain == "robocasa_objects"]
    cameras = [view.camera.name for view in objects[0].views]
    assert len(objects) == 2 and len(cameras) == 24
    assert cameras[:3] == ["elev0_azim0", "elev0_azim45", "elev0_azim90"]


def test_labels_are_as_published(whole: Path, tmp_path: Path) -> None:
    import_published("pacbench", whole, tmp_path / "suite")
    suite = Suite.open(tmp_path / "suite")
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


def test_every_fault_is_reported(defective: Path, tmp_path: Path) -> None:
    _, report = import_published("pacbench", defective, tmp_path / "suite", "all")
    found = Counter((issue.kind, issue.lost) for issue in report.issues)
    assert {o: (found[o, False], found[o, True]) for o in report.issues_by_kind} == EXPECTED
    assert check_suite(tmp_path / "suite") == []


@pytest.mark.parametrize("consensus", ["unanimous", "majority", "all"])
def test_every_row_and_picture_is_accounted_for(defective, tmp_path, consensus):
    _, report = import_published("pacbench", defective, tmp_path / "suite", consensus)
    suite = Suite.open(tmp_path / "suite")
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
        count.used for file, count in report.files.items() if not file.startswith(f"{TRUTH}syn_")
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


TRUTH = "ground_truth/"


def test_consensus_decides_what_is_asked(defective: Path, tmp_path: Path) -> None:
    asked = {}
    every: tuple[ConsensusRule, ...] = ("unanimous", "majority", "all")
    for consensus in every:
        import_published("pacbench", defective, tmp_path / consensus, consensus)
        suite = Suite.open(tmp_path / consensus)
        asked[consensus] = {q.id: q for q in suite.questions()}
    assert asked["unanimous"].items() < asked["majority"].items() < asked["all"].items()
    (by_majority,) = asked["majority"].keys() - asked["unanimous"].keys()
    assert asked["all"][by_majority].votes == {"Medium": 2, "Heavy": 3}
    assert asked["all"][by_majority].truth == "Heavy"
    (tied,) = asked["all"].keys() - asked["majority"].keys()
    assert asked["all"][tied].votes == {"Heavy": 1, "Light": 1}


def test_nothing_outside_is_read(defective: Path, tmp_path: Path) -> None:
    secret = (defective.parent / "secret.png").read_bytes()
    import_published("pacbench", defective, tmp_path / "suite")
    copied = [p.read_bytes() for p in (tmp_path / "suite").rglob("*") if p.is_file()]
    assert secret not in copied


def test_affordances_of_classes_are_asked_of_their_photos(whole: Path, tmp_path: Path) -> None:
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


def test_rows_that_no_one_should_have_written(whole: Path, tmp_path: Path) -> None:
    """Bytes of all kinds in a label file: each row is used or skipped, and the rest is read."""
    data = whole_data(tmp_path / "data")
    hostile = [
        b"\xff" * 40,
        b"a" * 200_000,
        b"|||||",
        b'"',
        b"/etc/passwd,Light,1",
        b"\x00",
        b"..,Hard",
    ]
    append(data, "property_HARDNESS_.csv", b"\n".join(hostile) + b"\n")
    write(data, "humanoid/captured_images/deep/er.png", picture(5))
    append(data, "robo_properties.psv", "deep/er.png|../../../x.png|WEIGHT|Light|\n")
    _, report = import_published("pacbench", data, tmp_path / "suite")
    count = report.files["ground_truth/property_HARDNESS_.csv"]
    said = len(hostile) - 1  # nothing but a NUL byte is a blank line
    assert (count.rows, count.used, count.skipped) == (3 + said, 3, said)
    assert report.files["ground_truth/robo_properties.psv"].skipped == 0
    assert [f.what for f in report.issues if f.kind is IssueKind.UNSAFE_NAME and not f.lost] == [
        "../../../x.png"
    ]
