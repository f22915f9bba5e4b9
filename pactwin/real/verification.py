"""Make a suite from captures after repeating the trials of every label.

A capture counts if its objects stand as planned, and if the trial of its simulated scene, repeated
with the measured poses, gives the same result with the margin of labels. Questions are those of the
simulated scene. Questions about counterfactuals (what falls if the target is taken, what would
help) are asked if their trials with measured poses also agree.

Only this module needs the simulator: captures can come from another computer.
"""

import io
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from pactwin.real.as_measured import as_measured
from pactwin.real.captures import (
    CAPTURES_FOLDER,
    Capture,
    captured_scenes,
    png_bytes,
    read_capture,
    read_outcome,
)
from pactwin.real.certificates import less_of_both
from pactwin.real.strips import without_strips
from pactwin.sim import (
    Layout,
    RejectedLayout,
    counterfactuals_agree,
    environment_versions,
    photographed,
    rebuild_layout,
    verdict_on,
)
from pactwin.suite import (
    Camera,
    CaptureRecord,
    Form,
    InvalidInputError,
    ProgressCallback,
    Question,
    Scene,
    Suite,
    SuiteInfo,
    SuiteWriter,
    UnknownCamera,
    Verdict,
    answerable_views,
    opaque_id,
    sha256_of,
    silent,
    view_paths,
    write_file,
)

_SUITE_FILES = ("scenes.jsonl", "questions.jsonl", "views")
_FORMS: tuple[Form, ...] = ("yes_no", "choice", "open", "checklist")


@dataclass(frozen=True)
class SourcedCapture:
    """A capture beside the simulated scene it copies; ``layout`` has the measured poses."""

    original: Scene
    folder: Path
    capture: Capture
    layout: Layout


def verify_captures(
    suite: Suite, folder: Path, progress: ProgressCallback = silent
) -> tuple[SuiteInfo, dict[str, str]]:
    """Turn ``folder`` into a suite of its captures, replacing an earlier one.

    It also returns why captures do not count, by simulated scene. Scenes are asked about if both
    twins count. Raises InvalidInputError if there are no captures, or some belong to another suite;
    SuiteError for a damaged one.
    """
    pairs = list(copied_pairs(suite, folder))
    # Beside the folder: nothing may be written into the suite that it is already.
    part = folder.resolve().with_name(f".{folder.resolve().name}.part")
    shutil.rmtree(part, ignore_errors=True)  # of a process that was killed
    first = pairs[0][0].capture
    writer = SuiteWriter.open(
        part,
        name=first.source,
        request={"source": first.source, "mirror_of": suite.info.content_hash},
        packages=environment_versions(),
    )
    unverified: dict[str, str] = {}
    done = 0
    with writer:
        for pair in pairs:
            scenes, files = [], dict[str, bytes]()
            for one in pair:
                scene, pictures = _captured_scene(one)
                scenes.append(scene)
                files |= pictures
                done += 1
                progress("captures", done, sum(map(len, pairs)))
            if len(pair) == 2 and not any(map(_unverified, scenes)):
                try:
                    scenes = _with_consequences(pair, scenes)
                except RejectedLayout as broken:
                    scenes = [_uncounted(scene, f"what it leads to: {broken}") for scene in scenes]
            for unit in _units(scenes):
                faults = {s.mirror_of: _fault(s) for s in unit if s.twin_id is None}
                unverified |= {str(scene): why for scene, why in faults.items()}
                own = {v for s in unit for view in s.views for v in (view.image, view.depth)}
                counted = {unit[0].domain: dict.fromkeys(faults.values(), 1)}
                writer.add(unit, {path: files[path] for path in own if path}, counted)
        info = writer.finish(copied_questions(suite))
    info = info.model_copy(update={"files": info.files | _capture_files(folder, pairs)})
    _put_in_place(part, folder, info)
    return info, unverified


