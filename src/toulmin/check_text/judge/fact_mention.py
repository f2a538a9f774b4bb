"""A mention of a fact: words that name an entity or say a value, and what they may stand for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from toulmin.check_text.judge.regions import is_namesake, lies_in
from toulmin.check_text.judge.spelling import is_another_name
from toulmin.english.text_values import Value
from toulmin.graph.labels import normalise, similarity

__all__ = ["MEANT", "Bearer", "FactMention"]

MEANT = 0.8  # score of a bearer above which the words are taken for it
_NEAR = 0.75  # similarity from which on words are near a name


@dataclass(frozen=True, slots=True)
class Bearer:
    """A node that the words of a mention may stand for.

    Args:
        node: its number in the sub-graph.
        score: how well the words say it, 0 to 1.
        form: the name that matched, as the graph writes it.
        how: as in ``linking.Candidate``.
        link: how surely the words name it.
    """

    node: int
    score: float
    form: str
    how: str
    link: float


@dataclass(slots=True)
class FactMention:
    """Words of a fact, ``text[start:end]``, and what they may stand for.

    Args:
        plain: they are common words, no name and no value.
        region: where the fact says that the place they name lies, if it does.
        elsewhere: nodes of its name that are known to lie elsewhere.
    """

    start: int
    end: int
    text: str
    bearers: dict[int, Bearer] = field(default_factory=dict)
    value: Value | None = None
    plain: bool = False
    region: str = ""
    elsewhere: set[int] = field(default_factory=set)

    def add(self, bearer: Bearer) -> None:
        """Keep the better of two matches of one node; none where the words are another name."""
        if is_another_name(self.text, bearer.form):
            return
        known = self.bearers.get(bearer.node)
        if known is None or bearer.score > known.score:
            self.bearers[bearer.node] = bearer

    def add_name(self, node: int, score: float, form: str) -> None:
        """Take the words for a node by one of its names, however well they say it."""
        words, name = normalise(self.text), normalise(form)
        alike = 1.0 if words == name else similarity(self.text, form)
        near = alike >= _NEAR or set(words.split()).isdisjoint(name.split())
        self.add(Bearer(node, score, form, "exact" if words == name else "near" if near else "full text", alike))

    def drop(self, nodes: Iterable[int]) -> None:
        """Take the words for none of these nodes."""
        for node in list(nodes):
            del self.bearers[node]

    def extend(self, start: int, text: str) -> None:
        """Let it begin at another place of the fact."""
        self.start, self.text = start, text[start : self.end]

    @property
    def strength(self) -> float:
        """The score of the best bearer; 0 without one."""
        return max((bearer.score for bearer in self.bearers.values()), default=0.0)

    @property
    def meant(self) -> list[int]:
        """The nodes that its words are taken for."""
        return [bearer.node for bearer in self.bearers.values() if bearer.score > MEANT]

    def is_other(self, node: int, name: str) -> bool:
        """Whether what it names is known to lie elsewhere than a node."""
        if self.region and lies_in(self.region, name, ()) is False and is_namesake(self.region, name, ()):
            return True
        return node in self.elsewhere

    def within(self, other: FactMention) -> bool:
        """Whether it lies in another, longer mention."""
        return other.start <= self.start and self.end <= other.end and len(self.text) < len(other.text)

    def meets(self, other: FactMention) -> bool:
        """Whether they share characters."""
        return self.start < other.end and other.start < self.end
