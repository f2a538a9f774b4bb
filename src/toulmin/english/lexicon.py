"""How well a word of a question means a word of a relation's label, by the lexical relations of English.

A question says "who *wrote* it" where a graph says "*writer*", "what *type* of film" where it says "*genre*", "her
*better half*" where it says "*spouse*". Sentence embeddings know much of this, yet blur it with mere association
(film - director). Here it is read from WordNet 3.0: shared meanings (movie - film), derivation (write - writer),
hyponymy (actress - actor) and common parents (type - genre). It serves to match the words of a question with the
words of a relation's label, in any graph; nothing in it is made for one.

WordNet: G. A. Miller, "WordNet: a lexical database for English", Communications of the ACM 38(11), 1995.
Its licence lies beside the data; ``scripts/build_lexicon.py`` makes the data from WordNet's own files.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal, Self

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import ArrayLike, NDArray

from toulmin.errors import SourceError

__all__ = ["LISTS", "Adjacency", "CoarseType", "Lexicon", "WordTables", "get_lexicon"]

#: The fields that are lists.
LISTS = ("senses", "hypernyms", "derivations", "wholes", "antonyms")
CoarseType = Literal["person", "location", "time", "thing"]

# Endings of regular inflections and what replaces them (WordNet's morphy(7WN), without regard to the part of speech).
_ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
)
_DOUBLED = re.compile(r"(.+[aeiou]([bdgklmnprt]))\2(?:ed|ing)")  # starred, running
_KINDS: tuple[tuple[CoarseType, tuple[str, ...]], ...] = (
    ("person", ("person",)),
    ("location", ("location", "country")),
    ("time", ("time period", "date")),
)
_DEEPEST = 11  # hypernym steps that is_a follows
_RELATED_SENSES = 2  # of a word, whose relatives are looked for
# What each step from a word to a meaning takes off its weight, which is 1 for the word's most frequent sense.
_SENSES, _SENSE_STEP = 8, 0.06  # how many senses of a word count, the most frequent first; for each sense before it
_HYPERNYM_STEP, _DEPTH = 0.12, 3  # for each step to a more general meaning; how many steps upwards
_DERIVATION_STEP = 0.08  # for a step to a word derived from it
_DOWNWARD = 0.9  # factor where the label's word is the more special one (a weaker sign than the reverse)
_SIBLING = 0.6  # factor where the two only share a direct hypernym
_SIBLING_SENSES, _SIBLING_SENSE_STEP = 3, 0.1  # how many senses count for that, and for each sense before it
_CACHED_WORDS, _CACHED_PAIRS = 4096, 65536

Weights = dict[int, float]  # synset -> how well a word means it, in [0, 1]


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Lists of numbers (of synsets, of words), one list per row, laid end to end.

    Args:
        start: where each list begins in ``targets``, int32[rows + 1].
        targets: the numbers, int32.
    """

    start: NDArray[np.int32]
    targets: NDArray[np.int32]

    def __getitem__(self, row: int) -> list[int]:
        targets: list[int] = self.targets[self.start[row] : self.start[row + 1]].tolist()
        return targets


