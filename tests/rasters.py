"""PDFs as a printer sees them: pages as pixels, and pages cut and joined."""

import numpy as np

from pactwin.hardware import MARGIN_MM, Drawing, Paper, tiles

DPI = 300


def page_rasters(data: bytes, dpi: int = DPI) -> list[tuple[np.ndarray, np.ndarray]]:
    """Each page (h, w, 3) with its pixels per mm across and down.

    A rasteriser rounds the page up to whole pixels and stretches it: the true density counts.
    """
    import pypdfium2

    pages = []
    for page in pypdfium2.PdfDocument(data):
        picture = np.asarray(page.render(scale=dpi / 72).to_pil().convert("RGB"))
        size_mm = np.array(page.get_size()) * 25.4 / 72
        pages.append((picture, np.array(picture.shape[1::-1]) / size_mm))
    return pages


def joined(
    data: bytes, drawing: Drawing, paper: Paper, skip: int = 0, dpi: int = DPI
) -> tuple[np.ndarray, np.ndarray]:
    """The drawing (h, w, 3), its pages cut at their crop marks and put together; pixels per mm."""
    pages = page_rasters(data, dpi)[skip:]
    density = np.array([dpi / 25.4, dpi / 25.4])
    spread = tiles(drawing.width_mm, drawing.height_mm, paper)
    assert len(spread) == len(pages)
    whole = np.array([drawing.height_mm, drawing.width_mm]) * density
    out = np.full((*np.ceil(whole).astype(int), 3), 255, np.uint8)
    for (picture, px_per_mm), tile in zip(pages, spread, strict=True):
        top = drawing.height_mm - tile.y_mm - tile.height_mm
        page_top = tile.page_mm[1] - MARGIN_MM - tile.height_mm
        rows = np.arange(
            np.ceil(top * density[1] - 0.5), np.ceil((top + tile.height_mm) * density[1] - 0.5)
        )
        columns = np.arange(
            np.ceil(tile.x_mm * density[0] - 0.5),
            np.ceil((tile.x_mm + tile.width_mm) * density[0] - 0.5),
        )
        y = ((rows + 0.5) / density[1] - top + page_top) * px_per_mm[1]
        x = ((columns + 0.5) / density[0] - tile.x_mm + MARGIN_MM) * px_per_mm[0]
        part = picture[np.floor(y).astype(int)][:, np.floor(x).astype(int)]
        out[rows[0].astype(int) :, columns[0].astype(int) :][: len(rows), : len(columns)] = part
    return out, density
