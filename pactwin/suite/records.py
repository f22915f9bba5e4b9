"""Records of a suite, frozen; field names are the keys of its JSON files.

SI units throughout. A pose that maps points of frame b into frame a is called ``a_from_b`` and is a
4x4 row-major matrix. The world frame is the table frame: origin at the middle of the table's near
edge as the robot sees it, x away from the robot, y to its left, z up, z = 0 on the table top.
"""

from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    JsonValue,
    model_validator,
)

from pactwin.suite.base import Record
from pactwin.suite.errors import SuiteError
from pactwin.suite.numbers import Coordinate, Count, Edge, Number, PictureSide, TimeNs
from pactwin.suite.taxonomy import Constraint
from pactwin.suite.text import Name, short_name
from pactwin.suite.verdicts import Verdict

SCHEMA_VERSION = 2

Vec3 = tuple[float, float, float]
Row3 = tuple[Coordinate, Coordinate, Coordinate]
Row4 = tuple[Coordinate, Coordinate, Coordinate, Coordinate]
Matrix3 = tuple[Row3, Row3, Row3]
Matrix4 = tuple[Row4, Row4, Row4, Row4]
OpaqueId = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
# No segment starts with a dot, so a path inside a suite cannot climb out of it.
_SEGMENT = r"[A-Za-z0-9_-][A-Za-z0-9_.-]*"
RELATIVE_PATH = rf"^{_SEGMENT}(/{_SEGMENT})*$"
RelativePath = Annotated[str, Field(pattern=RELATIVE_PATH)]


def _no_pool(name: str) -> str:
    if name == "all":
        raise ValueError("all is what tables call every domain together: choose another name")
    return short_name(name)


DomainName = Annotated[str, AfterValidator(_no_pool)]
Form = Literal[
    "yes_no", "choice", "open", "list", "checklist", "outcome", "repair", "thing", "part", "told"
]
SET_FORMS: tuple[Form, ...] = ("checklist", "outcome", "repair", "thing", "part", "told")
"""Forms that ask for all true options (maybe none); only a trial can answer them."""

BETWEEN = "between"
"""Key of a scene's appearance: categories of two objects of a kind; the scene shows one."""

TOLD: Form = "told"
"""Form that describes everything in words and needs no picture."""

NONE_OF_THEM = "none"
"""Gold answer of a question in ``SET_FORMS`` if no option is true."""

Observability = Literal["visible", "inferable", "hidden"]
"""Whether a label is visible in a picture, inferable from what is visible, or neither."""


class UnknownCamera(Record):
    """A photo's camera, known only by the size of its pictures."""

    name: str
    width_px: PictureSide
    height_px: PictureSide


class Camera(UnknownCamera):
    """A pinhole camera. OpenCV axes (x right, y down, z forward); ``K`` in pixels."""

    K: Matrix3
    distortion: Annotated[tuple[Number, ...], Field(max_length=14)] = (0.0, 0.0, 0.0, 0.0, 0.0)
    world_from_camera: Matrix4

    @model_validator(mode="after")
    def _has_focal_lengths(self) -> "Camera":
        if not (self.K[0][0] > 0 and self.K[1][1] > 0):
            raise ValueError("focal lengths in K are above 0")
        return self


class Label(Record):
    """The category ``value`` of one property of an object, and the ``evidence`` for it."""

    value: str = Field(min_length=1)
    observability: Observability
    evidence: str


class Affordance(Record):
    """An affordance of an object; ``evidence`` is the part or property that provides it."""

    name: str = Field(min_length=1)
    observability: Observability
    evidence: str


class ObjectRecord(Record):
    """One object on the table. ``name`` is used in questions and unique within its scene.

    The object frame's origin is the centre of its bounding box; ``size_m`` are full extents along
    the object's axes. ``state`` is one or more state words, joined by commas. ``properties`` are
    labels by the property's name in capitals; undecided ones are absent.
    """

    name: str = Field(min_length=1)
    category: str
    world_from_object: Matrix4
    size_m: Row3
    mass_kg: Number = Field(gt=0)
    color: str
    material: str
    asset: str
    state: str = "upright"
    instance_id: int = Field(ge=1, le=65535)
    properties: dict[str, Label] = Field(default={})
    affordances: tuple[Affordance, ...] = ()


class Visibility(Record):
    """Visibility of one object in one picture.

    ``pixels`` are the object's pixels in the mask; ``fraction`` is their share of the silhouette
    the object would have if nothing occluded it and the picture had no border; ``box`` bounds the
    visible pixels, x0 y0 x1 y1 with x1 and y1 exclusive, None if no pixel is visible.
    """

    pixels: Count
    fraction: Number = Field(ge=0, le=1)
    box: tuple[Edge, Edge, Edge, Edge] | None = None


class RegionVisibility(Record):
    """Visibility of a region's lines in one picture: an edge, a rim, a seam, a profile.

    ``pixels`` is the number of unoccluded line pixels. ``contrast`` is the difference in grey
    levels (0-255, in the colour channel with the largest) across the best third of them.
    """

    pixels: Count
    contrast: Number = Field(ge=0, le=255)


class View(Record):
    """One camera's picture: colour PNG, depth (uint16 mm, 0 = none), mask (uint16 instance ids).

    An imported photo has neither depth nor mask, and may be a JPEG. ``origin`` is its path in the
    imported data, which no model sees. ``regions`` are, by name, the regions that must be visible
    for the scene's question, besides the objects.
    """

    camera: Camera | UnknownCamera
    image: RelativePath
    depth: RelativePath | None = None
    mask: RelativePath | None = None
    visibility: dict[str, Visibility]
    regions: dict[str, RegionVisibility] = Field(default={})
    captured_at_ns: TimeNs | None = None
    origin: str = ""


