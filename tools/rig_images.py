"""Draws docs/images/rig_page.jpg anew: ``python tools/rig_images.py SUITE``, at a rehearsed bench.

Takes minutes on a processor. Look at what it drew before it is committed.
"""

import sys
import threading
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import Browser
from serving import served

from pactwin.hardware import Bench, read_rig
from pactwin.real.plans import plans_of
from pactwin.real.rehearsal.hands import calibrated_hands
from pactwin.real.session.guide import Session
from pactwin.real.session.live import LiveBench
from pactwin.real.session.page import session_app
from pactwin.suite import SESSION_FOLDER, Suite

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SEED, SIZE = 4, (1280, 720)
WAIT_S = 300.0


def save(browser: Browser, name: str, width: int, height: int) -> None:
    """What is in the window, when the pictures in it are there."""
    browser.resize(width, height)
    browser.until("[...document.querySelectorAll('#live img')].every((i) => i.naturalWidth)")
    threading.Event().wait(3.0)  # live pictures are of now
    picture = Image.open(BytesIO(browser.screenshot())).convert("RGB")
    picture.save(IMAGES / f"{name}.jpg", quality=72, optimize=True)


def main() -> None:
    """A scene that is set up wrongly, after its check."""
    suite = Suite.open(Path(sys.argv[1]))
    with TemporaryDirectory() as folder:
        out = Path(folder) / "real"
        plans = plans_of(suite, out / SESSION_FOLDER / "plans")
        rig = out / SESSION_FOLDER / "rig.yaml"
        with calibrated_hands(suite.path, rig, SEED, SIZE) as hands:
            live = LiveBench(lambda: Bench(read_rig(rig)))
            with (
                Session(suite, read_rig(rig), out, plans, live.shot) as session,
                served(session_app(session, live, hands.set_up)) as address,
                Browser(Path(folder) / "profile", 1280, 900) as browser,
            ):
                browser.open(address)
                browser.until("document.querySelectorAll('#steps li').length > 0", WAIT_S)
                thing = session.layout.critical_objects[0]
                browser.run("document.querySelector('#mistake').value = 'moved'")
                browser.run(f"document.querySelector('#thing').value = {thing!r}")
                browser.click("#set-up")
                browser.until("!document.querySelector('#check').disabled", WAIT_S)
                browser.click("#check")
                browser.until("document.querySelector('#steps .found.bad')?.textContent", WAIT_S)
                save(browser, "rig_page", 1280, 900)
            live.close()


if __name__ == "__main__":
    main()
