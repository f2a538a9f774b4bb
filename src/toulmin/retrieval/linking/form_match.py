"""The words of a question against the names of a graph: what their case says, and which words stand for a name."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS, PRONOUNS
from toulmin.retrieval.linking.mention_words import (
    bare_words,
    information,
    is_common,
    is_dictionary_word,
    kindred,
    words_of,
)

__all__ = ["FormMatch"]

_ARTICLES = frozenset(("the", "a", "an"))
#: Words that stand within proper names, and join their parts.
_JOINING = frozenset("of the and al de la le el von van der den di da du del bin ibn".split())
_QUOTES = frozenset(('""', "''", "“”", "„“", "‘’", "«»", "``"))
_GAP = 0.05  # what a function word that the name lacks takes off
_TELLING = 0.75  # information from which on a word is worth a search though other words are understood


class FormMatch:
    """Matches the words of a question with the forms of names.

    Attributes:
        words: in order.
        cased: whether case tells names: a word after the first has a capital.
        function: per word, whether it is a function word.
        information: per word, ``words.information``.
    """

    def __init__(self, question: str) -> None:
        self.question = question
        self.words = words_of(question)
        self.cased = any(word.text != word.lower for word in self.words[1:])
        self.information = [information(word.lower) for word in self.words]
        self.function = [
            word.lower in FUNCTION_WORDS
            and not (place and word.lower in PRONOUNS and self.words[place - 1].lower in _ARTICLES)
            for place, word in enumerate(self.words)
        ]

    def text(self, first: int, last: int) -> str:
        """The words from ``first`` up to ``last`` (exclusive), as the question has them."""
        return self.question[self.words[first].start : self.words[last - 1].end]

    def capital(self, first: int, last: int) -> bool:
        """Whether a word other than the question's first has a capital."""
        return any(word.text != word.lower for word in self.words[max(first, 1) : last])

    def content(self, first: int, last: int) -> int:
        """How many words are no function words."""
        return last - first - sum(self.function[first:last])

    def number(self, first: int, last: int) -> bool:
        """Whether all words are numbers."""
        return all(word.lower.isdecimal() for word in self.words[first:last])

    def is_plain(self, first: int, last: int) -> bool:
        """Whether a span is one word of a dictionary, which may name a common thing and a title ("Mercury")."""
        return last - first == 1 and not self.function[first] and is_dictionary_word(self.words[first].lower)

    def adds_kind(self, span: tuple[int, int], form: str) -> bool:
        """Whether a name is a span of one plain word and a noun for its kind ("Mercury", "planet Mercury")."""
        if not self.is_plain(*span):
            return False
        word, names = self.words[span[0]].bare, bare_words(form)
        return len(names) == 2 and any(
            name == word and other != word and is_common(other) for name, other in (names, reversed(names))
        )

    def likelihood(self, first: int, last: int, form: str) -> float:
        """How likely these words are meant as a name, going by their case and commonness, 0 to 1.

        Args:
            form: the name they are taken for.
        """
        span = self.words[first:last]
        content = self.content(first, last)
        form_words = [word.text for word in words_of(form)]
        same = [word.text for word in span] == form_words
        capital = self.capital(first, last)
        start, end = span[0].start, span[-1].end
        if (
            start and self.question[start - 1] + self.question[end : end + 1] in _QUOTES
        ):  # also "come away with me", of which no word says much
            return 1.0
        if not content:
            return 0.8 if same and capital else 0.05 if same else 0.02
        if self.number(first, last):
            return 0.5
        if capital:
            return 1.0 if same else 0.8
        if content > 1:
            lowered = 0.4 if self.cased else 0.8
            return (0.7 if self.cased else 1.0) if same else lowered
        word = next(w.lower for place, w in enumerate(span, first) if not self.function[place])
        sought = form_words[0].casefold() if len(form_words) == 1 else word
        common, listed = is_common(sought), is_dictionary_word(sought)
        if same:
            return 0.7 * information(word) ** 2 if common else 0.7 if self.cased else 1.0
        if self.cased:
            return 0.1 if common else 0.2 if listed else 0.6
        return 0.8 * information(word) ** 2 if common else 0.7 if listed else 0.8

    def runs(self, covered: Sequence[tuple[int, int]], most: int) -> list[tuple[int, int]]:
        """Runs of words that look like names and are not covered by one name, the most telling first.

        Args:
            covered: spans that are understood.
            most: how many runs.
        """
        taken = [False] * len(self.words)
        for first, last in covered:
            taken[first:last] = [True] * (last - first)
        shape = "".join(
            "n" if self._may_name(place) else "j" if self.cased and word.lower in _JOINING else " "
            for place, word in enumerate(self.words)
        )
        runs = [match.span() for match in re.finditer("n(?:j?n)*", shape)]  # words of names, and what joins them
        open_runs = [run for run in runs if self._worth(run, taken, bool(covered))]
        if not runs and not covered and (content := [p for p, function in enumerate(self.function) if not function]):
            open_runs.append((content[0], content[-1] + 1))
        return sorted(open_runs, key=lambda run: -sum(self.information[run[0] : run[1]]))[:most]

    def _may_name(self, place: int) -> bool:
        if self.function[place]:
            return False
        return self.capital(place, place + 1) if self.cased else not self.words[place].lower.isdecimal()

    def _worth(self, run: tuple[int, int], taken: Sequence[bool], covered: bool) -> bool:
        """Whether a run has a telling word that is not understood."""
        unknown = [place for place in range(*run) if not taken[place] and not self.function[place]]
        if self.cased or not covered:
            return bool(unknown)
        return any(self.information[place] >= _TELLING for place in unknown)

    def gist(self, run: tuple[int, int]) -> tuple[int, int]:
        """The part of a run that is not plain English, if any; else without words that are no nouns at its ends."""
        first, last = run
        strange = [place for place in range(*run) if not is_dictionary_word(self.words[place].lower)]
        if strange:
            return strange[0], strange[-1] + 1
        lexicon = get_lexicon()
        while last - first > 1 and not lexicon.is_noun(self.words[last - 1].lower):
            last -= 1
        while last - first > 1 and not lexicon.is_noun(self.words[first].lower):
            first += 1
        return first, last

    def align(self, run: tuple[int, int], form: str) -> tuple[tuple[int, int], float] | None:
        """Which words of a run stand for a name, if any: first and last (exclusive), and how well they do.

        Args:
            run: first and last (exclusive) word.
            form: the name.
        """
        names = bare_words(form)
        partner = self._partners(run, names)
        best, window, total, start = 0.0, (0, 0), 0.0, run[0]
        for place in range(*run):  # the window of the largest sum (Kadane's algorithm)
            if place in partner:
                gain = (self.information[place] + _GAP) * partner[place][1]
            else:
                gain = -_GAP if self.function[place] else -self.information[place]
            if total <= 0:
                total, start = 0.0, place
            total += gain
            if total > best:
                best, window = total, (start, place + 1)
        quality = self._measured(window, names, partner)
        return None if quality is None else (window, quality)

    def compare(self, span: tuple[int, int], form: str) -> float | None:
        """How well the words of a span, all of them, stand for a name; None where nothing is alike.

        0 to 1: a name may be shortened, but not lack what was said.
        """
        names = bare_words(form)
        return self._measured(span, names, self._partners(span, names))

    def _partners(self, run: tuple[int, int], names: Sequence[str]) -> dict[int, tuple[int, float]]:
        """Word of the run -> word of the name that it is most like, and how much; one to one."""
        pairs = [
            (alike, place, k)
            for place in range(*run)
            for k, name in enumerate(names)
            if (alike := kindred(self.words[place].bare, name)) > 0
        ]
        partner: dict[int, tuple[int, float]] = {}
        used: set[int] = set()
        for alike, place, k in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
            if place not in partner and k not in used:
                partner[place] = k, alike
                used.add(k)
        return partner

    def _measured(
        self, span: tuple[int, int], names: Sequence[str], partner: dict[int, tuple[int, float]]
    ) -> float | None:
        first, last = span
        shared = [(place, *partner[place]) for place in range(first, last) if place in partner]
        if all(self.function[place] for place, _, _ in shared):
            return None
        # The share of the name's information that the words have, and of the words' information that the name has.
        weights = [information(name) + _GAP for name in names]
        of_name = sum(weights[k] * alike for _, k, alike in shared) / sum(weights)
        total = sum(self.information[first:last]) + _GAP * (last - first)
        of_span = sum((self.information[place] + _GAP) * alike for place, _, alike in shared) / total
        return of_span**2 * math.sqrt(of_name)
