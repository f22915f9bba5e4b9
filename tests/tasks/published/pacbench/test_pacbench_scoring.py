"""The published rules against a calculation by hand, and ours beside them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from evaluating import evaluate
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.model import ModelOutput
from marking import marked
from openai_server import Reply, openai_server
from pacbench_data import picture, table, whole_data, write

from pactwin.compare.published import read_published
from pactwin.suite import InvalidInputError, Question, Scene, Suite
from pactwin.tasks import (
    AnswerState,
    ObjectRow,
    Row,
    import_published,
    read_rows,
    score_as_published,
)
from pactwin.tasks.kinds.constraint.records import AnswerRow
from pactwin.tasks.kinds.constraint.tasks import constraint_facts
from pactwin.tasks.kinds.objects.tasks import object_sample_facts
from pactwin.tasks.published.pacbench.scoring import (
    PublishedCell,
    published_claims,
    published_scores,
)
from pactwin.tasks.published.pacbench.verifying import (
    Claim,
    PublishedVerdict,
    read_published_verdict,
)

SLOTS = ("affordance1", "affordance2", "affordance3")
PAIR = ("cam0_file", "cam1_file")
DESCRIBED = ("property_name", "selected_category", "selected_descriptors")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Two photos, one object in two views, one humanoid scene, one simulated scene."""
    root = tmp_path_factory.mktemp("scoring")
    data = root / "data"
    for number, stem in enumerate(("m0a_1", "m0a_2")):
        write(data, f"open_images/{stem}.jpg", picture(number, "JPEG"))
    table(data, "property_WEIGHT_.csv", [
        ("image", "choice"),
        ("m0a_1", "Light: Featherweight"), ("m0a_1", "Light: Featherweight"), ("m0a_1", "Heavy"),
        ("m0a_2", "Heavy"),
    ])  # fmt: skip
    table(data, "property_COLOR_.csv", [
        ("image", "choice"), ("m0a_1", "Matte"), ("m0a_2", "Metallic"), ("m0a_2", "Don't-know"),
    ])  # fmt: skip
    for number, view in enumerate(("elev0_azim0", "elev0_azim45")):
        write(data, f"robocasa_objects/object_views/jug/unnamed/{view}.png", picture(10 + number))
    table(data, "syn_properties.psv", [
        ("object_name", *DESCRIBED), ("jug", "CAPACITY", "Containable", "Hollow"),
    ])  # fmt: skip
    for camera in (0, 1):
        write(data, f"humanoid/captured_images/a{camera}.png", picture(20 + camera))
    pair = ("a0.png", "a1.png")
    table(data, "robo_properties.psv", [
        (*PAIR, *DESCRIBED), (*pair, "SEALING", "Sealed", "Airtight"),
    ])  # fmt: skip
    table(data, "robo_affordances.psv", [(*PAIR, *SLOTS), (*pair, "lift", "stack", "")])
    table(data, "robo_constraints.psv", [
        (*PAIR, "question", "answer"), (*pair, "Pass the cup.", "No, the cup is out of reach."),
    ])  # fmt: skip
    for number, view in enumerate(("agentview", "frontview", "sideview")):
        write(data, f"constraint_images/stack_edge/{view}/0.png", picture(30 + number))
    table(data, "syn_constraints.psv", [
        ("key", "prompt", "verification_prompt"), ("stack_edge", "Lift it.", "Too far?"),
    ])  # fmt: skip
    import_published("pacbench", data, root / "suite", "all")
    return Suite.open(root / "suite")


