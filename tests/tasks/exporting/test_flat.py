"""The flat rows say what eval sends, and the reader that travels reads as ours does."""

import hashlib
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from exported import marked, rounded, scores_by_form
from labelled import SET_FORM, labelled
from openai_server import openai_server, sent_images, sent_text
from reply_styles import answering, request_of, scripted_reply

from pactwin.solvers import PARSER_VERSION
from pactwin.suite import Suite
from pactwin.tasks import export_hub
from pactwin.tasks.exporting.answers import pair_reward, read_answer, scores
from pactwin.tasks.exporting.flat import flat_rows
from pactwin.tasks.exporting.reader_file import READER_FILE, reader_source

VIEWS = "front,front+side"
ROWS_OF_TWINS = ("pair_id", "view", "form")


@pytest.fixture(scope="module")
def asked(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict]]:
    """The logs of an evaluation in which the scripted model answered, and what it was sent."""
    logs = tmp_path_factory.mktemp("logs")
    with openai_server(answering(flat_rows(suite, VIEWS))) as server:
        evaluate(suite.path, ["openai-api/local/vlm"], log_dir=logs, views=VIEWS)
    return logs, server.requests


@pytest.mark.slow
def test_rows_are_word_for_word_what_eval_sends(suite, asked):
    sent = [(sent_text(body), *sent_images(body)) for body in asked[1]]
    rows = flat_rows(suite, VIEWS)
    assert sorted(sent) == sorted(
        ("\n".join((*row["captions"], row["prompt"])), *(image["bytes"] for image in row["images"]))
        for row in rows
    )
    one = ("image_url", "text")
    assert {request_of(body)[-1] for body in asked[1]} == {one, ("text", *one[:1], "text", *one)}


def test_what_is_sent_tells_twins_apart_by_the_picture_alone(suite: Suite) -> None:
    twins = defaultdict(list)
    for row in flat_rows(suite):
        twins[tuple(row[name] for name in ROWS_OF_TWINS)].append(row)
    for pair in twins.values():
        prompts = {row["prompt"] for row in pair}
        truths = {(row["truth"], row["feasible"]) for row in pair}
        assert len(pair) == len(truths) == 2
        assert len(prompts) == 1
    rows = list(flat_rows(suite))
    ids = [tuple(row[name] for name in ROWS_OF_TWINS) for row in rows]
    assert all(ids[at] == ids[at + 1] for at in range(0, len(ids), 2)), "a limit cuts no pair"


def test_datasets_loads_the_flat_rows_by_default(suite: Suite, tmp_path: Path) -> None:
    from datasets import Image, List, load_dataset

    export_hub(suite, tmp_path / "hub", views="front,side")
    loaded = load_dataset(str(tmp_path / "hub"), split="test", cache_dir=str(tmp_path / "cache"))
    raw = loaded.cast_column("images", List(Image(decode=False)))
    for row, other in zip(raw, flat_rows(suite, "front,side"), strict=True):
        data = [image["bytes"] for image in row["images"]]
        assert [hashlib.sha256(some).hexdigest() for some in data] == row["picture_sha256"]
        images = {"images": [image["bytes"] for image in other["images"]]}
        assert row | {"images": data} == other | images
    assert {row["view"] for row in raw} == {"front", "side"}
    card = (tmp_path / "hub" / "README.md").read_text()
    for said in (suite.info.content_hash, suite.info.made_by, "license: apache-2.0", "seed `0`"):
        assert said in card


def run_bare(folder: Path, code: str, given: Any) -> Any:
    """What ``code`` prints as JSON in a Python without any package, with the reader beside it."""
    (folder / READER_FILE).write_text(reader_source(), encoding="utf-8")
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
    start = f"import json, sys; sys.path.insert(0, {str(folder)!r}); import pactwin_reader as p\n"
    start += f"given = json.load(open({str(folder / 'given.json')!r}))\n"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", start + code], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


READ_LABELLED = """
def letter(option, options):
    return None if option is None else p.OPTION_LETTERS[options.index(option)]
def read(kind, reply, options, names):
    if kind == "category":
        return p.parse_category(reply, options).category
    if kind == "set":
        answer = p.parse_reply("SET_FORM", reply, options)
        return None if answer.problem else [letter(o, options) for o in answer.selected]
    answer = p.parse_reply(kind, reply, options, names)
    if kind == "yes_no":
        return answer.feasible
    if kind == "choice":
        return letter(answer.option, options)
    return None if answer.problem or answer.constraint is None else answer.constraint.value
print(json.dumps([read(*row) for row in given]))
"""
KINDS_READ = ("yes_no", "choice", "set", "open", "category")


def test_the_reader_that_travels_reads_every_labelled_reply_as_ours(tmp_path: Path) -> None:
    rows = [row for row in labelled() if row.kind in KINDS_READ]
    assert len(rows) > 700
    given = [(row.kind, row.reply, row.options, row.names) for row in rows]
    found = run_bare(tmp_path, READ_LABELLED.replace("SET_FORM", SET_FORM), given)
    ours = [row.read() for row in rows]
    assert found == ours
    assert f"parser {PARSER_VERSION}" in reader_source()


SCORE = """
rows, replies = given
answers = [p.read_answer(row, reply) for row, reply in zip(rows, replies)]
print(json.dumps({form: p.scores([a for a in answers if a["form"] == form])
                  for form in dict.fromkeys(row["form"] for row in rows)}))
"""


@pytest.mark.slow
def test_the_reader_scores_twelve_styles_as_compare_does(suite, tmp_path, asked):
    rows = list(flat_rows(suite, VIEWS))
    ours = scores_by_form(asked[0])
    for row in rows:
        row.pop("images")
    theirs = run_bare(tmp_path, SCORE, (rows, [scripted_reply(row) for row in rows]))
    assert {form: rounded(found) for form, found in theirs.items()} == {
        form: rounded({name: found[name] for name in theirs[form]}) for form, found in ours.items()
    }
    states = {row["state"] for row in marked(rows)}
    assert states == {"correct", "incorrect", "unparsed", "refused", "truncated"}
    assert all(0 < found["coverage"] < 1 for found in theirs.values())
    assert {"informedness_strict", "pair_accuracy", "reason_accuracy"} <= theirs["choice"].keys()


@pytest.mark.parametrize("said", ["yes", "no", "A", "B", "none", ""])
def test_a_constant_answer_earns_nothing(suite: Suite, said: str) -> None:
    for form in ("yes_no", "choice", "open"):
        rows = [row for row in flat_rows(suite) if row["form"] == form]
        answers = [read_answer(row, said) for row in rows]
        found = scores(answers)
        assert found["informedness_strict"] <= 0
        assert found["pair_accuracy_strict"] == 0
        assert all(pair_reward(answers[at : at + 2]) == 0 for at in range(0, len(rows), 2))
