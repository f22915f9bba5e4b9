"""Made-up data in PAC Bench's published layout: whole, or with every defect it is known to have."""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from PIL import Image

from pactwin.catalogue import PROPERTIES

ELEVATIONS, AZIMUTHS = (0, 30, 60), range(0, 360, 45)
KEYS = {
    "impossible_place": ("Put the blue object into the brown box.", "Does it say impossible?"),
    "stack_bottom": ("Pick up the red object.", "Does it say that the top may fall?"),
    "stack_top": ("Pick up the green object.", "Does it say that the top may fall?"),
    "stack_edge": ("Pick up the red object.", "Does it say that it is out of reach?"),
}
PHOTOS = ("m0jbk_0a1b", "m0jbk_0c2d", "m0cup_11aa")


def picture(seed: int, form: str = "PNG", size: tuple[int, int] = (24, 16)) -> bytes:
    """A picture whose bytes differ from those of every other seed."""
    data = io.BytesIO()
    color = (seed * 37 % 256, seed * 91 % 256, seed * 13 % 256)
    image = Image.new("RGB", size, color)
    image.putpixel((seed % size[0], seed // size[0] % size[1]), (255, 255, 255))
    image.save(data, form)
    return data.getvalue()


def write(root: Path, path: str, data: bytes | str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data.encode() if isinstance(data, str) else data)


def table(root: Path, name: str, lines: Iterable[Sequence[str]]) -> None:
    """A label file; fields are quoted where they hold the separator."""
    separator = "|" if name.endswith(".psv") else ","
    text = "".join(
        separator.join(f'"{f}"' if separator in f else f for f in line) + "\n" for line in lines
    )
    write(root, f"ground_truth/{name}", text)


def whole_data(root: Path) -> Path:
    """Every label file and folder, nothing odd."""
    for number, stem in enumerate(PHOTOS):
        write(root, f"open_images/{stem}.jpg", picture(number, "JPEG"))
    for prop, categories in PROPERTIES.items():
        rows = [(stem, categories[n % len(categories)]) for n, stem in enumerate(PHOTOS)]
        table(root, f"property_{prop}_.csv", [("image", "choice", "annotator"),
                                              *((*row, "7") for row in rows)])  # fmt: skip
    names = [f"elev{e}_azim{a}" for e in ELEVATIONS for a in AZIMUTHS]
    for at, name in enumerate(("apple", "mug")):
        for number, view in enumerate(names):
            path = f"robocasa_objects/object_views/{name}/unnamed/{view}.png"
            write(root, path, picture(100 + 100 * at + number))
    columns = ("property_name", "selected_category", "selected_descriptors")
    table(root, "syn_properties.psv", [
        (" Object_Name ", *columns),
        ("Apple", "WEIGHT", "Light", "Lightweight"),
        ("apple", "color", "Multicolored", "Gradient, Striped"),
        ("mug", "CAPACITY", "Containable", "Hollow"),
    ])  # fmt: skip
    slots = ("affordance1", "affordance2", "affordance3")
    table(root, "syn_affordance.psv", [
        ("object_name", *slots),
        ("apple", "eat", "roll", "grasp"),
        ("mug", "pour", "drink", "hold"),
    ])  # fmt: skip
    for number, name in enumerate(("a", "b", "c")):
        for camera in (0, 1):
            file = f"humanoid/captured_images/{name}_cam{camera}.png"
            write(root, file, picture(40 + 2 * number + camera))
    pair = ("cam0_file", "cam1_file")
    table(root, "robo_properties.psv", [
        (*pair, *columns),
        ("a_cam0.png", "a_cam1.png", "WEIGHT", "Heavy", "Dense"),
        ("a_cam0.png", "a_cam1.png", "SEALING", "Sealed", "Airtight"),
        ("b_cam0.png", "b_cam1.png", "WEIGHT", "Light", "Featherweight"),
    ])  # fmt: skip
    table(root, "robo_affordances.psv", [
        (*pair, *slots),
        ("a_cam0.png", "a_cam1.png", "lift", "stack", "open"),
        ("b_cam0.png", "b_cam1.png", "cut", "hold", "clean"),
    ])  # fmt: skip
    table(root, "robo_constraints.psv", [
        (*pair, "question", "answer"),
        ("c_cam0.png", "c_cam1.png", "Hand over the cup.", "No, it is too far away."),
    ])  # fmt: skip
    for at, key in enumerate(KEYS):
        for v, view in enumerate(("agentview", "frontview", "sideview")):
            for n in range(2):
                path = f"constraint_images/{key}/{view}/{n}.png"
                write(root, path, picture(300 + 6 * at + 2 * v + n))
    table(root, "syn_constraints.psv", [
        ("key", "prompt", "verification_prompt"), *((k, *texts) for k, texts in KEYS.items()),
    ])  # fmt: skip
    return root


def append(root: Path, name: str, data: bytes | str) -> None:
    with (root / "ground_truth" / name).open("ab") as file:
        file.write(data.encode() if isinstance(data, str) else data)


def defective_data(root: Path) -> Path:
    """The whole data with every fault once (see ``test_every_fault_is_reported``)."""
    whole_data(root)
    color, weight = "property_COLOR_.csv", "property_WEIGHT_.csv"
    append(root, weight, "m0jbk_0a1b,Don't-know,8\n")  # beside a choice
    append(root, weight, "m0jbk_0c2d,Heavy,8\nm0jbk_0c2d,Heavy,9\nm0jbk_0c2d,Medium,9\n")
    append(root, weight, "m0jbk_0c2d,Heavy,8\n")  # the same row again
    append(root, weight, "m0cup_11aa,Light,8\n")  # a tie with Heavy
    append(root, weight, "gone_ffff,Light,7\n")
    append(root, weight, "../../../etc/passwd,Light,7\n")
    append(root, weight, "m0jbk_0a1b,Enormous,7\n,Light,7\nm0jbk_0a1b,,7\n")
    append(root, weight, "m0jbk_0a1b,Light,7,and,more\nm0jbk_0a1b\n")
    append(root, weight, b"m0jbk_0a1b,Light: L\xe9ger,10\n")
    append(root, weight, b"m0jbk_0a1b,Li\0ght,11\n")
    append(root, weight, 'm0jbk_0a1b,Light,"12\n')  # a quotation mark that nothing closes
    append(root, color, "m0only_22bb,Not-applicable,7\nm0only_22bb,Invalid-format,8\n")
    write(root, "open_images/m0only_22bb.jpg", picture(9, "JPEG"))
    write(root, "open_images/m0norow_33cc.jpg", picture(10, "JPEG"))
    write(root, "open_images/m0png_44dd.jpg", picture(11, "PNG"))
    append(root, color, "m0png_44dd,Matte,7\n")
    write(root, "open_images/m0same_55ee.jpg", picture(0, "JPEG"))
    append(root, color, "m0same_55ee,Matte,7\n")
    write(root, "open_images/m0broken_66ff.jpg", picture(12, "JPEG")[:200])
    append(root, color, "m0broken_66ff,Matte,7\n")
    write(root, "open_images/m0huge_7700.jpg", _huge())
    append(root, color, "m0huge_7700,Matte,7\n")
    write(root, "open_images/.DS_Store", b"\0\0\0\1Bud1")
    write(root, "ground_truth/.DS_Store", b"\0\0\0\1Bud1")
    write(root, "ground_truth/notes.txt", "?")
    write(root, "open_images/readme.txt", "?")
    (root.parent / "secret.png").write_bytes(picture(77))
    (root / "open_images/m0link_8811.png").symlink_to(root.parent / "secret.png")
    (root / "ground_truth/property_SEALING_.csv").unlink()
    table(root, "property_DENSITY_.csv", [("picture", "choice"), ("m0jbk_0a1b", "Variable")])
    append(root, "syn_properties.psv", "apple|TASTE|Sweet|\nunicorn|WEIGHT|Light|\n")
    append(root, "syn_affordance.psv", "mug|wash||\napple|||\n")
    (root / "robocasa_objects/object_views/mug/unnamed/elev60_azim315.png").unlink()
    write(root, "robocasa_objects/object_views/stray.png", picture(13))
    append(root, "robo_properties.psv", "a_cam0.png|gone.png|COLOR|Matte|\n")
    append(root, "robo_properties.psv", "gone.png|gone1.png|COLOR|Matte|\n")
    append(root, "robo_constraints.psv", "c_cam0.png|c_cam1.png|Sing.|No, it feels wrong.\n")
    append(root, "syn_constraints.psv", "stack_side|Do it.|Is it so?\n")
    write(root, "constraint_images/stack_side/agentview/0.png", picture(14))
    (root / "constraint_images/stack_edge/sideview/1.png").unlink()
    return root


def _huge() -> bytes:
    """A small file that claims to be 60,000 x 60,000 px."""
    data = bytearray(picture(15, "PNG"))
    data[16:24] = (60_000).to_bytes(4, "big") * 2
    import zlib

    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    return bytes(data)
