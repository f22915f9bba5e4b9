"""Reading JSON and YAML that others wrote, with errors of one line that say where and what."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from pactwin.suite.errors import InvalidInputError, SuiteError
from pactwin.suite.records import Record

R = TypeVar("R", bound=Record)

# What PyYAML itself raises over dates, numbers and nesting.
_STUMBLES = (ValueError, KeyError, AttributeError, RecursionError, OverflowError)


def parse_record(model: type[R], data: bytes, where: str) -> R:
    """``data`` (JSON) as a record; SuiteError ``where: key: first fault`` if it is not one."""
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        raise SuiteError(f"{where}: {first_fault(error)}") from error


def read_lines(model: type[R], path: Path | str, what: str) -> list[R]:
    """The records, ``what`` for people, in a JSONL file of others.

    Raises InvalidInputError, naming line and key, for a file that is not that or holds none.
    """
    try:
        lines = Path(path).read_bytes().splitlines()
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
    records = []
    for number, line in enumerate(lines, start=1):
        try:
            records.append(model.model_validate_json(line))
        except ValidationError as error:
            raise InvalidInputError(f"{path}, line {number}: {first_fault(error)}") from error
    if not records:
        raise InvalidInputError(f"{path} holds no {what}")
    return records


def parse_yaml(data: bytes | str, where: str) -> Any:
    """What a YAML file holds; InvalidInputError ``where: not YAML: why`` if it is none."""
    import yaml

    class Loader(yaml.SafeLoader):
        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            if any(key.tag == "tag:yaml.org,2002:merge" for key, _ in node.value):
                # A few lines of them, each of the one before, are as many keys as one likes.
                raise yaml.YAMLError("merged keys (<<) are not read here")
            super().flatten_mapping(node)

    try:
        return yaml.load(data, Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, *_STUMBLES) as error:
        line = " ".join(str(error).split())
        raise InvalidInputError(f"{where}: not YAML: {line}") from error


def first_fault(error: ValidationError) -> str:
    """The first thing pydantic found wrong, on one line."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    key = ".".join(str(part) for part in fault["loc"])
    said = fault["msg"].removeprefix("Value error, ")  # of validators of ours
    if fault["type"] in ("model_type", "dict_type"):  # pydantic names our classes
        said = "Input should be a mapping of keys to values"
    text = " ".join((f"{key}: {said}" if key else said).split())
    others = error.error_count() - 1
    return text + (f" (and {others} more)" if others else "")
