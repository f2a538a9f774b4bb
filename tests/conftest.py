"""Settings of every test."""

from __future__ import annotations

from hypothesis import settings

# The first example of a test may import scipy or start a process, and the machine may be busy: no test is about time.
settings.register_profile("toulmin", deadline=None)
settings.load_profile("toulmin")
