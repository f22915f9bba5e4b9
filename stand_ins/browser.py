"""Headless Chromium that is told what to do over a pipe, by its DevTools protocol."""

import base64
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

from pages import CHROMIUM

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --remote-debugging-pipe"
)


class Browser:
    """One tab. Use as a context manager; the browser ends with it."""

    def __init__(self, profile: Path, width: int = 1280, height: int = 900) -> None:
        assert CHROMIUM is not None
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # The browser reads orders from descriptor 3 and answers on 4.
        command = f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, CHROMIUM, *_FLAGS.split(), f"--user-data-dir={profile}"],
            pass_fds=(to_read, to_write),
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._buffer, self._count, self._session = b"", 0, ""
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        found = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = found["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Give the page that many CSS pixels."""
        size = {"width": width, "height": height}
        self._ask("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=1, mobile=False)

    def open(self, url: str) -> None:
        self._ask("Page.navigate", url=url)

    def reload(self) -> None:
        self._ask("Page.reload")

    def run(self, code: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self._ask("Runtime.evaluate", expression=code, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, condition: str, seconds: float = 60.0) -> None:
        """Wait for a JavaScript expression to be true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(condition):
                return
            time.sleep(0.05)
        shown = self.run("document.body.innerText")
        raise AssertionError(f"never: {condition}; the page says:\n{shown}\n{self.faults}")

    def click(self, selector: str) -> None:
        """Press what a user could press."""
        found = f"document.querySelector({json.dumps(selector)})"
        self.until(f"{found} && !{found}.disabled && {found}.offsetParent !== null")
        self.run(f"{found}.click()")

    def text(self, selector: str) -> str:
        return str(self.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def screenshot(self, *, whole: bool = False) -> bytes:
        """A PNG of what is in the window, or of the whole page."""
        answer = self._ask("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(answer["data"])

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        number = self._count
        self._tell(number, method, parameters)
        while True:
            message = self._message()
            self._note(message)
            if message.get("id") == number:
                assert "error" not in message, message
                return dict(message["result"])

    def _tell(self, number: int, method: str, parameters: dict[str, Any]) -> None:
        order: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            order["sessionId"] = self._session
        os.write(self._write, json.dumps(order).encode() + b"\0")

    def _note(self, message: dict[str, Any]) -> None:
        """What the page complains of and asks for, and its dialogs, which are accepted."""
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.faults.append(str(message["params"]["exceptionDetails"]))
            case "Log.entryAdded" if message["params"]["entry"]["level"] == "error":
                self.faults.append(str(message["params"]["entry"]["text"]))
            case "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith("data:"):
                    self.requests.append(url)
            case "Page.javascriptDialogOpening":
                self.dialogs.append(message["params"]["message"])
                self._tell(0, "Page.handleJavaScriptDialog", {"accept": True})

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            came = os.read(self._read, 1 << 16)
            assert came, "Chromium ended"
            self._buffer += came
        line, self._buffer = self._buffer.split(b"\0", 1)
        return dict(json.loads(line))

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
