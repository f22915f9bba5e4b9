"""Captures on disk: one folder each, written completely or not at all.

``capture.json`` describes the capture and holds the checksums of the pictures beside it. A folder
gets its name only when it is complete on disk, so that no incomplete capture remains after a crash.
``outcome.json`` is added later if a person carried the action out. None of this needs a simulator:
:mod:`pactwin.real.verification` makes a suite of the captures.
"""

import hashlib
import io
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np
from PIL import Image
from pydantic import AliasChoices, Field

from pactwin.hardware import ColorSettings, FrameSet, Rig, strip_outlines_m
from pactwin.real.certificates import camera_record
from pactwin.real.placement import Placement
from pactwin.real.table_check import TableCheck
from pactwin.suite import (
    MAX_PICTURE_BYTES,
    Camera,
    InvalidInputError,
    Matrix3,
    Matrix4,
    Number,
    OpaqueId,
    Outcome,
    Positive,
    Record,
    SuiteError,
    TimeNs,
    Visibility,
    first_fault,
    inside,
    parse_json,
    read_untrusted,
    write_file,
)

CAPTURES_FOLDER = "captures"
INFO_FILE, OUTCOME_FILE = "capture.json", "outcome.json"
_MAX_INFO_BYTES = 2**20
_NAME = re.compile(r"(?P<scene>[^.]+)(\.(?P<number>[0-9]{1,4}))?")


class CapturedDepth(Record):
    """Depth as measured by its own camera, unscaled: file, pinhole ``K``, and pose (m).

    Times ``depth_scale`` it is right at the table's plane.
    """

    file: str = Field(pattern=r"^[a-z0-9_]+\.native\.png$")
    K: Matrix3
    color_from_depth: Matrix4
    depth_scale: Positive


