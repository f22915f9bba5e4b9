"""Differences between colours, and the number of colours of a surface."""

from collections.abc import Mapping

RGB = tuple[float, float, float]


def lab_of(rgb: RGB) -> tuple[float, float, float]:
    """CIE L*a*b* (D65) of an sRGB colour with channels in 0..1, after IEC 61966-2-1 and CIE 15."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (
        t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(a: RGB, b: RGB) -> float:
    """CIE 1976 colour difference of two sRGB colours; about 2 is just noticeable."""
    return sum((p - q) ** 2 for p, q in zip(lab_of(a), lab_of(b), strict=True)) ** 0.5


def other_shares(
    colours: Mapping[RGB, float], *, alike: float, different: float
) -> tuple[float, float]:
    """Two shares of a surface: clearly, and possibly, another colour than its most frequent one.

    Colours clearly differ above the difference ``different``, possibly above ``alike``. The most
    frequent colour is the one with the largest area that clearly matches it.
    """
    total = sum(colours.values())

    def like(rgb: RGB) -> float:
        return sum(share for c, share in colours.items() if difference(rgb, c) <= alike)

    main = max(sorted(colours), key=like)
    far = {c: difference(main, c) for c in colours}
    surely = sum(share for c, share in colours.items() if far[c] > different)
    perhaps = sum(share for c, share in colours.items() if alike < far[c] <= different)
    return surely / total, perhaps / total
