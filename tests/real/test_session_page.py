"""The session's page: what it tells, who may act, and an operator at it in a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from browser import Browser
from pages import CHROMIUM, EVIL
from serving import served
from starlette.testclient import TestClient
from tables import Table, three_things

from pactwin.real import captured_scenes, read_capture
from pactwin.real.captures import read_outcome
from pactwin.real.session.guide import Session
from pactwin.real.session.live import LiveBench
from pactwin.real.session.page import session_app
from pactwin.suite import Outcome

pytestmark = pytest.mark.slow

HERE = "http://127.0.0.1:8490"


@contextmanager
def opened(table: Table) -> Iterator[tuple[Session, LiveBench]]:
    live = table.live()
    try:
        with table.session(live.grab) as session:
            yield session, live
    finally:
        live.close()


def set_up(table: Table) -> Any:
    """The operator's hands, of which one loses things."""

    def hands(scene: str, mistake: str, thing: str, other: str) -> None:
        kept = [i for i in three_things().items if mistake != "missing" or i.name != thing]
        table.bench.items[:] = kept

    return hands


@pytest.fixture
def client(table: Table) -> Iterator[TestClient]:
    with opened(table) as (session, live):
        live.grab()
        yield TestClient(session_app(session, live, set_up(table)), base_url=HERE)


def post(client: TestClient, name: str, origin: str = HERE, **order: Any) -> Any:
    scene = client.get("/state").json()["scene"]
    return client.post(f"/{name}", json={"scene": scene, **order}, headers={"Origin": origin})


def test_the_page_tells_what_goes_where_and_not_what_the_trial_decided(client, table):
    state = client.get("/state").json()
    assert [step["name"] for step in state["steps"]] == ["red block", "blue box", "plank"]
    red = state["steps"][0]
    # On the sheet x is to the right and y away from the edge; the table's y is to the left.
    assert red["middle"] == [-120.0, 300.0]
    assert (np.ptp(red["outline"], axis=0) == (60.0, 50.0)).all()
    assert (state["source"], state["captured"], state["checked"]) == ("rehearsal", False, False)
    # What the suite knows of the truth stays there, so that who notes what happened is not led.
    known = next(table.suite.scenes()).decided
    told = {key for step in state["steps"] for key in step} | state.keys()
    assert not told & (known.model_dump().keys() - {"action"})
    assert client.get("/twin/front.png").headers["content-type"] == "image/png"
    assert client.get("/twin/nobody.png").status_code == 404


def test_live_pictures_have_the_plan_over_them_and_what_was_found(client: TestClient) -> None:
    def count(name: str, rgb: tuple[int, int, int]) -> int:
        data = np.frombuffer(client.get(f"/live/{name}.jpg").content, np.uint8)
        bgr = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert bgr is not None
        assert bgr.shape == (540, 960, 3)
        picture = bgr[..., ::-1]
        return int((np.abs(picture.astype(int) - rgb).max(axis=2) < 70).sum())

    plan = [count(name, (255, 255, 255)) for name in ("head", "side")]
    assert min(plan) > 100
    assert post(client, "check").json() == {"ok": True}
    assert count("side", (40, 220, 60)) > 100
    assert client.get("/live/roof.jpg").status_code == 404


