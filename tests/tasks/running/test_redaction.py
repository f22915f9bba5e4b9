"""A key that comes back from a provider stands nowhere, in whatever way it is written."""

import base64
import html
import json
from itertools import count
from pathlib import Path
from urllib.parse import quote
from zipfile import ZipFile

import pytest
from evaluating import evaluate
from openai_server import Reply, openai_server

from pactwin.compare import compare_logs
from pactwin.tasks import read_answers

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
WRITTEN = {
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
}


def forms(key: str) -> list[str]:
    """What must be found nowhere; a log is JSON itself."""
    written = [form(key).strip("\"'[]{}: k") for form in WRITTEN.values()]
    return [*written, *(json.dumps(text)[1:-1] for text in written)]


@pytest.mark.slow
def test_no_secret_leaves_the_provider(
    fake_suite_path: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
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


def test_a_word_in_place_of_a_key_is_no_secret(
    fake_suite_path: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    with openai_server(lambda body: Reply("No, none of it.")):
        logs = evaluate(fake_suite_path, [MODEL], views="head", limit=1, log_dir=tmp_path)
    assert {row.reply for row in read_answers(logs)} == {"No, none of it."}
