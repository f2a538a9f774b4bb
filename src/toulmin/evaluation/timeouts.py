"""A limit on the wall time of a call, by the alarm of the operating system."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from toulmin.errors import SettingsError

__all__ = ["OutOfTime", "time_limit"]


class OutOfTime(BaseException):
    """The limit was reached. Not an Exception, so that a method that catches those cannot go on."""


_LONGEST = 366 * 24 * 3600  # systems differ in the longest alarm that they can set


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise ``OutOfTime`` in the block when ``seconds`` are over; a call into compiled code first has to return.

    Raises:
        SettingsError: the limit is not above 0 or is above a year, or this is not the main thread of a system that has
            alarms.
    """
    if seconds is None:
        yield
        return
    if not 0 < seconds <= _LONGEST:
        raise SettingsError(f"a time limit must be above 0 and at most {_LONGEST:,} seconds, not {seconds}")
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        raise SettingsError("a time limit works in the main thread of a POSIX system only: leave it out")

    def expire(_number: int, _frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
