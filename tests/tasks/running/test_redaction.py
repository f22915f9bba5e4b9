"""A key that comes back from a provider stands nowhere, in whatever way it is written."""

import base64
import html
import json
from collections.abc import Callable
from itertools import count
from urllib.parse import quote
from zipfile import ZipFile

import pytest
from evaluating import evaluate
from openai_server import Reply, openai_server

from pactwin.compare import compare_logs
from pactwin.tasks import read_answers
from pactwin.tasks.running.redaction import HIDDEN, hide, patterns_of

MODEL = "openai-api/local/vlm"
KEY = 'planted"key\\with/marks&<3f9c1d>'
# How it comes back: in a reply, an error, a refusal, and where JSON was expected.
ECHOES = {
    "in an error": lambda text: Reply(status=401, raw=json.dumps({"error": text}).encode()),
    "in a refusal": lambda text: Reply(
        status=400, raw=json.dumps({"error": {"message": f"bad key {text}", "k": [text]}}).encode()
    ),
    "in the reply": lambda text: Reply(f"No. {text}"),
    "in an error in the body": lambda text: Reply(
        raw=json.dumps({"error": {"message": text, "code": 400}}).encode()
    ),
    "in no JSON": lambda text: Reply(raw=f"<p>{text}".encode()),
}
WRITTEN: dict[str, Callable[[str], str]] = {
    "as it is": lambda key: key,
    "in JSON": lambda key: json.dumps({"k": key}),
    "in JSON in JSON": lambda key: json.dumps(json.dumps([key])),
    "in Python": repr,
    "in HTML": html.escape,
    "in a URL": lambda key: quote(key, safe=""),
    "in base64": lambda key: base64.b64encode(key.encode()).decode(),
    "after Bearer in base64": lambda key: base64.b64encode(f"Bearer {key}".encode()).decode(),
    "after a user in base64": lambda key: base64.b64encode(f"user:{key}".encode()).decode(),
    "between others in base64": lambda key: base64.b64encode(f"ab{key}cd".encode()).decode(),
    "in base64 for URLs": lambda key: base64.urlsafe_b64encode(f"a:{key}".encode()).decode(),
    "in hex": lambda key: key.encode().hex(),
    "in capital hex": lambda key: f"Bearer {key}".encode().hex().upper(),
    "each byte in a URL": lambda key: "".join(f"%{byte:02X}" for byte in key.encode()),
    "in a small URL": lambda key: quote(key, safe="").lower(),
    "as entities": lambda key: "".join(f"&#{ord(one)};" for one in key),
    "as escapes": lambda key: "".join(f"\\u{ord(one):04x}" for one in key),
}
BROKEN: dict[str, Callable[[str], str]] = {
    "over lines": lambda text: "\n".join(wrapped(text, 9)),
    "over lines of a file of Windows": lambda text: "\r\n".join(wrapped(text, 11)),
    "over lines in JSON": lambda text: json.dumps("\n".join(wrapped(text, 7))),
    "over lines in a URL": lambda text: "%0A".join(wrapped(text, 8)),
    "over lines in HTML": lambda text: "<br>".join(wrapped(text, 8)),
    "into chunks": lambda text: ", ".join(map(repr, wrapped(text, 6))),
    "into pairs": lambda text: ":".join(wrapped(text, 2)),
    "as an array of bytes": lambda text: ", 0x".join(wrapped(text, 2)),
    "as bytes in Python": lambda text: "\\x".join(wrapped(text, 2)),
}
BREAKABLE: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in hex": lambda key: key.encode().hex(),
    "in base64": lambda key: base64.b64encode(f"user:{key}".encode()).decode(),
    "in base64 for URLs": lambda key: base64.urlsafe_b64encode(f"Bearer {key}".encode()).decode(),
    "in base64 in a URL": lambda key: quote(base64.b64encode(f"a{key}b".encode()), safe=""),
}


def wrapped(text: str, width: int) -> list[str]:
    return [text[start : start + width] for start in range(0, len(text), width)]


