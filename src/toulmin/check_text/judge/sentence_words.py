"""Whether a sentence says a name: in full, shortened, inflected, as initials, as the word for its people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, dropwhile

from toulmin.check_text.judge.spelling import is_another_word, main_part, name_words
from toulmin.english.lexicon import get_lexicon
from toulmin.english.text_values import Value, best_value, value_of, values_in
from toulmin.english.words import FUNCTION_WORDS
from toulmin.retrieval.linking.mention_words import (
    Word,
    bare_words,
    information,
    is_common,
    is_dictionary_word,
    kindred,
    words_of,
)

__all__ = ["NamePlace", "SentenceWords", "by_short_name", "capitalised_runs", "codes", "squashed"]

_EXTRA = 0.12  # weight of words after a comma or in brackets: "Austin, Texas" is called Austin
_GAP = 0.1  # added to each word's information
_FUNCTION = 0.2  # weight of a function word
_AGREES = 0.5  # agreement of a value, from which on it is said
_FAR = 0.01  # taken off for each word between two words of a name
_INFLECTED = 0.95  # of two forms of one word
_NEAR = 0.2  # below ``_ALIKE``, for words that lie apart
_ROUND = 0.05  # added to how alike two words are
_APART = 0.95  # of a name whose words stand in two places
_ABBREVIATED = 0.85  # of a name said by its initials, or by the word for its people
_LEAST = 0.62  # share of a name's information that must be said
_ALIKE = 0.72  # of two words, to be the same
_STEM = 4  # first letters that show two words to be of one country: "Turkey", "Turkish"
_PEOPLE = 0.85  # relatedness from which on "American" says "United States"
_OTHER_NAMES = 12
_LONGEST = 8  # words of a name that is compared by its letters
_INITIALS = 3  # words of a name that has initials
_LEADS_ON = ("in", "of", "in the", "of the")
_WRITTEN = ("The ", "Saint ", "St ", "Mount ", "Mt ", "Fort ", "Ft ")  # beginnings that may be left out or shortened

_QUOTED = re.compile(r"\"([^\"]{2,})\"|“([^”]{2,})”|(?<!\w)'([^']{3,})'(?!\w)")
_CODE = re.compile(
    r"(?<![\w/-])(?=[\w./–-]*\d)(?=[\w./–-]*[A-Za-z/–-])\w[\w./–-]*\w(?![\w/-])|(?<![\w/.-])[A-Z]{2,5}(?![\w/-])"
    r"|\b(?:[A-Z]\.){2,}|\b[A-Z]\. [a-z]{3,}"
)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_CAPITAL = re.compile(r"\b[A-Z][\w.]* \Z")
_PARTICLES = FUNCTION_WORDS | frozenset("van von der den del della dos das los las ter ten".split())
_POINTS = re.compile(r"(?:\.[A-Za-z])+\.?(?!\w)")  # what follows the first letter of an abbreviation
_EPITHET = re.compile(r"[a-z]{3,}(?:us|um|is|ae|ens|ans|ii|ica|ax)")
_HYPHENS = re.compile(r"-[a-z]+-[A-Z]")  # "Harrow-under-Hill"
_FIRST_NAMES = frozenset(("don", "will", "may"))
_JOINING = frozenset("of the and de la el los las del di da du von van der al y e &".split())


@dataclass(frozen=True, slots=True)
class NamePlace:
    """Where a sentence says a name or value, and how well, 0 to 1."""

    start: int
    end: int
    score: float


Span = tuple[int, int]  # characters
Weights = tuple[tuple[str, float], ...]  # of words


@lru_cache(maxsize=200_000)
def _weighed(name: str) -> Weights:
    """The words of a name and their weights; those that only tell it from its namesakes weigh little."""
    main = bare_words(main_part(name))
    rest = bare_words(name)[len(main) :] if name.startswith(main_part(name)) else []
    weights = [(word, (information(word) + _GAP) * (_FUNCTION if word in FUNCTION_WORDS else 1.0)) for word in main]
    return (*weights, *((word, (information(word) + _GAP) * _EXTRA) for word in rest))


def squashed(name: str) -> str:
    """A name without spaces and points, accents and case: "N.W. Mühl" is "nwmuhl", "St Ann" "saintann"."""
    words = name_words(name)
    return "".join(words[1:] if len(words) > 1 and words[0] == "the" else words)


def by_short_name(names: Iterable[str]) -> dict[str, list[int]]:
    """The names of a graph's entities, by number, without what tells them from their namesakes; ``squashed``."""
    short_names: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        short = main_part(name)
        if short != name or "." in name or "-" in name or name.startswith(_WRITTEN) or not name.isascii():
            for key in {squashed(short), squashed(name)}:
                short_names.setdefault(key, []).append(number)
    return short_names


