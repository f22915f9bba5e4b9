"""A small real HTTP server on loopback that speaks the OpenAI chat protocol with images.

``answer`` is called with each request's JSON body and returns a :class:`Reply`; every body is kept
in ``requests`` as it came over the wire.
"""

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the server sends: a completion, or ``raw`` bytes with ``status`` instead of one."""

    content: str | None = ""
    finish_reason: str = "stop"
    refusal: str | None = None
    status: int = 200
    raw: bytes | None = None

    def body(self, model: str) -> bytes:
        if self.raw is not None:
            return self.raw
        if self.status != 200:
            return json.dumps({"error": {"message": "planned fault", "type": "fault"}}).encode()
        message = {"role": "assistant", "content": self.content, "refusal": self.refusal}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        return json.dumps(
            {
                "id": "chat-1",
                "object": "chat.completion",
                "created": 0,
                "model": model,
                "choices": [choice],
                "usage": usage,
            }
        ).encode()


@dataclass
class OpenAIServer:
    """The running server. ``base_url`` is what a client is given."""

    base_url: str
    requests: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def openai_server(answer: Callable[[dict[str, Any]], Reply]) -> Iterator[OpenAIServer]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                server.requests.append(body)
            reply = answer(body)
            data = reply.body(body["model"])
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = OpenAIServer(f"http://127.0.0.1:{httpd.server_port}/v1")
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


def sent_images(body: dict[str, Any]) -> list[bytes]:
    """The pictures of a request, decoded, in the order they were sent."""
    parts = [p for m in body["messages"] if not isinstance(m["content"], str) for p in m["content"]]
    urls = [p["image_url"]["url"] for p in parts if p["type"] == "image_url"]
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


def sent_text(body: dict[str, Any]) -> str:
    """All text of a request."""
    texts = []
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        texts += [p["text"] for p in parts if p["type"] == "text"]
    return "\n".join(texts)
