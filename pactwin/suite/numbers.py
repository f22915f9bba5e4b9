"""Bounded numbers for records from untrusted files: finite and of plausible size.

Larger numbers would overflow somewhere, for instance in products or picture sizes.
"""

from typing import Annotated

from pydantic import Field

_Finite = Field(allow_inf_nan=False)

Number = Annotated[float, _Finite, Field(ge=-1e18, le=1e18)]
"""Any quantity."""
Positive = Annotated[Number, Field(ge=1e-9)]
"""A divisor."""
Coordinate = Annotated[float, _Finite, Field(ge=-1e6, le=1e6)]
"""A position (m, mm, or px in a picture), or a factor of one."""
Edge = Annotated[int, Field(ge=0, le=1_000_000)]
"""A row or column of a picture (px)."""
PictureSide = Annotated[int, Field(gt=0, le=100_000)]
"""The width or height of a picture (px)."""
TimeNs = Annotated[int, Field(ge=0, lt=2**63)]
"""A time in nanoseconds, within the range of 64-bit integers."""
Count = Annotated[int, Field(ge=0, le=10**12)]
"""A number of items."""
