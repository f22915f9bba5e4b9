"""The domain printed in docs/adding-a-domain.md works as it stands there."""

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

import pactwin.sim.domains as registry
from pactwin.sim.domains import domain_names, load_domain
from pactwin.sim.generation.pairs.scenes import try_layouts
from pactwin.sim.scene.placement import RejectedLayout

PAGE = Path(__file__).parents[3] / "docs" / "adding-a-domain.md"


@pytest.fixture
def perch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The page's module, put where a new domain would be: one file, nothing else touched."""
    (source,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    name = "page_perch"
    (tmp_path / f"{name}.py").write_text(source.replace('"perch"', f'"{name}"'))
    monkeypatch.setattr(registry, "__path__", [*registry.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, f"pactwin.sim.domains.{name}", raising=False)
    return name


def test_the_page_s_domain_is_found_and_labels_twins(perch: str) -> None:
    assert perch in domain_names()
    domain = load_domain(perch)
    outcomes: Counter[str] = Counter()
    for seed in range(5):
        try:
            twins = try_layouts(domain, "g1", seed)
        except RejectedLayout as rejected:
            outcomes[str(rejected)] += 1
            continue
        infeasible, feasible = twins.verdicts
        assert (infeasible.feasible, feasible.feasible) == (False, True)
        assert infeasible.action == feasible.action
        outcomes["kept"] += 1
    assert outcomes["kept"] >= 2, outcomes
