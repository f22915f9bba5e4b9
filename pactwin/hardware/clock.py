"""Offset of another computer's clock, estimated from one-way delays."""

import numpy as np

_BIN_NS = 10 * 10**9
_BINS = 6
_JUMP_NS = 50 * 10**6
_CONFIRMED = 50


class ClockOffset:
    """This computer's clock minus another's, including the smallest network delay.

    Delays vary, but the shortest within some seconds is nearly constant; clocks drift by up to 100
    ppm. So the offset is a line through the minima of the last 60 s. It restarts when a clock
    jumps.
    """

    def __init__(self) -> None:
        self._start_over()

    def _start_over(self) -> None:
        self._minima: list[tuple[int, int]] = []  # when on the other clock, and the delay; ns
        self._bin = -1
        self._far = 0
        self._slope = 0.0
        self._level: float | None = None

    def update(self, sent_ns: int, arrived_ns: int) -> int:
        """Offset (ns) at the other clock's ``sent_ns``, from a message that has just arrived."""
        delay = arrived_ns - sent_ns
        if self._minima:
            self._far = self._far + 1 if abs(delay - self._at(sent_ns)) > _JUMP_NS else 0
            if self._far >= _CONFIRMED:
                self._start_over()
        number = sent_ns // _BIN_NS
        if number != self._bin:
            self._bin = number
            self._minima = [*self._minima[-_BINS:], (sent_ns, delay)]
            self._fit_line()
        elif delay < self._minima[-1][1] and self._far == 0:
            self._minima[-1] = sent_ns, delay
        return self._at(sent_ns)

    @property
    def drift_ppm(self) -> float:
        """Relative drift of this computer's clock; 0 before 30 s have passed."""
        return 1e6 * self._slope

    def _at(self, sent_ns: int) -> int:
        if self._level is None:
            return min(delay for _, delay in self._minima)
        return round(self._level + self._slope * (sent_ns - self._minima[0][0]))

    def _fit_line(self) -> None:
        """Fit a line to the minima of full bins: the delay (ns) at the first bin, and its slope."""
        whole = self._minima[:-1]
        if len(whole) >= 3:
            when = np.array([sent - self._minima[0][0] for sent, _ in whole], float)
            slope, level = np.polyfit(when, np.array([delay for _, delay in whole], float), 1)
            self._slope, self._level = float(slope), float(level)
