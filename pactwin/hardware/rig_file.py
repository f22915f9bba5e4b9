"""``rig.yaml``: the operator's description of the bench, and its latest calibration.

Lengths that people measure are in mm, as on their rulers; poses are 4x4 matrices in m.
"""

import re
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    AfterValidator,
    AliasChoices,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from pactwin.hardware.motors import Variant
from pactwin.suite import (
    Coordinate,
    InvalidInputError,
    Number,
    Positive,
    Record,
    first_fault,
    opaque_id,
    parse_yaml,
    write_file,
)
from pactwin.suite import read_untrusted as read_bytes

MAX_BYTES = 2**18
RULER_MM = 100.0
"""Length of the ruler printed beside every target."""

Dictionary = Literal["apriltag_36h11", "5x5_100"]
CameraName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
Row3 = tuple[Coordinate, Coordinate, Coordinate]
Row4 = tuple[Coordinate, Coordinate, Coordinate, Coordinate]


class Stream(Record):
    """Size (px) and rate (Hz) of one of a camera's streams."""

    width_px: int = Field(gt=0, le=8192)
    height_px: int = Field(gt=0, le=8192)
    rate_hz: int = Field(gt=0, le=300)


def _serial(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9-]{4,40}", text):
        raise ValueError(f"{text[:40]!r} is no serial number: 4 to 40 letters, digits or hyphens")
    return text


class RigCamera(Record):
    """One RealSense camera. ``serial`` selects it.

    Automatic exposure and white balance have ``warmup`` frames to settle, then they stay fixed.
    ``power_line_hz`` is the frequency of the mains, in which lamps flicker. Depth of captures is
    the median of ``depth_frames``.

    ``sender`` is where :mod:`pactwin.hardware.camera_sender` sends it (HOST:PORT), None if it is
    plugged into this computer. ``head`` is mounted on the robot, so that its pose can also be
    predicted; ``fixed`` stands.
    """

    name: CameraName
    serial: Annotated[str, AfterValidator(_serial)]
    mount: Literal["head", "fixed"]
    color: Stream = Stream(width_px=1280, height_px=720, rate_hz=30)
    depth: Stream = Stream(width_px=848, height_px=480, rate_hz=30)
    warmup: int = Field(default=30, ge=0, le=300)
    depth_frames: int = Field(default=10, ge=1, le=60)
    power_line_hz: Literal[50, 60] = 50
    sender: str | None = Field(default=None, pattern=r"^[A-Za-z0-9_.:\[\]-]{1,260}:[0-9]{1,5}$")


class CalibrationBoard(Record):
    """The printed ChArUco board and its place: centred, ``near_mm`` from the table's near edge.

    ``square_mm`` is the nominal size; the real one follows from the measured ruler.
    """

    dictionary: Dictionary = "apriltag_36h11"
    columns: int = Field(default=7, ge=3, le=30)
    rows: int = Field(default=5, ge=3, le=30)
    square_mm: Positive = 50.0
    near_mm: float = Field(default=120.0, ge=0, le=2000)

    @property
    def id(self) -> str:
        """Identifier of the board in its calibrations."""
        return f"{self.dictionary} {self.columns}x{self.rows} {self.square_mm:g} mm"


class Table(Record):
    """The table top."""

    depth_mm: Positive = 750.0
    width_mm: Positive = 1300.0


class RobotLink(Record):
    """The G1, its network, and the position ``pelvis_mm`` of its pelvis on the table.

    That is in the table frame; the robot stands upright and faces along x.
    """

    variant: Variant = "29dof"
    interface: str = Field(pattern=r"^[A-Za-z0-9_.:-]{1,15}$")
    domain: int = Field(default=0, ge=0, le=232)
    pelvis_mm: Row3 = (-165.0, 0.0, 15.0)


class Limits(Record):
    """Limits of the rig; beyond them it refuses with a reason.

    ``skew_ms`` is the maximum time between pictures; None means half a frame plus a margin, as
    free-running cameras need. ``sway_deg_s`` is the maximum angular speed of the robot during
    pictures: 0.1 degree in the 33 ms between them.
    """

    skew_ms: Positive | None = None
    reprojection_px: Positive = 1.0
    state_age_ms: Positive = 100.0
    sway_deg_s: Positive = 3.0
    position_mm: Positive = 10.0
    yaw_deg: Positive = 6.0


class CameraCalibration(Record):
    """Calibration result of one camera.

    ``K`` and ``distortion`` (OpenCV) belong to the colour stream; ``table_from_camera`` has OpenCV
    axes. ``depth_scale`` makes depth correct at the table's plane; a bench applies it to every
    frame. ``lens`` is distortion that the device does not report, also undone in every frame; empty
    if it was not measured.
    ``strip_corners`` are strip, corner, and how far (px, right and down) the camera sees it from
    where a flat, unstretched strip has it. It is subtracted in every frame.
    """

    K: tuple[Row3, Row3, Row3]
    distortion: tuple[Number, ...]
    table_from_camera: tuple[Row4, Row4, Row4, Row4]
    reprojection_px: Number = Field(ge=0)
    views: int = Field(ge=1, le=10**6)
    corners: int = Field(ge=4, le=10**9)
    depth_scale: Positive
    lens: tuple[Number, ...] = ()
    strip_corners: tuple[tuple[int, int, Number, Number], ...] = ()


