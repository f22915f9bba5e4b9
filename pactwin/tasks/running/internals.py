"""What Inspect has no public name for: how it continues a log, and how it says what is missing."""

from inspect_ai._eval.task import PreviousTask as PreviousTask
from inspect_ai._util.error import PrerequisiteError as PrerequisiteError
