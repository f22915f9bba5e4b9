"""Draw the diagrams of docs/images from ``diagrams.yaml``, as SVG: rows of boxes and arrows."""

import re
from html import escape
from pathlib import Path

import yaml

HERE = Path(__file__).parent
CHAR_PX, SMALL_PX, BOX_PX, ROW_PX, PAD_PX = 7.4, 6.4, 44, 64, 12
FONT = 'font-family="DejaVu Sans, Verdana, sans-serif"'


def _text(x: float, y: float, text: str, size: int, style: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" {style} {FONT}>{escape(text)}</text>'


def diagram(rows: list[str]) -> str:
    """The SVG of ``rows``: ``[head: ] box | detail -- label --> box --> box``."""
    heads = [re.match(r"([a-z-]+): (.*)", row) for row in rows]
    left = PAD_PX + max((len(head[1]) * CHAR_PX + 16 for head in heads if head), default=0)
    drawn, width = [], 0.0
    for k, (row, head) in enumerate(zip(rows, heads, strict=True)):
        x, middle = left, PAD_PX + k * ROW_PX + BOX_PX / 2
        if head:
            drawn.append(
                _text(PAD_PX, middle + 4, head[1], 12, 'font-weight="bold" fill="#00695c"')
            )
        boxes = re.split(r" (?:-- (.*?) )?--> ", head[2] if head else row)
        for label, box in zip([None, *boxes[1::2]], boxes[::2], strict=True):
            if x > left:
                end = x + max(34, len(label or "") * SMALL_PX + 20)
                line = f'<path d="M{x + 3:.0f} {middle:.0f}H{end - 4:.0f}" marker-end="url(#a)"'
                drawn.append(line + ' stroke="#555" stroke-width="1.4"/>')
                where = 'text-anchor="middle" fill="#555"'
                drawn.append(_text((x + end) / 2 - 2, middle - 6, label or "", 10, where))
                x = end
            title, _, detail = box.partition(" | ")
            wide = max(len(title) * CHAR_PX, len(detail) * SMALL_PX) + 22
            drawn.append(
                f'<rect x="{x:.0f}" y="{middle - BOX_PX / 2:.0f}" width="{wide:.0f}" '
                f'height="{BOX_PX}" rx="6" fill="#e0f2f1" stroke="#00897b"/>'
            )
            center = 'text-anchor="middle" fill="#123"'
            drawn.append(
                _text(x + wide / 2, middle - 2 if detail else middle + 4, title, 12, center)
            )
            drawn.append(_text(x + wide / 2, middle + 14, detail, 10, center))
            x += wide
        width = max(width, x)
    width, height = width + PAD_PX, PAD_PX + len(rows) * ROW_PX - 8
    head = '<marker id="a" markerWidth="8" markerHeight="8" refX="6" refY="3" orient="auto">'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}"><defs>{head}<path d="M0 0L6 3L0 6z" fill="#555"/>'
        '</marker></defs><rect width="100%" height="100%" rx="6" fill="white"/>'
        + "".join(drawn) + "</svg>\n"
    )  # fmt: skip


if __name__ == "__main__":
    for name, rows in yaml.safe_load((HERE / "diagrams.yaml").read_text("utf-8")).items():
        path = HERE.parent / "docs" / "images" / f"{name}.svg"
        path.write_text(diagram(rows), encoding="utf-8")
