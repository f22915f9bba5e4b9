"""What a model is sent while it inspects, and the replies by which it does."""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from openai_server import sent_text

from pactwin.suite import Question, Suite


def ours(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [message for message in body["messages"] if message["role"] == "user"]


def said(body: dict[str, Any]) -> list[str]:
    return [sent_text({"messages": [message]}) for message in ours(body)]


def shown(suite: Path, body: dict[str, Any]) -> list[list[str]]:
    """The cameras whose pictures each message from us shows."""
    hashes = {sha: Path(path).stem for path, sha in Suite.open(suite).info.files.items()}
    found = []
    for message in ours(body):
        parts = message["content"] if isinstance(message["content"], list) else []
        urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        data = [base64.b64decode(url.partition(",")[2]) for url in urls]
        found.append([hashes[hashlib.sha256(one).hexdigest()] for one in data])
    return found


def entity(name: str) -> str:
    return json.dumps({"action": "inspect_entity", "entity": name})


def part(name: str, of: str) -> str:
    return json.dumps({"action": "inspect_part", "entity": of, "part": name})


def final(question: Question) -> str:
    thing, piece = question.accepted
    told = {"action": "answer", "entity": thing, "part": piece, "use": "as a lever"}
    return f"I have seen enough. {json.dumps(told)}"


def asked_question(suite: Path, body: dict[str, Any]) -> Question:
    return next(q for q in Suite.open(suite).questions() if q.text in said(body)[0])
