"""Lexical relations that join a word of a premise and one of a hypothesis: "actor is a kind of entertainer."

This is the knowledge for tables of papers/rr 4.4.

From WordNet (the package's lexicon: opposites, synonyms, kinds, kinds of one thing, derivations) and from a file of
ConceptNet triples, ``relation<TAB>head<TAB>tail``. A relation is a document of its own, which the check of an
answer makes anew from the lexicon or the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.errors import SourceError
from toulmin.graph.readers.stream import SourceStream
from toulmin.retrieval.knowledge.evidence import Evidence, ranked, wording
from toulmin.retrieval.passages.excerpts import Excerpt, IndexedPassage
from toulmin.retrieval.passages.indexing import decoded

__all__ = ["ConceptNet", "LexicalKnowledge", "LexicalRelation", "WordNetRelations"]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_LONGEST = 3  # words of a term
_SHORT = 2  # letters of words that are mostly abbreviations
_SENSES = 3  # of a word that count, the most frequent first
_DEPTH = 3  # steps from a kind to what it is a kind of


@dataclass(frozen=True, slots=True)
class LexicalRelation:
    """A relation between two terms, in one direction.

    Args:
        relation: its name, as ConceptNet has it ("IsA"), and "KindsOf" for two kinds of one thing.
        head, tail: the terms.
    """

    relation: str
    head: str
    tail: str

    @property
    def sentence(self) -> str:
        """The relation in words."""
        if template := wording("lexical").get(self.relation):
            return template.format(a=self.head, b=self.tail)
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.relation).lower()
        return f"{self.head} {words} {self.tail}."


class WordNetRelations:
    """What WordNet says of two terms."""

    name = "WordNet 3.0"

    def __init__(self) -> None:
        self._lexicon = get_lexicon()

    def between(self, first: str, second: str) -> Iterator[LexicalRelation]:
        """The closest relation of two terms: opposites, one meaning, a kind, derived, kinds of one thing."""
        senses, others = (self._lexicon.senses(term, _SENSES) for term in (first, second))
        if not senses or not others or set(self._lexicon.lemmas(first)) & set(self._lexicon.lemmas(second)):
            return
        tables = self._lexicon.tables
        if set(self._lexicon.antonyms(first)) & set(self._lexicon.lemmas(second)):
            yield LexicalRelation("Antonym", first, second)
        elif set(senses) & set(others):
            yield LexicalRelation("Synonym", first, second)
        elif above := self._lexicon.above(senses, _DEPTH).intersection(others):
            yield LexicalRelation(self._upwards(above), first, second)
        elif above := self._lexicon.above(others, _DEPTH).intersection(senses):
            yield LexicalRelation(self._upwards(above), second, first)
        elif set(others) & {to for sense in senses for to in tables.derivations[sense]}:
            yield LexicalRelation("RelatedTo", first, second)
        elif self._parents(senses[:1]) & self._parents(others[:1]):
            yield LexicalRelation("KindsOf", first, second)

    def known(self, relation: LexicalRelation) -> bool:
        """Whether this is what ``between`` says of the terms."""
        terms = relation.head, relation.tail
        return any(relation in self.between(*pair) for pair in (terms, terms[::-1]))

    def _upwards(self, above: frozenset[int]) -> str:
        """What a step upwards says: of nouns a kind, of other words likeness."""
        return "IsA" if min(above) < self._lexicon.tables.nouns else "SimilarTo"

    def _parents(self, senses: Sequence[int]) -> set[int]:
        nouns = self._lexicon.tables.nouns
        return {up for sense in senses if sense < nouns for up in self._lexicon.tables.hypernyms[sense]}


class ConceptNet:
    """Triples of a file, ``relation<TAB>head<TAB>tail``, further columns are left aside; .gz and .bz2 are unpacked.

    Raises:
        SourceError: no such file, not UTF-8, a line without three columns, or no line at all; with the line.
    """

    name = "ConceptNet"

    def __init__(self, path: str | Path) -> None:
        self._pairs: dict[tuple[str, str], list[str]] = {}
        with SourceStream(Path(path)) as stream:
            for number, line in decoded(stream):
                if not line.strip():
                    continue
                columns = [column.strip() for column in line.split("\t")]
                if len(columns) < 3 or not all(columns[:3]):
                    raise SourceError("relation, head and tail are expected, between tabs", path, number)
                relation, head, tail = columns[0], columns[1].lower(), columns[2].lower()
                self._pairs.setdefault((head, tail), []).append(relation)
        if not self._pairs:
            raise SourceError("the file is empty: give lines of relation, head and tail", path)

    def between(self, first: str, second: str) -> Iterator[LexicalRelation]:
        """The triples that join two terms, in both directions."""
        for head, tail in ((first, second), (second, first)):
            for relation in dict.fromkeys(self._pairs.get((head, tail), ())):
                yield LexicalRelation(relation, head, tail)

    def known(self, relation: LexicalRelation) -> bool:
        """Whether the file has this triple."""
        return relation.relation in self._pairs.get((relation.head, relation.tail), ())


class LexicalKnowledge:
    """Relations that join a term of the premise with one of the hypothesis, most similar to the sentence first.

    Args:
        premise: its text; "": each sentence is the premise of what it is ``about``.
        conceptnet: a file of triples; None: WordNet alone.
        wordnet: whether WordNet is asked.
        k: how many each sentence gets; None: all.

    Raises:
        SourceError: the file cannot be used.
    """

    def __init__(
        self,
        premise: str = "",
        *,
        conceptnet: str | Path | ConceptNet | None = None,
        wordnet: bool = True,
        k: int | None = 10,
    ) -> None:
        given = ConceptNet(conceptnet) if isinstance(conceptnet, str | Path) else conceptnet
        self._sources: list[WordNetRelations | ConceptNet] = [WordNetRelations()] if wordnet else []
        self._sources += [given] if given else []
        self._premise, self._k = premise, k
        self.name = "lexical relations (" + ", ".join(source.name for source in self._sources) + ")"

    def find(self, sentences: Sequence[str], *, about: str = "") -> list[list[Evidence]]:
        """The relations between the premise and what it is ``about`` ("": the sentence itself), for each sentence."""
        pairs = [(self._premise or sentence, about or sentence) for sentence in sentences]
        by_pair = {pair: self._joining(*pair) for pair in dict.fromkeys(pairs)}
        return ranked(sentences, [by_pair[pair] for pair in pairs], self._k)

    def document(self, source: str) -> str | None:
        """The sentence of a relation, where the lexicon or the file still has it."""
        where, _, rest = source.partition(": ")
        parts = rest.split(" / ")
        if len(parts) != 3:
            return None
        relation = LexicalRelation(*parts)
        return next((relation.sentence for s in self._sources if s.name == where and s.known(relation)), None)

    def _joining(self, premise: str, hypothesis: str) -> list[Evidence]:
        there, here = _terms(premise), _terms(hypothesis)
        pairs = [(first, second) for second in here for first in there if first != second]
        by_sentence: dict[str, Evidence] = {}
        for source, pair in product(self._sources, pairs):
            for relation in source.between(*pair):
                sentence = relation.sentence
                name = f"{source.name}: {relation.relation} / {relation.head} / {relation.tail}"
                by_sentence.setdefault(sentence, Evidence(sentence, Excerpt.of(IndexedPassage(name, sentence))))
        return list(by_sentence.values())


def _terms(text: str) -> list[str]:
    """Words that tell something, and compounds that the lexicon knows, in lower case and nouns in the singular.

    Numbers are left out, and names of several words that the lexicon does not know: "Hills" in "Mary Hills" is
    no slope.
    """
    words, lexicon = list(_WORD.finditer(text)), get_lexicon()
    named = [word[0][0].isupper() and word[0].lower() not in FUNCTION_WORDS for word in words]
    terms: dict[str, None] = {}
    place = 0
    while place < len(words):
        ends = range(min(place + _LONGEST, len(words)), place + 1, -1)
        phrases = {end: text[words[place].start() : words[end - 1].end()].lower() for end in ends}
        end = next((end for end, phrase in phrases.items() if phrase in lexicon.tables.words), place + 1)
        term = phrases.get(end) or _singular(words[place][0].lower())
        telling = len(term) > _SHORT and term not in FUNCTION_WORDS and not term[0].isdecimal()
        alone = telling and not _in_name(text, words, named, place)
        if end in phrases or (alone and not lexicon.is_a(term, "integer")):
            terms.setdefault(term)
        place = end
    return list(terms)


def _in_name(text: str, words: Sequence[re.Match[str]], named: Sequence[bool], place: int) -> bool:
    """Whether a word with a capital stands right beside another one."""
    before = place > 0 and named[place - 1] and text[words[place - 1].end() : words[place].start()] == " "
    after = place + 1 < len(words) and named[place + 1] and text[words[place].end() : words[place + 1].start()] == " "
    return named[place] and (before or after)


def _singular(word: str) -> str:
    """The base form of a plural: "cities" -> "city"; other words as they are."""
    if not word.endswith("s") or word in get_lexicon().tables.words:
        return word
    return min(get_lexicon().lemmas(word), key=len, default=word)
