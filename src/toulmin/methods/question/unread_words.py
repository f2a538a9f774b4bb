"""Words of a question that neither a linked name nor a relation on the path reads: the answer is to another question.

"Which medicines are *not* contraindicated in pregnancy", "the *cheapest* tyre", "*should* I take X" and "tell me
*whether* X is Y" mean something else than the same words without these (``restrictions``). A word is read if it is part
of a name that was linked, or of the label of a relation on the path ("not recommended with", "last name") beside the
other words of that label.

And what the first words of a question ask for, and which of its words carry content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal as Choice

from toulmin.english.denials import DENYING_PREFIXES, negates
from toulmin.english.lexicon import Lexicon
from toulmin.english.words import (
    AUXILIARIES,
    COUNTS,
    PREPOSITIONS,
    QUESTION_STOP_WORDS,
    QUESTION_WORDS,
    SAME,
    YES_OR_NO,
)
from toulmin.graph.quantities import parse_quantity
from toulmin.graph.values import literal_from_text
from toulmin.methods.question.restrictions import (
    Kind,
    QuestionToken,
    Restriction,
    is_restricting,
    politeness_blanked,
    restrictions,
    tokens,
)
from toulmin.program.reasons import Unread

__all__ = ["Asks", "asks_for", "content_words", "opposing_label", "question_word", "unread_reason", "unread_words"]

_PREFIXED = 6  # letters of a word that a prefix may deny: "form" and "inform" are no opposites
#: Words for one bound, or one place in an order, of which a label may have another than the question: "min age".
_ONE_BOUND = tuple(
    frozenset(map(str.strip, words.split(",")))
    for words in (
        "min, minimum, minimal, at least",
        "max, maximum, maximal, at most, up to",
        "until, till, up to",
        "last, latest, newest, most recent, most recently",
        "first, earliest, initial, original, debut",
        "second, deputy, vice",
    )
)
_ALIKE = 0.9  # how near a word that has synonyms ("allowed") must be to one of a label to be read by it


def unread_words(
    question: str, names: Sequence[tuple[int, int, str]], labels: Iterable[str], lexicon: Lexicon
) -> list[Restriction]:
    """The words of a question that restrict or deny and that neither a linked name nor a relation's label reads.

    Args:
        names: the linked mentions that the answer rests on, first the one that it was searched from: start, end, and
            the name that the graph has for it.
        labels: of the relations on the path, in order.
    """
    words = tokens(question)
    forms = [(start, end, {token.text for token in tokens(form)}) for start, end, form in names]
    path = _Labels(words, labels, lexicon)
    left: list[Restriction] = []
    for restriction in restrictions(question, tuple((start, end) for start, end, _ in names), lexicon):
        phrase, begin, stop = restriction.phrase, restriction.start, restriction.end
        inside = [token for token in words if begin <= token.start and token.end <= stop][-len(phrase) :]
        named = any(
            start <= (begin if _is_amount(question[start:end]) else inside[0].start)
            and stop <= end
            and form.issuperset(phrase)
            for start, end, form in forms
        )
        following = next((token.start for token in words if token.start >= stop), None)
        beside = bool(names) and following == names[0][0]
        if not phrase or not (named or path.read(phrase, restriction.kind, beside=beside)):
            left.append(restriction)
    return _merged(question, left)


def _is_amount(name: str) -> bool:
    """Whether a name is a number, a time or an amount, which a word before it may bound ("around 1987")."""
    return parse_quantity(name) is not None or literal_from_text(name) is not None


class _Labels:
    """The labels of a path's relations, each word of which reads one word of the question."""

    def __init__(self, words: Sequence[QuestionToken], labels: Iterable[str], lexicon: Lexicon) -> None:
        self._asked = {lemma for token in words for lemma in (token.text, *lexicon.lemmas(token.text))}
        self._left = [[token.text for token in tokens(label)] for label in labels]
        self._lexicon = lexicon

    def read(self, phrase: tuple[str, ...], kind: Kind, *, beside: bool) -> bool:
        """Whether a label reads words of a kind; its other words must be asked for too.

        Args:
            beside: whether they stand right before the first name, and so belong to the first relation.
        """
        alike = [words for words in _ONE_BOUND if " ".join(phrase) in words]
        for number, label in enumerate(self._left):
            bound = next((word for word in label if any(word in words for words in alike)), None)
            read_words = [
                bound or next((label_word for label_word in label if self._same(word, label_word, kind)), None)
                for word in phrase
            ]
            unread = [word for word in label if word not in read_words]
            content = [word for word in unread if word not in QUESTION_STOP_WORDS and not is_restricting(word)]
            if None in read_words or (beside and number and kind == "comparison"):
                continue
            if not content or any(self._is_asked(word) for word in content):
                for word in set(read_words) if bound else read_words:
                    label.remove(word or "")
                return True
        return False

    def _same(self, word: str, label_word: str, kind: Kind) -> bool:
        if word == label_word or (kind == "order" and word in self._lexicon.lemmas(label_word)):
            return True  # whom "did X second" asks for is who was "seconded by" X
        if kind not in ("modality", "negation", "count"):  # "better" is not "good"
            return False
        if label_word in QUESTION_STOP_WORDS:
            return False
        return self._lexicon.relatedness(word, label_word) >= _ALIKE and not _is_opposite(
            word, label_word, self._lexicon
        )

    def _is_asked(self, word: str) -> bool:
        return not self._asked.isdisjoint((word, *self._lexicon.lemmas(word))) or any(
            self._lexicon.relatedness(asked, word) >= _ALIKE for asked in self._asked - QUESTION_STOP_WORDS
        )