def forms(key: str) -> list[str]:
    """What must be found nowhere; a log is JSON itself."""
    written = [form(key).strip("\"'[]{}: k") for form in WRITTEN.values()]
    return [*written, *(json.dumps(text)[1:-1] for text in written)]


@pytest.mark.slow
def test_no_secret_leaves_the_provider(fake_suite_path, tmp_path, monkeypatch, capsys):
    key = KEY
    monkeypatch.setenv("LOCAL_API_KEY", key)
    cache = tmp_path / "cache"
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(cache))
    ways = [(echo, form) for echo in ECHOES.values() for form in WRITTEN.values()]
    told = count()

    def answer(body: dict) -> Reply:
        echo, form = ways[next(told) % len(ways)]
        return echo(form(key))

    with openai_server(answer) as server:
        logs = evaluate(
            fake_suite_path,
            [MODEL],
            views="head,front",
            form="all",
            max_retries=0,
            log_dir=tmp_path / "logs",
        )
        assert server.keys == {f"Bearer {key}"}
        assert len(server.requests) >= len(ways)
    compare_logs(logs, tmp_path / "report.html", tmp_path / "scores.json", [fake_suite_path])
    texts = {"output": "".join(capsys.readouterr())}
    with ZipFile(logs[0]) as archive:
        texts |= {name: archive.read(name).decode() for name in archive.namelist()}
    texts |= {name: (tmp_path / name).read_text() for name in ("report.html", "scores.json")}
    kept = [path for path in cache.rglob("*") if path.is_file()]
    assert len(kept) >= len(WRITTEN)
    texts |= {path.name: path.read_bytes().decode("latin-1") for path in kept}
    found = [(name, form) for name, text in texts.items() for form in forms(key) if form in text]
    assert found == []
    replies = [row.reply for row in read_answers(logs) if row.reply]
    assert len(replies) >= len(WRITTEN)
    assert all("[hidden]" in reply for reply in replies)


@pytest.mark.parametrize("key", [KEY, "sk-proj_Ab3+xZ9/0000/q~=", "pass word:\u00e9\u00fc>>??"])
def test_a_key_that_is_broken_is_hidden(key: str) -> None:
    """No eight letters or digits in a row are left of it, in any way of writing it."""
    for way, written in (WRITTEN | BREAKABLE).items():
        whole = written(key)
        for how, broken in ({"not": str} | (BROKEN if way in BREAKABLE else {})).items():
            if "bytes" in how and way != "in hex":
                continue
            left = hide(f"<{broken(whole)}>", patterns_of(key))
            assert HIDDEN in left, (way, how)
            kept = {text for part in left.split(HIDDEN) for text in windows(letters(part))}
            assert not kept & set(windows(letters(whole))) - BEARER, (way, how)


def letters(text: str) -> str:
    return "".join(one for one in text if one.isalnum())


def windows(text: str, size: int = 8) -> list[str]:
    return [text[start : start + size] for start in range(len(text) - size + 1)]


# What stands before a key, in base64 (whatever follows) and in hex.
BEARER = {*windows("QmVhcmVyIH"), *windows(b"Bearer ".hex().upper())}


def test_text_that_is_nearly_a_key_takes_no_time() -> None:
    """A hostile server knows the key, and where a search for it would turn back."""
    text = ("\\" * 8).join(KEY[:-1]) * 400 + "0x".join(f"{b:02x}" for b in KEY.encode()[:-1]) * 400
    assert hide(text, patterns_of(KEY)) == text  # pytest-timeout ends a search that turns back


def test_a_word_in_place_of_a_key_is_no_secret(fake_suite_path, tmp_path, monkeypatch):
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    with openai_server(lambda body: Reply("No, none of it.")):
        logs = evaluate(fake_suite_path, [MODEL], views="head", limit=1, log_dir=tmp_path)
    assert {row.reply for row in read_answers(logs)} == {"No, none of it."}
