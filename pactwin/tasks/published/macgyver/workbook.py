"""Read the cells of an untrusted workbook without trusting its metadata."""

import zlib
from pathlib import Path
from typing import BinaryIO
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from pactwin.suite import InvalidInputError, one_line, open_untrusted

MAX_BYTES = 16 * 2**20
"""Maximum size of a workbook, and of its unpacked content: seven times the published ones."""
# A parser of formats takes time by the square of their length: 10 s for this.
_MAX_STYLES_BYTES = 2**16
_MAX_ROWS, _MAX_COLUMNS = 100_000, 64


def read_cells(path: Path) -> list[tuple[int, tuple[object, ...]]]:
    """Non-empty rows of a workbook's first sheet, by row number (from 1).

    Raises InvalidInputError for a file that is no workbook, or far larger than the published one.
    """
    from openpyxl import load_workbook  # seldom needed, and slow to import
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with open_untrusted(path, MAX_BYTES) as file:
            _check_size(path, file)
            book = load_workbook(file, read_only=True, data_only=True)
            sheet = book.worksheets[0]
            rows = sheet.iter_rows(max_row=_MAX_ROWS + 1, max_col=_MAX_COLUMNS, values_only=True)
            found = []
            for number, cells in enumerate(rows, start=1):
                if number > _MAX_ROWS:
                    raise InvalidInputError(f"{path} has more than {_MAX_ROWS:,} rows")
                if any(cells):
                    found.append((number, cells))
            return found
    except (
        BadZipFile, InvalidFileException, ParseError, ValueError, KeyError, TypeError, IndexError,
        AttributeError, ArithmeticError, AssertionError, EOFError, RuntimeError, zlib.error,
    ) as error:  # fmt: skip
        line = one_line(str(error))[:200]
        raise InvalidInputError(f"{path} is no readable workbook: {line}") from error
    except OSError as error:
        raise InvalidInputError(f"cannot read {path}: {error.strerror or error}") from error


def _check_size(path: Path, file: BinaryIO) -> None:
    with ZipFile(file) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
    if (size := sum(sizes.values())) > MAX_BYTES:
        raise InvalidInputError(f"{path} would unpack to {size:,} bytes: no such file does")
    if sizes.get("xl/styles.xml", 0) > _MAX_STYLES_BYTES:
        raise InvalidInputError(f"{path} has more than {_MAX_STYLES_BYTES:,} bytes of styles")
