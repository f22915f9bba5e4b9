"""Names are matched as they are, beside the published rules with their faults."""

from pathlib import Path

import pytest
from creativity_data import write

from pactwin.suite import Question, Suite
from pactwin.tasks import import_published
from pactwin.tasks.kinds.part.matching import choose, relation
from pactwin.tasks.published.creativitybench.scoring import published_answer, published_match

LADLE, PIN = "steel soup ladle 3", "wooden rolling pin 2"


@pytest.fixture
def question(tmp_path: Path) -> Question:
    import_published("creativitybench", write(tmp_path / "data"), tmp_path / "suite")
    return next(iter(Suite.open(tmp_path / "suite").questions()))


@pytest.mark.parametrize(
    ("entity", "part", "ours", "published"),
    [
        (LADLE, "ladle_bowl", "gold", (True, True, "gold")),
        ("Steel Soup Ladle", "Ladle bowl", "gold", (True, False, "not similar")),
        (PIN, "roller", "similar-2", (False, False, "similar-2")),
        (PIN, "ladle_bowl", "hallucination", (False, True, "similar-2")),
        # Nothing in common is given to the first thing, whatever that is.
        ("spoon", "roller", "hallucination", (False, False, "similar-2")),
        ("ladle", "ladle_bowl", "hallucination", (True, True, "gold")),
        ("", "", "hallucination", (False, False, "similar-2")),
    ],
)
def test_a_choice_counts_as_it_should_and_as_published(
    question: Question, entity: str, part: str, ours: str, published: tuple[bool, bool, str]
) -> None:
    assert relation(question, *choose(question, entity, part)) == ours
    assert published_match(question, entity, part) == published


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (
            'So:\n{"entity": " mug ", "part": "lid", "use": "I do."}',
            (" mug ", "lid"),
        ),  # blanks stay
        ('{"gold_entity": "mug", "gold_part": "lid", "how_to_use": "I do."}', ("mug", "lid")),
        ('{"entity": "", "part": "lid", "use": "I do."}', ("", "lid")),
        ('{"entity": "mug", "part": 3, "use": "I do."}', ("mug", "3")),
        ('{"entity": "mug", "part": "lid", "use": ""}', None),  # their judge ends in an error
        ('{"entity": "mug", "part": "lid"}', None),
        ('{"entity": " ", "part": "", "use": " "}', None),
        ('{"entity": 3, "part": "lid", "use": "I do."}', None),
        ('Of {these}: {"entity": "mug", "part": "lid", "use": "I do."}', None),
        ("I cannot help with that.", None),
        ("{" * 20_000, None),
    ],
)
def test_a_reply_is_read_as_published(reply: str, answer: tuple[str, str] | None) -> None:
    assert published_answer(reply) == answer
