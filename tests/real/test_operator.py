"""Who works at the rehearsed bench says what is missing before a world is started."""

import sys
from pathlib import Path

import pytest

from pactwin.real.rehearsal.operator import Operator, new_address
from pactwin.suite import EnvironmentFaultError


def test_without_the_rigs_packages_both_ways_to_get_them_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cyclonedds", None)
    with pytest.raises(EnvironmentFaultError) as missing:
        Operator(tmp_path, tmp_path / "rig.yaml", new_address(), 0)
    assert str(missing.value) == (
        "a rehearsal needs the packages of the rig: pip install -r requirements/rig.txt, or "
        "'pactwin[rig]' where there is no checkout"
    )
