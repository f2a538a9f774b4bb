"""How a name may be written, and what is known to be another name: "Iraq" is not "Iran" misspelt."""

from __future__ import annotations

import re
from functools import lru_cache

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.labels import similarity
from toulmin.retrieval.linking.mention_words import (
    bare_words,
    information,
    is_common,
    is_dictionary_word,
    kindred,
    words_of,
)

__all__ = [
    "goes_on",
    "is_another_name",
    "is_another_word",
    "is_place",
    "main_part",
    "may_be_one",
    "name_words",
    "says_no_more",
]

_RELATED = 0.8  # of two words of the lexicon, from which on one may say the other: "Austrian", "Austria"
_MISSPELT = 0.75  # likeness of two words from which on they may be one
_SOUNDS = {"ph": "f", "ck": "k", "ch": "k", "c": "k", "q": "k", "z": "s", "w": "f", "v": "f", "x": "ks"}
_SEVERAL = 3  # words of a name of which a common one is misspelt rather
_AFTER = 2  # words after a name that may be a part of a longer one
_BEGUN = 2  # letters that two forms of a first name share
_PARTS = 2  # words of a name of which one may be another and the name the same
_NUMERAL = re.compile(r"x{0,3}(?:ix|iv|v?i{1,3}|v)|x{1,3}")
_POINTS = frozenset("north south east west".split())
_SHORTENED = {
    "st": "saint",
    "mt": "mount",
    "ft": "fort",
    "junior": "jr",
    "senior": "sr",
    **{f"{point}ern": point for point in _POINTS},
}
_GENERATIONS = frozenset(("jr", "sr"))
_AFTER_NAMES = frozenset("inc ltd co corp plc llc gmbh ag sa".split())
_INITIALS = re.compile(r"\.\s+(?=\w\.)")  # between initials
_TAIL = re.compile(r"\s*(?:,\s.*|\([^()]*\)\s*)$")
_SILENT = re.compile(r"[aeiouyhj]|(.)(?=\1)")


@lru_cache(maxsize=200_000)
def main_part(name: str) -> str:
    """A name without what tells it from its namesakes: "Austin, Texas" -> "Austin", "Heat (film)" -> "Heat"."""
    return _TAIL.sub("", name) or name


@lru_cache(1 << 14)
def is_another_word(word: str, name: str, among: int = 1) -> bool:
    """Whether a bare word that may be taken for a word of a name, misspelt or short, is known to be another one.

    Words of one sound are one, unless they are places or common words ("Katherine", "Catherine"). Else two words that
    the lexicon knows are two where it does not relate them; a short form is one ("Ben" for "Benjamin", "Slovak" for
    "Slovakia"), unless it is of a place ("Niger" for "Nigeria"). A frequent word that the lexicon lacks, as many names
    are, is another one ("Harlan" is not "Harlow"), a rare one is a misspelling, unless it begins with another letter.

    Args:
        among: words of the name. Of several, a common one is misspelt rather: "Tay Country Hall".
    """
    word, name = _SHORTENED.get(word, word), _SHORTENED.get(name, name)
    if word == name or not (word.isalpha() and name.isalpha()) or (among >= _SEVERAL and is_common(word)):
        return False
    lexicon = get_lexicon()
    ours, theirs = lexicon.lemmas(word), lexicon.lemmas(name)
    short, long = sorted((word, name), key=len)
    places = is_place(word) or is_place(name)
    one_sound = not places and not is_common(word) and _consonants(word) == _consonants(name)
    if one_sound or not set(ours).isdisjoint(theirs):
        return False
    if ours and theirs:
        if long == name and long.startswith(short) and (not places or lexicon.coarse_type(word) == "person"):
            return False
        return lexicon.relatedness(word, name) < _RELATED
    return word[0] != name[0] or (information(word) < 1.0 and not long.startswith(short))


@lru_cache(1 << 14)
def is_another_name(text: str, name: str) -> bool:
    """Whether words that share some with a name are known to be another: "Henry VII", "Guinea" for "Guinea-Bissau".

    Their Roman numerals or points of the compass differ; or the words go on where the name ends ("Santiago de Cuba");
    or the lexicon has both and does not relate them, as names of places or of more than one word. A surname says the
    person, and "Paris" says "Paris, Texas".
    """
    ours, theirs, short = name_words(text), name_words(name), name_words(main_part(name))
    if ours in (theirs, short) or text == "".join(word[0] for word in theirs).upper():
        return False
    if len(ours) == len(theirs) == 1:
        return is_another_word(*ours, *theirs)
    numerals = [{word for word in words if _is_numeral(word)} for words in (ours, theirs)]
    if all(numerals) and numerals[0] != numerals[1]:
        return True
    differ = set(ours) ^ set(theirs)
    if (differ and differ <= _POINTS) or goes_on(text, name) or _is_put_in(ours, theirs):
        return True
    lexicon = get_lexicon()
    known = [_INITIALS.sub(".", form.lower()) for form in (text, name)]
    if not all(map(lexicon.lemmas, known)) or lexicon.relatedness(*known) >= _RELATED:
        return False
    return is_place(name) or (is_place(text) and len(ours) > len(theirs)) or all(" " in form for form in known)


