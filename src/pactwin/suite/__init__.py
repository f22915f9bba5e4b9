"""What a suite is: records, errors, reading, writing, checking. No simulator, no network."""

from typing import TYPE_CHECKING

from pactwin.lazy import later
from pactwin.suite.errors import (
    EnvironmentFaultError,
    InvalidInputError,
    PactwinError,
    SuiteError,
    unknown_name,
)
from pactwin.suite.memory import give_back
from pactwin.suite.parsing import first_fault, parse_yaml, read_lines
from pactwin.suite.progress import Progress, silent
from pactwin.suite.reader import Suite, read_info
from pactwin.suite.records import (
    SCHEMA_VERSION,
    Affordance,
    Camera,
    Constraint,
    DomainName,
    Form,
    Label,
    Measurement,
    ObjectRecord,
    OpaqueId,
    Perturbations,
    Question,
    Record,
    Scene,
    Seen,
    SuiteInfo,
    UnknownCamera,
    Verdict,
    View,
    Visibility,
)
from pactwin.suite.storage import is_url, local_copy, shown_url
from pactwin.suite.text import one_line, printable
from pactwin.suite.visibility import MIN_FRACTION, MIN_PIXELS, answerable_views, views_showing
from pactwin.suite.writer import SuiteWriter, view_paths

if TYPE_CHECKING:
    from pactwin.suite.checking import Fault, Leak, check_leaks, check_suite
    from pactwin.suite.exporting import export_coco, export_hub, new_folder
    from pactwin.suite.pictures import (
        BROKEN_PICTURE,
        MAX_PIXELS,
        load_depth,
        load_image,
        load_mask,
        open_picture,
    )
    from pactwin.suite.rerun_view import show_in_rerun
    from pactwin.suite.sheet import contact_sheet

__all__ = [
    "BROKEN_PICTURE",
    "MAX_PIXELS",
    "MIN_FRACTION",
    "MIN_PIXELS",
    "SCHEMA_VERSION",
    "Affordance",
    "Camera",
    "Constraint",
    "DomainName",
    "EnvironmentFaultError",
    "Fault",
    "Form",
    "InvalidInputError",
    "Label",
    "Leak",
    "Measurement",
    "ObjectRecord",
    "OpaqueId",
    "PactwinError",
    "Perturbations",
    "Progress",
    "Question",
    "Record",
    "Scene",
    "Seen",
    "Suite",
    "SuiteError",
    "SuiteInfo",
    "SuiteWriter",
    "UnknownCamera",
    "Verdict",
    "View",
    "Visibility",
    "answerable_views",
    "check_leaks",
    "check_suite",
    "contact_sheet",
    "export_coco",
    "export_hub",
    "first_fault",
    "give_back",
    "is_url",
    "load_depth",
    "load_image",
    "load_mask",
    "local_copy",
    "new_folder",
    "one_line",
    "open_picture",
    "parse_yaml",
    "printable",
    "read_info",
    "read_lines",
    "show_in_rerun",
    "shown_url",
    "silent",
    "unknown_name",
    "view_paths",
    "views_showing",
]

# What needs numpy or more is imported when first asked for.
__getattr__ = later(
    __name__,
    {
        "checking": ("Fault", "Leak", "check_leaks", "check_suite"),
        "exporting": ("export_coco", "export_hub", "new_folder"),
        "pictures": (
            *("BROKEN_PICTURE", "MAX_PIXELS"),
            *("load_depth", "load_image", "load_mask", "open_picture"),
        ),
        "rerun_view": ("show_in_rerun",),
        "sheet": ("contact_sheet",),
    },
)