class RobotPosture(Record):
    """The robot's lean: waist angles by joint, and the pelvis quaternion (w x y z)."""

    waist_rad: dict[str, Number]
    pelvis: tuple[Number, ...] = Field(min_length=4, max_length=4)


class StripPlace(Record):
    """Position and direction of a marker strip on the table."""

    strip: int = Field(ge=0, le=100)
    x_m: Coordinate
    y_m: Coordinate
    yaw_rad: Number


class Calibration(Record):
    """Camera poses on ``date`` (UTC) from ``board`` with measured rulers.

    ``posture`` is the robot's posture, None if unknown. ``strips`` lie at the table's edges and
    locate cameras later.
    """

    date: datetime
    board: str
    ruler_mm: Positive
    cameras: dict[CameraName, CameraCalibration] = Field(min_length=1)
    posture: RobotPosture | None = None
    strips: tuple[StripPlace, ...] = ()

    @property
    def id(self) -> str:
        """16 hex digits, different for each calibration."""
        return opaque_id(self.model_dump_json())


class Rig(Record):
    """One bench. ``rehearsal`` is the address of the process that simulates its devices, if any.

    Captures through a simulated rig do not count as real.
    """

    cameras: tuple[RigCamera, ...] = Field(min_length=1)
    board: CalibrationBoard = Field(
        default=CalibrationBoard(), validation_alias=AliasChoices("board", "mat")
    )
    table: Table = Table()
    robot: RobotLink
    limits: Limits = Limits()
    rehearsal: str | None = None
    calibration: Calibration | None = None

    @model_validator(mode="after")
    def _cameras_differ(self) -> "Rig":
        for what in ("name", "serial"):
            values = [getattr(camera, what) for camera in self.cameras]
            if len(set(values)) < len(values):
                raise ValueError(f"two cameras have the same {what}")
        if sum(camera.mount == "head" for camera in self.cameras) > 1:
            raise ValueError("the robot's head has one camera")
        if self.calibration is not None:
            names = {camera.name for camera in self.cameras}
            if strange := set(self.calibration.cameras) - names:
                raise ValueError(f"calibration of {min(strange)!r}, which is no camera of the rig")
        return self

    @property
    def skew_ms(self) -> float:
        """Maximum time between pictures of the cameras."""
        slowest_hz = min(camera.color.rate_hz for camera in self.cameras)
        return self.limits.skew_ms or 600.0 / slowest_hz

    @property
    def lenses(self) -> dict[str, tuple[float, ...]]:
        """Measured lens distortions, by camera."""
        cameras = self.calibration.cameras if self.calibration else {}
        return {name: known.lens for name, known in cameras.items()}

    def calibrated(self, name: str) -> CameraCalibration:
        """A camera's calibration; InvalidInputError with a remedy if there is none."""
        if self.calibration is None or name not in self.calibration.cameras:
            raise InvalidInputError(f"camera {name!r} is not calibrated: run pactwin rig calibrate")
        if self.calibration.board != self.board.id:
            raise InvalidInputError(
                f"the rig was calibrated with {self.calibration.board}, and its board is now "
                f"{self.board.id}: run pactwin rig calibrate"
            )
        return self.calibration.cameras[name]


def read_rig(path: Path) -> Rig:
    """Read the rig file at ``path``; InvalidInputError names the line of the first fault."""
    return _parse(path)[0]


def write_rig(path: Path, rig: Rig) -> None:
    """Write a new rig file."""
    write_file(path, _HEAD + _yaml(rig.model_dump(mode="json", exclude_none=True)))


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Replace the calibration in the rig file, leaving everything else unchanged."""
    _, text = _parse(path)
    block = _yaml({"calibration": calibration.model_dump(mode="json")})
    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    for key, value in root.value:
        if key.value == "calibration":
            text = text[: key.start_mark.index] + text[value.end_mark.index :].lstrip("\n")
    write_file(path, text.rstrip("\n") + "\n" + block)


_HEAD = """\
# The capture rig: docs/rig.md says what each line is. Lengths in mm, as measured.
"""


def _parse(path: Path) -> tuple[Rig, str]:
    where = f"rig file {path}"
    try:
        text = read_bytes(path, MAX_BYTES).decode("utf-8")
    except OSError as error:
        hint = ": write one with pactwin rig init" if isinstance(error, FileNotFoundError) else ""
        raise InvalidInputError(f"{where} cannot be read: {error.strerror}{hint}") from error
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{where} is not UTF-8") from error
    try:
        return TypeAdapter(Rig).validate_python(parse_yaml(text, where)), text
    except ValidationError as error:
        place = error.errors(include_url=False, include_context=False, include_input=False)[0]
        line = _line_of(text, place["loc"])
        raise InvalidInputError(f"{where}, line {line}: {first_fault(error)}") from error


def _line_of(text: str, location: tuple[int | str, ...]) -> int:
    """The line (from 1) of the node at ``location``, or of the nearest that is there."""
    node: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    line = 1
    for step in location:
        if isinstance(node, yaml.MappingNode):
            found = [(k, v) for k, v in node.value if k.value == str(step)]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            found = [(entry, entry) for entry in node.value[step : step + 1]]
        else:
            break
        if not found:
            break
        line = found[0][0].start_mark.line + 1
        node = found[0][1]
    return line


def _yaml(values: dict[str, Any]) -> str:
    return yaml.safe_dump(values, sort_keys=False, default_flow_style=None, width=100)
