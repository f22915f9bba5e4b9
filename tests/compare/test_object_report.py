"""The report's sections about objects."""

from pathlib import Path

import pytest
from fake_objects import CAMERAS, make_fake_objects
from made_up import hex_id, make_rows, oracle
from made_up_objects import VIEWS, affordance_row, property_rows, truth_of

from pactwin.compare import score, write_report
from pactwin.compare import score_kinds as score_objects
from pactwin.suite import Suite
from pactwin.tasks import AnswerState, ObjectRow

pytestmark = pytest.mark.slow

EVIL = "<script>document.title='owned'</script>"


@pytest.fixture
def about_objects() -> list[ObjectRow]:
    rows = property_rows(lambda n, topic, view: truth_of(n, topic), model="provider/vlm")
    rows += property_rows(lambda n, topic, view: "Medium", model="pactwin/blind", objects=4)
    return [*rows, *(affordance_row(n, ["cut"], [EVIL], model=f"x/{EVIL}") for n in range(3))]


def test_constraints_and_objects_have_their_sections_in_whatever_order(about_objects, tmp_path):
    constraints = make_rows(oracle, model="provider/vlm", pairs=2)
    scores = [*score(constraints), *score_objects(about_objects)]
    page, again, alone = (tmp_path / f"{name}.html" for name in ("page", "again", "alone"))
    write_report([*constraints, *about_objects], scores, [], page)
    text = page.read_text(encoding="utf-8")
    for section in ("scores", "domains", "tests", "property", "affordance", "runs"):
        assert text.count(f'<section id="{section}">') == 1
        assert f'<a href="#{section}">' in text
    assert text.count('<table class="confusion">') == 5  # two models' properties, and causes
    assert "<script" not in text and "style=" not in text
    write_report([*about_objects, *constraints], scores, [], again)
    assert again.read_text(encoding="utf-8") == text
    write_report(about_objects, score_objects(about_objects), [], alone)
    text = alone.read_text(encoding="utf-8")
    assert all(f'<th scope="row">{view.replace("_", " ")}</th>' in text for view in VIEWS)
    assert '<section id="scores">' not in text


def test_the_gallery_shows_objects_with_truths_and_shares(tmp_path: Path) -> None:
    """One of two views right; the picture that was changed since is said to be."""
    suite = Suite.open(make_fake_objects(tmp_path / "suite", ["mug", "apple"], CAMERAS[:3]))
    rows = [
        ObjectRow(
            kind="property" if question.kind == "property" else "affordance",
            question_id=question.id,
            scene_id=question.scene_id,
            pair_id=question.scene_id,
            domain="objects",
            view=view,
            form=question.form,
            object_id=question.objects[0],
            topic=question.topic,
            truth=question.truth,
            accepted=question.accepted,
            n_options=len(question.options),
            state=AnswerState.CORRECT if right else AnswerState.INCORRECT,
            model="provider/vlm",
            suite_name=suite.info.name,
            suite_hash=suite.info.content_hash,
            sample_id=hex_id(question.id, view),
            pictures={f"views/{question.scene_id}/{view}.png": digest},
        )
        for question in suite.questions()
        if question.kind in ("property", "affordance")
        for right, view in enumerate(question.views)
        if (digest := suite.info.files[f"views/{question.scene_id}/{view}.png"])
    ]
    page = tmp_path / "report.html"
    write_report(rows, score_objects(rows), [suite], page)
    text = page.read_text(encoding="utf-8")
    assert text.count('<div class="card">') == 2 * 2, "a card per object and kind"
    assert text.count(">1/2</td>") == len(rows) // 2
    assert text.count("data:image/webp") == 2 * 2 * 2
    assert "pictures changed" not in text

    stale = [row.model_copy(update={"pictures": dict.fromkeys(row.pictures, "0")}) for row in rows]
    write_report(stale, score_objects(rows), [suite], page)
    assert "pictures changed" in page.read_text(encoding="utf-8")
    write_report(rows, score_objects(rows), [], page)
    assert 'id="property-gallery"' not in page.read_text(encoding="utf-8")