class SentenceWords:
    """A sentence, ready to be asked for many names and values."""

    def __init__(self, text: str) -> None:
        self.text, self._lexicon = text, get_lexicon()
        self.words: list[Word] = words_of(text)
        self.values: tuple[Value, ...] = values_in(text)
        self._starts = {word.bare[:3] for word in self.words}
        self._capital = [word for word in self.words if word.text != word.lower]

    def other_names(self, text: str) -> list[str]:
        """What the lexicon calls the place or people of a capitalised word: "US", "American" -> "united states"."""
        word = text.lower().strip()
        names = [name for sense in self._lexicon.related_senses(word) for name in self._lexicon.bearers(sense)]
        return [name for name in dict.fromkeys(names) if name != word][:_OTHER_NAMES]

    def is_nominal(self, word: str) -> bool:
        """Whether a word may be part of a noun phrase: a noun, or nothing that the lexicon knows."""
        return self._lexicon.is_noun(word) or not self._lexicon.lemmas(word)

    def says(self, name: str, taken: Span | None = None) -> NamePlace | None:
        """Where the sentence says a name or a value; None where it does not.

        Args:
            taken: characters that say something else, of which the name is asked.
        """
        held = value_of(name)
        if held is not None:
            best = best_value([value for value in self.values if _is_free(value, taken)], held)
            return NamePlace(best[1].start, best[1].end, best[0]) if best and best[0] > _AGREES else None
        whole = self._by_letters(name, taken)
        if whole is not None:
            return whole
        weights = _weighed(name)
        if any(word[:3] in self._starts and len(word) > 2 for word, _ in weights):
            lowered = self._without_subject(weights, taken) if taken is not None and len(weights) > 1 else weights
            place = self._by_words(lowered, len(bare_words(main_part(name))), taken)
            if place is not None:
                return place
        return self._by_initials(weights, taken) or self._by_people(name, taken)

    @cached_property
    def _windows(self) -> dict[str, Span]:
        """Runs of words by their letters."""
        windows: dict[str, Span] = {}
        bare = [word.bare.replace(" ", "") for word in self.words]
        for first in range(len(bare)):
            for last, letters in enumerate(accumulate(bare[first : first + _LONGEST]), first):
                windows.setdefault(letters, (first, last))
        return windows

    def _by_letters(self, name: str, taken: Span | None) -> NamePlace | None:
        """A name with other spaces, points or accents."""
        first, last = self._windows.get("".join(bare_words(name)), (0, -1))
        words = self.words[first : last + 1]
        if not words or not all(_is_free(word, taken) for word in words):
            return None
        if len(words) == 1 and words[0].text.islower() != main_part(name).islower():
            return None  # a common word, perhaps: by words
        return NamePlace(words[0].start, words[-1].end, 1.0)

    def _without_subject(self, weights: Weights, taken: Span) -> Weights:
        """The weights, little for words of the subject: of Turkey, "lira" says "Turkish lira"."""
        inside = [word.bare for word in self.words if taken[0] <= word.start and word.end <= taken[1]]
        subject, related = [word for word in inside if len(word) > 3], self._lexicon.relatedness

        def is_of_it(name: str) -> bool:
            return any(word[:_STEM] == name[:_STEM] or related(name, word) >= _PEOPLE for word in subject)

        lowered = tuple((name, weight * _EXTRA if is_of_it(name) else weight) for name, weight in weights)
        return lowered if any(weight > _GAP * _EXTRA * 2 for _, weight in lowered) else weights

    def _by_words(self, weights: Weights, main: int, taken: Span | None) -> NamePlace | None:
        total, gained, after = sum(weight for _, weight in weights), 0.0, -1
        places: list[int] = []
        for number, (name, weight) in enumerate(weights):
            best, at = 0.0, -1
            for place, word in enumerate(self.words):
                if word.bare[:1] != name[:1] or not _is_free(word, taken) or place in places:
                    continue
                if number >= main and not (0 <= after < place and self._follows(after, place)):
                    continue
                alike = self._alike(word, name, len(weights)) - _FAR * abs(place - after - 1) * (after >= 0)
                if alike > best:
                    best, at = alike, place
            if at >= 0 and best > _ALIKE - _NEAR:
                gained += weight * min(1.0, best + _ROUND)
                places.append(at)
                after = at
        score = gained / total if places and total > 0 else 0.0
        places = _densest(places, len(weights))
        if score < _LEAST or all(self.words[place].lower in FUNCTION_WORDS for place in places):
            return None
        first, last = min(places), max(places)
        if last - first + 1 > len(weights) + 2:  # said in two places: "the language … is English"
            kept = [place for place in places if self.words[place].text != self.words[place].lower] or places[:1]
            first = last = kept[0]
            score *= _APART
        return NamePlace(self.words[first].start, self.words[last].end, min(score, 1.0))

    def _follows(self, before: int, place: int) -> bool:
        """Whether a word tells more of the name before it: "Low Ridge, in Tay County"."""
        between = self.text[self.words[before].end : self.words[place].start]
        return (place == before + 1 and between.strip() in ("", ",", "(", ", ")) or between.strip(" ,(") in _LEADS_ON

    def _alike(self, word: Word, name: str, among: int) -> float:
        if word.bare == name:
            return 1.0
        lemmas = set(self._lexicon.lemmas(word.bare)) if len(name) > 1 and len(word.bare) > 1 else set()
        if not lemmas.isdisjoint(self._lexicon.lemmas(name)):
            return _INFLECTED
        alike = kindred(word.bare, name)
        return alike if alike >= _ALIKE and not is_another_word(word.bare, name, among) else 0.0

    def _by_initials(self, weights: Weights, taken: Span | None) -> NamePlace | None:
        initials = "".join(name[0] for name, _ in weights if name not in FUNCTION_WORDS)
        said = (word for word in self._capital if word.text.isupper() and word.bare == initials)
        word = next((word for word in said if _is_free(word, taken)), None) if len(initials) >= _INITIALS else None
        return NamePlace(word.start, word.end, _ABBREVIATED) if word is not None else None

    def _by_people(self, name: str, taken: Span | None) -> NamePlace | None:
        """ "American" or "USA" for the United States: by the lexicon, of names that it knows."""
        lowered = main_part(name).lower()
        if not self._lexicon.lemmas(lowered) or is_common(lowered):
            return None
        dotted = re.search(r"\b(?:[A-Z]\.){2,}", self.text)
        said = [(NamePlace(word.start, word.end, _ABBREVIATED), word.lower) for word in self._capital]
        said += [(NamePlace(*dotted.span(), _ABBREVIATED), dotted[0].lower())] if dotted else []
        alike = (place for place, words in said if self._lexicon.relatedness(words, lowered) >= _PEOPLE)
        return next((place for place in alike if _is_free(place, taken)), None)


