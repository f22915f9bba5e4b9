"""Probabilities in replies are read or refused, never guessed."""

import math

import pytest
from confident import token_values
from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, Logprobs, ModelOutput

from pactwin.solvers import token_probability


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
