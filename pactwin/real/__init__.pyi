from .bill_files import bill_table as bill_table
from .bill_files import check_bill_name as check_bill_name
from .bill_files import write_bill as write_bill
from .bill_files import write_prints as write_prints
from .materials import MASS_TOLERANCE as MASS_TOLERANCE
from .materials import PRINT_WALL_M as PRINT_WALL_M
from .materials import Material as Material
from .materials import bill_of_materials as bill_of_materials
