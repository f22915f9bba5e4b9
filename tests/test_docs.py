"""What the documentation shows works: its example domain, and its pipelines parse."""

import re
from pathlib import Path

import yaml

DOCS = Path(__file__).parents[1] / "docs"


def code_blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_domain_of_the_page_makes_a_twin_pair(tmp_path, monkeypatch):
    """One new module is all it takes: it is found, simulated, drawn and asked about."""
    from pactwin import sim
    from pactwin.sim import domains
    from pactwin.suite import answerable_views
    from pactwin.tasks import make_questions

    code, _ = code_blocks("adding-a-domain.md", "python")
    (tmp_path / "perch.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(domains, "__path__", [*domains.__path__, str(tmp_path)])
    assert "perch" in domains.domain_names()
    request = sim.ConstraintSuiteConfig(
        seed=1,
        pairs=1,
        domains=("perch",),
        robot="g1",
        cameras=("head",),
        width_px=640,
        height_px=480,
    )
    pair = sim.draw_pair(request, 0)
    scene, twin = pair.scenes
    assert {scene.decided.feasible, twin.decided.feasible} == {True, False}
    assert scene.decided.perturbations.agreed == scene.decided.perturbations.run >= 5
    assert answerable_views(scene, twin)
    asked, asked_of_twin = make_questions(scene, twin), make_questions(twin, scene)
    assert [q.text for q in asked] == [q.text for q in asked_of_twin]
    assert all(scene.decided.action in question.text for question in asked)


def test_the_precondition_action_and_family_of_the_page_work(tmp_path, monkeypatch):
    """The new precondition decides the twins, and is asked about in the words of its name."""
    from pactwin.sim import domains
    from pactwin.sim.generation.configs import RobotSuiteConfig
    from pactwin.sim.generation.pairs.scenes import label, try_layouts
    from pactwin.sim.generation.pairs.stored import action_of_kind
    from pactwin.sim.rendering.cameras import CAMERAS
    from pactwin.sim.scene.placement import RejectedLayout
    from pactwin.suite import Constraint
    from pactwin.tasks.kinds.constraint.set_questions import precondition_statement

    _, code = code_blocks("adding-a-domain.md", "python")
    (tmp_path / "turning.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(domains, "__path__", [*domains.__path__, str(tmp_path)])
    request = RobotSuiteConfig(seed=0, robot="g1", cameras=CAMERAS, width_px=640, height_px=480)
    for seed in range(12):
        try:
            twins = try_layouts(request, domains.load_domain("turning"), seed)
            break
        except RejectedLayout:
            continue
    infeasible, feasible = label(twins, seed)
    assert infeasible.constraint is Constraint.PATH_BLOCKED
    assert "half round" in infeasible.action
    assert infeasible.action == feasible.action
    assert not infeasible.checks["it_can_turn"].holds
    assert {check.holds for check in feasible.checks.values()} == {True}
    assert len(feasible.checks) == 3
    assert precondition_statement("it_can_turn") == "It can turn."
    action = action_of_kind(infeasible.trial, "turning")  # for retrials of stored scenes
    assert action is not None and action.__name__ == "TurnRound"


def test_pipelines_parse_and_gate() -> None:
    pipelines = [yaml.safe_load(block) for block in code_blocks("ci.md", "yaml")]
    assert len(pipelines) == 2
    github, gitlab = pipelines
    (step,) = [s for s in github["jobs"]["pactwin"]["steps"] if "pactwin@" in s.get("uses", "")]
    action = yaml.safe_load((DOCS.parent / "action.yml").read_text(encoding="utf-8"))
    assert step["with"].keys() <= action["inputs"].keys()
    assert step["with"]["fail-under"] == "informedness=0.3"
    assert "--fail-under informedness=0.3" in str(gitlab)


def test_the_docs_describe_every_domain() -> None:
    from pactwin.sim import domain_names

    page = (DOCS / "domains.md").read_text(encoding="utf-8")
    assert [name for name in domain_names() if f"| `{name}` |" not in page] == []


def test_the_mapping_of_the_page_fits_a_robot(tmp_path: Path) -> None:
    from own_robot import write_robot

    from pactwin.sim import load_robot_model

    (mapping,) = code_blocks("robots.md", "yaml")
    model, _ = write_robot(tmp_path / "mine")
    (tmp_path / "mine.yaml").write_text(mapping, encoding="utf-8")
    assert load_robot_model(model, tmp_path / "mine.yaml").name.startswith("mine@")
