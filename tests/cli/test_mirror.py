"""``pactwin mirror``: what a lab needs for a suite, from the suite alone."""

from pathlib import Path

import pandas as pd
import pytest
from commands import invoke
from making import made_suite

from pactwin.suite import Suite


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = ["--seed=5", "--pairs=1", "--domains=closure", "--cameras=head", "--size=320x240"]
    return made_suite(tmp_path_factory.mktemp("mirror"), "constraints", *options)


@pytest.mark.slow
def test_bill_and_prints_are_written_and_written_again(made: Path, tmp_path: Path) -> None:
    out, prints = tmp_path / "bill.csv", tmp_path / "prints"
    for ending in (".html", ".json", ".csv"):
        for _ in range(2):
            options = ["--out", str(out.with_suffix(ending)), "--stl", str(prints), "--force"]
            invoke("mirror", "materials", made, *options)
    shown = invoke("mirror", "materials", made, env={"COLUMNS": "200"}).stdout
    assert all(record.color in shown for record in next(Suite.open(made).scenes()).objects)
    table = pd.read_csv(out)
    printed = set(table["shape"][table["print_infill_most"].notna()])
    assert {path.stem for path in prints.glob("*.stl")} == printed


def test_a_suite_that_seeds_do_not_draw_again_is_refused(fake_suite_path: Path) -> None:
    result = invoke("mirror", "materials", fake_suite_path, code=3)
    assert "draws another layout" in result.stderr


@pytest.mark.slow
def test_sheet_and_mat_are_printed_and_printed_again(made: Path, tmp_path: Path) -> None:
    rig = str(tmp_path / "rig.yaml")
    serials = ["--head", "123456", "--side", "654321", "--interface", "lo"]
    scene = next(Suite.open(made).scenes()).id
    for arguments in (
        ["rig", "init", *serials, "--out", rig],
        ["rig", "board", "--rig", rig, "--out", str(tmp_path / "board.pdf")],
        ["mirror", "sheet", str(made), scene, "--out", str(tmp_path / "sheet.pdf")],
    ):
        for _ in range(2):
            invoke(*arguments, "--force")
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF-")
    invoke("rig", "board", "--rig", rig, "--out", rig, code=2)


def test_a_serial_that_is_none_is_refused(tmp_path: Path) -> None:
    options = ["--head", "?", "--side", "654321", "--interface", "lo"]
    result = invoke("rig", "init", *options, "--out", tmp_path / "rig.yaml", code=2)
    assert "cameras.0.serial" in result.stderr and "4 to 40 letters" in result.stderr
    assert not (tmp_path / "rig.yaml").exists()
