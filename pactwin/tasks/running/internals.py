"""Private names of Inspect 0.3.285 without a public alternative.

``PreviousTask`` tells ``eval`` to continue a log with an existing task; ``PrerequisiteError`` is
raised if a package or a key is missing.
"""

from inspect_ai._eval.task import PreviousTask as PreviousTask
from inspect_ai._util.error import PrerequisiteError as PrerequisiteError