class CapturedView(Record):
    """One camera's pair: ``depth`` is uint16 mm, aligned to ``image``, times ``depth_scale``.

    That is 1 but in captures of earlier versions, since benches scale depth as it comes.
    ``settings`` are what colour was fixed to, ``metadata`` what the device told of the frames;
    ``time_domain`` is ``system_time`` where only arrival times are known. ``seen`` is how much of
    each thing was not hidden by anything. ``pose_mm`` and ``pose_deg`` are one sigma of where the
    camera was by the marker strips, None if they did not tell.
    """

    camera: Camera
    serial: str
    firmware: str = ""
    settings: ColorSettings = ColorSettings()
    metadata: dict[str, dict[str, Number]] = Field(default_factory=dict)
    time_domain: str = ""
    native: CapturedDepth | None = None
    seen: dict[str, Visibility] = Field(default_factory=dict)
    image: str = Field(pattern=r"^[a-z0-9_]+\.png$")
    depth: str = Field(pattern=r"^[a-z0-9_]+\.depth\.png$")
    depth_scale: Positive
    captured_at_ns: TimeNs
    pose_mm: Number | None = None
    pose_deg: Number | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the pictures."""
        return (self.image, self.depth, *([self.native.file] if self.native else []))


class CapturedObject(Record):
    """A captured object; ``world_from_object`` is its measured pose, None if not found."""

    name: str
    state: str
    detail: str
    position_mm: Number | None
    yaw_deg: Number | None
    residual_mm: Number = Field(validation_alias=AliasChoices("residual_mm", "misfit_mm"))
    world_from_object: Matrix4 | None


class CapturedImu(Record):
    """Measurements of an inertial sensor: quaternion (w x y z), rad/s, m/s2."""

    quaternion: tuple[Number, ...]
    gyroscope_rad_s: tuple[Number, ...]
    accelerometer_m_s2: tuple[Number, ...]


class Capture(Record):
    """One scene as captured.

    ``mirror_of`` is the copied simulated scene, of the suite with ``suite_hash``. ``as_planned``
    says whether the check passed, ``faults`` lists faults other than objects, ``remarks`` harmless
    ones. ``joints_rad`` are by name, measured ``state_age_ms`` from the pictures; the robot's clock
    is ``clock_offset_ms`` behind the cameras'. ``imus`` are those of pelvis and torso,
    ``sway_deg_s`` their angular speed. ``strips_m`` are corners of marker strips on the table;
    ``files`` are SHA-256.
    """

    schema_version: Literal[1] = 1
    source: Literal["real", "rehearsal"]
    mirror_of: OpaqueId
    suite_hash: str
    taken: datetime
    calibration: str
    as_planned: bool
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    notes: str
    skew_ms: Number
    state_age_ms: Number
    clock_offset_ms: Number
    mode_machine: int
    mode_pr: int = 0
    joints_rad: dict[str, Number]
    imus: dict[str, CapturedImu] = Field(default_factory=dict)
    sway_deg_s: Number | None = None
    strips_m: tuple[tuple[tuple[Number, Number, Number], ...], ...] = ()
    views: tuple[CapturedView, ...]
    objects: tuple[CapturedObject, ...]
    files: dict[str, str]


def write_capture(
    folder: Path,
    scene_id: str,
    suite_hash: str,
    rig: Rig,
    frame_set: FrameSet,
    found: TableCheck,
    notes: str = "",
    *,
    again: bool = False,
) -> Path:
    """Store a set of frames of a checked scene in ``folder``; returns the capture's own folder.

    Raises InvalidInputError if the scene was captured there before (unless ``again``), or the rig
    is not calibrated; OSError, which names the file, if the disk refuses: then nothing is left.
    """
    out = capture_folder(folder, scene_id, again=again)
    views: list[CapturedView] = []
    files: dict[str, bytes] = {}
    for spec in rig.cameras:
        known = found.cameras.get(spec.name, rig.calibrated(spec.name))
        frame, solved = frame_set.frames[spec.name], found.solved.get(spec.name)
        height, width = frame.depth_mm.shape
        view = CapturedView(
            camera=camera_record(spec.name, known, (width, height)),
            seen=dict(found.seen.get(spec.name, {})),
            serial=spec.serial,
            image=f"{spec.name}.png",
            depth=f"{spec.name}.depth.png",
            depth_scale=1.0,
            captured_at_ns=frame.captured_at_ns,
            pose_mm=solved.mm if solved else None,
            pose_deg=solved.degrees if solved else None,
            firmware=frame.device.firmware,
            settings=frame.settings,
            metadata={kind: dict(told) for kind, told in frame.metadata.items()},
            time_domain=frame.time_domain,
        )
        if (native := frame.native) is not None:
            kept = CapturedDepth.model_validate(
                {
                    "file": f"{spec.name}.native.png",
                    "K": native.K.tolist(),
                    "color_from_depth": native.color_from_depth.tolist(),
                    "depth_scale": known.depth_scale,
                }
            )
            view = view.model_copy(update={"native": kept})
            files[kept.file] = png_bytes(native.depth_mm)
        files |= {view.image: png_bytes(frame.color), view.depth: png_bytes(frame.depth_mm)}
        views.append(view)
    capture = Capture(
        source="rehearsal" if rig.rehearsal else "real",
        mirror_of=scene_id,
        suite_hash=suite_hash,
        taken=datetime.now(UTC),
        calibration=rig.calibration.id if rig.calibration else "",
        as_planned=found.ok,
        faults=tuple(map(str, found.faults)),
        remarks=found.remarks,
        notes=notes,
        skew_ms=frame_set.skew_ms,
        state_age_ms=frame_set.state_age_ms,
        clock_offset_ms=frame_set.state.offset_ns / 1e6,
        mode_machine=frame_set.state.mode_machine,
        mode_pr=frame_set.state.mode_pr,
        joints_rad=frame_set.state.q_rad,
        imus={
            name: CapturedImu.model_validate(asdict(imu))
            for name, imu in (("pelvis", frame_set.state.pelvis), ("torso", frame_set.state.torso))
            if imu is not None
        },
        sway_deg_s=frame_set.sway_deg_s,
        strips_m=tuple(
            tuple(map(tuple, corners.round(5).tolist()))
            for corners in (strip_outlines_m(rig.calibration) if rig.calibration else ())
        ),
        views=tuple(views),
        objects=tuple(_found(placement) for placement in found.placements),
        files={name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    )
    text = capture.model_dump_json(indent=1).encode() + b"\n"
    _write_whole(out, {**files, INFO_FILE: text})
    return out


def capture_folder(folder: Path, scene_id: str, *, again: bool = False) -> Path:
    """Folder of a scene's next capture in ``folder``: ``SCENE``, then ``SCENE.2`` and so on.

    Raises InvalidInputError if there is one and this is not ``again``.
    """
    out = folder / CAPTURES_FOLDER / scene_id
    if out.exists() and not again:
        raise InvalidInputError(f"{out} is there already: capture again, or name another folder")
    number = 1
    while out.exists():
        number += 1
        out = out.with_name(f"{scene_id}.{number}")
    return out


def captured_scenes(folder: Path) -> dict[str, Path]:
    """Folder of each scene's newest capture in ``folder``, by the copied scene."""
    takes: dict[str, dict[int, Path]] = {}
    for info in (folder / CAPTURES_FOLDER).glob(f"*/{INFO_FILE}"):
        # What is still being written has a name that starts with a dot.
        if name := _NAME.fullmatch(info.parent.name):
            takes.setdefault(name["scene"], {})[int(name["number"] or 1)] = info.parent
    return {scene: takes[scene][max(takes[scene])] for scene in sorted(takes)}


