"""Settings of a RealSense camera, and metadata of its frames.

librealsense knows options of many devices; each is asked whether it supports one first.
"""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from pactwin.suite import Record

_FIXED = ("exposure", "gain", "white_balance")
_ACTUAL = {"exposure": "actual_exposure", "gain": "gain_level", "white_balance": "white_balance"}
TOLD_LIGHT = tuple(_ACTUAL.values())
MetadataName = Literal[
    "actual_exposure",
    "gain_level",
    "white_balance",
    "frame_laser_power",
    "frame_emitter_mode",
    "temperature",
    "sensor_timestamp",
    "time_of_arrival",
]
_EXPOSURE_UNIT_US = 100.0
"""Colour sensors take exposure in this unit; metadata tell microseconds."""


class ColorSettings(Record):
    """A colour sensor's exposure (100 us), gain and white balance (K), as librealsense counts.

    One that is absent the sensor does not have, or does not tell.
    """

    exposure: float | None = None
    gain: float | None = None
    white_balance: float | None = None


class DeviceInfo(Record):
    """A camera's serial number, firmware and USB version; empty if it does not tell."""

    serial: str = ""
    firmware: str = ""
    usb: str = ""


def set_option(rs: Any, sensor: Any, name: str, value: float) -> bool:
    """Set an option if the sensor has it; whether it has. RuntimeError if librealsense fails."""
    option = getattr(rs.option, name)
    if not sensor.supports(option) or sensor.is_option_read_only(option):
        return False
    sensor.set_option(option, value)
    return True


def set_for_captures(rs: Any, sensor: Any, power_line_hz: Literal[50, 60]) -> None:
    """One clock for all cameras, a steady rate, no flicker, and Intel's default depth preset."""
    for name, value in (
        ("global_time_enabled", 1.0),
        ("visual_preset", float(int(rs.rs400_visual_preset.default))),
        ("auto_exposure_priority", 0.0),
        ("power_line_frequency", 1.0 if power_line_hz == 50 else 2.0),
        ("emitter_enabled", 1.0),
    ):
        set_option(rs, sensor, name, value)


def fix_color(
    rs: Any,
    sensor: Any,
    wanted: ColorSettings | None,
    told: Mapping[str, float],
    power_line_hz: Literal[50, 60],
) -> ColorSettings:
    """Switch off a colour sensor's automatic control; returns the fixed settings.

    ``wanted`` are earlier settings; without them the values that automatic control has chosen stay,
    as in the metadata ``told`` of a frame. Exposures over half a mains period are rounded to
    whole half periods, so that lamps do not flicker.
    """
    if wanted is None:
        chosen = {name: told.get(_ACTUAL[name]) for name in _FIXED}
        if (exposure_us := chosen["exposure"]) is not None:
            half_us = 1e6 / (2 * power_line_hz)
            if exposure_us > half_us:
                exposure_us = half_us * round(exposure_us / half_us)
            chosen["exposure"] = round(exposure_us / _EXPOSURE_UNIT_US)
        wanted = ColorSettings.model_validate(chosen)
    fixed = {}
    for name in _FIXED:
        value = getattr(wanted, name)
        if value is None:
            continue
        automatic = (
            "enable_auto_white_balance" if name == "white_balance" else "enable_auto_exposure"
        )
        set_option(rs, sensor, automatic, 0.0)
        if set_option(rs, sensor, name, value):
            fixed[name] = value
    return ColorSettings.model_validate(fixed)


def metadata_of(rs: Any, frame: Any) -> dict[str, float]:
    """A frame's metadata, by librealsense's names."""
    told = {}
    for name in get_args(MetadataName):
        kind = getattr(rs.frame_metadata_value, name)
        if frame.supports_frame_metadata(kind):
            told[name] = float(frame.get_frame_metadata(kind))
    return told


def device_info(rs: Any, device: Any) -> DeviceInfo:
    """A device's name, serial number, firmware and USB type."""
    info = rs.camera_info
    kinds = {
        "serial": info.serial_number,
        "firmware": info.firmware_version,
        "usb": info.usb_type_descriptor,
    }
    return DeviceInfo(
        **{name: device.get_info(k) for name, k in kinds.items() if device.supports(k)}
    )
