"""A small real HTTP server on loopback that speaks the OpenAI chat protocol with images.

``answer`` is called with each request's JSON body and returns a :class:`Reply`, which may be a
fault: an error status with or without ``Retry-After``, a dropped connection, nothing for a while,
bytes that are no JSON, a slow stream. What came over the wire is kept in ``requests``, and what a
provider would charge for in ``paid``.

Pictures of one colour, with which pactwin finds out whether a model sees, are answered by the
server itself and kept nowhere, unless it is told that it ``sees`` nothing.
"""

import base64
import io
import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from PIL import Image

from pactwin.tasks.running.vision_check import COLOR_QUESTION, COLORS

PIECES = 8
"""How many pieces a slow stream comes in."""


@dataclass(frozen=True)
class Reply:
    """What the server sends: a completion, or ``raw`` bytes with ``status`` instead of one.

    ``wait_s`` passes before anything is sent, ``pause_s`` between the pieces of a slow stream.
    ``drop`` closes the connection instead of answering. Only completions are charged for.
    ``logprobs`` are the tokens with their log probabilities, as the protocol has them.
    """

    content: str | None = ""
    finish_reason: str = "stop"
    refusal: str | None = None
    status: int = 200
    raw: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    pause_s: float = 0.0
    drop: bool = False
    logprobs: Mapping[str, Any] | None = None

    @property
    def paid(self) -> bool:
        return self.status == 200 and self.raw is None and not self.drop

    def events(self, model: str) -> bytes:
        """The completion as a stream: the text, how it ended, what it used."""
        head = {"id": "chat-1", "object": "chat.completion.chunk", "created": 0, "model": model}
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        said = {"index": 0, "delta": {"role": "assistant", "content": self.content}}
        ended = {"index": 0, "delta": {}, "finish_reason": self.finish_reason}
        chunks = [
            {**head, "choices": [{**said, "finish_reason": None}]},
            {**head, "choices": [ended]},
            {**head, "choices": [], "usage": usage},
        ]
        events = [json.dumps(chunk) for chunk in chunks] + ["[DONE]"]
        return "".join(f"data: {event}\n\n" for event in events).encode()

    def body(self, model: str) -> bytes:
        if self.raw is not None:
            return self.raw
        if self.status != 200:
            return json.dumps({"error": {"message": "planned fault", "type": "fault"}}).encode()
        message = {"role": "assistant", "content": self.content, "refusal": self.refusal}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        if self.logprobs is not None:
            choice["logprobs"] = self.logprobs
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        head = {"id": "chat-1", "object": "chat.completion", "created": 0, "model": model}
        return json.dumps({**head, "choices": [choice], "usage": usage}).encode()


@dataclass
class OpenAIServer:
    """The running server. ``base_url`` is what a client is given; ``keys`` are those it sent."""

    base_url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    paid: list[dict[str, Any]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)


@contextmanager
def openai_server(
    answer: Callable[[dict[str, Any]], Reply], *, sees: bool = True, keep: bool = True
) -> Iterator[OpenAIServer]:
    """Serve ``openai-api/local/...`` to Inspect, on a free port of 127.0.0.1, in this block.

    Without ``keep`` nothing of what is sent is looked at: ``answer`` gets an empty body.
    """
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # connections are kept, as real providers do
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            body: dict[str, Any] = {"model": "vlm", "messages": []}
            if keep:
                body = json.loads(data)
            is_probe = sees and COLOR_QUESTION in sent_text(body)
            with lock:
                server.keys.add(self.headers.get("Authorization", ""))
                if keep and not is_probe:
                    server.requests.append(body)
            reply = Reply(seen_color(body)) if is_probe else answer(body)
            time.sleep(reply.wait_s)
            if keep and reply.paid and not is_probe:
                with lock:
                    server.paid.append(body)
            if reply.drop:
                self.close_connection = True
                return
            if body.get("stream") and reply.paid:
                self.send(reply, reply.events(body["model"]), "text/event-stream")
            else:
                self.send(reply, reply.body(body["model"]))

        def send(self, reply: Reply, data: bytes, kind: str = "application/json") -> None:
            try:
                self.send_response(reply.status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                size = len(data) if reply.pause_s == 0 else max(1, len(data) // PIECES)
                for start in range(0, len(data), size):
                    self.wfile.write(data[start : start + size])
                    time.sleep(reply.pause_s)
            except (BrokenPipeError, ConnectionResetError):  # the client gave up, or was killed
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that went away is no news."""

    httpd = Server(("127.0.0.1", 0), Handler)
    server = OpenAIServer(f"http://127.0.0.1:{httpd.server_port}/v1")
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LOCAL_BASE_URL", server.base_url)
            patch.setenv("LOCAL_API_KEY", os.environ.get("LOCAL_API_KEY", "planted-key"))
            yield server
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


def seen_color(body: dict[str, Any]) -> str:
    """The name of the colour that fills a request's picture."""
    (data,) = sent_images(body)
    with Image.open(io.BytesIO(data)) as image:
        pixel = image.convert("RGB").getpixel((0, 0))
    (name,) = [name for name, color in COLORS.items() if color == pixel]
    return name


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
