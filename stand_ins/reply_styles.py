"""A model that sees, is right in 70 % and answers in twelve styles, some of which are no answer.

It answers the same question alike whoever asks: other harnesses are compared with ours so.
"""

import hashlib
import io
import json
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from openai_server import Reply, sent_images, sent_text
from PIL import Image

from pactwin.suite import SET_FORMS, Constraint

RIGHT = 0.7
STYLES: tuple[Callable[[str], str], ...] = (
    lambda said: said,
    lambda said: f"**{said}**",
    lambda said: f"Answer: {said}",
    lambda said: f"The answer is {said}.",
    lambda said: f"<think>Is it in reach? Yes. Does it fit?</think>\n{said}",
    lambda said: json.dumps({"answer": said}),
    lambda said: f"Let me look at the picture first.\n\nAnswer: {said}",
    lambda said: f"\\boxed{{{said}}}",
    lambda said: "I'm sorry, but I can't help with that.",
    lambda said: "",
    lambda said: "It depends on how heavy it is.",
    lambda said: f"<think>The robot would have to reach over. {said}",
)


def answering(rows: Iterable[Mapping[str, Any]]) -> Callable[[dict[str, Any]], Reply]:
    """The ``answer`` of a server that is asked ``rows`` of the flat configuration.

    What is none of them is refused. A picture is known by its pixels, compressed or not.
    """
    asked: dict[str, list[tuple[list[Image.Image], str]]] = {}
    for row in rows:
        data = [image["bytes"] for image in row["images"]]
        text = "\n".join((*row["captions"], row["prompt"]))
        asked.setdefault(text, []).append((_pictures(data), scripted_reply(row)))

    def answer(body: dict[str, Any]) -> Reply:
        seen = _pictures(sent_images(body))
        known = asked.get(sent_text(body))
        if known is None:  # no client asks again after this
            return Reply(status=400)
        return Reply(min(known, key=lambda one: _distance(one[0], seen))[1])

    return answer


def scripted_reply(row: Mapping[str, Any]) -> str:
    """What this model replies to a row."""
    rng = random.Random(hashlib.sha256(row["sample_id"].encode()).digest())
    right = rng.random() < RIGHT
    return rng.choice(STYLES)(_said(row, right, rng))


def _said(row: Mapping[str, Any], right: bool, rng: random.Random) -> str:
    letters = {option: chr(65 + at) for at, option in enumerate(row["options"])}
    if row["form"] in SET_FORMS:
        named = set(row["accepted"]) if right else set(rng.sample(row["options"], 1))
        return ", ".join(letters[option] for option in row["options"] if option in named) or "none"
    if row["form"] == "choice":
        wrong = [option for option in row["options"] if option != row["truth"]]
        return letters[row["truth"] if right else rng.choice(wrong)]
    if row["feasible"] == right:
        return "yes"
    reason = row["constraint"] if right else rng.choice(["out_of_reach", "covered"])
    return "no" if row["form"] == "yes_no" else f"no. {Constraint(reason).statement}"


def pixel_hashes(body: Mapping[str, Any]) -> list[str]:
    """SHA-256 of the pixels of each picture of a request."""
    images = (Image.open(io.BytesIO(data)).convert("RGB") for data in sent_images(dict(body)))
    return [hashlib.sha256(image.tobytes()).hexdigest() for image in images]


def request_of(body: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a request sends: text, pixels, and the order of parts; no system prompt is among it."""
    (message,) = body["messages"]
    parts = message["content"]
    kinds = ("text",) if isinstance(parts, str) else tuple(part["type"] for part in parts)
    return sent_text(dict(body)), *pixel_hashes(body), kinds


def _pictures(data: list[bytes]) -> list[Image.Image]:
    return [Image.open(io.BytesIO(one)).convert("RGB") for one in data]


def _distance(known: list[Image.Image], seen: list[Image.Image]) -> float:
    """Mean differences of pixels, at the size of the known pictures, summed."""
    if len(known) != len(seen):
        return float("inf")
    total = 0.0
    for one, other in zip(known, seen, strict=True):
        there, here = (np.asarray(i, dtype=np.int16) for i in (one, other.resize(one.size)))
        total += float(np.abs(there - here).mean())
    return total