class Outcome(Record):
    """Outcome of an action that a person carried out on the table.

    ``constraint`` is the observed cause of a failure, if any; ``how`` describes it in words.
    """

    worked: bool
    constraint: Constraint | None = None
    how: str = ""

    @model_validator(mode="after")
    def _nothing_prevents_what_worked(self) -> "Outcome":
        if self.worked and self.constraint not in (None, Constraint.NONE):
            raise ValueError("it worked, so nothing prevented it")
        if not self.worked and self.constraint is Constraint.NONE:
            raise ValueError("it failed, so something prevented it")
        return self


class CaptureRecord(Record):
    """How a scene on the table was captured.

    ``placement`` is the state of each planned object, ``ok`` if as planned. ``unverified`` says why
    the scene has no gold answer and no questions, "" if it has one. The robot's clock is
    ``clock_offset_ms`` behind the cameras'. Its ``joints_rad`` (by name) were measured
    ``state_age_ms`` from the pictures, which are ``skew_ms`` apart. ``masked_m`` are corners (x, y,
    z) of marker strips on the table: they are painted grey in its pictures, and in those rendered
    for comparison.
    """

    calibration: str
    skew_ms: Number
    state_age_ms: Number
    clock_offset_ms: Number
    mode_machine: int
    joints_rad: dict[str, Number]
    notes: str = ""
    placement: dict[str, str]
    unverified: str = ""
    outcome: Outcome | None = None
    masked_m: tuple[tuple[Row3, ...], ...] = ()


MAX_STEPS = 11
"""Maximum number of steps of a ladder."""


class LadderStep(Record):
    """Position of a scene in a ladder: one scene with one physical quantity stepped.

    ``x`` is the signed distance to the quantity's limit in ``unit``: 0 at the limit, above 0 if
    feasible. All scenes of a ladder differ in nothing else.
    """

    ladder: OpaqueId
    quantity: Name
    x: Number
    unit: Name


class Scene(Record):
    """One arrangement of objects, its pictures, and the verdict of its trial, if any.

    ``seed`` is the seed of the pair, shared by both twins. ``appearance`` holds the drawn room,
    table and light (also shared), so that tests can show that it does not reveal the label. Scenes
    about single objects have neither ``verdict`` nor twin. ``capture`` belongs to scenes on a real
    table. ``layout`` is a simulated scene's stored layout for trials; "" in suites of earlier
    versions, whose scenes are drawn again from their seed. The steps of a ladder have a ``step``;
    an undecided step near the limit has no verdict.
    """

    id: OpaqueId
    domain: DomainName
    source: Literal["sim", "rehearsal", "real", "imported"]
    twin_id: OpaqueId | None = None
    mirror_of: OpaqueId | None = None
    seed: int = Field(ge=0)
    robot: str
    appearance: dict[str, str | Number] = Field(default={})
    objects: tuple[ObjectRecord, ...]
    views: tuple[View, ...]
    verdict: Verdict | None = None
    capture: CaptureRecord | None = None
    step: LadderStep | None = None
    layout: str = Field(default="", repr=False)

    @property
    def decided(self) -> Verdict:
        """The verdict; SuiteError if no action was tried in this scene."""
        if self.verdict is None:
            raise SuiteError(f"scene {self.id} ({self.domain}) has no verdict")
        return self.verdict

    @model_validator(mode="after")
    def _names_resolve(self) -> "Scene":
        names = [o.name for o in self.objects]
        if len(set(names)) != len(names):
            raise ValueError(f"object names are not unique: {sorted(names)}")
        if len({o.instance_id for o in self.objects}) != len(names):
            raise ValueError("instance ids are not unique")
        cameras = [v.camera.name for v in self.views]
        if len(set(cameras)) != len(cameras):
            raise ValueError(f"camera names are not unique: {sorted(cameras)}")
        if self.twin_id is not None and self.verdict is None:
            raise ValueError("a twin without a verdict")
        if self.verdict is not None:
            edited = (name for edit in self.verdict.edits for name in edit.objects)
            moved = self.verdict.moved or ()
            played = (use.thing for use in self.verdict.played)
            named = (*self.verdict.objects, *self.verdict.involved, *moved, *edited, *played)
            for name in named:
                if name not in names:
                    raise ValueError(f"verdict names {name!r}, which is not an object of the scene")
        for view in self.views:
            if set(view.visibility) != set(names):
                raise ValueError(f"visibility of {view.camera.name!r} does not list the objects")
        return self


class SuiteInfo(Record):
    """``suite.json``: written last, so that its presence means the suite is complete.

    ``request`` holds the generator's arguments (seed, domains, cameras, ...): the same request
    again finds the suite complete, another one is refused. ``gl_renderer`` is the OpenGL renderer,
    or several joined by `` + ``. ``content_hash`` covers records and, in newer schemas, pictures.
    """

    name: Name
    schema_version: int
    made_by: str
    packages: dict[str, str]
    gl_renderer: str
    request: dict[str, JsonValue] = Field(default={})
    counts: dict[str, Count]
    rejections: dict[str, dict[str, int]]
    content_hash: str
    files: dict[RelativePath, str]
