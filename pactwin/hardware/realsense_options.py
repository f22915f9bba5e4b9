"""Settings and identity of a RealSense camera, as records.

:mod:`pactwin.hardware.camera_sender`, which must be self-contained, sets and reads them.
"""

from typing import Annotated

from pydantic import Field

from pactwin.hardware.camera_sender import ACTUAL, METADATA
from pactwin.suite import Record

TOLD_LIGHT = tuple(ACTUAL.values())
MetadataName = Annotated[str, Field(pattern=f"^({'|'.join(METADATA)})$")]


class ColorSettings(Record):
    """A colour sensor's exposure (100 us), gain and white balance (K), in librealsense's units.

    None means that the sensor lacks the setting or does not report it.
    """

    exposure: float | None = None
    gain: float | None = None
    white_balance: float | None = None


class DeviceInfo(Record):
    """A camera's serial number, firmware and USB version; empty if not reported."""

    serial: str = ""
    firmware: str = ""
    usb: str = ""
