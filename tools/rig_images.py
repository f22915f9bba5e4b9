"""Draws the pictures of docs/rig.md anew: ``python tools/rig_images.py SUITE [FOLDER]``.

An operator is played at a rehearsed bench: something is in the wrong place, is put right, and the
scene is captured. Besides the pictures of the page at a desktop's width, FOLDER gets those of a
tablet. Look at all of them before they are committed.
"""

import sys
import threading
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "stand_ins"))

from browser import Browser
from serving import served

from pactwin.hardware import Bench, read_rig
from pactwin.real import MockRig, overlay
from pactwin.real.rehearsal.rehearse import TAKES
from pactwin.real.session.guide import Session
from pactwin.real.session.live import LiveBench
from pactwin.real.session.page import session_app
from pactwin.sim import rebuild_layout
from pactwin.suite import SESSION_FOLDER, Suite

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SEED, SIZE = 7, (1280, 720)
DESKTOP, TABLET = (1280, 900), (820, 1180)
WAIT_S = 300.0


def save(browser: Browser, path: Path, size_px: tuple[int, int]) -> None:
    """What is in the window, when the pictures in it are there."""
    browser.resize(*size_px)
    browser.until("[...document.querySelectorAll('#live img')].every((i) => i.naturalWidth)")
    threading.Event().wait(3.0)  # live pictures are of now
    picture = Image.open(BytesIO(browser.screenshot())).convert("RGB")
    picture.save(path, quality=72, optimize=True)


def act(browser: Browser, button: str) -> None:
    """Press a button of the page, and wait until what it does has ended."""
    browser.click(button)
    browser.until("!acting && shown && !state.doing", WAIT_S)


def placed(browser: Browser, mistake: str, thing: str) -> None:
    """Have the scene set up and checked."""
    browser.run(f"document.querySelector('#mistake').value = {mistake!r}")
    browser.run(f"document.querySelector('#thing').value = {thing!r}")
    for button in ("#set-up", "#check"):
        act(browser, button)


def well_placed(browser: Browser, thing: str) -> None:
    """Have the scene set up until all is in place; an operator is some mm off each time."""
    for _ in range(TAKES):
        placed(browser, "", thing)
        if browser.run("state.as_planned"):
            return
    sys.exit(f"not in place in {TAKES} tries: {browser.text('#steps')}")


def captured(browser: Browser, thing: str) -> None:
    """Have the scene captured; if the check before that refuses it, it is set up anew."""
    for _ in range(TAKES):
        act(browser, "#capture")
        if browser.run("state.captured"):
            return
        well_placed(browser, thing)
    sys.exit(f"not captured in {TAKES} tries: {browser.text('#said')}")


def main() -> None:
    """A scene that is set up wrongly, and then as it should be."""
    suite = Suite.open(Path(sys.argv[1]))
    images = Path(sys.argv[2]) if len(sys.argv) > 2 else IMAGES
    with TemporaryDirectory() as folder:
        out = Path(folder) / "real"
        rig = out / SESSION_FOLDER / "rig.yaml"
        with MockRig(suite.path, rig, SEED, SIZE) as mock:
            live = LiveBench(lambda: Bench(read_rig(rig)))
            with (
                Session(suite, read_rig(rig), out, rebuild_layout, live.grab) as session,
                served(session_app(session, live, mock.set_up)) as address,
                Browser(Path(folder) / "profile", *DESKTOP) as browser,
            ):
                browser.open(address)
                browser.until("document.querySelectorAll('#steps li').length > 0", WAIT_S)
                thing = session.layout.critical_objects[0]
                placed(browser, "moved", thing)
                save(browser, images / "rig_page.jpg", DESKTOP)
                well_placed(browser, thing)
                browser.reload()
                browser.until("document.querySelectorAll('#steps .found').length > 0", WAIT_S)
                picture = overlay(session.layout, session.found, session.rig, live.grab().frames)
                Image.fromarray(picture).save(images / "rig_placement.jpg", quality=72)
                if images != IMAGES:
                    save(browser, images / "tablet.jpg", TABLET)
                    captured(browser, thing)
                    save(browser, images / "captured.jpg", DESKTOP)
                    act(browser, "#next")
                    save(browser, images / "next.jpg", TABLET)
            live.close()


if __name__ == "__main__":
    main()
