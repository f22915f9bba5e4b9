"""Reading JSON into records, with errors of one line that say where and what."""

from typing import TypeVar

from pydantic import ValidationError

from pactwin.suite.errors import SuiteError
from pactwin.suite.records import Record

R = TypeVar("R", bound=Record)


def parse_record(model: type[R], data: bytes, where: str) -> R:
    """``data`` (JSON) as a record; SuiteError ``where: key: first fault`` if it is not one."""
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        raise SuiteError(f"{where}: {first_fault(error)}") from error


def first_fault(error: ValidationError) -> str:
    """The first thing pydantic found wrong, on one line."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    key = ".".join(str(part) for part in fault["loc"])
    text = " ".join(f"{key}: {fault['msg']}".split() if key else fault["msg"].split())
    others = error.error_count() - 1
    return text + (f" (and {others} more)" if others else "")
