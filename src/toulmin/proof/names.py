"""Names in a stored proof (of steps, judges, methods and models), none of which may forge a line of a report."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator

__all__ = ["OneLine", "StepId"]

_LONGEST = 1000  # characters of a name
_ACTING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_ID = re.compile(r"[\w.:-]{1,64}", re.ASCII)


def _one_line(value: str) -> str:
    if len(value) > _LONGEST or _ACTING.search(value):
        raise ValueError(f"holds a control character, or more than {_LONGEST:,} characters")
    return value


def _plain_id(value: str) -> str:
    if not _ID.fullmatch(value):
        raise ValueError("is not made of 1 to 64 letters, digits and _ . : -")
    return value


#: A text that stands in one line of a report: no control characters, no turns of direction.
OneLine = Annotated[str, AfterValidator(_one_line)]
#: The id of a step, which can forge no line of a report.
StepId = Annotated[str, AfterValidator(_plain_id)]
