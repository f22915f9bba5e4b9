"""Every reader of files that others write: whole files for it, and how it reads them."""

import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import macgyver_data
import yaml
from evaluating import evaluate
from fakes import make_fake_suite
from own_robot import write_robot
from pacbench_data import picture, table, write

from pactwin.catalogue import PROPERTIES, load_catalogue
from pactwin.compare.published import read_published
from pactwin.solvers import load_prompts
from pactwin.solvers.person_answers import read_person_answers
from pactwin.suite import Suite, check_suite, load_depth, load_image, load_mask
from pactwin.tasks import import_published, read_exports, read_rows
from pactwin.tasks.core.log_files import read_summaries
from pactwin.tasks.published.macgyver.source import PROBLEMS
from pactwin.tasks.running.judge_agreement import read_labelled
from pactwin.tasks.running.prices import load_prices
from pactwin.tasks.running.resume import log_headers, read_calls

DATA = Path(__file__).parents[1] / "data"


@dataclass(frozen=True)
class Reader:
    """``make`` writes whole files into a folder; ``read`` reads them, in scratch space if needed.

    ``repair`` makes hashes of a damaged file fit, so that what lies behind them is reached.
    ``files`` are the patterns of what is damaged.
    """

    make: Callable[[Path], None]
    read: Callable[[Path], object]
    files: tuple[str, ...] = ("**/*",)
    repair: Callable[[Path, Path], None] | None = None


def _make_suite(folder: Path) -> None:
    make_fake_suite(folder / "suite", n_pairs=1, cameras=("head",))


def _rehash(folder: Path, file: Path) -> None:
    """Have ``suite.json`` say that the damaged file is as it should be."""
    info = folder / "suite" / "suite.json"
    if file == info:
        return
    text = json.loads(info.read_bytes())
    name = file.relative_to(folder / "suite").as_posix()
    text["files"][name] = hashlib.sha256(file.read_bytes()).hexdigest()
    info.write_text(json.dumps(text))


def _read_suite(folder: Path) -> None:
    check_suite(folder / "suite")  # names faults, raises nothing
    suite = Suite.open(folder / "suite")
    for scene, twin in suite.pairs():
        for view in (*scene.views, *twin.views):
            load_image(suite, view), load_depth(suite, view), load_mask(suite, view)
    suite.records()


def _make_export(folder: Path) -> None:
    _make_suite(folder)
    suite = Suite.open(folder / "suite")
    shown = {"suite": suite.info.content_hash, "view": "head", "picture1": "data:image/png;base64,"}
    tasks = []
    for number, question in enumerate(suite.questions(), start=1):
        if question.form in ("yes_no", "choice"):
            chosen = {"type": "choices", "value": {"choices": [question.truth]}}
            person = {"completed_by": {"id": 3, "email": "a@example.com"}, "lead_time": 2.5}
            said = person | {"result": [{"from_name": question.form, **chosen}]}
            asked = shown | {"questions": {question.form: question.id}}
            tasks.append({"id": number, "data": asked, "annotations": [said]})
    (folder / "export.json").write_text(json.dumps(tasks, indent=1))


def _read_export(folder: Path) -> None:
    read_exports(Suite.open(folder / "suite"), [folder / "export.json"])


def _make_log(folder: Path) -> None:
    _make_suite(folder)
    (log,) = evaluate(
        folder / "suite", ["pactwin/oracle"], log_dir=folder / "logs", display="none", views="head"
    )
    log.rename(folder / "answers.eval")
    shutil.rmtree(folder / "logs")


def _read_as_resumed(folder: Path) -> None:
    for path, _ in log_headers(folder):
        for summary in read_summaries(path):
            read_calls(path, str(summary.id))


def _make_unpacked_log(folder: Path) -> None:
    _make_log(folder)
    with zipfile.ZipFile(folder / "answers.eval") as archive:
        archive.extractall(folder / "log")
    (folder / "answers.eval").unlink()


def _read_unpacked_log(folder: Path) -> None:
    """As a log whose archive is whole, whatever is wrong in it."""
    read_rows([_packed(folder / "log", folder / "packed.eval")])


