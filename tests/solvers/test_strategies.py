"""Each strategy against a real server: what is sent, in which order, and that no truth is.

``tests/data/conversations.yaml`` records one conversation per strategy. A change of wording changes
it, and the version of our prompts; ``python tests/solvers/test_strategies.py`` records it anew.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import cycle, pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from evaluating import evaluate
from fakes import make_fake_suite
from openai_server import OpenAIServer, Reply, openai_server, sent_images, sent_text

from pactwin.solvers import STATEMENTS, load_prompts
from pactwin.solvers import STRATEGIES as ALL_STRATEGIES
from pactwin.suite import InvalidInputError, Scene, Suite
from pactwin.tasks import AnswerRow, AnswerState, pac_constraints, read_answers

RECORDED = Path(__file__).parents[1] / "data" / "conversations.yaml"
MODEL = "openai-api/local/vlm"
VIEWS = {"views": "front+side+head"}

# What the recorded model replies, turn by turn, to the infeasible twin of a pair about size.
REPLIES = {
    "direct": ["No. The block is too big for the box."],
    "reason": ["The hand can get there.\nThe box is small.\n\nAnswer: no. It does not fit."],
    "describe": ["A red block beside a blue box.", "Answer: no. The block is larger than the box."],
    "affordances": ["The block can be gripped.", "The box takes no block.\nAnswer: no. Too big."],
    "verify": [
        "1. Grip. 2. Lift. 3. Place.\nAnswer: yes.",
        "Step 3 fails.\nAnswer: no. The block is too big.",
        "All as I said.\nAnswer: no. The block is too big.",
    ],
    "self-reflect": [
        "Answer: yes.",
        "Changes: needed. It is wide.\nAnswer: no. A lid covers the box.",
        "Changes: needed. There is no lid.\nAnswer: yes.",
        "Changes: needed. It is wide after all.\nAnswer: no. The block is too big.",
    ],
    "divergent-convergent": ["Sizes, lids, reach.", "Answer: no. The block is too big."],
    "views": ["I am not sure.\nLOOK: head", "**LOOK: Ceiling**", "Answer: no. It does not fit."],
}
# Situations in words are explored, constraints are not: tests/tasks/creativitybench.
STRATEGIES = [n for n in ALL_STRATEGIES if n != "explore" and not n.startswith("inspect-")]
CALLS = {name: len(replies) for name, replies in REPLIES.items()}


def make_suite(path: Path) -> Path:
    """One pair, in which a red block does or does not fit into a blue box, seen by every camera."""
    return make_fake_suite(path, n_pairs=1, seed=1, domains=("size_mismatch",))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_suite(tmp_path_factory.mktemp("strategies") / "suite")


def ask(suite: Path, log_dir: Path, **options: Any) -> list[AnswerRow]:
    defaults: dict[str, Any] = {"views": "front+head", "form": "open", "max_retries": 0}
    logs = evaluate(suite, [MODEL], log_dir=log_dir, display="none", **defaults | options)
    return read_answers(logs)


def infeasible_scene(suite: Path) -> Scene:
    """The infeasible twin."""
    (scene,) = (s for s in Suite.open(suite).scenes() if not s.decided.feasible)
    return scene


def pictures(suite: Path, scene: Scene) -> dict[str, str]:
    """Names of a scene's pictures by the hash of their bytes."""
    opened = Suite.open(suite)
    return {
        hashlib.sha256(opened.resolve(view.image).read_bytes()).hexdigest(): view.camera.name
        for view in scene.views
    }


def replying(replies: list[str]) -> Callable[[dict[str, Any]], Reply]:
    """A model that says the next of ``replies`` in every conversation."""

    def answer(body: dict[str, Any]) -> Reply:
        turns = sum(message["role"] == "assistant" for message in body["messages"])
        return Reply(replies[turns])

    return answer


def sent_about(server: OpenAIServer, named: dict[str, str]) -> list[dict[str, Any]]:
    """The requests that show pictures of one scene, shortest conversation first."""
    shown = [
        body
        for body in server.requests
        if hashlib.sha256(sent_images(body)[0]).hexdigest() in named
    ]
    return sorted(shown, key=lambda body: len(body["messages"]))


def told(body: dict[str, Any], named: dict[str, str]) -> list[dict[str, Any]]:
    """A request as the record keeps it: roles, text, and pictures by name, in the order sent."""
    messages = []
    for message in body["messages"]:
        if isinstance(message["content"], str):
            parts: list[str | dict[str, str]] = [message["content"]]
        else:
            parts = []
            for part in message["content"]:
                if part["type"] == "text":
                    parts.append(part["text"])
                else:
                    (image,) = sent_images({"messages": [{"content": [part]}]})
                    parts.append({"picture": named[hashlib.sha256(image).hexdigest()]})
        messages.append({message["role"]: parts})
    return messages


