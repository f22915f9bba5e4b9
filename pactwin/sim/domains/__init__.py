"""The registry of domains: those declared in ``domains.yaml``, and every module with a ``DOMAIN``.

Declared ones mix families that all share; a module draws scenes of its own. The names need no
simulator, so that a command can check what a user typed.
"""

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path

from pactwin.catalogue import read_data
from pactwin.sim.domains.base import Domain, Family
from pactwin.sim.scenarios.twins import Twins
from pactwin.suite import Record, unknown_name

_NOT_DOMAINS = {"base"}


class _Declared(Record):
    """Shares of a domain's scenes by action and by the causes for which it fails."""

    least_arms: int = 1
    fails: dict[str, dict[str, float]]


def domain_names() -> tuple[str, ...]:
    """Names of all domains, sorted."""
    found = {module.name for module in pkgutil.iter_modules(__path__)}
    return tuple(sorted(found - _NOT_DOMAINS | _declared().keys()))


def load_domain(name: str) -> Domain:
    """The domain called ``name``; raises InvalidInputError naming those that exist."""
    if name not in domain_names():
        raise unknown_name("domain", name, domain_names())
    if name not in _declared():
        domain: Domain = import_module(f"{__name__}.{name}").DOMAIN
        return domain
    from pactwin.sim.scenarios import lifts, moves, uses

    draws = vars(moves) | vars(uses) | vars(lifts)
    declared = _declared()[name]
    families = tuple(
        Family(share, draws[action], tuple(causes.split(" and ")))
        for action, shares in declared.fails.items()
        for causes, share in shares.items()
    )
    return Domain(name, families, declared.least_arms)


@cache
def _declared() -> dict[str, _Declared]:
    return read_data(Path(__file__).with_name("domains.yaml"), dict[str, _Declared])


__all__ = [
    "Domain",
    "Twins",
    "domain_names",
    "load_domain",
]
