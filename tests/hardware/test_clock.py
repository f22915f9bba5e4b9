"""The offset between two clocks, from messages with random delays."""

import numpy as np
import pytest

from pactwin.hardware.clock import ClockOffset


def followed(
    drift_ppm: float, seconds: int, rng: np.random.Generator, jump_at_s: float = 1e9
) -> tuple[ClockOffset, np.ndarray]:
    """Errors (ms) of the offset, of messages 50 times a second; the other clock jumps by 2 s."""
    clock, errors = ClockOffset(), []
    for k in range(seconds * 50):
        true_s = k / 50
        offset_s = 3.0 + 1e-6 * drift_ppm * true_s - (2.0 if true_s > jump_at_s else 0.0)
        delay_s = 0.0002 + rng.exponential(0.004)
        sent_ns = int(1e9 * (true_s - offset_s + 1e4))
        arrived_ns = int(1e9 * (true_s + delay_s + 1e4))
        errors.append(1e-6 * clock.update(sent_ns, arrived_ns) - 1e3 * offset_s)
    return clock, np.abs(errors)


@pytest.mark.parametrize("drift_ppm", [-80.0, 0.0, 78.0])
def test_drift_of_half_an_hour_is_followed_within_a_millisecond(drift_ppm: float) -> None:
    clock, errors_ms = followed(drift_ppm, 1800, np.random.default_rng(1))
    assert errors_ms[3000:].max() < 1.0
    assert clock.drift_ppm == pytest.approx(drift_ppm, abs=15)


def test_a_clock_that_jumps_is_followed_after_a_second() -> None:
    _, errors_ms = followed(20.0, 300, np.random.default_rng(2), jump_at_s=150.0)
    assert errors_ms[50 * 150 + 5 : 50 * 150 + 40].max() > 1000
    assert errors_ms[50 * 152 :].max() < 30
    assert errors_ms[50 * 220 :].max() < 1.0