@cache
def recordings() -> dict[str, Any]:
    return yaml.safe_load(RECORDED.read_text(encoding="utf-8"))


def converse(suite: Path, strategy: str, log_dir: Path) -> tuple[list[AnswerRow], OpenAIServer]:
    with openai_server(replying(REPLIES[strategy])) as server:
        options = VIEWS if strategy == "views" else {}
        return ask(suite, log_dir, strategy=strategy, **options), server


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_recorded_conversations(strategy: str, suite: Path, tmp_path: Path) -> None:
    rows, server = converse(suite, strategy, tmp_path)
    scene = infeasible_scene(suite)
    named = pictures(suite, scene)
    requests = sent_about(server, named)
    assert len(requests) == CALLS[strategy]
    assert len(server.requests) == 2 * CALLS[strategy], "twins cost the same"
    conversation = told(requests[-1], named)
    recorded = recordings()
    assert conversation == recorded["strategies"][strategy]
    version = load_prompts().pack.version
    assert recorded["version"] == version, "our prompts changed: raise their version"

    for before, after in pairwise(requests):  # nothing said is taken back
        assert after["messages"][: len(before["messages"])] == before["messages"]
    (row,) = (r for r in rows if r.scene_id == scene.id)
    assert (row.state, row.strategy) == (AnswerState.CORRECT, strategy)
    assert row.model == (MODEL if strategy == "direct" else f"{MODEL} · {strategy}")
    assert row.reply == REPLIES[strategy][-1]
    assert (row.tokens_in, row.tokens_out) == (11 * CALLS[strategy], 7 * CALLS[strategy])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_nothing_is_sent_twice_or_knows_the_truth(strategy, suite, tmp_path):
    """Three forms of a question are asked at the same time, and may begin alike.

    Both twins are sent the same, but for the pictures; and no word of records or verdicts.
    """
    says = replying(["LOOK: head", "B", "No. It is too far.", "B"])
    with openai_server(lambda body: replace(says(body), wait_s=0.1)) as server:
        views = "joint" if strategy == "views" else "front+head"
        rows = ask(suite, tmp_path, strategy=strategy, form="all", views=views)
    assert len(rows) == 6
    sent = [json.dumps(body) for body in server.requests]
    assert len(sent) == len(set(sent))
    texts = []
    for body in server.requests:
        blank = json.loads(json.dumps(body))
        for message in blank["messages"]:
            parts = message["content"] if isinstance(message["content"], list) else []
            for part in parts:
                if part["type"] == "image_url":
                    part["image_url"]["url"] = part["image_url"]["url"].partition(",")[0]
        texts.append(json.dumps(blank))
    assert texts
    assert all(texts.count(text) % 2 == 0 for text in texts)
    opened = Suite.open(suite)
    secrets = {secret for s in opened.scenes() for secret in (s.id, s.domain, s.twin_id)}
    secrets |= {secret for q in opened.questions() for secret in (q.id, q.rationale)}
    secrets |= {"feasible", "truth", "Measured", str(suite)}
    for text in texts:
        options = "A) " in text
        assert not {secret for secret in secrets if str(secret) in text}
        assert options == any(statement in text for statement in STATEMENTS.values())


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_calls_are_bounded(strategy: str, suite: Path, tmp_path: Path) -> None:
    """A model that never makes up its mind is asked as often as its prompts say, and no more."""
    undecided = ["LOOK: head", "LOOK: head", "Answer: yes", "Answer: no", "LOOK: side"] * 3
    with openai_server(replying(undecided)) as server:
        views = "joint" if strategy == "views" else "front+head"
        ask(suite, tmp_path, strategy=strategy, views=views)
    assert len(server.requests) == 2 * load_prompts().pack.prompts_of(strategy).max_calls


FAULTS = {
    AnswerState.ERROR: Reply(status=400),
    AnswerState.REFUSED: Reply("", finish_reason="content_filter"),
    AnswerState.TRUNCATED: Reply("I see a red", finish_reason="length"),
    AnswerState.UNPARSED: Reply(""),
}


