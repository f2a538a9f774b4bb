"""Whether a word that is spelt nearly like a word of a name says it, or is a word of its own: "Iraq" is not "Iran"."""

from __future__ import annotations

import re
from functools import lru_cache

from toulmin.graph.labels import similarity
from toulmin.retrieval.lexicon import get_lexicon
from toulmin.retrieval.linking.words import FUNCTION_WORDS, bare_words, information

__all__ = ["is_another_word", "says_no_more"]

_RELATED = 0.8  # of two words of the lexicon, from which on one may say the other: "Austrian", "Austria"
_MISSPELT = 0.75  # likeness of two words from which on they may be one
_SOUNDS = (("ph", "f"), ("ck", "k"), ("ch", "k"), ("c", "k"), ("q", "k"), ("z", "s"), ("w", "v"), ("x", "ks"))
_SILENT = re.compile(r"[aeiouyhj]|(.)(?=\1)")


@lru_cache(1 << 14)
def is_another_word(said: str, name: str) -> bool:
    """Whether a bare word that may be taken for a word of a name, misspelt or short, is known to be another one.

    Two words that the lexicon knows are two where it does not relate them; a short form ("Ben" for "Benjamin") is one
    unless they are places. A frequent word that the lexicon lacks, as many names are, is another one where its
    consonants differ: "Grayson" is not "Graydon", but "Katherine" is "Catherine".
    """
    if said == name or not (said.isalpha() and name.isalpha()):
        return False
    lexicon = get_lexicon()
    ours, theirs = lexicon.lemmas(said), lexicon.lemmas(name)
    if not set(ours).isdisjoint(theirs):
        return False
    short, long = sorted((said, name), key=len)
    if ours and theirs:
        places = "location" in (lexicon.coarse_type(said), lexicon.coarse_type(name))
        return lexicon.relatedness(said, name) < _RELATED and (places or not long.startswith(short))
    return information(said) < 1.0 and not long.startswith(short) and _consonants(said) != _consonants(name)


def _consonants(word: str) -> str:
    """What is left of a word without vowels, for names of one sound in several spellings."""
    for written, sound in _SOUNDS:
        word = word.replace(written, sound)
    return _SILENT.sub("", word)


def says_no_more(said: str, name: str) -> bool:
    """Whether each word that is said is one of the name, as it is or misspelt."""
    known = bare_words(name)
    return all(
        any(
            word == other
            or (
                len(word) > 3
                and word.isalpha()
                and similarity(word, other) >= _MISSPELT
                and not is_another_word(word, other)
            )
            for other in known
        )
        for word in bare_words(said)
        if word not in FUNCTION_WORDS
    )