# What one model replied: by source, property or kind, and view; None where the call failed.
REPLIES: dict[tuple[str, str, str], str | None] = {
    ("m0a_1", "WEIGHT", "photo"): "Light",
    ("m0a_2", "WEIGHT", "photo"): None,
    ("m0a_1", "COLOR", "photo"): "It is matte.",
    ("m0a_2", "COLOR", "photo"): "Metallic",
    ("jug", "CAPACITY", "elev0_azim0"): "Containable",
    ("jug", "CAPACITY", "elev0_azim45"): "Containable",
    ("a", "SEALING", "agent"): "Sealed",
    ("a", "SEALING", "side"): "Sealed.",
    ("a", "SEALING", "agent+side"): "Sealed!",
    ("a", "affordance", "agent"): "lift\nstack",
    ("a", "affordance", "side"): "lift",
    ("a", "affordance", "agent+side"): "sit",
    ("a", "constraint", "agent"): "No, it is too far away.",
    ("a", "constraint", "side"): "Yes.",
    ("a", "constraint", "agent+side"): "No, an obstacle is in the way.",
    ("0", "constraint", "agent"): "No, it cannot be reached.",
    ("0", "constraint", "front"): "Yes, it can be done.",
    ("0", "constraint", "side"): "",
}

# What the verifier says of each claim that it is asked about.
SAID: dict[Claim, str] = {
    Claim("property", "Light: Featherweight", "Light"): "CORRECT",
    Claim("property", "Heavy", "Light"): "INCORRECT",
    Claim("property", "Matte", "It is matte."): "Correct.",
    Claim("property", "Metallic", "Metallic"): "CORRECT",
    Claim("property", "Don't-know", "Metallic"): "INCORRECT",
    Claim("property", "Containable", "Containable"): "CORRECT",
    Claim("property", "Sealed", "Sealed"): "Yes, it matches.",  # neither word: UNCERTAIN
    Claim("property", "Sealed", "Sealed."): "CORRECT, or INCORRECT?",  # both words: INCORRECT
    Claim("property", "Sealed", "Sealed!"): "CORRECT",
    Claim("all_correct", "lift, stack", "lift\nstack"): "TRUE",
    Claim("at_least_one", "lift, stack", "lift\nstack"): "TRUE",
    Claim("all_correct", "lift, stack", "lift"): "FALSE",
    Claim("at_least_one", "lift, stack", "lift"): "TRUE",
    Claim("all_correct", "lift, stack", "sit"): "FALSE",
    Claim("at_least_one", "lift, stack", "sit"): "FALSE",
    Claim("answer", "No, the cup is out of reach.", "No, it is too far away."): "CORRECT",
    Claim("answer", "No, the cup is out of reach.", "Yes."): "INCORRECT",
    Claim("answer", "No, the cup is out of reach.", "No, an obstacle is in the way."): "INCORRECT",
    Claim("check", "Too far?", "No, it cannot be reached."): "TRUE",
    Claim("check", "Too far?", "Yes, it can be done."): "FALSE",
}