def _merged(question: str, unread: Sequence[Restriction]) -> list[Restriction]:
    """Words of one kind that stand side by side, or overlap, taken together: "more than 5"."""
    merged: list[Restriction] = []
    for word in unread:
        last = merged[-1] if merged else None
        beside = last is not None and (word.end <= last.end or not question[last.end : word.start].strip())
        if last is not None and beside and {word.kind, last.kind} <= {"number", "comparison"}:
            end = max(last.end, word.end)
            merged[-1] = replace(last, end=end, text=question[last.start : end])
        else:
            merged.append(word)
    return merged


_NUMBER_OF = re.compile(r"\bno\.?(?= of\b)|\bno\.", re.IGNORECASE)  # "No. of spans" denies nothing


def opposing_label(question: str, labels: Iterable[str], lexicon: Lexicon) -> str | None:
    """The label that says the opposite of the question: it denies what the question does not, or by another word.

    "Which medicines are indicated in …" is not answered by "contraindicated in", nor "unsuitable" by "suitable for".
    """
    asked = {token.text for token in tokens(question)}
    denies = any(map(negates, asked))
    content = {lemma for word in asked - QUESTION_STOP_WORDS for lemma in (word, *lexicon.lemmas(word))}
    for label in labels:
        for word in {token.text for token in tokens(_NUMBER_OF.sub("number", label))} - QUESTION_STOP_WORDS:
            lemmas = {word, *lexicon.lemmas(word)}
            if negates(word) and not denies:
                return label
            if lemmas.isdisjoint(content) and any(
                _is_opposite(lemma, asked_word, lexicon) for lemma in lemmas for asked_word in content
            ):
                return label
    return None


def _is_opposite(word: str, second: str, lexicon: Lexicon) -> bool:
    """Whether one word is the other with a prefix that denies it, or they are adjectives of opposite meaning."""
    short, long = sorted((word, second), key=len)
    if len(short) >= _PREFIXED and long.endswith(short) and long.removesuffix(short) in DENYING_PREFIXES:
        return True
    return lexicon.is_adjective(word) and lexicon.is_adjective(second) and word in lexicon.antonyms(second)


def unread_reason(words: Sequence[Restriction]) -> Unread:
    """Why there is no answer: words that were not read, at least one, with their kind."""
    return Unread(words=tuple((word.start, word.start + len(word.text), word.kind) for word in words))


_ASKS = re.compile(
    rf"\W*(?:(?:{'|'.join(sorted(PREPOSITIONS))})\s+)?({'|'.join(sorted(QUESTION_WORDS))})\b", re.IGNORECASE
)
_CLAUSE = re.compile(rf",\s+(?:{'|'.join(sorted(AUXILIARIES))})\b", re.IGNORECASE)

Asks = Choice["things", "number", "yes or no"]


_TOKEN = re.compile(r"[\w$]+(?:’\w+)*|'s")
_NO_CONTENT = QUESTION_STOP_WORDS | SAME | {"'s"}


def _words_of(text: str) -> list[str]:
    """The lower-cased words of a text; hyphens separate, a possessive is a word."""
    return _TOKEN.findall(text.lower().replace("-", " "))


def asks_for(question: str) -> Asks:
    """What kind of answer the first words of a question ask for."""
    words = _words_of(question)
    if words and words[0] in YES_OR_NO and "or" not in words:
        return "yes or no"
    return "number" if tuple(words[:2]) in COUNTS else "things"


def question_word(question: str) -> str | None:
    """The word with which a question asks for things or a number ("in which …"); None where none begins it.

    Nor where a later clause asks for yes or no: "Where it rains, do they sail?"
    """
    match = _ASKS.match(politeness_blanked(question))
    return None if match is None or _CLAUSE.search(question) else match[1]


def content_words(text: str) -> tuple[str, ...]:
    """The distinct words of a text that carry content of their own."""
    return tuple(dict.fromkeys(word for word in _words_of(text) if word not in _NO_CONTENT))