@dataclass(frozen=True, slots=True)
class WordTables:
    """What a lexicon knows. Synsets are integers; those of nouns come first.

    Args:
        words: row of each lemma (lower case, spaces between the words of a compound) in ``senses``.
        exceptions: irregular form -> its base forms, all in ``words`` ("men" -> "man"; "his" -> none, not "hi").
        senses: synsets of each word, the most frequent first whatever their part of speech.
        hypernyms: synset -> more general synsets (also: instance of; of an adjective, the similar ones).
        derivations: synset -> synsets with a word derived from one of its words (actor - act).
        wholes: synset -> synsets that it is a part of (Austin - Texas).
        antonyms: word -> words that are its opposite in some sense of the two (rise - fall).
        nouns: number of noun synsets; a synset below it is a noun.
    """

    words: dict[str, int]
    exceptions: dict[str, tuple[str, ...]]
    senses: Adjacency
    hypernyms: Adjacency
    derivations: Adjacency
    wholes: Adjacency
    antonyms: Adjacency
    nouns: int

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what ``scripts/build_lexicon.py`` wrote.

        Raises:
            SourceError: the file is missing or is not such a file.
        """
        try:
            with path.open("rb") as file, NpzFile(file, allow_pickle=False) as arrays:
                words, exceptions = _unpack(arrays["words"]), _unpack(arrays["exceptions"])
                lists = {name: Adjacency(_starts(arrays[f"{name}_count"]), arrays[name]) for name in LISTS}
                nouns = int(arrays["nouns"])
        except (OSError, ValueError, KeyError, zlib.error, zipfile.BadZipFile) as error:
            raise SourceError(f"not a lexicon ({error}); build it with scripts/build_lexicon.py", path) from error
        forms = (line.split("\t") for line in exceptions)
        return cls(
            words={word: row for row, word in enumerate(words)},
            exceptions={form: tuple(bases) for form, *bases in forms},
            nouns=nouns,
            **lists,
        )


def _unpack(packed: NDArray[np.uint8]) -> list[str]:
    return packed.tobytes().decode().split("\n") if packed.size else []


def _starts(counts: ArrayLike) -> NDArray[np.int32]:
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int32)), dtype=np.int32)


class Lexicon:
    """Lexical relations between words, compounds ("better half") included. Upper and lower case are alike.

    No method raises on any text: a word that the lexicon lacks has no lemmas, no kind and no relatives.
    """

    def __init__(self, tables: WordTables) -> None:
        self.tables = tables
        # Synsets are numbered in the order of WordNet's files: nouns, verbs, adjectives, of which "able" is the first.
        self._first_adjective = min((s for s in self._senses("able") if s >= tables.nouns), default=tables.nouns)
        self._lemmas = lru_cache(_CACHED_WORDS)(self._find_lemmas)
        self._reach = lru_cache(_CACHED_WORDS)(self._find_reach)
        self._meanings = lru_cache(_CACHED_WORDS)(self._find_meanings)
        self._parents = lru_cache(_CACHED_WORDS)(self._find_parents)
        self._relatedness = lru_cache(_CACHED_PAIRS)(self._find_relatedness)
        self.is_region = lru_cache(_CACHED_WORDS)(self._is_region)
        self._first_noun_chain = lru_cache(_CACHED_WORDS)(self._find_first_noun_chain)

    def lemmas(self, word: str) -> tuple[str, ...]:
        """The base forms that the lexicon has for a word, itself first: "movies" -> ("movie",)."""
        return self._lemmas(word.lower())

    def relatedness(self, word: str, label_word: str) -> float:
        """How well ``word`` (of a question) means ``label_word`` (of a relation's label), in [0, 1].

        1 for words with a common lemma; high where ``word`` is derived from the other or is a kind of it, lower the
        other way round, lower still where they are two kinds of one thing. 0 for unknown words that differ.
        """
        return self._relatedness(word.lower(), label_word.lower())

    def synonyms(self, word: str) -> tuple[str, ...]:
        """Other words for the most frequent sense of each base form of a word, sorted."""
        words = {bearer for sense in self.senses(word, 1) for bearer in self.bearers(sense)}
        return tuple(sorted(words - {word.lower(), *self.lemmas(word)}))

    def antonyms(self, word: str) -> tuple[str, ...]:
        """The words that are the opposite of a base form of the word in some sense ("rise" - "fall"), sorted."""
        rows = {row for lemma in self.lemmas(word) for row in self.tables.antonyms[self.tables.words[lemma]]}
        return tuple(sorted(self._words[row] for row in rows))

    @cached_property
    def _words(self) -> list[str]:
        return list(self.tables.words)

    @cached_property
    def _by_sense(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The senses of all words in ascending order, and the row of the word that has each."""
        order = np.argsort(self.tables.senses.targets, kind="stable")
        rows = np.searchsorted(self.tables.senses.start, order, side="right") - 1
        return self.tables.senses.targets[order], rows

    def bearers(self, sense: int) -> list[str]:
        """The words that have a sense."""
        senses, rows = self._by_sense
        first, last = np.searchsorted(senses, (sense, sense + 1))
        return [self._words[row] for row in rows[first:last].tolist()]

    def is_a(self, word: str, kind: str) -> bool:
        """Whether the most frequent noun sense of ``word`` is a kind (or an instance) of that of ``kind``."""
        target = self._first_noun(kind.lower())
        return target is not None and target in self._first_noun_chain(word.lower())

    def is_kind_of(self, word: str, other: str) -> bool:
        """Whether a sense of a word as a noun is a kind of one of another word's, or the other way round."""
        first, second = set(self.noun_senses(word)), set(self.noun_senses(other))
        return bool(second & self.above(first) or first & self.above(second))

    def senses(self, word: str, most: int | None = None) -> list[int]:
        """The senses of a word, the ``most`` frequent of each base form (None: all), the most frequent first."""
        return list(dict.fromkeys(sense for lemma in self.lemmas(word) for sense in self._senses(lemma)[:most]))

    def noun_senses(self, word: str) -> list[int]:
        """The senses of a word as a noun, the most frequent of each base form first."""
        return [sense for sense in self.senses(word) if sense < self.tables.nouns]

    def related_senses(self, word: str) -> list[int]:
        """The first two senses of each base form of a word, and those that these derive from: "American" - America."""
        senses = self.senses(word, _RELATED_SENSES)
        return list(dict.fromkeys([*senses, *(other for sense in senses for other in self.tables.derivations[sense])]))

    def is_kind(self, sense: int, kind: str) -> bool:
        """Whether a sense is a kind, or an instance, of the most frequent noun sense of ``kind``."""
        return self._first_noun(kind) in self.above([sense])

    def regions(self, name: str) -> frozenset[int]:
        """The senses of a name that are regions: of "Georgia" two."""
        return frozenset(filter(self.is_region, self.noun_senses(name)))

    def _is_region(self, sense: int) -> bool:
        """Whether a sense is one country, state, province or county: no town, and not "county" itself."""
        kinds = [name for kind in self.tables.hypernyms[sense] for name in self.bearers(kind)]
        if not self.tables.wholes[sense] and not any(name.endswith(" country") for name in kinds):
            return False
        return self.is_kind(sense, "administrative district") and not self.is_kind(sense, "municipality")

    def wholes(self, sense: int) -> set[int]:
        """A sense and all that it is a part of: Paris, France, Europe."""
        wholes = frontier = {sense}
        while frontier:
            frontier = {whole for part in frontier for whole in self.tables.wholes[part]} - wholes
            wholes = wholes | frontier
        return wholes

    def is_noun(self, word: str) -> bool:
        """Whether a base form of the word has a sense as a noun."""
        return any(self._first_noun(lemma) is not None for lemma in self.lemmas(word))

    def is_verb(self, word: str) -> bool:
        """Whether a base form of the word has a sense as a verb."""
        verbs = range(self.tables.nouns, self._first_adjective)
        return any(sense in verbs for lemma in self.lemmas(word) for sense in self._senses(lemma))

    def is_adjective(self, word: str, *, first: bool = True) -> bool:
        """Whether the word itself has a sense as an adjective or adverb.

        Args:
            first: whether this must be its most frequent sense.
        """
        senses = self._senses(word.lower())[: 1 if first else None]
        return any(sense >= self._first_adjective for sense in senses)

    def coarse_type(self, word: str) -> CoarseType | None:
        """What a noun asks for: "actress" a person, "city" a location, "year" a time, "genre" another thing."""
        for coarse, kinds in _KINDS:
            if any(self.is_a(word, kind) for kind in kinds):
                return coarse
        return "thing" if self.is_noun(word) else None

    def _find_lemmas(self, word: str) -> tuple[str, ...]:
        words = self.tables.words
        lemmas = [word] if word in words else []
        irregular = self.tables.exceptions.get(word)
        if irregular is not None:
            lemmas += irregular
        else:  # an irregular form takes no regular ending off, even where its base form is unknown
            for ending, base in _ENDINGS:
                if word.endswith(ending) and len(word) > len(ending) + 1:
                    candidate = word[: -len(ending)] + base
                    if candidate in words:
                        lemmas.append(candidate)
            doubled = _DOUBLED.fullmatch(word)
            if doubled and doubled[1] in words:
                lemmas.append(doubled[1])
        return tuple(dict.fromkeys(lemmas))

    def _senses(self, lemma: str) -> list[int]:
        row = self.tables.words.get(lemma)
        return [] if row is None else self.tables.senses[row]

    def _weighted_senses(
        self, word: str, most: int = _SENSES, step: float = _SENSE_STEP
    ) -> Iterator[tuple[int, float]]:
        for lemma in self._lemmas(word):
            for rank, synset in enumerate(self._senses(lemma)[:most]):
                yield synset, 1 - step * rank

    def _find_reach(self, word: str) -> Weights:
        """The meanings within ``depth`` steps upwards, and those derived from one of these."""
        reached = Weights()
        for sense, weight in self._weighted_senses(word):
            _keep_larger(reached, sense, weight)
            frontier = [(sense, weight)]
            for step in range(_DEPTH):
                further: list[tuple[int, float]] = []
                for synset, value in frontier:
                    up, across = value - _HYPERNYM_STEP, value - _DERIVATION_STEP
                    # Only what is derived from the word itself is followed upwards: each derivation drifts in meaning.
                    steps = [(parent, up, True) for parent in self.tables.hypernyms[synset]]
                    steps += [(derived, across, step == 0) for derived in self.tables.derivations[synset]]
                    further += [(to, w) for to, w, followed in steps if _keep_larger(reached, to, w) and followed]
                frontier = further
        return reached

    def _find_meanings(self, word: str) -> Weights:
        """The word's own senses and what is derived from them."""
        meanings = Weights()
        for synset, weight in self._weighted_senses(word):
            _keep_larger(meanings, synset, weight)
            for derived in self.tables.derivations[synset]:
                _keep_larger(meanings, derived, weight - _DERIVATION_STEP)
        return meanings

    def _find_parents(self, word: str) -> Weights:
        """The direct hypernyms of the most frequent senses."""
        parents = Weights()
        for synset, weight in self._weighted_senses(word, _SIBLING_SENSES, _SIBLING_SENSE_STEP):
            for parent in self.tables.hypernyms[synset]:
                _keep_larger(parents, parent, weight)
        return parents

    def _find_relatedness(self, word: str, label_word: str) -> float:
        if word == label_word or not set(self._lemmas(word)).isdisjoint(self._lemmas(label_word)):
            return 1.0
        return max(
            _overlap(self._meanings(label_word), self._reach(word)),
            _overlap(self._meanings(word), self._reach(label_word)) * _DOWNWARD,
            _overlap(self._parents(word), self._parents(label_word)) * _SIBLING,
        )

    def _first_noun(self, lemma: str) -> int | None:
        return next((synset for synset in self._senses(lemma) if synset < self.tables.nouns), None)

    def _find_first_noun_chain(self, word: str) -> frozenset[int]:
        """The first noun sense of each lemma and all that is above it."""
        firsts = (self._first_noun(lemma) for lemma in self._lemmas(word))
        return self.above(synset for synset in firsts if synset is not None)

    def above(self, senses: Iterable[int], steps: int = _DEEPEST) -> frozenset[int]:
        """Senses and all that is more general, up to some steps."""
        chain = frontier = frozenset(senses)
        for _ in range(steps):
            frontier = frozenset(up for synset in frontier for up in self.tables.hypernyms[synset]) - chain
            chain |= frontier
        return chain


def _keep_larger(weights: Weights, synset: int, weight: float) -> bool:
    """Keep the larger weight, and return whether that is the new one."""
    if weight > weights.get(synset, 0.0):
        weights[synset] = weight
        return True
    return False


def _overlap(first: Weights, second: Weights) -> float:
    return max((weight * second[synset] for synset, weight in first.items() if synset in second), default=0.0)


@lru_cache(maxsize=1)
def get_lexicon() -> Lexicon:
    """WordNet 3.0, read at the first call (a tenth of a second), one instance per process."""
    with as_file(files("toulmin.english") / "wordnet" / "wordnet-3.0.npz") as path:
        return Lexicon(WordTables.load(path))
