"""The session as a web page, which fetches JSON and pictures, never HTML.

Anyone who reaches the port can act, so it listens on loopback by default. Other sites open in the
operator's browser cannot act: requests need this page's own origin, and host names that others
could point here are refused.
"""

import ipaddress
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pactwin.real.overlay import outlined
from pactwin.real.session.described import described
from pactwin.real.session.guide import Session
from pactwin.real.session.live import LiveBench
from pactwin.suite import Outcome, PactwinError, Record, first_fault, parse_json

STATIC = Path(__file__).parent / "static"
_FILES = {"": "session.html", "session.js": "session.js", "session.css": "session.css"}
_MAX_BODY_BYTES = 2**16
_WIDTH_PX = 960
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Rehearse = Callable[[str, str, str, str], None]
"""Simulated operator: sets up a scene, optionally with a mistake about one or two objects."""


class SceneOrder(Record):
    """A request of the page about its scene."""

    scene: str


class CaptureOrder(SceneOrder):
    """Capture, ``anyway`` despite faults; ``again`` replaces an earlier capture."""

    notes: str = ""
    anyway: bool = False
    again: bool = False


class OutcomeOrder(SceneOrder):
    """Outcome of the action, recorded by the operator."""

    outcome: Outcome


class GoOrder(SceneOrder):
    """Go to another scene."""

    to: str


class SetUpOrder(SceneOrder):
    """Let the simulated operator set up a scene in a rehearsal."""

    mistake: str = ""
    thing: str = ""
    other: str = ""


def session_app(session: Session, live: LiveBench, rehearse: Rehearse | None = None) -> Starlette:
    """Web app of a session with the pictures of ``live``."""

    def state(request: Request) -> Response:
        return JSONResponse(described(session, live.fault, rehearsed=rehearse is not None))

    def picture(request: Request) -> Response:
        name, frame_set = request.path_params["camera"], live.newest
        if name not in {camera.name for camera in session.rig.cameras}:
            return PlainTextResponse("no such camera", 404)
        if frame_set is None:
            return Response(status_code=204)
        camera, color = session.rig.calibrated(name), frame_set.frames[name].color
        seen = outlined(session.layout, session.found, camera, color)
        return _jpeg(seen, None if "whole" in request.query_params else _WIDTH_PX)

    def twin(request: Request) -> Response:
        for view in session.scene.views:
            if view.camera.name == request.path_params["camera"]:
                return FileResponse(session.suite.resolve(view.image))
        return PlainTextResponse("no picture", 404)

    def check(order: SceneOrder) -> dict[str, Any]:
        return {"ok": session.check(order.scene)}

    def capture(order: CaptureOrder) -> dict[str, Any]:
        stored = session.capture(order.scene, order.notes, anyway=order.anyway, again=order.again)
        return {"stored": stored}

    def outcome(order: OutcomeOrder) -> dict[str, Any]:
        session.note(order.scene, order.outcome)
        return {}

    def go_on(order: SceneOrder) -> dict[str, Any]:
        return {"more": session.next(order.scene)}

    def go(order: GoOrder) -> dict[str, Any]:
        session.go(order.scene, order.to)
        return {}

    def set_up(order: SetUpOrder) -> dict[str, Any]:
        if rehearse is not None:
            with session.at(order.scene, "setting up"):
                session.found = None
                rehearse(order.scene, order.mistake, order.thing, order.other)
        return {}

    routes = [
        Route("/state", state),
        Route("/live/{camera}.jpg", picture),
        Route("/twin/{camera}.png", twin),
        *(Route(f"/{path}", _static(name)) for path, name in _FILES.items()),
        *(
            Route(f"/{name}", _acting(kind, act), methods=["POST"])
            for name, kind, act in (
                ("check", SceneOrder, check),
                ("capture", CaptureOrder, capture),
                ("outcome", OutcomeOrder, outcome),
                ("next", SceneOrder, go_on),
                ("go", GoOrder, go),
                ("set-up", SetUpOrder, set_up),
            )
        ),
    ]
    return Starlette(routes=routes, middleware=[Middleware(OwnOriginOnly)])


class OwnOriginOnly:
    """Refuses cross-site requests of the operator's browser; adds headers to all replies."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before ``app``."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the ASGI specification."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        host = request.headers.get("host", "")
        said = ""
        if not _is_address(host):
            said = "open this page by its address, such as http://127.0.0.1"
        elif request.method not in ("GET", "HEAD") and (
            request.headers.get("origin") != f"http://{host}"
            or request.headers.get("content-type") != "application/json"
        ):
            said = "only this page itself may act"

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = [(k.lower().encode(), v.encode()) for k, v in _HEADERS.items()]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        answer = PlainTextResponse(said, 403) if said else self._app
        await answer(scope, receive, with_headers)


def _is_address(host: str) -> bool:
    """Whether a Host header is an IP address or localhost, which nobody else can point here."""
    name = host.rsplit(":", 1)[0].strip("[]")
    if name == "localhost":
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _acting(
    kind: type[Record], act: Callable[[Any], Mapping[str, Any]]
) -> Callable[[Request], Any]:
    """An endpoint that reads an order and carries it out in a thread; errors go to the client."""

    async def endpoint(request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _MAX_BODY_BYTES:
                return JSONResponse({"error": "that is too long"}, 413)
        try:
            order = kind.model_validate(parse_json(body))
            return JSONResponse(await run_in_threadpool(act, order))
        except ValidationError as error:
            return JSONResponse({"error": first_fault(error)}, 422)
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 422)
        except PactwinError as error:
            return JSONResponse({"error": str(error)}, 409)
        except OSError as error:
            said = f"{error.filename}: {error.strerror}" if error.filename else str(error)
            return JSONResponse({"error": f"{said}; nothing was stored"}, 507)

    return endpoint


def _static(name: str) -> Callable[[Request], Response]:
    return lambda request: FileResponse(STATIC / name)


def _jpeg(picture: np.ndarray, width_px: int | None) -> Response:
    if width_px is not None and width_px < picture.shape[1]:
        size = (width_px, round(width_px / picture.shape[1] * picture.shape[0]))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    return Response(data.tobytes(), media_type="image/jpeg")
