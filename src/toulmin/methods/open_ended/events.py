"""What happens in the answering of an open-ended question beside the events of every method."""

from __future__ import annotations

from toulmin.graph.types import Statement
from toulmin.methods.protocol import Event
from toulmin.program.json_forms import CertificateModel

__all__ = ["Drafted", "StatementsListed", "Written"]


class StatementsListed(Event):
    """The statements that the model is shown, numbered from 1 in this order.

    Args:
        form: of the retrieval.
        scores: of the statements, by which they were chosen.
        left_out: how many more were retrieved than are shown.
    """

    event: str = "listed"
    form: str
    statements: tuple[Statement, ...]
    scores: tuple[float, ...]
    left_out: int = 0


class Written(CertificateModel):
    """A sentence, and the numbers of the statements that it cites."""

    text: str
    statements: tuple[int, ...]


class Drafted(Event):
    """A text that the model wrote.

    Args:
        alike: of several texts, the mean cosine with the others.
        taken: whether it is the one that becomes the answer.
    """

    event: str = "drafted"
    sentences: tuple[Written, ...]
    thought: str = ""
    alike: float | None = None
    taken: bool = True