def _packed(folder: Path, path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.writestr(file.relative_to(folder).as_posix(), file.read_bytes())
    return path


def _make_macgyver(folder: Path) -> None:
    macgyver_data.write(folder / "data")


def _read_macgyver(folder: Path) -> None:
    import_published("macgyver", folder / "data", folder / "imported")


def _make_unpacked_macgyver(folder: Path) -> None:
    _make_macgyver(folder)
    with zipfile.ZipFile(folder / "data" / PROBLEMS) as archive:
        archive.extractall(folder / "book")
    (folder / "data" / PROBLEMS).unlink()


def _read_unpacked_macgyver(folder: Path) -> None:
    """As a workbook whose archive is whole."""
    _packed(folder / "book", folder / "data" / PROBLEMS)
    _read_macgyver(folder)


def _make_pacbench(folder: Path) -> None:
    """A part of what is published that is imported in a moment."""
    root = folder / "data"
    write(root, "open_images/m0jbk_0a1b.jpg", picture(1, "JPEG"))
    write(root, "robocasa_objects/object_views/mug/unnamed/elev0_azim0.png", picture(2))
    write(root, "constraint_images/stack_top.png", picture(3))
    for name, categories in PROPERTIES.items():
        rows = [("image", "choice", "annotator"), ("m0jbk_0a1b", categories[0], "7")]
        table(root, f"property_{name}_.csv", rows)
    table(root, "syn_affordance.psv", [("object", "affordance1"), ("mug", 'pour, "drink"')])
    verify = ("stack_top", "Pick up the green object.", "Does it say that the top may fall?")
    table(root, "syn_constraints.psv", [("key", "prompt", "verification_prompt"), verify])


def _read_pacbench(folder: Path) -> None:
    import_published("pacbench", folder / "data", folder / "imported")


def _make_robot(folder: Path) -> None:
    write_robot(folder / "robot")


def _read_robot(folder: Path) -> None:
    from pactwin.sim.robots.custom import load_robot_model

    load_robot_model(folder / "robot" / "tiny.xml", folder / "robot" / "tiny.yaml")


CUP = """<mujoco model="cup">
  <compiler angle="radian"/>
  <option timestep="0.002"/>
  <default><geom density="100" friction="1 0.1 0.1"/></default>
  <asset>
    <mesh file="a.obj" name="seen" scale="0.05 0.05 0.08" refquat="0.92 0 0.27 -0.27"/>
    <mesh name="tip" file="a.obj" scale="0.01 0.01 0.01"/>
    <texture type="2d" name="t" file="t.png"/>
    <texture type="cube" name="sky" builtin="gradient" width="64" height="64"/>
    <material name="m" texture="t" rgba="1 0 0 1"/>
  </asset>
  <worldbody><body><body name="object" pos="0.01 0 0.02">
    <inertial pos="0 0 0" mass="0.2" diaginertia="0.01 0.01 0.01"/>
    <joint name="lid" type="hinge" axis="0 0 1" range="-1 1"/>
    <geom type="mesh" mesh="seen" group="1" material="m" pos="0 -0.02 0.03" euler="0.2 0.3 -0.4"/>
    <geom type="mesh" mesh="tip" group="0"/>
    <geom type="capsule" fromto="0 0 0 0 0 0.1" size="0.02"/>
    <geom type="box" name="reg_bbox" size="0.5 0.5 0.5" rgba="1 0 0 0" group="0"/>
    <site name="s" size="0.1"/>
  </body></body></worldbody>
  <actuator><motor joint="lid"/></actuator>
  <sensor><jointpos joint="lid"/></sensor>
  <custom><numeric name="n" size="3" data="1 2 3"/></custom>
</mujoco>
"""
SOLID = """v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
vt 0.5 0.5
f 1/1 3/1 2/1
f 1/1 2/1 4/1
f 1/1 4/1 3/1
f 2/1 3/1 4/1
"""


def _make_object(folder: Path) -> None:
    (folder / "cup").mkdir()
    (folder / "cup" / "model.xml").write_text(CUP)
    (folder / "cup" / "a.obj").write_text(SOLID)
    (folder / "cup" / "t.png").write_bytes(picture(1))


def _read_object(folder: Path) -> None:
    from pactwin.sim.objects.library.mjcf import item_of

    cup = load_catalogue().kinds["cup"]
    item_of(folder / "cup" / "model.xml", cup, within=folder, asset=str(folder))


def _make_prices(folder: Path) -> None:
    line = {"input": 0.3, "output": 2.5, "cache_read": 0.1, "seconds": 4.0}
    pictures = {"tile_px": 28, "per_tile": 1, "base": 3, "long_side_px": 1568}
    prices = {"openrouter/": line, "mine/vl": line | {"picture": pictures, "family": True}}
    (folder / "prices.yaml").write_text(yaml.safe_dump(prices))


def _make_prompts(folder: Path) -> None:
    import pactwin.solvers

    ours = Path(pactwin.solvers.__file__).parent / "packs" / "pactwin.yaml"
    text = ours.read_text(encoding="utf-8").replace("name: pactwin", "name: mine")
    (folder / "prompts.yaml").write_text(text, encoding="utf-8")


def _lines(records: Iterable[object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def _make_people(folder: Path) -> None:
    one = {"question_id": "0" * 16, "view": "head", "page": "0" * 16, "annotator": "a1"}
    said = [one | {"answer": "yes", "seconds": 2.0}, one | {"annotator": "a2", "answer": "no"}]
    (folder / "people.jsonl").write_text(_lines(said))


def _make_labelled(folder: Path) -> None:
    lines = (DATA / "open_answers.jsonl").read_text(encoding="utf-8").splitlines()[:4]
    (folder / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")


def _make_published(folder: Path) -> None:
    cell = dict(model="m", kind="property", source="open_images", cell="WEIGHT", metric="accuracy")
    scores = dict(published=0.5, right=1, rows=2, corrected=0.4, answered=2, asked=3)
    (folder / "cells.json").write_text(json.dumps([cell | scores]))


READERS = {
    "suite": Reader(_make_suite, _read_suite, repair=_rehash),
    "log": Reader(_make_log, lambda f: read_rows([f / "answers.eval"]), ("*.eval",)),
    "log-content": Reader(_make_unpacked_log, _read_unpacked_log, ("log/**/*",)),
    "resumed-log": Reader(_make_log, _read_as_resumed, ("*.eval",)),
    "pacbench": Reader(_make_pacbench, _read_pacbench),
    "macgyver": Reader(_make_macgyver, _read_macgyver),
    "macgyver-content": Reader(_make_unpacked_macgyver, _read_unpacked_macgyver, ("book/**/*",)),
    "label-studio": Reader(_make_export, _read_export, ("export.json",)),
    "robot": Reader(_make_robot, _read_robot),
    "object": Reader(_make_object, _read_object),
    "prices": Reader(_make_prices, lambda f: load_prices(f / "prices.yaml")),
    "prompts": Reader(_make_prompts, lambda f: load_prompts(f / "prompts.yaml")),
    "people": Reader(_make_people, lambda f: read_person_answers(f / "people.jsonl")),
    "labelled": Reader(_make_labelled, lambda f: read_labelled(f / "labels.jsonl")),
    "published": Reader(_make_published, lambda f: read_published(f / "cells.json")),
}
