"""Suites: records, errors, reading, writing, checking. No simulator, no network."""

import lazy_loader

# The names are declared in `__init__.pyi`, and imported when first asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