def color_settings(folder: Path) -> dict[str, ColorSettings]:
    """The colour settings by camera in the newest capture in ``folder``.

    They make twins captured on different days look alike. Raises the errors of
    :func:`read_capture`.
    """
    captures = [read_capture(path) for path in captured_scenes(folder).values()]
    newest = max(captures, key=lambda capture: capture.taken, default=None)
    return {view.camera.name: view.settings for view in newest.views} if newest else {}


def write_outcome(folder: Path, scene_id: str, outcome: Outcome) -> Path:
    """Record the outcome of the executed action, replacing an earlier record.

    ``scene_id`` may be the beginning of an id. Raises InvalidInputError if ``folder`` has no such
    capture, or several.
    """
    captured = captured_scenes(folder)
    found = [path for id, path in captured.items() if scene_id and id.startswith(scene_id)]
    if len(found) != 1:
        many = "has several captures that begin with" if found else "has no capture of scene"
        raise InvalidInputError(f"{folder} {many} {scene_id!r}: {', '.join(captured) or 'none'}")
    path = found[0] / OUTCOME_FILE
    write_file(path, outcome.model_dump_json(indent=1) + "\n")
    return path


def read_outcome(path: Path) -> Outcome | None:
    """The outcome recorded for the capture in the folder ``path``, if any; errors as below."""
    try:
        return Outcome.model_validate(
            parse_json(read_untrusted(inside(path, OUTCOME_FILE), _MAX_INFO_BYTES))
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        said = first_fault(error) if isinstance(error, ValueError) else error.strerror
        raise SuiteError(f"{path / OUTCOME_FILE}: {said}") from error


def read_capture(path: Path) -> Capture:
    """Read the capture in the folder ``path`` and verify its pictures; SuiteError for any fault."""
    try:
        inside(path.parent, path.name)
        data = read_untrusted(inside(path, INFO_FILE), _MAX_INFO_BYTES)
        capture = Capture.model_validate(parse_json(data))
        named = {name for view in capture.views for name in view.files}
        if named != capture.files.keys():
            raise SuiteError(f"{path}: its pictures are not those of its checksums")
        for name, sha256 in capture.files.items():
            picture = read_untrusted(inside(path, name), MAX_PICTURE_BYTES)
            if hashlib.sha256(picture).hexdigest() != sha256:
                raise SuiteError(f"{path}: {name} was changed after it was captured")
    except OSError as error:
        raise SuiteError(f"{path} is not a whole capture: {error.strerror}") from error
    except ValueError as error:
        raise SuiteError(f"{path}: {first_fault(error)}") from error
    return capture


def _found(placement: Placement) -> CapturedObject:
    pose = placement.table_from_object
    matrix: Any = None if pose is None else np.round(pose, 6).tolist()
    return CapturedObject(
        name=placement.name,
        state=placement.state,
        detail=placement.detail,
        position_mm=placement.position_mm,
        yaw_deg=placement.yaw_deg,
        residual_mm=placement.residual_mm,
        world_from_object=matrix,
    )


def png_bytes(pixels: np.ndarray) -> bytes:
    """Pixels as a PNG."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


def _write_whole(out: Path, files: Mapping[str, bytes]) -> None:
    """A folder of files, named only when all are on disk."""
    part = out.with_name(f".{out.name}.part")
    shutil.rmtree(part, ignore_errors=True)  # of a process that was killed
    part.mkdir(parents=True)
    try:
        for name, data in files.items():
            try:
                with (part / name).open("xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(part / name)) from error
        part.rename(out)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
