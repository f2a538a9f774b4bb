"""What may be a name, whether the graph knows it or not: runs of capitalised words, quoted texts, codes."""

from __future__ import annotations

import re

from toulmin.check_text.judge.sentence_words import SentenceWords
from toulmin.english.words import FUNCTION_WORDS
from toulmin.retrieval.linking.mention_words import Word, information, is_common, is_dictionary_word

__all__ = ["capitalised_runs", "codes"]

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


def capitalised_runs(words: SentenceWords) -> list[tuple[int, int]]:
    """Runs of capitalised words, with small words that join them, up to punctuation."""
    found: list[tuple[int, int]] = []
    run: list[int] = []
    for place, word in enumerate([*words.words, None]):
        if word is not None:
            capital = word.text != word.lower
            if capital and word.lower in FUNCTION_WORDS:
                capital = _is_given(word, bool(run) or words.text[word.end : word.end + 1] == ".", place)
                capital |= len(word.text) > 1 and word.text.isupper() and not words.text.isupper()  # "US Navy"
            joins = bool(run) and (word.lower in _JOINING or bool(_HYPHENS.match(words.text, word.start - 1)))
            number = bool(run) and (word.text.isdigit() or (len(run) == 1 and _is_epithet(word)))
            if run and not _close(words.text[words.words[run[-1]].end : word.start], words.words[run[-1]].text):
                found += _named(words, run)
                run, joins, number = [], False, False
            if capital or joins or number:
                run.append(place)
                continue
        found += _named(words, run)
        run = []
    return found


def codes(text: str) -> list[tuple[int, int]]:
    """Where quoted texts and codes are, such as "NQRT", "B-750" and "E. coli": names by their form."""
    quoted = [match.span(match.lastindex or 0) for match in _QUOTED.finditer(text)]
    quoted = [(start, end) for start, end in quoted if 2 * (end - start) < len(text)]
    found = [match for match in _CODE.finditer(text) if not _ORDINAL.fullmatch(match[0])]
    return quoted + [match.span() for match in found if not _is_initial(match, text)]


def _is_initial(code: re.Match[str], text: str) -> bool:
    """Whether a letter and a word are no species: "George W. was", "L. van"."""
    return code[0].split()[-1] in _PARTICLES or (". " in code[0] and bool(_CAPITAL.search(text, 0, code.start())))


def _is_given(word: Word, begun: bool, place: int) -> bool:
    """Whether a function word with a capital is part of a name: an initial ("Nora A Field"), a first name."""
    return begun if len(word.text) == 1 else place > 0 and word.lower in _FIRST_NAMES


def _is_epithet(word: Word) -> bool:
    """Whether a word may be the second of a species' name: "Yersinia pestis"."""
    return bool(_EPITHET.fullmatch(word.text)) and information(word.lower) >= 1.0 and not is_dictionary_word(word.lower)


def _close(between: str, before: str) -> bool:
    """Whether what stands between two words lets them be one name."""
    return between in (" ", "-", "–", "'", "’", "/", "&", " & ") or (between.strip() == "." and len(before) <= 2)


def _named(words: SentenceWords, run: list[int]) -> list[tuple[int, int]]:
    while run and (words.words[run[-1]].lower in _JOINING or words.words[run[-1]].text.isdigit()):
        run = run[:-1]
    if run and run[0] == 0 and is_common(words.words[0].lower):  # a capital by its place only, perhaps
        following = words.words[run[1]] if len(run) > 1 else None
        if following is None or (following.text == following.lower and following.lower != "of"):
            run = run[1:]
            while run and words.words[run[0]].lower in _JOINING:
                run = run[1:]
    return [(words.words[run[0]].start, _with_points(words, run[-1]))] if run else []


def _with_points(words: SentenceWords, last: int) -> int:
    """Where a run ends: after all of an abbreviation ("S.p.A.") whose first letter is its last word."""
    end = words.words[last].end
    rest = _POINTS.match(words.text, end) if len(words.words[last].text) == 1 else None
    return rest.end() if rest else end
