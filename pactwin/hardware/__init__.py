"""Devices on the real table: cameras, the robot's state, the rig file, printable targets.

Nothing here needs a simulator: it runs on the robot's own computer, too.
"""

import lazy_loader

# The names are declared in `__init__.pyi`, and imported when first asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
