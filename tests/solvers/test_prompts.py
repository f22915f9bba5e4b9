"""Packs of prompts: a mistake is found when a pack is read, and named by its key."""

import re
from pathlib import Path
from string import Template
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pactwin.solvers import OUR_PROMPTS, STRATEGIES, load_prompts, make_strategy
from pactwin.solvers.prompts import Turns
from pactwin.suite import InvalidInputError

ANSWER = {"yes_no": "Yes or no?", "choice": "Which letter?", "open": "Why not?"}
DIRECT = {"answer": ANSWER, "turns": ["$question $answer"]}
LIST = {"answer": {"plan": "One a line."}, "turns": ["$question $answer"]}
VIEWS = {
    "answer": ANSWER,
    "looks": 2,
    "start": "$question $next",
    "show": "$view: $next",
    "unknown": "No. $next",
    "offer": "$others, $left left, or $answer",
    "close": "$answer",
}


def write(folder: Path, **strategies: Any) -> Path:
    path = folder / "pack.yaml"
    path.write_text(yaml.safe_dump({"name": "mine", "version": 1, **strategies}), encoding="utf-8")
    return path


def test_our_pack_has_every_strategy_and_no_system_prompt() -> None:
    loaded = load_prompts()
    assert loaded.pack.name == OUR_PROMPTS
    for strategy in STRATEGIES:
        uses = strategy == "explore" or strategy.startswith("inspect-")
        kind = "creative_use" if uses else "constraint"
        make_strategy(strategy, kind=kind)
        prompts = loaded.pack.prompts_of(strategy, kind)
        assert prompts.system == ""
        assert prompts.max_calls >= 1


def test_a_scripted_strategy_is_a_block_and_nothing_else(tmp_path: Path) -> None:
    path = str(write(tmp_path, think_aloud=DIRECT, guess={**VIEWS, "turns": ["$question $answer"]}))
    with pytest.raises(InvalidInputError, match=r"guess\.turns: Extra"):
        load_prompts(path)
    path = str(write(tmp_path, think_aloud=DIRECT, guess=VIEWS, lists={"recall": LIST}))
    make_strategy("think-aloud", path)
    make_strategy("recall", path, "plan")
    for kind in ("constraint", "recognition"):
        with pytest.raises(InvalidInputError, match="'recall', only for"):
            make_strategy("recall", path, kind)
    with pytest.raises(InvalidInputError, match="guess is no list of turns"):
        make_strategy("guess", path)
    with pytest.raises(InvalidInputError, match=r"unknown strategy 'think-alone'.*think-aloud"):
        make_strategy("think-alone", path)


def test_the_pack_in_the_documentation_is_one(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    path = tmp_path / "pack.yaml"
    path.write_text(block, encoding="utf-8")
    pack = load_prompts(path).pack
    assert pack.prompts_of("describe").max_calls == 2
    assert pack.prompts_of("verify").max_calls == 4


def without(prompts: dict[str, Any], key: str) -> dict[str, Any]:
    return {k: v for k, v in prompts.items() if k != key}


@pytest.mark.parametrize(
    ("pack", "message"),
    [
        ({"direct": without(DIRECT, "answer")}, "direct.answer: Field required"),
        ({"direct": without(DIRECT, "turns")}, "direct.turns: Field required"),
        ({"direct": DIRECT | {"turns": ["$answer"]}}, r"direct: .*\$question must stand"),
        ({"direct": DIRECT | {"turns": ["$question"]}}, r"direct: .*\$answer must .* last turn"),
        ({"direct": DIRECT | {"turns": ["$question $truth $answer"]}}, r"turns\.0: .*\$truth"),
        ({"direct": DIRECT | {"turns": ["$question $answer $5"]}}, r"turns\.0: .*write \$\$"),
        ({"direct": DIRECT | {"system": "$question"}}, r"direct\.system: .*may stand none"),
        ({"direct": DIRECT | {"answer": without(ANSWER, "open")}}, r"answer\.open: Field"),
        ({"direct": DIRECT | {"temperature": 1}}, r"direct\.temperature: Extra"),
        ({"lists": {"direct": {"answer": {"plan": "?"}}}}, r"lists\.direct\.turns: Field"),
        ({"views": VIEWS | {"start": "$next"}}, r"views\.start: .*\$question must"),
        ({"views": VIEWS | {"offer": "$answer"}}, r"views\.offer: .*\$others must"),
        ({"views": VIEWS | {"close": "$next"}}, r"views\.close: .*\$next: here may stand \$answer"),
        ({"name": "pactwin", "direct": DIRECT}, "name: pactwin"),
        ({"name": "Big Lab/1"}, "name: String should match"),
    ],
)
def test_a_bad_pack_is_one_line_that_names_the_key(pack, message, tmp_path):
    with pytest.raises(InvalidInputError, match=message) as error:
        load_prompts(write(tmp_path, **pack))
    assert "\n" not in str(error.value)
    assert "pack.yaml" in str(error.value)


@given(st.text(st.characters(codec="utf-8", exclude_characters="$"), min_size=1))
def test_whatever_the_words_a_turn_is_sent_as_it_reads(words: str) -> None:
    """No word can break out of its template: braces, percents and escapes stand for themselves."""
    turns = Turns.model_validate(DIRECT | {"turns": [f"$question{{{words}}} %s $$5 $answer"]})
    sent = Template(turns.turns[0]).substitute(question="Q $answer", answer="A {question}")
    assert sent == f"Q $answer{{{words}}} %s $5 A {{question}}"


MERGED = "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 9))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b"- 1\n- 2",
        b"a: [",
        b"\xff\xfe\x00",
        b"a: !!python/object/apply:os.getcwd []",
        f"a0: &a0 {{x: 1}}\n{MERGED}".encode(),  # eight lines that stand for 9 ** 8 keys
        b"version: 1" + b":59" * 400 + b".5",  # a number of base sixty
    ],
)
def test_what_is_no_pack_is_one_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "pack.yaml"
    path.write_bytes(content)
    for bad in (path, tmp_path, tmp_path / "none.yaml"):
        with pytest.raises(InvalidInputError, match=r"prompts|YAML") as error:
            load_prompts(bad)
        assert "\n" not in str(error.value)
        assert "Pack" not in str(error.value), "a class of ours says nothing to users"
