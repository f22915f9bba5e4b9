"""Private names of Inspect 0.3.285 without a public alternative.

``PreviousTask`` is how ``eval`` is told to continue a log with a task that is already made;
``PrerequisiteError`` is what is raised where a package or a key is missing.
"""

from inspect_ai._eval.task import PreviousTask as PreviousTask
from inspect_ai._util.error import PrerequisiteError as PrerequisiteError
