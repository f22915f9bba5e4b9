"""A real Label Studio server on loopback, driven through its API as its users' scripts do."""

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

EXECUTABLE = os.environ.get("LABEL_STUDIO")
"""Path of the command, of an environment of its own (docs/annotating.md)."""

_USER, _PASSWORD = "annotator@example.com", "correct-horse-1"


@contextmanager
def label_studio(folder: Path) -> Iterator["Client"]:
    """A new server that keeps everything in ``folder``, and a client with a personal token."""
    assert EXECUTABLE is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "HOME": str(folder),
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder / "data"),
        "COLLECT_ANALYTICS": "false",
        "LATEST_VERSION_CHECK": "false",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
    }
    (folder / "data").mkdir(parents=True)
    command = [EXECUTABLE, "start", "--no-browser", "--internal-host", "127.0.0.1"]
    command += ["--port", str(port), "--username", _USER, "--password", _PASSWORD]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, env=os.environ | settings, stdout=log, stderr=log)
        try:
            yield _logged_in(f"http://127.0.0.1:{port}", server)
        finally:
            server.terminate()
            server.wait(30)


def _logged_in(url: str, server: subprocess.Popen) -> "Client":
    session = httpx.Client(base_url=url, follow_redirects=True, timeout=30)
    page = _first_page(session, server)
    (form_token,) = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    form = {"email": _USER, "password": _PASSWORD, "csrfmiddlewaretoken": form_token}
    session.post("/user/login/", data=form, headers={"Referer": url}).raise_for_status()
    headers = {"X-CSRFToken": session.cookies["csrftoken"], "Referer": url}
    personal = session.post("/api/token/", json={}, headers=headers).raise_for_status().json()
    return Client(url, personal["token"])


def _first_page(session: httpx.Client, server: subprocess.Popen) -> str:
    for _ in range(180):
        assert server.poll() is None, "Label Studio ended"
        try:
            return session.get("/user/login/").raise_for_status().text
        except httpx.TransportError:
            time.sleep(1)
    raise AssertionError("Label Studio did not start")


class Client:
    """Label Studio's HTTP API, as far as a round trip needs it."""

    def __init__(self, url: str, personal_token: str) -> None:
        self.url = url
        fresh = httpx.post(f"{url}/api/token/refresh/", json={"refresh": personal_token})
        access = fresh.raise_for_status().json()["access"]
        headers = {"Authorization": f"Bearer {access}"}
        self.http = httpx.Client(base_url=url, headers=headers, timeout=120)

    def create(self, title: str, folder: Path) -> int:
        """A project with the interface and tasks in ``folder``; returns its id."""
        interface = (folder / "interface.xml").read_text(encoding="utf-8")
        made = self.http.post("/api/projects/", json={"title": title, "label_config": interface})
        project = int(made.raise_for_status().json()["id"])
        for tasks in sorted(folder.glob("tasks-*.json")):
            files = {"file": (tasks.name, tasks.read_bytes(), "application/json")}
            self.http.post(f"/api/projects/{project}/import", files=files).raise_for_status()
        return project

    def tasks(self, project: int) -> list[dict[str, Any]]:
        """All tasks of a project."""
        found = self.http.get("/api/tasks", params={"project": project, "page_size": 1000})
        return found.raise_for_status().json()["tasks"]

    def annotate(self, task: int, result: list[dict[str, Any]], **more: Any) -> None:
        """Submit one annotation."""
        body = {"result": result, **more}
        self.http.post(f"/api/tasks/{task}/annotations/", json=body).raise_for_status()

    def export(self, project: int, to: Path) -> Path:
        """The project's annotations as JSON."""
        found = self.http.get(f"/api/projects/{project}/export", params={"exportType": "JSON"})
        to.write_bytes(found.raise_for_status().content)
        return to
