"""Of the statements around the entities of a question, those that a commonsense axiom needs (papers/r3 eq. 4).

The paper ranks statements by the similarity of their embedding to that of the whole axiom. Three things make that
miss: the names in both texts drown the relation; an axiom has several clauses, each about one thing; and commonsense
rests on what nobody writes into an axiom: what a thing is, when and where it is or was. So a statement's score is

    mean of cos(axiom, r), max over clauses cos(clause, r), cos(axiom, "r: o"), max over clauses cos(clause, "r: o")
    + facet * how clearly r says of what kind, since when, until when or where a thing is
    + time * [the axiom speaks of time, and the statement dates a beginning or an end]
    + lexical * how well words of the axiom mean the words of r (WordNet)

where the axiom's words for the entities are masked in all but the first. Statements are then taken one by one, each
time the best after small deductions: for repeating a subject and relation that was taken, and for a subject that was
taken more often than others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from toulmin.english.lexicon import Lexicon
from toulmin.english.words import RULE_STOP_WORDS
from toulmin.errors import SettingsError
from toulmin.graph.times import is_time
from toulmin.graph.types import Literal, Statement
from toulmin.registry import known
from toulmin.retrieval.embedders import Embedder
from toulmin.retrieval.statement_words import node_words, relation_words, statement_words

__all__ = ["PRUNERS", "Pruner", "Pruning"]

Floats = NDArray[np.float32]

# What commonsense asks of any thing, in words that relations of everyday graphs are labelled with.
_KIND = ("instance of", "what kind of thing it is", "description")
_BEGIN = ("date of birth", "inception", "start time", "when it began")
_END = ("date of death", "end time", "when it ended")
_WHERE = ("country", "country of citizenship", "where it is")
_FACETS = (_KIND, _BEGIN, _END, _WHERE)
_UNLIKE = 0.4  # a likeness to a facet up to which it counts for nothing
_DATES = 0.5  # a likeness to beginnings or ends from which a dated statement counts as one

_TIME_WORDS = re.compile(
    r"\b(alive|lived?|lifetime|during|after|before|until|age|old|older|young|adult|child|era|century|decade|years?|"
    r"time|period|since|when|while|existed?|\d{4})\b",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(
    r"[,;.]| (?:and|or|but|if|that|who|which|because|while|when|during|after|before|until|than)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+")
_PREPARED = 512  # texts embedded ahead: less than a second's work
_FACET, _TIME, _LEXICAL = 0.15, 0.15, 0.05  # weights of what is added to the mean of the cosines
_REPEAT, _VARIETY = 0.03, 0.2  # taken off times ln(1 + how many of a subject and relation were taken); for an overview
_QUOTA = 0.03  # taken off times how many more statements a subject has had than the one that has had the fewest
_MASK = "it"
_LONG_NAME = 4  # letters from which a word of a name is masked alone


Pruning = Callable[[str, Sequence[Statement], int], list[int]]


class Pruner:
    """Ranks statements for an axiom.

    Args:
        shortlist: statements whose objects are embedded; of more, those of the best relations.
    """

    def __init__(self, embedder: Embedder, lexicon: Lexicon, shortlist: int = 256) -> None:
        self.embedder, self.lexicon, self.shortlist = embedder, lexicon, shortlist

    def combined(self, axiom: str, statements: Sequence[Statement], k: int) -> list[int]:
        """The places of the ``k`` statements that the axiom needs most, best first (see the module)."""
        if not statements or k < 1:
            return []
        return _taken(self._scores(axiom, statements, objects=True), statements, k, _REPEAT)

    def prepare(self, statements: Sequence[Statement]) -> None:
        """Embed what ``combined`` will need of these statements, while there is time."""
        texts = (f"{relation_words(s.relation).lower()}: {node_words(s.object)}" for s in statements)
        self.embedder.embed(list(dict.fromkeys(texts))[:_PREPARED])

    def quick(self, axiom: str, statements: Sequence[Statement], k: int) -> list[int]:
        """A variety for an overview, by the relations alone: where no time is for embedding what they lead to."""
        if not statements or k < 1:
            return []
        return _taken(self._scores(axiom, statements, objects=False), statements, k, _VARIETY)

    def _scores(self, axiom: str, statements: Sequence[Statement], *, objects: bool) -> Floats:
        """The scores of statements for an axiom: those of their relations with their objects, or of relations alone."""
        embed = self.embedder.embed
        subjects = dict.fromkeys(node_words(statement.subject) for statement in statements)
        masked = _masked(axiom, list(subjects))
        queries = embed([axiom, masked, *_clauses(masked)])

        def like(vectors: Floats, whole: Floats) -> Floats:
            """Half of the mean of cosines: to the whole axiom, and to the clause that is nearest."""
            return np.asarray((vectors @ whole + (vectors @ queries[2:].T).max(axis=1)) / 4, dtype=np.float32)

        texts = [relation_words(statement.relation).lower() for statement in statements]
        column = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        of = np.array([column[text] for text in texts])
        vectors = embed(list(column))
        facets = np.stack([(vectors @ embed(facet).T).max(axis=1) for facet in _FACETS], axis=1)
        added = _FACET * np.clip(facets - _UNLIKE, 0, None).sum(axis=1)
        added += _LEXICAL * _lexical(masked, list(column), self.lexicon)
        added = added[of]
        if _TIME_WORDS.search(axiom):
            dates = (facets[:, 1:3].max(axis=1) > _DATES)[of]
            added += _TIME * (dates & np.array([_is_dated(s) for s in statements]))
        relations = like(vectors, queries[0])[of]
        by_relation = np.asarray(2 * relations + added, dtype=np.float32)
        if not objects:
            return by_relation
        listed = np.argsort(-by_relation, kind="stable")[: self.shortlist]
        told = [f"{texts[place]}: {node_words(statements[place].object)}" for place in listed]
        scores = by_relation - 2.0  # below every statement that is on the list
        scores[listed] = relations[listed] + like(embed(told), queries[1]) + added[listed]
        return np.asarray(scores, dtype=np.float32)

    def similarity(self, axiom: str, statements: Sequence[Statement], k: int) -> list[int]:
        """As the paper has it: by the similarity of the whole statement to the whole axiom."""
        if not statements or k < 1:
            return []
        texts = [f"({', '.join(statement_words(statement))})" for statement in statements]
        vectors = self.embedder.embed([axiom, *texts])
        return [int(place) for place in np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:k]]

    def truncation(self, _: str, statements: Sequence[Statement], k: int) -> list[int]:
        """The first ones (the ablation of papers/r3, table 7)."""
        return list(range(min(max(k, 0), len(statements))))

    def named(self, name: str) -> Pruning:
        """The way to prune that has this name (``PRUNERS``).

        Raises:
            SettingsError: there is none.
        """
        if name not in PRUNERS:
            raise SettingsError(f"no pruning is called {name!r}{known(name, PRUNERS)}")
        way: Pruning = getattr(self, name)
        return way


#: The names of the ways to prune, which are those of methods of ``Pruner``, best first.
PRUNERS = ("combined", "similarity", "truncation")


def _masked(axiom: str, names: Sequence[str]) -> str:
    """The axiom with a pronoun for the names and for the long capitalised words of names."""
    text = axiom
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", _MASK, text, flags=re.IGNORECASE)
    for word in {word for name in names for word in name.split() if len(word) >= _LONG_NAME and word[0].isupper()}:
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", _MASK, text)
    return re.sub(rf"\b{_MASK}( {_MASK})+\b", _MASK, text)


def _clauses(axiom: str) -> list[str]:
    parts = [part.strip() for part in _CLAUSE_ENDS.split(axiom)]
    return [part for part in parts if len(part.split()) > 1] or [axiom]


def _content(text: str) -> list[str]:
    return list(dict.fromkeys(word for word in _WORD.findall(text.lower()) if word not in RULE_STOP_WORDS))


def _lexical(axiom: str, relations: Sequence[str], lexicon: Lexicon) -> Floats:
    """Per relation, the mean over its words of how well the best word of the axiom means it."""
    sought = _content(axiom)
    out = np.zeros(len(relations), dtype=np.float32)
    for place, relation in enumerate(relations):
        words = _content(relation)
        if sought and words:
            out[place] = np.mean([max(lexicon.relatedness(term, word) for term in sought) for word in words])
    return out


def _is_dated(statement: Statement) -> bool:
    value = statement.object
    return value.kind == "time" if isinstance(value, Literal) else is_time((value.label or "").removeprefix("+"))


def _taken(scores: Floats, statements: Sequence[Statement], k: int, repeat: float) -> list[int]:
    """The best ``k``, one by one, each after what has been taken is deducted."""
    subjects = np.unique([s.subject.id for s in statements], return_inverse=True)[1]
    groups = np.unique([f"{s.subject.id}\x1f{s.relation.id}" for s in statements], return_inverse=True)[1]
    repeats, had = np.zeros(groups.max() + 1), np.zeros(subjects.max() + 1)
    left = np.bincount(subjects)
    open_, taken = np.ones(len(statements), dtype=np.bool_), []
    for _ in range(min(k, len(statements))):
        fewest = had[left > 0].min()
        worth = scores - repeat * np.log1p(repeats[groups]) - _QUOTA * (had - fewest)[subjects]
        place = int(np.argmax(np.where(open_, worth, -np.inf)))
        taken.append(place)
        open_[place] = False
        repeats[groups[place]] += 1
        had[subjects[place]] += 1
        left[subjects[place]] -= 1
    return taken