# By hand: (kind, source, cell, metric): right and rows as published, then correct, answered, asked.
BY_HAND = {
    # Three rows of m0a_1, of which two agree; the failed call of m0a_2 is a wrong row.
    ("property", "open_images", "WEIGHT", "accuracy"): (2, 4, 1, 1, 2),
    # Matte; Metallic; and a row that says Don't-know, which no reply can meet.
    ("property", "open_images", "COLOR", "accuracy"): (2, 3, 2, 2, 2),
    ("property", "open_images", "all rows", "accuracy"): (4, 7, 3, 3, 4),
    # One of the two views is drawn.
    ("property", "robocasa_objects", "CAPACITY", "accuracy"): (1, 1, 2, 2, 2),
    # UNCERTAIN and both words at once are wrong.
    ("property", "humanoid", "SEALING", "accuracy"): (1, 3, 3, 3, 3),
    ("property", "all sources", "all rows", "accuracy"): (6, 11, 8, 8, 9),
    ("affordance", "humanoid", "cam0", "all_correct"): (1, 1, 1, 1, 1),
    ("affordance", "humanoid", "cam1", "all_correct"): (0, 1, 0, 1, 1),
    ("affordance", "humanoid", "both", "all_correct"): (0, 1, 0, 1, 1),
    ("affordance", "humanoid", "all rows", "at_least_one"): (2, 3, 2, 3, 3),
    ("constraint", "humanoid", "cam0", "accuracy"): (1, 1, 1, 1, 1),
    ("constraint", "humanoid", "all rows", "accuracy"): (1, 3, 1, 3, 3),
    # An empty reply is wrong as published, and none by our rules.
    ("constraint", "simulated", "all rows", "accuracy"): (1, 3, 1, 2, 3),
    ("constraint", "simulated", "stack_edge side", "accuracy"): (0, 1, 0, 0, 1),
    ("constraint", "all sources", "all rows", "accuracy"): (2, 6, 2, 5, 6),
}
MEANS_BY_HAND = {
    # (2/4 + 2/3) / 2, whatever the sizes of the cells; then with 1/1 and 1/3 of the other sources.
    ("property", "open_images", "accuracy"): 7 / 12,
    ("property", "all sources", "accuracy"): (1 / 2 + 2 / 3 + 1 + 1 / 3) / 4,
    ("affordance", "humanoid", "all_correct"): 1 / 3,
    ("affordance", "humanoid", "at_least_one"): 2 / 3,
    ("constraint", "all sources", "accuracy"): 2 / 6,
}


def answered(suite: Suite) -> list[Row]:
    """The replies, read by our own scorers, as rows of a log."""
    scenes = {scene.id: scene for scene in suite.scenes()}
    questions = {
        (_name(scenes[q.scene_id]), q.topic if q.kind == "property" else q.kind): q
        for q in suite.questions()
    }
    return [
        _row(suite, scenes, questions[name, asked], view, reply)
        for (name, asked, view), reply in REPLIES.items()
    ]


def _name(scene: Scene) -> str:
    path = Path(scene.views[0].origin)
    if "object_views" in path.parts:
        return path.parts[2]
    return "a" if scene.domain == "humanoid" else path.stem


def _row(
    suite: Suite, scenes: dict[str, Scene], question: Question, view: str, reply: str | None
) -> Row:
    output = ModelOutput.from_content("m", reply or "")
    if reply is None:
        output = ModelOutput(model="m", error="no connection")
    call: dict[str, Any] = {
        "model": "provider/m",
        "suite_name": suite.info.name,
        "suite_hash": suite.info.content_hash,
        "sample_id": "0" * 16,
        "reply": reply or "",
    }
    scene = scenes[question.scene_id]
    if question.kind == "constraint":
        facts = constraint_facts(scene, question, view)
        found = marked(question, output, facts)
        return AnswerRow(**facts.model_dump(), **found.model_dump(), **call)
    about = object_sample_facts(scene, question, view)
    return ObjectRow(**about.model_dump(), **marked(question, output).model_dump(), **call)


def by_cell(cells: list[PublishedCell]) -> dict[tuple[str, str, str, str], PublishedCell]:
    found: dict[tuple[str, str, str, str], PublishedCell] = {
        (c.kind, c.source, c.cell, c.metric): c for c in cells
    }
    assert len(found) == len(cells)
    return found


def test_the_published_rules_by_hand(suite: Suite) -> None:
    rows = answered(suite)
    verdicts = {claim: read_published_verdict(claim.rule, said) for claim, said in SAID.items()}
    assert set(published_claims(suite, rows)) == set(SAID)
    cells = by_cell(published_scores(suite, rows, verdicts))
    for key, (right, n, ours, n_answered, asked) in BY_HAND.items():
        cell = cells[key]
        assert (cell.right, cell.rows) == (right, n), key
        assert cell.published == right / n
        assert (cell.answered, cell.asked) == (n_answered, asked), key
        assert cell.corrected == (ours / n_answered if n_answered else None), key
    for (kind, source, metric), mean in MEANS_BY_HAND.items():
        cell = cells[kind, source, "mean of cells", metric]
        assert cell.published == pytest.approx(mean), (kind, source, metric)


