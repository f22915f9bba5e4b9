"""What a suite is: records, errors, reading, writing, checking. No simulator, no network."""

from pactwin.suite.errors import (
    EnvironmentFaultError,
    InvalidInputError,
    PactwinError,
    SuiteError,
    unknown_name,
)
from pactwin.suite.reader import Suite
from pactwin.suite.records import (
    SCHEMA_VERSION,
    Camera,
    Constraint,
    Measurement,
    ObjectRecord,
    Perturbations,
    Question,
    Scene,
    SuiteInfo,
    Verdict,
    View,
    Visibility,
)
from pactwin.suite.visibility import MIN_FRACTION, MIN_PIXELS, answerable_views
from pactwin.suite.writer import SuiteWriter, view_paths

__all__ = [
    "MIN_FRACTION",
    "MIN_PIXELS",
    "SCHEMA_VERSION",
    "Camera",
    "Constraint",
    "EnvironmentFaultError",
    "InvalidInputError",
    "Measurement",
    "ObjectRecord",
    "PactwinError",
    "Perturbations",
    "Question",
    "Scene",
    "Suite",
    "SuiteError",
    "SuiteInfo",
    "SuiteWriter",
    "Verdict",
    "View",
    "Visibility",
    "answerable_views",
    "unknown_name",
    "view_paths",
]