@pytest.mark.parametrize("strategy", ["describe", "verify", "views"])
def test_a_fault_in_any_turn_is_what_the_sample_ends_in(strategy, fake_suite_path, tmp_path):
    """Whatever was answered before or would be answered after: a fault and a turn per scene."""
    opened = Suite.open(fake_suite_path)
    scenes = list(opened.scenes())
    plans = dict(
        zip((s.id for s in scenes), cycle(product(FAULTS, range(CALLS[strategy]))), strict=False)
    )
    pictured = {key: scene.id for scene in scenes for key in pictures(fake_suite_path, scene)}

    def answer(body: dict[str, Any]) -> Reply:
        turns = sum(message["role"] == "assistant" for message in body["messages"])
        state, broken = plans[pictured[hashlib.sha256(sent_images(body)[0]).hexdigest()]]
        assert turns <= broken, "asked again after a fault"
        return FAULTS[state] if turns == broken else Reply(REPLIES[strategy][turns])

    with openai_server(answer):
        views = "joint" if strategy == "views" else "front+head"
        rows = ask(fake_suite_path, tmp_path, strategy=strategy, views=views)
    assert {row.scene_id: row.state for row in rows} == {id: plan[0] for id, plan in plans.items()}


def test_a_confirmed_answer_is_not_asked_again(suite: Path, tmp_path: Path) -> None:
    with openai_server(lambda body: Reply("Answer: no. It is too big.")) as server:
        ask(suite, tmp_path, strategy="verify")
    assert len(server.requests) == 2 * 2


def test_a_picture_is_shown_once_and_when_asked_for(suite: Path, tmp_path: Path) -> None:
    replies = ["LOOK: side", "LOOK: side", "Answer: no. It is too big."]
    with openai_server(replying(replies)) as server:
        ask(suite, tmp_path, strategy="views", views="joint")
    named = pictures(suite, infeasible_scene(suite))
    shown = [
        [named[hashlib.sha256(image).hexdigest()] for image in sent_images(body)]
        for body in sent_about(server, named)
    ]
    assert shown == [["front"], ["front", "side"], ["front", "side"]]
    last = sent_text(sent_about(server, named)[-1])
    assert "no such camera" in last
    assert "cannot ask for another" in last


def test_views_needs_several_pictures(suite: Path) -> None:
    for views in ("each", "head", "all,head"):
        with pytest.raises(InvalidInputError, match="several"):
            pac_constraints(str(suite), views=views, strategy="views")


def foreign_pack(folder: Path) -> Path:
    pack = folder / "mine.yaml"
    answer = {"yes_no": "Yes or no?", "choice": "Which?", "open": "Say why for $$5."}
    turns = {"system": "You are terse.", "answer": answer, "turns": ["$question $answer"]}
    pack.write_text(yaml.safe_dump({"name": "mine", "version": 3, "direct": turns}))
    return pack


def test_a_foreign_pack_says_its_own_words(suite: Path, tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log

    pack = foreign_pack(tmp_path)
    with openai_server(lambda body: Reply("No. It is too far.")) as server:
        rows = ask(suite, tmp_path / "logs", prompts=pack)
        with pytest.raises(InvalidInputError, match="only for direct"):
            ask(suite, tmp_path / "logs", prompts=pack, strategy="verify")
    for body in server.requests:
        system, user = body["messages"]
        assert (system["role"], system["content"]) == ("system", "You are terse.")
        assert user["content"][-1]["text"].endswith("what prevents it, and how? Say why for $5.")
    assert {(row.model, row.prompts) for row in rows} == {(f"{MODEL} · direct · mine 3", "mine 3")}
    (log,) = (tmp_path / "logs").glob("*.eval")
    metadata = read_eval_log(str(log), header_only=True).eval.metadata
    assert metadata is not None
    digest = hashlib.sha256(pack.read_bytes()).hexdigest()
    assert metadata["prompts"] == {"name": "mine", "version": 3, "sha256": digest}


def record() -> None:
    """Write ``RECORDED`` anew."""
    with TemporaryDirectory() as folder:
        suite = make_suite(Path(folder) / "suite")
        named = pictures(suite, infeasible_scene(suite))
        said = {}
        for strategy in STRATEGIES:
            _, server = converse(suite, strategy, Path(folder) / strategy)
            said[strategy] = told(sent_about(server, named)[-1], named)
    content = {"version": load_prompts().pack.version, "strategies": said}
    text = yaml.dump(content, Dumper=_Blocks, sort_keys=False, allow_unicode=True, width=10_000)
    RECORDED.write_text(text, encoding="utf-8")


class _Blocks(yaml.SafeDumper):
    """Writes text of several lines as it reads."""


_Blocks.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    ),
)


if __name__ == "__main__":
    record()
