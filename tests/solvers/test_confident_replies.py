"""Probabilities in replies are read or refused, never guessed."""

import math

import pytest
from confident import token_values
from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, Logprobs, ModelOutput

from pactwin.solvers import parse_reply, read_confident, token_probability

READ = {
    "Answer: yes\nProbability: 80": 0.8,
    "**Answer:** No\n**Probability:** 5": 0.05,
    "Probability: 0.7": 0.7,
    "Probability: 7/10": 0.7,
    "Probability: 7 out of 10": 0.7,
    "Probability: 12,5 %": 0.125,
    "Probability: 1%": 0.01,
    "Probability: 0": 0.0,
    "Probability: 100 percent": 1.0,
    "Probability: 85 (quite likely)": 0.85,
    "The probability that it can be done is about 35%, since the gap is 30 mm": 0.35,
    "A probability of 50 at first. The hand fits.\nProbability: 80": 0.8,
    '{"answer": "yes", "probability": 85}': 0.85,
    '{"answer": "no", "probability": "10 %"}': 0.1,
    "Yes, 80%": 0.8,
    "no. 0.2": 0.2,
    "80%": 0.8,
}
REFUSED = (
    "Probability: 70-80 %",
    "70-80 %",
    "Probability: 80 to 90",
    "Probability: 80% ± 10",
    "Probability: 70% or 80%",
    "Probability: 90-110",
    "Probability: 150",
    "Probability: -5",
    "Probability: certain",
    "Probability: ninety",
    "Probability: >90",
    "Probability: at least 90",
    "Probability: 90 or more",
    "Probability: 50/50",
    "Probability: 3 in 4",
    "Probability: 1",
    "Probability: 1.0",
    "Probability: 1e2",
    "Probability that it cannot be done: 80",
    "The probability of failure is 20 %",
    "Answer: no\nConfidence: 90",
    "I'm 90% sure that it cannot be done.",
    "No, 80%",
    "Yes, the box is 80% covered.",
    "80",
    "yes",
)


@pytest.mark.parametrize("reply", READ)
def test_one_number_is_read(reply: str) -> None:
    assert read_confident(reply).probability == pytest.approx(READ[reply])


@pytest.mark.parametrize("reply", REFUSED)
def test_what_is_not_one_number_is_refused(reply: str) -> None:
    assert read_confident(reply).probability is None


@pytest.mark.parametrize(
    ("reply", "unsure"),
    [
        ("Answer: unsure\nProbability: 50%", True),
        ("Unsure.\nProbability: 55", True),
        ("I am not sure.", True),
        ("I don't know.", True),
        ('{"answer": "unsure", "probability": 45}', True),
        ("I was unsure at first, but the hand fits.\nAnswer: yes\nProbability: 80", False),
        ("Answer: no\nProbability: 40 (I am unsure about the lid)", False),
        ("yes", False),
    ],
)
def test_unsure_is_an_answer_of_its_own(reply: str, unsure: bool) -> None:
    assert read_confident(reply).unsure is unsure


def test_the_probability_is_no_part_of_the_answer() -> None:
    said = read_confident("Answer: no\nProbability that it can be done: 10")
    assert parse_reply("yes_no", said.rest).feasible is False


def output(values: dict | None) -> ModelOutput:
    choice = ChatCompletionChoice(
        message=ChatMessageAssistant(content="Answer: yes"),
        logprobs=None if values is None else Logprobs.model_validate(values),
    )
    return ModelOutput(model="m", choices=[choice])


def test_all_spellings_of_yes_count_at_the_token_that_answers() -> None:
    found = token_probability(output(token_values("yes", 0.8)))
    assert found is not None
    assert found.yes == pytest.approx(0.8)
    assert found.outside == pytest.approx(0.02)
    begins = {"content": token_values("no", 0.3)["content"][2:]}
    first = token_probability(output(begins))
    assert first is not None and first.yes == pytest.approx(0.3), "a reply that begins with it"


def test_a_word_on_the_way_is_not_the_answer() -> None:
    thoughts = [
        {"token": t, "logprob": math.log(0.9), "top_logprobs": [{"token": "No", "logprob": -3.0}]}
        for t in ("Yes", ",", " but", "\n")
    ]
    values = {"content": [*thoughts, *token_values("no", 0.1)["content"]]}
    found = token_probability(output(values))
    assert found is not None and found.yes == pytest.approx(0.1)


@pytest.mark.parametrize(
    "values",
    [
        None,
        {"content": []},
        {"content": [{"token": "Maybe", "logprob": -0.1, "top_logprobs": []}]},
        # An entry that is exactly 0 is dropped by one provider: the answer itself is gone.
        {"content": token_values("yes", 0.8)["content"][:2]},
    ],
)
def test_without_values_of_the_answer_there_is_no_probability(values: dict | None) -> None:
    assert token_probability(output(values)) is None
