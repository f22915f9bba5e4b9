"""No command writes over an input, or over a file without --force; a full disk costs no file."""

import resource
from pathlib import Path

import pytest
from commands import invoke
from fakes import make_fake_suite

from pactwin.suite import new_folder, write_file

# {command: (what it needs first, the option that names an output)}; the inputs need not be there.
OUTPUTS = [
    (["compare", "logs/a.eval", "--out", "OUT"]),
    (["compare", "logs/a.eval", "--json", "OUT"]),
    (["compare", "logs/a.eval", "--as-published", "--suite", "suite", "--json", "OUT"]),
    (["people", "agreement", "labels.jsonl", "--json", "OUT"]),
    (["show", "suite", "--out", "OUT"]),
    (["doctor", "--robot-model", "robot.xml", "--out", "OUT"]),
    (["mirror", "materials", "suite", "--out", "OUT.csv"]),
    (["mirror", "materials", "suite", "--out", "OUT.html"]),
    (["mirror", "materials", "suite", "--out", "OUT.json"]),
]
IDS = [f"{command[0]} {command[-2]} {command[-1]}" for command in OUTPUTS]


@pytest.mark.parametrize("command", OUTPUTS, ids=IDS)
def test_a_file_is_left_alone_without_force(tmp_path: Path, command: list[str]) -> None:
    """Before any work: there are no logs or suites here, and that is not what is said."""
    out = tmp_path / command[-1]
    out.write_bytes(b"precious")
    result = invoke(*command[:-1], out, code=2)
    *renamed, said = result.stderr.splitlines()
    assert f"{out} exists" in said and "--force" in said
    assert all(" is now " in line for line in renamed)
    assert out.read_bytes() == b"precious"
    assert f"{out} exists" not in invoke(*command[:-1], out, "--force", code=None).stderr


@pytest.mark.parametrize("command", OUTPUTS, ids=IDS)
def test_an_output_is_no_input(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    words = ("agreement", "materials", "--robot-model", "--as-published", "--suite")
    given = next(word for word in command[1:] if word not in words)
    suffix = Path(command[-1]).suffix
    (tmp_path / "link").symlink_to(given)
    for name in (given, f"./{given}", "link"):
        named = [given + suffix if word == given else word for word in command[:-1]]
        if suffix and name == "link":
            continue
        result = invoke(*named, name + suffix, code=2)
        assert f"{Path(name + suffix)} is an input or another output" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["link"]


def test_no_output_replaces_another_or_a_file_of_somebody_else(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    said = invoke("compare", "a.eval", "--out", out, "--json", out, code=2).stderr
    assert "page.html is an input or another output" in said
    (tmp_path / "bracket.stl").write_bytes(b"solid bracket")
    said = invoke("mirror", "materials", "suite", "--stl", tmp_path, code=2).stderr
    assert "bracket.stl exists" in said
    (tmp_path / "suite.import.json").write_text('{"mine": 1}')
    said = invoke("import", "pacbench", "data", "--out", tmp_path / "suite", code=2).stderr
    assert "suite.import.json exists" in said


@pytest.fixture(scope="module")
def log(fake_suite_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    logs = tmp_path_factory.mktemp("logs")
    asked = ["eval", str(fake_suite_path), "--model", "pactwin/always-no", "--views", "head"]
    invoke(*asked, "--log-dir", logs)
    (log,) = logs.glob("*.eval")
    return log


@pytest.mark.slow
def test_every_output_that_a_full_disk_refuses_is_named_and_an_old_file_stays(
    fake_suite_path, log, tmp_path
):
    sealed, key, logs, page = (tmp_path / name for name in ("sealed", "key", "logs", "page"))
    asked = ["--model", "pactwin/always-no", "--views", "head", "--log-dir"]
    suite = make_fake_suite(tmp_path / "suite", n_pairs=2, secret=True)
    invoke("challenge", "seal", suite, "--out", sealed, "--key", key)
    invoke("eval", sealed / "suite", *asked, logs)
    page.write_text("old")
    written = {
        page: ["compare", log, "--out", page, "--force"],
        "/dev/full": ["compare", log, "--json", "/dev/full", "--force"],
        tmp_path / "figures" / "domains.svg": ["compare", log, "--figures", tmp_path / "figures"],
        tmp_path / "ledger": ["grade", sealed, logs, "--key", key, "--ledger", tmp_path / "ledger"],
        tmp_path / "coco": ["export", "coco", fake_suite_path, tmp_path / "coco"],
        tmp_path / "logs2": ["eval", fake_suite_path, *asked, tmp_path / "logs2"],
    }
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for output, command in written.items():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096 if command[0] == "eval" else 20, hard))
        try:
            last = invoke(*command, code=4).stderr.splitlines()[-1]
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert last.startswith("pactwin: error: ") and str(output) in last
        assert "File too large" in last or "No space left" in last
    assert page.read_text() == "old"
    assert not (tmp_path / "ledger").exists()
    assert not (tmp_path / "coco").exists()
    assert [*tmp_path.glob("*page*")] == [page]


@pytest.mark.slow
def test_no_output_lands_in_a_suite(fake_suite_path: Path, log: Path, tmp_path: Path) -> None:
    """A file in it that it does not list is a fault, and one that it lists is a picture."""
    scene = next((fake_suite_path / "views").iterdir())
    before = {file: file.stat().st_mtime_ns for file in fake_suite_path.rglob("*")}
    (tmp_path / "link").symlink_to(fake_suite_path / "views")
    asked = ["--model", "pactwin/always-no", "--views", "head"]
    for command in (
        ["compare", log, "--figures", fake_suite_path / "views"],
        ["compare", log, "--figures", tmp_path / "link"],
        ["compare", log, "--out", fake_suite_path / "report.html"],
        ["compare", log, "--json", scene / "new" / "scores.json"],
        ["run", fake_suite_path, "0" * 16, *asked[:2], "--out", fake_suite_path],
        ["export", "coco", fake_suite_path, scene / "coco"],
        ["eval", fake_suite_path, *asked, "--log-dir", fake_suite_path / "logs"],
        ["seal", fake_suite_path, "--out", scene / "sealed", "--key", tmp_path / "key"],
        ["make", "objects", "--out", scene / "suite", "--seed", 1],
        ["seal", fake_suite_path, "--out", tmp_path / "s", "--key", fake_suite_path / "key"],
    ):
        said = invoke(*command, code=2).stderr
        assert f"lies in the suite {fake_suite_path}" in said, (command, said)
    assert {file: file.stat().st_mtime_ns for file in fake_suite_path.rglob("*")} == before


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_file(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.parametrize("existed", [True, False])
def test_a_folder_is_filled_as_a_whole(tmp_path: Path, existed: bool) -> None:
    out = tmp_path / "out"
    if existed:
        out.mkdir()

    def fill(fail: bool) -> None:
        with new_folder(out) as folder:
            (folder / "part").mkdir()
            (folder / "part" / "file").write_text("x")
            if fail:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill(fail=True)
    assert out.exists() == existed
    assert not existed or not list(out.iterdir())
    fill(fail=False)
    assert [str(path.relative_to(out)) for path in sorted(out.rglob("*"))] == ["part", "part/file"]
