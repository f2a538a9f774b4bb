"""Why a question is not answered: one model for each code, and the words that are made of them."""

from __future__ import annotations

from typing import Annotated, Any
from typing import Literal as Choice

from pydantic import Field, StrictFloat, StrictStr

from toulmin.graph.types import Direction
from toulmin.program.json_forms import CertificateModel, Place, Span

__all__ = [
    "Direction_", "Lacks", "Nothing", "Opposite", "Other", "Reason", "Reverse", "Split", "Stopped", "Unknown",
    "Unnamed", "Unread", "Unsure", "Unusable", "reason_json",
]  # fmt: skip


class Reason(CertificateModel):
    """Base of the reasons; each is called as its code is."""

    @property
    def code(self) -> str:
        """What a certificate calls it."""
        return type(self).__name__.rstrip("_").lower()


class Unread(Reason):
    """Words of the question that were not read: ``[start, end, what they are]``."""

    words: Annotated[tuple[tuple[Place, Place, StrictStr], ...], Field(min_length=1)]


class Unnamed(Reason):
    """No entity has these words of the question as a name; ``nearest`` has one that is like them."""

    words: Span
    nearest: StrictStr | None = None


class Nothing(Reason):
    """A node yields nothing."""

    of: Place


class Unknown(Reason):
    """Whether it is so is unknown."""

    of: Place


class Unsure(Reason):
    """The reading is less sure than it must be."""

    of: Place
    score: StrictFloat
    needed: StrictFloat


class Direction_(Reason):  # noqa: N801  (``Direction`` is that of a relation)
    """It is not sure which of two nodes, one relation read forward and backward, is meant."""

    of: tuple[Place, Place]


class Reverse(Reason):
    """The graph says only the reverse of what is asked for."""

    of: Place


class Lacks(Reason):
    """The graph has no such statement of an entity."""

    entity: StrictStr
    relation: StrictStr
    direction: Direction


class Opposite(Reason):
    """Only the opposite relation leads anywhere."""

    of: Place
    relation: StrictStr


class Unusable(Reason):
    """The model gave nothing usable."""

    times: Place


class Stopped(Reason):
    """What the caller allowed was used up."""

    what: Choice["calls", "tokens", "seconds", "cost"]


class Split(Reason):
    """A vote without a winner."""

    of: Place


class Other(Reason):
    """What no code says; shown in quotation marks, and unverifiable."""

    says: StrictStr


def reason_json(reason: Reason) -> dict[str, Any]:
    """The JSON form of a reason."""
    return {"code": reason.code, **reason.model_dump(mode="json", exclude_none=True)}
