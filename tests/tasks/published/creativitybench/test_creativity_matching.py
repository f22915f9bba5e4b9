"""Names are matched as they are, beside the published rules with their faults."""

from pathlib import Path

import pytest
from creativity_data import write

from pactwin.suite import Question, Suite
from pactwin.tasks import import_creativitybench
from pactwin.tasks.kinds.part.matching import choose, relation
from pactwin.tasks.published.creativitybench.published import published_match

LADLE, PIN = "steel soup ladle 3", "wooden rolling pin 2"


@pytest.fixture
def question(tmp_path: Path) -> Question:
    import_creativitybench(write(tmp_path / "data"), tmp_path / "suite")
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
