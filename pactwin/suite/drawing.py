"""Parts of a contact sheet: text blocks and rows of tiles, stacked into one picture."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files

from PIL import Image, ImageDraw, ImageFont

Color = tuple[int, int, int]

PAPER: Color = (250, 249, 246)
INK: Color = (32, 33, 36)
FADED: Color = (112, 115, 120)
GREEN: Color = (22, 128, 70)
RED: Color = (196, 43, 38)
TARGET: Color = (255, 214, 10)
OTHER: Color = (80, 200, 255)

Span = tuple[str, int, bool, Color]
"""A run of text: words, size in px, bold, colour."""


@cache
def font(size_px: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """DejaVu Sans, which is part of matplotlib and has the symbols of units."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    with as_file(files("matplotlib") / "mpl-data" / "fonts" / "ttf" / name) as path:
        return ImageFont.truetype(str(path), size_px, layout_engine=ImageFont.Layout.BASIC)


def text_block(spans: Sequence[Span], width_px: int, pad_px: int = 0) -> Image.Image:
    """Draw spans one after the other, wrapped to ``width_px``."""
    words = [(w, span) for span in spans for w in _words(span, width_px - 2 * pad_px)]
    lines: list[list[tuple[str, Span]]] = [[]]
    x = 0.0
    for word, span in words:
        wide = font(span[1], span[2]).getlength(word + " ")
        if word == "\n" or (lines[-1] and x + wide > width_px - 2 * pad_px):
            lines.append([])
            x = 0.0
        if word != "\n":
            lines[-1].append((word, span))
            x += wide
    heights = [max((round(s[1] * 1.45) for _, s in line), default=8) for line in lines]
    block = Image.new("RGB", (width_px, sum(heights) + 2 * pad_px), PAPER)
    draw = ImageDraw.Draw(block)
    y = pad_px
    for line, height in zip(lines, heights, strict=True):
        x = float(pad_px)
        for word, (_, size, bold, color) in line:
            # Words of all sizes stand on one base line.
            draw.text((x, y + height * 0.78), word, color, font(size, bold), anchor="ls")
            x += font(size, bold).getlength(word + " ")
        y += height
    return block


def _words(span: Span, width_px: int) -> list[str]:
    """Words of a span, those too long for a line cut in pieces; a line break is its own word."""
    text, size, bold, _ = span
    longest = max(int(width_px / (size * 1.15)), 1)  # no letter is wider
    words: list[str] = []
    for number, line in enumerate(text.split("\n")):
        if number:
            words.append("\n")
        for word in line.split():
            if font(size, bold).getlength(word) <= width_px:
                words.append(word)
            else:
                words += [word[i : i + longest] for i in range(0, len(word), longest)]
    return words


def height_for(image: Image.Image, width_px: int) -> int:
    """Height of an image at this width, limited for very narrow images."""
    return min(max(round(image.height * width_px / image.width), 1), 8 * width_px)


def beside(images: Sequence[Image.Image], gap_px: int = 0) -> Image.Image:
    """Images in a row, top-aligned."""
    width = sum(i.width for i in images) + gap_px * (len(images) - 1)
    row = Image.new("RGB", (width, max(i.height for i in images)), PAPER)
    x = 0
    for image in images:
        row.paste(image, (x, 0))
        x += image.width + gap_px
    return row


def stacked(images: Sequence[Image.Image], gap_px: int = 0, pad_px: int = 0) -> Image.Image:
    """Images in a column, left-aligned, surrounded by ``pad_px`` of paper."""
    height = sum(i.height for i in images) + gap_px * (len(images) - 1)
    width = max(i.width for i in images)
    column = Image.new("RGB", (width + 2 * pad_px, height + 2 * pad_px), PAPER)
    y = pad_px
    for image in images:
        column.paste(image, (pad_px, y))
        y += image.height + gap_px
    return column