def _is_free(part: NamePlace | Word | Value, taken: Span | None) -> bool:
    return taken is None or part.end <= taken[0] or taken[1] <= part.start


def _densest(places: list[int], length: int) -> list[int]:
    """The places without one that lies far from all others."""
    middle = sorted(places)[len(places) // 2] if places else 0
    return [place for place in places if len(places) < 3 or abs(place - middle) <= 2 * length + 2]


def capitalised_runs(words: SentenceWords) -> list[Span]:
    """Runs of capitalised words, with small words that join them, up to punctuation."""
    runs: list[Span] = []
    run: list[int] = []
    for place, word in enumerate([*words.words, None]):
        if word is not None:
            capital = word.text != word.lower
            if capital and word.lower in FUNCTION_WORDS:
                begun = bool(run) or words.text[word.end : word.end + 1] == "."  # an initial: "Nora A Field"
                capital = begun if len(word.text) == 1 else place > 0 and word.lower in _FIRST_NAMES
                capital |= len(word.text) > 1 and word.text.isupper() and not words.text.isupper()  # "US Navy"
            joins = bool(run) and (word.lower in _JOINING or bool(_HYPHENS.match(words.text, word.start - 1)))
            number = bool(run) and (word.text.isdigit() or (len(run) == 1 and _is_epithet(word)))
            if run and not _close(words.text[words.words[run[-1]].end : word.start], words.words[run[-1]].text):
                runs += _named(words, run)
                run, joins, number = [], False, False
            if capital or joins or number:
                run.append(place)
                continue
        runs += _named(words, run)
        run = []
    return runs


def codes(text: str) -> list[Span]:
    """Where quoted texts and codes are, such as "NQRT", "B-750" and "E. coli": names by their form."""
    quoted = [match.span(match.lastindex or 0) for match in _QUOTED.finditer(text)]
    quoted = [(start, end) for start, end in quoted if 2 * (end - start) < len(text)]
    matches = [match for match in _CODE.finditer(text) if not _ORDINAL.fullmatch(match[0])]
    return quoted + [match.span() for match in matches if not _is_initial(match, text)]


def _is_initial(code: re.Match[str], text: str) -> bool:
    """Whether a letter and a word are no species: "George W. was", "L. van"."""
    return code[0].split()[-1] in _PARTICLES or (". " in code[0] and bool(_CAPITAL.search(text, 0, code.start())))


def _is_epithet(word: Word) -> bool:
    """Whether a word may be the second of a species' name: "Yersinia pestis"."""
    return bool(_EPITHET.fullmatch(word.text)) and information(word.lower) >= 1.0 and not is_dictionary_word(word.lower)


def _close(between: str, before: str) -> bool:
    """Whether what stands between two words lets them be one name."""
    return between in (" ", "-", "–", "'", "’", "/", "&", " & ") or (between.strip() == "." and len(before) <= 2)


def _named(words: SentenceWords, run: list[int]) -> list[Span]:
    said = [words.words[place] for place in run]
    while said and (said[-1].lower in _JOINING or said[-1].text.isdigit()):
        said.pop()
    begins = bool(said) and run[0] == 0 and is_common(said[0].lower)  # a capital by its place only, perhaps
    if begins and (len(said) == 1 or (said[1].text == said[1].lower and said[1].lower != "of")):
        said = list(dropwhile(lambda word: word.lower in _JOINING, said[1:]))
    if not said:
        return []
    last = said[-1]
    rest = _POINTS.match(words.text, last.end) if len(last.text) == 1 else None  # all of an abbreviation: "S.p.A."
    return [(said[0].start, rest.end() if rest else last.end)]