def _is_put_in(ours: list[str], name: list[str]) -> bool:
    """Whether words of a region stand within those of a name: "Royal Danish Yacht Club", "Royal Yacht Club"."""
    more = len(ours) - len(name)
    place = next((i for i, (word, other) in enumerate(zip(ours, name, strict=False)) if word != other), len(name))
    return more > 0 and 0 < place < len(name) and ours[place + more :] == name[place:] and _is_of_region(ours[place])


def _is_of_region(word: str) -> bool:
    """Whether a word is the adjective of a region, and no name: "Australian", not "Jordan"."""
    lexicon = get_lexicon()
    return not lexicon.regions(word) and any(map(lexicon.is_region, lexicon.related_senses(word)))


def name_words(name: str) -> list[str]:
    """The bare words of a name, with one form for each that may be shortened: "St", "Saint"."""
    return [_SHORTENED.get(word, word) for word in bare_words(name)]


def goes_on(text: str, name: str) -> bool:
    """Whether words beside a name make another name of it: one or two that follow, or a first name: "Jeff Beck"."""
    words, theirs = words_of(text), bare_words(name)
    ours = [word.bare for word in words]
    at = next((place for place in range(len(ours)) if ours[place : place + len(theirs)] == theirs), None)
    rest = words[at + len(theirs) :] if at is not None and theirs else []
    if at == len(theirs) == 1 and not rest and words[0].text.istitle() and not is_dictionary_word(words[0].bare):
        lexicon, senses = get_lexicon(), get_lexicon().noun_senses(theirs[0])  # "Beck", of which "Jeff Beck" is another
        no_person = bool(senses) and not any(lexicon.is_kind(sense, "person") for sense in senses)
        return no_person and information(words[0].bare) < 1.0
    named = any(_is_numeral(word.bare) or (word.text.istitle() and _is_proper(word.bare)) for word in rest)
    return named and len(rest) <= _AFTER


def _is_numeral(word: str) -> bool:
    """Whether a bare word of a name counts its bearers: a Roman numeral up to 39, "Jr"."""
    return bool(_NUMERAL.fullmatch(word)) or word in _GENERATIONS


def _is_proper(word: str) -> bool:
    """Whether a known word is one of names: no noun, or that of a place or person; no misspelling, and no "Inc"."""
    if is_dictionary_word(word):
        return get_lexicon().coarse_type(word) in ("location", "person") and not is_common(word)
    return information(word) < 1.0 and word not in _AFTER_NAMES


def may_be_one(text: str, name: str) -> bool:
    """Whether two names of several words may be one: they differ in initials, or in the form of one word.

    "J. M. Coetzee" and "John Maxwell Coetzee", "Thomson" and "Thompson", "Lev" and "Leo Tolstoy".
    """
    ours, theirs = name_words(text), name_words(name)
    if len(ours) != len(theirs) or len(ours) < _PARTS:
        return False
    differ = [(word, other) for word, other in zip(ours, theirs, strict=True) if word != other]
    numbered = _is_numeral(ours[-1]) or _is_numeral(theirs[-1])
    if differ and (numbered or any(not _POINTS.isdisjoint(pair) for pair in differ)):
        return False
    if all(min(map(len, pair)) == 1 and pair[0][0] == pair[1][0] for pair in differ):
        return True
    word, other = differ[0]
    given = (ours[-1] == theirs[-1]) and word[:_BEGUN] == other[:_BEGUN]  # of a first name: "Josef", "Jože"
    return len(differ) == 1 and (given or kindred(word, other) > 0 or _consonants(word) == _consonants(other))


@lru_cache(1 << 14)
def is_place(name: str) -> bool:
    """Whether the lexicon has a name as that of a place."""
    return get_lexicon().coarse_type(name.lower()) == "location"


def _consonants(word: str) -> str:
    """What is left of a word without vowels, for names of one sound in several spellings."""
    for written, sound in _SOUNDS.items():
        word = word.replace(written, sound)
    return _SILENT.sub("", word)


def says_no_more(text: str, name: str) -> bool:
    """Whether each word that is said is one of the name, as it is or misspelt."""
    known = name_words(name)

    def misspells(word: str, other: str) -> bool:
        return similarity(word, other) >= _MISSPELT and not is_another_word(word, other, len(known))

    return all(
        word in known or (len(word) > 3 and word.isalpha() and any(misspells(word, other) for other in known))
        for word in name_words(text)
        if word not in FUNCTION_WORDS
    )
