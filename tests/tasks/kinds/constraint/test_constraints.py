"""What the task asks, and what a model is sent: nothing that gives the answer away."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fakes import FakePair, make_fake_suite

from pactwin.suite import InvalidInputError, Suite
from pactwin.tasks import FORMS, SampleFacts, pac_constraints


def facts_of(suite: Path, **options: Any) -> list[SampleFacts]:
    return [s.metadata_as(SampleFacts) for s in pac_constraints(str(suite), **options).dataset]


def test_what_is_not_asked_is_counted(tmp_path: Path) -> None:
    suite = make_fake_suite(tmp_path / "suite", n_pairs=12)
    questions = list(Suite.open(suite).questions())
    task = pac_constraints(str(suite), views="each,all,head+side")
    hidden = sum("side" not in q.views for q in questions)
    assert hidden > 0, "the made-up suite has hidden targets"
    assert task.metadata is not None
    assert task.metadata["skipped"] == {
        "front": 0, "agent": 0, "side": hidden, "head": 0, "joint": 0, "side+head": hidden,
    }  # fmt: skip
    assert len(task.dataset) + 2 * hidden == 6 * len(questions)


def test_twins_are_asked_under_the_same_conditions(fake_suite_path: Path) -> None:
    facts = facts_of(fake_suite_path, views="each,joint")
    asked = Counter((f.pair_id, f.view, f.form, f.truth_feasible) for f in facts)
    assert set(asked.values()) == {1}
    for pair, view, form, feasible in asked:
        assert (pair, view, form, not feasible) in asked


def test_a_limit_takes_whole_pairs_from_every_domain(fake_suite_path: Path) -> None:
    for limit in (1, 4, 6):
        facts = facts_of(fake_suite_path, views="head", limit=limit)
        assert len({f.pair_id for f in facts}) == limit
        assert len(facts) == limit * 2 * len(FORMS)
        per_domain = Counter({f.pair_id: f.domain for f in facts}.values())
        assert len(per_domain) == min(limit, 4)
        assert max(per_domain.values()) - min(per_domain.values()) <= 1


def test_a_sample_about_another_picture_is_another_sample(tmp_path: Path) -> None:
    def repainted(pair: FakePair) -> FakePair:
        files = {
            path: data[:-12] + b"\0" + data[-12:] if path.endswith("front.png") else data
            for path, data in pair.files.items()
        }
        return FakePair(pair.scenes, files, pair.rejections)

    def ids(name: str, **change: Any) -> dict[tuple[str, str], str]:
        suite = make_fake_suite(tmp_path / name, **change)
        samples = pac_constraints(str(suite), views="front,head,all").dataset
        facts = {str(s.id): s.metadata_as(SampleFacts) for s in samples}
        return {(f.question_id, f.view): id for id, f in facts.items()}

    before, after = ids("before"), ids("after", change=repainted)
    assert before.keys() == after.keys()
    for (question, view), id in before.items():
        assert (after[question, view] == id) == (view == "head")


def test_sample_ids_and_inputs_are_opaque(fake_suite_path: Path) -> None:
    task = pac_constraints(str(fake_suite_path), views="each,joint")
    ids = [str(sample.id) for sample in task.dataset]
    assert len(set(ids)) == len(ids)
    for sample in task.dataset:
        facts = sample.metadata_as(SampleFacts)
        assert not isinstance(sample.input, str)
        sent = json.dumps([m.model_dump(include={"role", "content"}) for m in sample.input])
        assert facts.domain not in sent
        assert "feasible" not in sent
        assert not {facts.question_id, facts.scene_id, facts.pair_id} & {str(sample.id)}
        assert sample.input[0].metadata is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"views": "heat"}, "front, agent, side, head"),
        (
            {"form": "essay"},
            "all, checklist, choice, open, outcome, part, repair, thing, told, yes_no",
        ),
        ({"limit": 0}, "at least 1"),
    ],
)
def test_bad_options_say_what_is_allowed(options, message, fake_suite_path):
    with pytest.raises(InvalidInputError, match=message):
        pac_constraints(str(fake_suite_path), **options)
