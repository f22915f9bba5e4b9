"""Rows to train on: three replies a turn, no guidance in preferences, nothing shared with tests."""

import json
import re
from collections import Counter
from collections.abc import Callable
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from known_things import known_things, planned, scene_of, write_inspected

from pactwin.solvers import parse_part_choice
from pactwin.suite import InvalidInputError, Question, Suite
from pactwin.tasks import export_training, make_use_question
from pactwin.tasks.kinds.part.matching import choose
from pactwin.tasks.kinds.part.training.branches import Branches, branches, relevant
from pactwin.tasks.kinds.part.training.reasons import finding_in_words, needs_in_words
from pactwin.tasks.kinds.part.training.rows import require_apart

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_inspected(tmp_path_factory.mktemp("training") / "suite")


@pytest.fixture(scope="module")
def questions(suite: Path) -> list[Question]:
    return list(Suite.open(suite).questions())


@pytest.fixture(scope="module")
def rows(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    out = tmp_path_factory.mktemp("rows") / "out"
    counts = export_training(suite, None, out, 0)
    found = {
        name: [json.loads(line) for line in (out / f"{name}.jsonl").read_text().splitlines()]
        for name in counts
    }
    assert {name: len(lines) for name, lines in found.items()} == counts
    for lines in found.values():
        assert all((out / image).is_file() for row in lines for image in row["images"])
    return found


def turns(question: Question) -> list[Branches]:
    """Every question's turns are drawn by themselves, as in an export."""
    return branches(question, np.random.default_rng(int(question.id, 16)))


def test_the_guided_branch_visits_what_is_relevant_until_it_has_found_it(questions):
    for question in questions:
        made = turns(question)
        said = [parse_part_choice(turn.guided) for turn in made]
        assert (said[-1].entity, said[-1].part) == question.accepted
        assert (said[-2].explore, said[-2].explore_part) == question.accepted
        visited = [(s.explore, s.explore_part) for s in said[:-1] if s.explore_part]
        parts = relevant(question)
        assert set(visited) <= {(name, part) for name, own in parts.items() for part in own}
        assert len(said) == 1 + len({name for name, _ in visited}) + len(set(visited))


def test_no_other_branch_is_right_or_like_the_guided_one(questions: list[Question]) -> None:
    for question in questions:
        for turn in turns(question):
            assert len({turn.guided, *turn.rejected}) == 1 + len(turn.rejected)
            for reply in turn.rejected:
                said = parse_part_choice(reply)
                assert said.problem is None
                assert choose(question, said.entity, said.part) != question.accepted
            assert not turn.natural or not parse_part_choice(turn.natural).entity
            assert not turn.ungrounded or parse_part_choice(turn.ungrounded).entity


def test_no_reply_contradicts_what_it_says_it_found(many: list[Question]) -> None:
    """Who takes a part found that it does, who leaves it that it does not: rightly or not."""
    taken = left = 0
    for question in many:
        for turn in turns(question):
            for reply in (turn.guided, *turn.rejected):
                found = FOUND.match(reply)
                said = parse_part_choice(reply)
                if found:
                    took = (found[1], found[2]) == (said.part, said.entity)
                    assert took == (found[3] == "it meets every need")
                    assert not took or "too " not in found[0]
                    taken, left = taken + took, left + (not took)
    assert taken > 40 and left > 40


def test_neither_a_look_nor_an_answer_is_preferred(many: list[Question]) -> None:
    """Of each question once, and of most replies to reject both are of one sort."""
    told: Counter[tuple[bool, bool]] = Counter()
    for question in many:
        for turn in turns(question):
            answers = [bool(parse_part_choice(r).entity) for r in (turn.guided, *turn.rejected)]
            told.update((answers[0], wrong) for wrong in answers[1:])
    assert told[True, False] == told[False, True] == len(many)
    assert told[False, False] > 2 * len(many) and told[True, True] == len(many)


FOUND = re.compile(
    r"I have now seen the (.+) of the (.+) from near by: .*; (it meets every need|"
    r"that does not do)"
)


def test_contexts_of_preferences_hold_neither_answer_nor_guidance(questions, rows):
    assert rows["dpo.trl"] and rows["dpo.lf"]
    for row in rows["dpo.trl"]:
        said = [(m["role"], m["content"][-1]["text"]) for m in row["prompt"]]
        assert guidance_in(said, questions) == []
    for row in rows["dpo.lf"]:
        said = [(m["role"], m["content"]) for m in row["messages"]]
        assert guidance_in(said, questions) == []
    for row in rows["sft.trl"]:  # where there is some, it is seen
        said = [(m["role"], m["content"][-1]["text"]) for m in row["prompt"]]
        assert bool(guidance_in(said, questions)) == (len(said) > 1)
    planted = [("user", f"(Mind that {needs_in_words(questions[0])})")]
    assert guidance_in(planted, questions)


def guidance_in(said: list[tuple[str, str]], questions: list[Question]) -> list[str]:
    """What a context must not hold: needs and measured evidence, reasons, likeness, answers."""
    secret = [
        line for q in questions for line in (*q.rationale.splitlines(), *q.conditions.values())
    ]
    secret += [has for q in questions for t in q.candidates for has in t.evidence.values()]
    secret += [needs_in_words(q) for q in questions]
    secret += ["similar-", "meets every need", "does not do"]
    found = [text for _, text in said if any(one in text for one in secret)]
    replies = [text for role, text in said if role == "assistant"]
    return found + [text for text in replies if not is_look(text)]


def is_look(text: str) -> bool:
    """Whether a reply is an action that looks at something, and nothing else."""
    try:
        return str(json.loads(text)["action"]).startswith("inspect_")
    except ValueError:
        return False


def test_guidance_is_what_was_measured_not_what_was_worded(questions: list[Question]) -> None:
    """Needs first, what each part has once it was looked at, and never before."""
    for question in questions:
        reworded = question.model_copy(update={"rationale": "nothing"})
        assert turns(reworded) == turns(question)
        made = turns(question)
        assert made[0].guided.startswith(needs_in_words(question))
        looked: set[tuple[str, str]] = set()
        for turn in made:
            for thing in question.candidates:
                for part in thing.parts:
                    if finding_in_words(question, thing.name, part) in turn.guided:
                        assert (thing.name, part) in looked
            said = parse_part_choice(turn.guided)
            looked.add((said.explore, said.explore_part))
        assert sum("it meets every need" in turn.guided for turn in made) == 1


def unknown_numbers(reply: str, turn: Branches) -> set[str]:
    """Numbers in the words of a reply that nothing before it says."""
    told = " ".join(said.text for said in turn.context if said.role == "user")
    return set(NUMBER.findall(reply.rpartition("\n")[0])) - set(NUMBER.findall(told))


NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def test_no_number_is_told_that_was_neither_asked_nor_shown(many: list[Question]) -> None:
    told = 0
    for question in many:
        for turn in turns(question):
            for reply in (turn.guided, *turn.rejected):
                assert unknown_numbers(reply, turn) == set()
            told += len(NUMBER.findall(turn.guided))
    assert told > 5 * len(many)
    turn = turns(many[0])[0]
    assert unknown_numbers("The blade is 123.45 mm long.\n{}", turn) == {"123.45"}


def test_findings_are_said_once_and_in_sentences(many: list[Question]) -> None:
    negated = 0
    for question in many:
        for thing in question.candidates:
            for part in thing.parts:
                finding = finding_in_words(question, thing.name, part)
                told = finding.partition(": ")[2].rpartition("; ")[0].split(", ")
                assert len(set(told)) == len(told) and not {"it is not absorbs"} & {*told}
                sized = [one.rpartition(" is ")[0] for one in told if one[:4] == "the "]
                assert len(set(sized)) == len(sized)  # nothing is both too small and small enough
                negated += any(one.startswith("it does not ") for one in told)
    assert negated


@pytest.fixture(scope="module")
def many() -> list[Question]:
    """Questions of many uses, parts with pictures and without."""
    known = known_things(7)
    drawn = (planned(known, 40, seed) for seed in range(5, 15))
    plans = next(plans for plans in drawn if "carry current" in {plan.use for plan in plans})
    return [
        make_use_question(known, plan, scene_of(known, plan, n)[0]) for n, plan in enumerate(plans)
    ]


def told_apart(pairs: list[list[tuple[str, str]]], features: Callable[[str], list[str]]) -> float:
    """How often a naive Bayes classifier, trained on other questions, prefers what is chosen."""
    right = []
    for held in range(4):
        counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        for k, of_question in enumerate(pairs):
            for chosen, rejected in of_question if k % 4 != held else ():
                counts[True].update(features(chosen))
                counts[False].update(features(rejected))

        def score(reply: str, counts: dict[bool, Counter[str]] = counts) -> float:
            return sum(log((counts[True][f] + 1) / (counts[False][f] + 1)) for f in features(reply))

        for k, of_question in enumerate(pairs):
            for chosen, rejected in of_question if k % 4 == held else ():
                apart = score(chosen) - score(rejected)
                right.append(0.5 if apart == 0 else float(apart > 0))
    return float(np.mean(right))


def first_words(reply: str) -> list[str]:
    return reply.split()[:10]


def length(reply: str) -> list[str]:
    return [str(len(reply) // 25)]


def test_neither_first_words_nor_length_tell_what_is_chosen(many: list[Question]) -> None:
    pairs = [[(t.guided, wrong) for t in turns(q) for wrong in t.rejected] for q in many]
    assert sum(map(len, pairs)) > 250
    assert told_apart(pairs, first_words) == pytest.approx(0.5, abs=0.05)
    assert told_apart(pairs, length) == pytest.approx(0.5, abs=0.05)
    longer = [float(len(good) > len(bad)) for some in pairs for good, bad in some]
    assert np.mean(longer) == pytest.approx(0.5, abs=0.05)
    # Both would be seen.
    sure = [[(good, f"Clearly so. {bad}") for good, bad in some] for some in pairs]
    assert told_apart(sure, first_words) > 0.9
    padded = [[(f"{good}{' and so on' * 30}", bad) for good, bad in some] for some in pairs]
    assert told_apart(padded, length) > 0.8


def test_a_use_says_what_is_done_with_what(many: list[Question]) -> None:
    said: Counter[str] = Counter()
    for question in many:
        use = json.loads(turns(question)[-1].guided.rpartition("\n")[2])["use"]
        name, part = question.accepted
        assert name in use and part in use and len(use.split()) > 8
        said[use.replace(name, "").replace(part, "")] += 1
    assert len(said) >= len({q.topic for q in many}) > 10


def test_rows_for_llama_factory_are_as_its_converter_wants_them(rows, suite, tmp_path):
    """Its ``sharegpt``: turns alternate, and what does not is skipped with a warning only."""
    export_training(suite, None, tmp_path / "out", 0)
    info = json.loads((tmp_path / "out" / "dataset_info.json").read_text())
    assert set(info) == {"pactwin_sft", "pactwin_dpo"}
    for name, described in info.items():
        kind = name.removeprefix("pactwin_")
        ranked = described.get("ranking", False)
        assert described["formatting"] == "sharegpt" and ranked == (kind == "dpo")
        assert set(described) <= {"file_name", "formatting", "ranking", "columns", "tags"}
        lines = (tmp_path / "out" / described["file_name"]).read_text().splitlines()
        assert [json.loads(line) for line in lines] == rows[f"{kind}.lf"]
        columns, tags = described["columns"], described["tags"]
        expected = [tags["user_tag"], tags["assistant_tag"]]
        for row in rows[f"{kind}.lf"]:
            assert set(row) == set(columns.values())
            roles = [message[tags["role_tag"]] for message in row[columns["messages"]]]
            assert roles == [expected[k % 2] for k in range(len(roles))]
            assert len(roles) % 2 == (1 if ranked else 0)
            for reply in ("chosen", "rejected") if ranked else ():
                assert row[columns[reply]][tags["role_tag"]] == tags["assistant_tag"]
                assert row[columns[reply]][tags["content_tag"]]


def test_pictures_stand_where_they_are_shown(rows: dict[str, list[dict[str, Any]]]) -> None:
    for name in ("sft.trl", "dpo.trl"):
        for row in rows[name]:
            blocks = [b for m in row["prompt"] for b in m["content"]]
            assert sum(b["type"] == "image" for b in blocks) == len(row["images"]) <= 2
            assert row["prompt"][0]["content"][0]["type"] == "image"
    for name in ("sft.lf", "dpo.lf"):
        for row in rows[name]:
            text = "".join(m["content"] for m in row["messages"])
            assert text.count("<image>") == len(row["images"])
    assert len(rows["dpo.trl"]) > len(rows["sft.trl"])


def test_what_both_suites_have_is_named(questions: list[Question], suite: Path) -> None:
    with pytest.raises(InvalidInputError, match="is in both suites"):
        export_training(suite, suite, suite.parent / "shared", 0)
    first, second = questions
    names = {thing.name for thing in first.candidates}
    apart = tuple(thing for thing in second.candidates if thing.name not in names)
    require_apart([first], [second.model_copy(update={"candidates": apart})])
    if names & {thing.name for thing in second.candidates}:
        with pytest.raises(InvalidInputError, match="is in both suites"):
            require_apart([first], [second])


def test_a_suite_without_pictures_is_refused(tmp_path: Path) -> None:
    words = write_inspected(tmp_path / "words", pictures=False)
    with pytest.raises(InvalidInputError, match="make creative"):
        export_training(words, None, tmp_path / "out", 0)