def copied_pairs(suite: Suite, folder: Path) -> Iterator[list[SourcedCapture]]:
    """Captures in ``folder`` by twins, in the order of ``suite``; raises the errors above."""
    found = captured_scenes(folder)
    captures = {scene: read_capture(path) for scene, path in found.items()}
    if not captures:
        raise InvalidInputError(
            f"{folder} holds no captures: take some with pactwin mirror capture"
        )
    for scene, capture in captures.items():
        if capture.suite_hash != suite.info.content_hash or capture.mirror_of != scene:
            raise InvalidInputError(f"{found[scene]} is no capture of a scene of {suite.path}")
    if len({capture.source for capture in captures.values()}) > 1:
        raise InvalidInputError(f"{folder} holds real and rehearsed captures: keep them apart")
    for twins in suite.pairs():
        there = [scene for scene in twins if scene.id in captures]
        if there:
            yield [_copied(scene, found[scene.id], captures[scene.id]) for scene in there]


def _copied(original: Scene, folder: Path, capture: Capture) -> SourcedCapture:
    poses = {
        thing.name: np.array(thing.world_from_object)
        for thing in capture.objects
        if thing.world_from_object is not None
    }
    hidden = [thing.name for thing in capture.objects if thing.state == "hidden"]
    layout = as_measured(rebuild_layout(original), poses, hidden)
    return SourcedCapture(original, folder, capture, layout)


def _captured_scene(one: SourcedCapture) -> tuple[Scene, dict[str, bytes]]:
    """The scene without its twin, and the bytes of its pictures."""
    capture, original = one.capture, one.original
    verdict, unverified = None, ""
    if capture.as_planned:
        try:
            verdict = verdict_on(original, one.layout)
        except RejectedLayout as rejected:
            unverified = str(rejected)
    else:
        unverified = "not as planned"
    scene = Scene(
        id=opaque_id(f"{capture.source}:{capture.suite_hash}:{original.id}"),
        domain=original.domain,
        source=capture.source,
        mirror_of=original.id,
        seed=original.seed,
        robot=original.robot,
        objects=(),
        views=(),
        capture=CaptureRecord(
            calibration=capture.calibration,
            skew_ms=capture.skew_ms,
            state_age_ms=capture.state_age_ms,
            clock_offset_ms=capture.clock_offset_ms,
            mode_machine=capture.mode_machine,
            joints_rad=capture.joints_rad,
            notes=capture.notes,
            placement={thing.name: thing.state for thing in capture.objects},
            unverified=unverified,
            outcome=read_outcome(one.folder),
            masked_m=capture.strips_m,
        ),
    )
    # What the cameras see of each thing is known from the twin, drawn where things were measured.
    drawn, made = photographed(scene, one.layout, [view.camera for view in capture.views])
    views, files = [], {}
    for view, taken in zip(drawn.views, capture.views, strict=True):
        image, depth, _ = view_paths(scene.id, taken.camera.name)
        files[image] = masked(
            (one.folder / taken.image).read_bytes(), made[str(view.mask)], view.camera, scene
        )
        files[depth] = _scaled((one.folder / taken.depth).read_bytes(), taken.depth_scale)
        seen = {
            name: less_of_both(drawn_as, taken.seen.get(name))
            for name, drawn_as in view.visibility.items()
        }
        kept = {"mask": None, "captured_at_ns": taken.captured_at_ns, "visibility": seen}
        views.append(view.model_copy(update=kept))
    found = drawn.model_copy(update={"views": tuple(views), "verdict": verdict})
    return Scene.model_validate(found.model_dump()), files


def masked(png: bytes, mask: bytes, camera: Camera | UnknownCamera, captured: Scene) -> bytes:
    """A picture without the marker strips of a captured scene; ``mask`` shows its objects."""
    outlines = captured.capture.masked_m if captured.capture else ()
    if not outlines or not isinstance(camera, Camera):
        return png
    color, things = (np.asarray(Image.open(io.BytesIO(data))) for data in (png, mask))
    return png_bytes(without_strips(color, camera, outlines, things > 0))


