"""What every ``pactwin make`` can draw with its default options is drawn, checked and sound.

``make nightly`` gives each night a seed of its own; ``make nightly SEED=...`` repeats one.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from commands import invoke
from making import made_suite

from pactwin.catalogue import load_procedures, load_uses
from pactwin.sim.domains import domain_names, load_domain
from pactwin.sim.domains.base import Domain
from pactwin.sim.generation import suites
from pactwin.sim.uses import use_names
from pactwin.suite import check_suite

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(7200)]

SEED = f"--seed={os.environ.get('SEED', '5102')}"
FAMILIES = [(name, k) for name in domain_names() for k in range(len(load_domain(name).families))]


def require_sound(folder: Path, kind: str, *options: str) -> None:
    """The suite has no faults, nor has the one that asks what there is to see in it."""
    suite = made_suite(folder, kind, SEED, *options)
    assert check_suite(suite) == []
    invoke("make", "recognition", suite, "--out", folder / "recognition")
    assert check_suite(folder / "recognition") == []


@pytest.mark.parametrize("name", use_names())
def test_twenty_pairs_of_a_use(name: str, tmp_path: Path) -> None:
    require_sound(tmp_path, "uses", f"--uses={name}", "--pairs=20")


@pytest.mark.parametrize(("name", "number"), FAMILIES)
def test_a_pair_of_a_family(name, number, tmp_path, monkeypatch):
    def alone(name: str) -> Domain:
        domain = load_domain(name)
        return replace(domain, families=(domain.families[number],))

    monkeypatch.setattr(suites, "load_domain", alone)
    require_sound(tmp_path, "constraints", f"--domains={name}", "--pairs=1")


@pytest.mark.parametrize("assets", ["builtin", "tools", "robosuite"])
def test_every_kind_of_object(assets: str, tmp_path: Path) -> None:
    require_sound(tmp_path, "objects", f"--assets={assets}")


def test_a_pair_of_every_procedure(tmp_path: Path) -> None:
    require_sound(tmp_path, "tools", f"--pairs={len(load_procedures().tasks)}")


def test_as_many_creative_tasks_as_there_are_uses(tmp_path: Path) -> None:
    require_sound(tmp_path, "creative", f"--tasks={len(load_uses().uses)}")
