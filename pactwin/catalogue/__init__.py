"""Kinds of objects: what they are made of, which properties follow, what they can be used for."""

import lazy_loader

# The names are declared in `__init__.pyi`, and imported when first asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