def _scaled(png: bytes, scale: float) -> bytes:
    """Depth as captures of earlier versions kept it, times its scale."""
    if scale == 1.0:
        return png
    depth_mm = np.asarray(Image.open(io.BytesIO(png)))
    return png_bytes(np.clip(np.rint(depth_mm * scale), 0, 65535).astype(np.uint16))


def _with_consequences(pair: list[SourcedCapture], scenes: list[Scene]) -> list[Scene]:
    """The twins, whose verdicts tell what moves and what would help where trials agree on it."""
    (one, other), verdicts = pair, [copied.original.decided for copied in pair]
    moves, edits = counterfactuals_agree((one.original, other.original), (one.layout, other.layout))
    return [
        scene.model_copy(
            update={
                "verdict": scene.decided.model_copy(
                    update={
                        "moved": known.moved if moves else None,
                        "edits": known.edits if edits else (),
                    }
                )
            }
        )
        for scene, known in zip(scenes, verdicts, strict=True)
    ]


def _uncounted(scene: Scene, why: str) -> Scene:
    """The captured scene without a verdict; ``why`` it could not be verified is recorded."""
    record = scene.capture and scene.capture.model_copy(update={"unverified": why})
    return scene.model_copy(update={"verdict": None, "capture": record})


def _units(scenes: list[Scene]) -> Iterator[list[Scene]]:
    """The scenes as twins if both count, or each by itself."""
    if len(scenes) == 2 and not any(map(_unverified, scenes)):
        one, other = scenes
        cameras, others = ([view.camera.name for view in scene.views] for scene in scenes)
        if cameras == others and answerable_views(one, other):
            yield [
                one.model_copy(update={"twin_id": other.id}),
                other.model_copy(update={"twin_id": one.id}),
            ]
            return
    yield from ([scene] for scene in scenes)


def _unverified(scene: Scene) -> str:
    return scene.capture.unverified if scene.capture else ""


def _fault(scene: Scene) -> str:
    """Why a scene is not asked about."""
    return _unverified(scene) or "its twin does not count, or they share no view that can answer"


def copied_questions(suite: Suite) -> Callable[[tuple[Scene, ...]], Iterable[Question]]:
    """Maker of questions about captured twins, as ``suite`` asks about the originals."""
    asked: dict[str, list[Question]] = {}
    for question in suite.questions():
        asked.setdefault(question.scene_id, []).append(question)

    def ask(scenes: tuple[Scene, ...]) -> Iterable[Question]:
        if len(scenes) == 1:
            return
        for scene, twin in (scenes, scenes[::-1]):
            known = {thing.name for thing in scene.objects}
            for question in asked.get(str(scene.mirror_of), []):
                if not _answered(question.form, scene.decided):
                    continue
                named = tuple(name for name in question.objects if name in known)
                yield question.model_copy(
                    update={
                        "id": opaque_id(f"{scene.id}:{question.form}"),
                        "scene_id": scene.id,
                        "views": answerable_views(scene, twin, named),
                    }
                )

    return ask


def _answered(form: Form, verdict: Verdict) -> bool:
    """Whether trials of a captured scene tell what a question of ``form`` asks."""
    if form == "outcome":
        return verdict.moved is not None
    return bool(verdict.edits) if form == "repair" else form in _FORMS


def _capture_files(folder: Path, pairs: list[list[SourcedCapture]]) -> dict[str, str]:
    """Checksums of all that captures consist of, by the path in ``folder``."""
    return {
        f"{CAPTURES_FOLDER}/{one.folder.name}/{path.name}": sha256_of(path)
        for pair in pairs
        for one in pair
        for path in sorted(one.folder.iterdir())
    }


def _put_in_place(part: Path, folder: Path, info: SuiteInfo) -> None:
    """Move the written files into place, ``suite.json`` last: it marks a complete suite."""
    (folder / "suite.json").unlink(missing_ok=True)
    for name in _SUITE_FILES:
        old = folder / name
        if old.is_dir():
            shutil.rmtree(old)
        (part / name).replace(old)
    shutil.rmtree(part)
    write_file(folder / "suite.json", info.model_dump_json(indent=1) + "\n")
