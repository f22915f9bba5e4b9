"""``pactwin make creative``: a task made by the command and checked, asked and answered."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from evaluating import evaluate
from making import made_suite
from openai_server import Reply, openai_server, sent_text

from pactwin.catalogue import ENVIRONMENT
from pactwin.suite import (
    Question,
    Scene,
    Suite,
    SuiteWriter,
    check_suite,
)
from pactwin.tasks import UseRow, knowledge_path, read_rows, require_asked

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    kinds = "--kinds=bowl,coaster,cup,knife,mug,plate,sponge,tumbler"
    options = ["--seed=2", "--tasks=1", "--size=240x180", kinds]
    return made_suite(tmp_path_factory.mktemp("creative"), "creative", *options)


@pytest.fixture(scope="session")
def scene(made: Path) -> Scene:
    (scene,) = Suite.open(made).scenes()
    return scene


@pytest.fixture(scope="session")
def question(made: Path) -> Question:
    (question,) = Suite.open(made).questions()
    return question


def test_what_is_known_of_things_stands_beside_the_suite(made: Path, question: Question) -> None:

    known = json.loads(knowledge_path(made).read_text())
    assert list(known["plans"]) == [question.id]
    assert known["entities"]["mug"]["parts"]["body"]["material"] == "ceramic"
    assert known["parts"]["mug"]["handle"]["cluster"] >= 1


def test_all_things_are_seen_together_and_each_by_itself(scene: Scene, question: Question) -> None:
    views = {view.camera.name: view for view in scene.views}
    assert {obj.name for obj in scene.objects} == {thing.name for thing in question.candidates}
    assert all(seen.pixels > 20 for seen in views[ENVIRONMENT].visibility.values())
    for thing in question.candidates:
        assert thing.part_views
        for camera in (thing.view, *thing.part_views.values()):
            seen = views[camera].visibility[thing.name]
            assert seen.pixels >= 0.01 * 240 * 180
        near = views[thing.view].visibility[thing.name]
        assert near.fraction > 0.5
        assert near.pixels > views[ENVIRONMENT].visibility[thing.name].pixels


def test_what_no_picture_shows_is_told_of_every_part_alike(question: Question) -> None:
    for thing in question.candidates:
        assert set(thing.unseen) == set(thing.parts)
        for part, text in thing.unseen.items():
            assert " g" in text and "room" in text
            assert ("mm long" in text) == (part not in thing.part_views)


def test_who_knows_is_right_and_who_guesses_is_asked_the_same(made: Path, tmp_path: Path) -> None:
    logs = evaluate(made, ["pactwin/oracle", "pactwin/random"], log_dir=tmp_path / "logs")
    rows = [row for row in read_rows(logs) if isinstance(row, UseRow)]
    require_asked(Suite.open(made), rows)
    assert {r.relation for r in rows if r.model == "pactwin/oracle"} == {"gold"}
    assert len(rows) == 2


def test_a_model_words_situations_where_it_is_named(tmp_path: Path) -> None:
    def reword(body: dict[str, Any]) -> Reply:
        return Reply(f"It is late. {sent_text(body).split(chr(10))[2]}")

    out = tmp_path / "worded"
    options = ["--seed=2", "--tasks=1", "--words", "--kinds=bowl,coaster,cup,plate,tumbler"]
    options += ["--writer=openai-api/local/scribe", "--log-dir", str(tmp_path / "logs")]
    with openai_server(reword) as server:
        result = invoke("make", "creative", "--out", out, *options)
        asked = len(server.requests)
        options[0] = "--seed=3"
        invoke("make", "creative", "--out", out, *options, code=3)
        assert len(server.requests) == asked  # nothing is paid for it
    assert "1 of 1 situations are worded by openai-api/local/scribe" in result.output
    suite = Suite.open(out)
    (question,) = suite.questions()
    assert check_suite(out) == [] and next(suite.scenes()).views == ()
    assert "It is late. " in question.text and "words of openai-api" in question.rationale
    assert suite.info.request["writer"] == "openai-api/local/scribe"


@pytest.mark.parametrize(("request_", "refusal"), [
    ({}, "has no seed in its request"),
    ({"seed": 2}, "asks for no use that can be played"),
])  # fmt: skip
def test_rules_without_a_seed_or_a_use_cannot_be_played(request_, refusal, made, tmp_path):
    with SuiteWriter.open(tmp_path / "x", name="x", request=dict(request_)) as writer:
        writer.finish(lambda scenes: [])
    known = json.loads(knowledge_path(made).read_text()) | {"plans": {}}
    knowledge_path(tmp_path / "x").write_text(json.dumps(known))
    assert refusal in invoke("affordances", tmp_path / "x", code=2).stderr
