"""The rig: what has to be on a real table so that it is a copy of a simulated scene."""

from pactwin.real.bill_files import bill_table, check_bill_name, write_bill, write_prints
from pactwin.real.materials import (
    MASS_TOLERANCE,
    PRINT_WALL_M,
    Material,
    bill_of_materials,
)

__all__ = [
    "MASS_TOLERANCE",
    "PRINT_WALL_M",
    "Material",
    "bill_of_materials",
    "bill_table",
    "check_bill_name",
    "write_bill",
    "write_prints",
]
