"""The registry of domains: every module here with a ``DOMAIN`` is one.

Names are those of the modules, so a command can check what a user typed without importing MuJoCo,
and adding a domain touches one file.
"""

import pkgutil
from importlib import import_module

from pactwin.sim.domains.base import Domain
from pactwin.sim.scenarios.twins import Twins
from pactwin.suite import unknown_name

_NOT_DOMAINS = {"base"}


def domain_names() -> tuple[str, ...]:
    """Names of all domains, sorted."""
    found = {module.name for module in pkgutil.iter_modules(__path__)}
    return tuple(sorted(found - _NOT_DOMAINS))


def load_domain(name: str) -> Domain:
    """The domain called ``name``; raises InvalidInputError naming those that exist."""
    if name not in domain_names():
        raise unknown_name("domain", name, domain_names())
    domain: Domain = import_module(f"{__name__}.{name}").DOMAIN
    return domain


__all__ = [
    "Domain",
    "Twins",
    "domain_names",
    "load_domain",
]
