"""What a suite is: records, errors, reading, writing, checking. No simulator, no network."""

from pactwin.suite.errors import (
    EnvironmentFaultError,
    InvalidInputError,
    PactwinError,
    SuiteError,
    unknown_name,
)
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

__all__ = [
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
    "SuiteError",
    "SuiteInfo",
    "Verdict",
    "View",
    "Visibility",
    "unknown_name",
]
