"""The report's sections about objects."""

from pathlib import Path

import pytest
from made_up import make_rows, oracle
from made_up_objects import VIEWS, affordance_row, property_rows, truth_of

from pactwin.compare import score, score_objects, write_report
from pactwin.tasks import ObjectRow

EVIL = "<script>document.title='owned'</script>"


@pytest.fixture
def about_objects() -> list[ObjectRow]:
    rows = property_rows(lambda n, topic, view: truth_of(n, topic), model="provider/vlm")
    rows += property_rows(lambda n, topic, view: "Medium", model="pactwin/blind", objects=4)
    return [*rows, *(affordance_row(n, ["cut"], [EVIL], model=f"x/{EVIL}") for n in range(3))]


def test_properties_and_affordances_have_their_sections(
    about_objects: list[ObjectRow], tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    write_report(about_objects, score_objects(about_objects, resamples=50), [], page)
    text = page.read_text(encoding="utf-8")
    for section in ("properties", "confusions", "affordances", "runs", "labels"):
        assert f'<section id="{section}">' in text
        if section != "labels":
            assert f'<a href="#{section}">' in text
    for section in ("scores", "domains", "tests", "gallery"):
        assert f'<section id="{section}">' not in text
    assert text.count('<table class="confusion">') == 4  # two models, two properties
    assert all(f'<th scope="row">{view.replace("_", " ")}</th>' in text for view in VIEWS)
    assert "<script" not in text
    assert "style=" not in text


def test_one_page_holds_constraints_and_objects(
    about_objects: list[ObjectRow], tmp_path: Path
) -> None:
    constraints = make_rows(oracle, model="provider/vlm", pairs=2)
    scores = [*score(constraints, resamples=50), *score_objects(about_objects, resamples=50)]
    page, again = tmp_path / "report.html", tmp_path / "again.html"
    write_report([*constraints, *about_objects], scores, [], page)
    text = page.read_text(encoding="utf-8")
    for section in ("scores", "domains", "tests", "properties", "affordances", "runs"):
        assert text.count(f'<section id="{section}">') == 1
    write_report([*about_objects, *constraints], scores, [], again)
    assert again.read_text(encoding="utf-8") == text