@given(st.text())
def test_a_verdict_is_right_only_without_its_opposite(said: str) -> None:
    upper = said.upper()
    right = read_published_verdict("property", said) is PublishedVerdict.CORRECT
    assert right == ("CORRECT" in upper and "INCORRECT" not in upper)
    agreed = read_published_verdict("check", said) is PublishedVerdict.CORRECT
    assert agreed == ("TRUE" in upper and "FALSE" not in upper)


def test_other_suites_have_no_published_rules(suite, fake_suite_path, tmp_path):
    with pytest.raises(InvalidInputError, match="not imported"):
        score_as_published(Suite.open(fake_suite_path))
    with pytest.raises(InvalidInputError, match="needs the logs"):
        score_as_published(suite)
    evaluate(fake_suite_path, ["pactwin/always-no"], log_dir=tmp_path, limit=1)
    with pytest.raises(InvalidInputError, match="answered about"):
        score_as_published(suite, [tmp_path])


def test_the_oracle_is_right_by_our_rules(suite: Suite, tmp_path: Path) -> None:
    rows = read_rows(evaluate(suite.path, ["pactwin/oracle"], log_dir=tmp_path))
    assert {row.kind for row in rows} == {"constraint", "property", "affordance"}
    assert {row.state for row in rows} == {AnswerState.CORRECT}
    cells = published_scores(suite, rows)  # without a verifier, categories alone are read
    assert {(c.kind == "property", c.published is not None) for c in cells} == {
        (True, True), (False, False),
    }  # fmt: skip
    assert {cell.corrected for cell in cells} == {1.0}


def _verifier(says: Callable[[str], str]) -> Callable[[dict], Reply]:
    def answer(body: dict) -> Reply:
        (message,) = body["messages"]
        assert body["temperature"] == 0 and body["max_tokens"] == 50
        content = message["content"]
        text = content if isinstance(content, str) else content[-1]["text"]
        return Reply(says(text))

    return answer


def test_a_verifier_is_asked_over_the_network(tmp_path: Path) -> None:
    import_published("pacbench", whole_data(tmp_path / "data"), tmp_path / "suite")
    logs = tmp_path / "logs"
    evaluate(tmp_path / "suite", ["pactwin/oracle"], log_dir=logs, views="agent,side,photo")
    asked: list[str] = []

    def says(text: str) -> str:
        asked.append(text)
        return "CORRECT" if "CORRECT" in text else "FALSE"

    out = tmp_path / "cells.json"
    with openai_server(_verifier(says)):
        command = [
            "compare", str(logs), "--as-published", "--force", "--json", str(out),
            "--verifier", "openai-api/local/m", "--log-dir", str(tmp_path / "verified"),
        ]  # fmt: skip
        result = invoke(*command)
        again = invoke(*command)  # answered from the cache
    assert len(asked) == len(set(asked)) > 0
    assert again.stdout.partition("\n")[2] == result.stdout.partition("\n")[2]
    assert "published" in result.stdout and "corrected" in result.stdout
    cells = {
        (table.title, row["source"], row["cell"]): row
        for table in read_published(out)
        for row in table.rows
    }
    assert cells["property: accuracy", "open_images", "all rows"]["published"] == 1.0
    uses = cells["affordance: all_correct", "humanoid", "all rows"]
    assert (uses["published"], uses["corrected"]) == (0.0, 1.0)


def test_a_model_does_not_verify_itself(suite: Suite, tmp_path: Path) -> None:
    evaluate(suite.path, ["pactwin/oracle"], log_dir=tmp_path, kind="property")
    result = invoke(
        *("compare", tmp_path, "--as-published", "--suite", suite.path),
        *("--verifier", "pactwin/oracle"),
        code=2,
    )
    assert "--judge-self" in result.stderr
