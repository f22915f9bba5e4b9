"""Parse untrusted JSON and YAML; errors are one line with the place and the fault."""

import re
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from pactwin.suite.base import Record
from pactwin.suite.errors import InvalidInputError, SuiteError
from pactwin.suite.untrusted import MAX_JSON_BYTES, MAX_TEXT_BYTES, read_untrusted, untrusted_lines

R = TypeVar("R", bound=Record)
T = TypeVar("T")

# A suite of 80,000 pairs has as many in its suite.json. Each that is wrong costs a kilobyte.
_MAX_VALUES = 2_000_000
# Pydantic tells all faults at once, each a dictionary of its own.
_MAX_FAULTS = 1000
_SURROGATE = re.compile("[\ud800-\udfff]")
# What PyYAML itself raises over dates, numbers and nesting.
_STUMBLES = (ValueError, KeyError, AttributeError, RecursionError, OverflowError)


def parse_json(data: bytes, *, allow_nan: bool = False) -> Any:
    """Parse ``data``; ValueError if it is not JSON or has far too many values.

    Data nested deeper than 200 levels are refused.

    Pydantic's own ``model_validate_json`` needs 400 times the memory of odd data.
    """
    if data.count(b",") + data.count(b"[") + data.count(b"{") > _MAX_VALUES:
        raise ValueError(f"it holds more than {_MAX_VALUES:,} values")
    try:
        return from_json(data, allow_inf_nan=allow_nan)
    except ValueError as error:
        raise ValueError(f"Invalid JSON: {error}") from error


def parse_record(model: type[R], data: bytes, where: str) -> R:
    """Parse ``data`` (JSON) as a record; SuiteError ``where: key: first fault`` otherwise."""
    try:
        return model.model_validate(parse_json(data))
    except ValueError as error:
        raise SuiteError(f"{where}: {first_fault(error)}") from error


def read_json(kind: TypeAdapter[T], path: Path, what: str, max_bytes: int = MAX_JSON_BYTES) -> T:
    """Read the JSON file at ``path``; InvalidInputError if it is not a ``what``."""
    try:
        return kind.validate_python(parse_json(read_untrusted(path, max_bytes)))
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InvalidInputError(f"{path} is not {what}: {first_fault(error)}") from error


def read_lines(model: type[R], path: Path | str, what: str) -> list[R]:
    """Read the records (``what`` in messages) of an untrusted JSONL file.

    Raises InvalidInputError that names line and key for any other file, or an empty one.
    """
    records = []
    try:
        for number, line in enumerate(untrusted_lines(Path(path)), start=1):
            try:
                records.append(model.model_validate(parse_json(line)))
            except ValueError as error:
                raise InvalidInputError(f"{path}, line {number}: {first_fault(error)}") from error
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
    if not records:
        raise InvalidInputError(f"{path} holds no {what}")
    return records


def read_yaml(kind: TypeAdapter[T], path: Path, what: str) -> tuple[T, bytes]:
    """Read the YAML file at ``path`` (``what`` in messages); returns its content and bytes.

    Raises InvalidInputError that names the key for any other file.
    """
    where = f"{what} {path}"
    try:
        data = read_untrusted(path, MAX_TEXT_BYTES)
        return kind.validate_python(parse_yaml(data, where)), data
    except OSError as error:
        raise InvalidInputError(f"{where} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise InvalidInputError(f"{where}: {first_fault(error)}") from error


def parse_yaml(data: bytes | str, where: str) -> Any:
    """Parse YAML; InvalidInputError ``where: not YAML: why`` otherwise."""
    import yaml

    class Loader(yaml.SafeLoader):
        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            if any(key.tag == "tag:yaml.org,2002:merge" for key, _ in node.value):
                # A few lines of them, each of the one before, are as many keys as one likes.
                raise yaml.YAMLError("merged keys (<<) are not read here")
            super().flatten_mapping(node)

        def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> Any:
            value = super().construct_scalar(node)
            if isinstance(value, str) and _SURROGATE.search(value):
                raise yaml.YAMLError("a lone surrogate, which no file can hold")
            return value

    try:
        return yaml.load(data, Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, *_STUMBLES) as error:
        line = " ".join(str(error).split())
        raise InvalidInputError(f"{where}: not YAML: {line}") from error


def first_fault(error: ValueError) -> str:
    """The first fault that pydantic or :func:`parse_json` reported, on one line."""
    if not isinstance(error, ValidationError):
        return " ".join(str(error).split())
    if error.error_count() > _MAX_FAULTS:
        return f"{error.error_count():,} values are not what they should be"
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    key = ".".join(str(part) for part in fault["loc"])
    said = fault["msg"].removeprefix("Value error, ")  # of validators of ours
    if fault["type"] in ("model_type", "dict_type"):  # pydantic names our classes
        said = "Input should be a mapping of keys to values"
    text = " ".join((f"{key}: {said}" if key else said).split())
    others = error.error_count() - 1
    return text + (f" (and {others} more)" if others else "")