def test_scenes_are_checked_captured_noted_and_left(client: TestClient, table: Table) -> None:
    scene = client.get("/state").json()["scene"]
    post(client, "set-up", mistake="missing", thing="plank")
    assert post(client, "capture").json() == {"stored": False}
    found = {s["name"]: s["found"] for s in client.get("/state").json()["steps"]}
    assert (found["plank"]["state"], found["plank"]["ok"]) == ("missing", False)
    refused = post(client, "capture", anyway=True)
    assert (refused.status_code, "in the notes" in refused.json()["error"]) == (409, True)
    assert post(client, "capture", anyway=True, notes="lost").json() == {"stored": True}
    post(client, "outcome", outcome={"worked": False, "constraint": "covered", "how": "a lid"})
    state = client.get("/state").json()
    assert state["captured"]
    assert state["outcome"] == {"worked": False, "constraint": "covered", "how": "a lid"}
    refused = post(client, "capture", anyway=True, notes="again")
    assert (refused.status_code, "capture again" in refused.json()["error"]) == (409, True)
    post(client, "set-up")
    assert post(client, "capture", again=True).json() == {"stored": True}
    state = client.get("/state").json()
    assert (state["captured"], state["outcome"]) == (True, None)
    assert read_capture(captured_scenes(table.folder)[scene]).as_planned
    assert post(client, "next").json() == {"more": True}
    stale = client.post("/next", json={"scene": scene}, headers={"Origin": HERE})
    assert "the session is at scene" in stale.json()["error"]
    assert list(captured_scenes(table.folder)) == [scene]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("outcome", {"outcome": {"worked": "perhaps"}}),
        ("outcome", {"outcome": {"worked": True, "constraint": "covered"}}),
        ("capture", {"notes": ["x"]}),
        ("go", {}),
        ("check", {"more": 1}),
    ],
)
def test_orders_that_are_none_are_refused(client: TestClient, name: str, order: dict) -> None:
    answer = post(client, name, **order)
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_other_sites_cannot_act_or_look(client: TestClient) -> None:
    order = {"scene": client.get("/state").json()["scene"]}
    own = {"Origin": HERE}
    for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert client.post("/next", json=order, headers=headers).status_code == 403
    plain = {**own, "Content-Type": "text/plain"}  # what a form could send
    assert client.post("/next", content=b"{}", headers=plain).status_code == 403
    for host in ("evil.example:8490", "localhost.evil.example", ""):
        for path in ("/", "/state", "/live/head.jpg"):
            assert client.get(path, headers={"Host": host}).status_code == 403, host
    for host in ("localhost:8490", "192.168.123.5:8490", "[::1]:8490"):
        assert client.get("/state", headers={"Host": host}).status_code == 200, host
    assert client.get("/state").json()["scene"] == order["scene"]
    assert client.post("/next", json=order, headers=own).status_code == 200
    assert client.get("/next").status_code == 405
    policy = client.get("/").headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    json = {**own, "Content-Type": "application/json"}
    assert client.post("/check", content=b" " * 70_000, headers=json).status_code == 413


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_an_operator_at_the_page_reloads_midway_and_comes_to_the_next_scene(table, tmp_path):
    layout = three_things()
    evil = replace(layout.items[2], name=f"plank {EVIL}")
    hostile = replace(layout, items=(*layout.items[:2], evil))
    _, second = (scene.id for scene in next(table.suite.pairs()))
    table.layouts[second] = hostile
    checked = "document.querySelectorAll('#steps .found.{}').length === {}"
    with (
        opened(table) as (session, live),
        served(session_app(session, live, set_up(table))) as address,
        Browser(tmp_path / "profile") as browser,
    ):
        first = session.current
        browser.open(address)
        browser.until("document.querySelectorAll('#steps li').length === 3")
        browser.until("[...document.querySelectorAll('#live img')].every((i) => i.naturalWidth)")
        browser.run("document.querySelector('#mistake').value = 'missing'")
        browser.run("document.querySelector('#thing').value = 'red block'")
        browser.click("#set-up")
        browser.click("#check")
        browser.until(checked.format("bad", 1))
        browser.until("[...document.querySelectorAll('#live img')].every((i) => i.complete)")
        (tmp_path / "checked.png").write_bytes(browser.screenshot())  # to be looked at
        assert "red block ✗ missing" in browser.text("#steps")
        assert "Put right what is marked" in browser.text("#said")
        browser.run("document.querySelector('#mistake').value = ''")
        browser.click("#set-up")
        browser.click("#check")
        browser.until(checked.format("good", 3))
        browser.reload()
        browser.until(checked.format("good", 3))  # the check is still known
        browser.run("document.querySelector('#notes').value = 'a reload ago'")
        browser.click("#capture")
        browser.until("!document.querySelector('#afterwards').hidden")
        assert read_capture(captured_scenes(table.folder)[first]).notes == "a reload ago"
        browser.reload()
        browser.click("[name=worked][value=no]")
        browser.run("document.querySelector('#constraint').value = 'covered'")
        browser.click("#note")
        browser.until("document.querySelector('#noted').textContent === 'noted: failed, covered'")
        browser.click("#next")
        browser.until(f"document.querySelector('#scenes').value === {session.scenes[1]!r}")
        assert session.current == session.scenes[1]
        assert "1 of 16 captured" in browser.text("#progress")
        for width in (1280, 820, 400):
            browser.resize(width, 900)
            assert browser.run("document.documentElement.scrollWidth") <= width
            (tmp_path / f"{width}.png").write_bytes(browser.screenshot())  # to be looked at
        assert EVIL in browser.run("document.querySelector('#steps').textContent")
        assert browser.run("document.title") == "pactwin session"
        assert browser.faults == []
        assert browser.dialogs == []
    outcome = read_outcome(captured_scenes(table.folder)[first])
    assert outcome == Outcome.model_validate({"worked": False, "constraint": "covered"})
