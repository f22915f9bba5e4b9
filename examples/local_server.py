"""Gate a model that a local server offers, as CI would.

    python examples/local_server.py [SUITE]

The server here speaks just enough of OpenAI's protocol and answers every question with "yes". Put
the address of vLLM, llama.cpp or LM Studio in its place. Without SUITE a small one is made first,
in about a minute. The exit code is 1, because the informedness of constant answers is 0.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class AlwaysYes(BaseHTTPRequestHandler):
    """A chat model: look at ``messages`` in the request to answer better."""

    def do_POST(self) -> None:
        """Answer one chat completion."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": '{"answer": "yes"}'}
        reply = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing for each request."""


def pactwin(*words: str) -> int:
    """Run the command ``pactwin``; returns its exit code."""
    program = [sys.executable, "-c", "from pactwin.cli import main; main()"]
    return subprocess.run([*program, *words], check=False).returncode


def main() -> int:
    """Ask the model about a suite; returns the exit code of the gate."""
    parser = argparse.ArgumentParser(description="Gate a model that a local server offers.")
    parser.add_argument("suite", nargs="?", help="suite to ask about; a small one if not given")
    suite = parser.parse_args().suite
    server = ThreadingHTTPServer(("127.0.0.1", 0), AlwaysYes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["LAB_BASE_URL"] = f"http://127.0.0.1:{server.server_port}/v1"
    os.environ["LAB_API_KEY"] = "none"
    if suite is None:
        suite = "example-suite"
        made = ["--out", suite, "--seed", "1", "--pairs", "4", "--domains", "size_mismatch,support"]
        if code := pactwin("make", "constraints", *made):
            return code
    asked = [
        "--model",
        "openai-api/lab/always-yes",
        "--form",
        "yes_no",
        "--log-dir",
        "example-logs",
    ]
    # The vision check would find out that this model does not see: leave it on for yours.
    return pactwin("eval", suite, *asked, "--no-vision-check", "--fail-under", "informedness=0.3")


if __name__ == "__main__":
    sys.exit(main())
