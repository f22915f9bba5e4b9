"""A bill of materials as files: a table for people, spreadsheets or scripts, and prints as STL."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pactwin.real.materials import PRINT_WALL_M, BillItem
from pactwin.sim import Item, surface_of
from pactwin.suite import InvalidInputError, write_file

if TYPE_CHECKING:
    import pandas as pd

_FORMATS = (".csv", ".html", ".json")
_STYLE = (
    "body{font:13px sans-serif} table{border-collapse:collapse} "
    "td,th{padding:2px 8px;text-align:left;vertical-align:top;border-bottom:1px solid #ccc} "
    "td:nth-child(10){min-width:16em}"
)
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners_mm", "<f4", (3, 3)), ("attribute", "<u2")])


def write_bill(bill: Sequence[BillItem], path: Path) -> None:
    """Write the bill as a table; the file name's suffix chooses .csv, .html or .json.

    Raises InvalidInputError for another ending.
    """
    check_bill_name(path)
    table = bill_table(bill)
    match path.suffix:
        case ".csv":
            text = table.to_csv(index=False)
        case ".html":
            page = "<!doctype html><meta charset='utf-8'><title>Bill of materials</title>"
            # Gaps are None, which to_html's na_rep leaves as a word.
            rows = table.fillna("").to_html(index=False, border=0)
            text = f"{page}<style>{_STYLE}</style>{rows}"
        case _:
            text = table.to_json(orient="records", indent=1)
    write_file(path, text + "\n")


def check_bill_name(path: Path) -> None:
    """Raise InvalidInputError if no bill can be written under this name."""
    if path.suffix not in _FORMATS:
        allowed = ", ".join(_FORMATS)
        raise InvalidInputError(f"{path}: the name of a bill ends in one of {allowed}")


def bill_table(bill: Sequence[BillItem]) -> "pd.DataFrame":
    """One row per material; lengths in mm, masses in g, infill in % (empty if not printed)."""
    import pandas as pd

    rows = []
    for material in bill:
        item = material.item
        least, most = material.infill or (None, None)
        rows.append(
            {
                "name": item.name,
                "shape": material.shape,
                "count": material.count,
                **{
                    f"{side}_mm": round(1e3 * extent, 1)
                    for side, extent in zip(
                        ("longest", "middle", "shortest"), material.size_m, strict=True
                    )
                },
                "mass_g": round(1e3 * item.mass_kg, 1),
                "color": item.color,
                "material": item.material,
                "get": material.get,
                "print_wall_mm": 1e3 * PRINT_WALL_M if material.infill else None,
                "print_infill_least": None if least is None else round(100 * least),
                "print_infill_most": None if most is None else round(100 * most),
                "doubt": material.doubt,
                "scenes": " ".join(material.scenes),
            }
        )
    return pd.DataFrame(rows, dtype=object)  # so that whole numbers beside gaps stay whole


def write_prints(bill: Sequence[BillItem], folder: Path) -> int:
    """Write an STL file (binary, mm) for each printable shape; returns their number."""
    shapes = {material.shape: material.item for material in bill if material.infill}
    for shape, item in shapes.items():
        write_file(folder / f"{shape}.stl", _stl(item))
    return len(shapes)


def _stl(item: Item) -> bytes:
    """The item standing on the plane z = 0; slicers unite parts that overlap."""
    corners = 1e3 * surface_of(item).triangles_m
    corners[..., 2] -= corners[..., 2].min()
    data = np.zeros(len(corners), _TRIANGLE)
    data["corners_mm"] = corners
    return b"pactwin".ljust(80, b"\0") + np.uint32(len(data)).tobytes() + data.tobytes()
