"""Whether two words mean the same, strictly: forms of one word, or words for one of the frequent senses of both.

A verdict rests on it that a relation is what a sentence says; likeness and kinship of meaning ("father", "mother") do
not do for that.
"""

from __future__ import annotations

from functools import lru_cache

from toulmin.english.lexicon import get_lexicon

__all__ = ["is_same_word", "means"]

_SENSES = 3  # of a word, the most frequent first, by which it is a synonym
_FIRST = 2  # the same, where the word is the more special one
_STEM = 4  # letters that two forms of one word share, at least
_OF_STEM = 0.6  # share of the shorter one's letters that they are


@lru_cache(1 << 16)
def means(word: str, other: str) -> bool:
    """Whether a word says another one, of a relation: "wrote" says "author", "wife" "spouse"; never its opposite."""
    if is_same_word(word, other):
        return True
    lexicon = get_lexicon()
    opposites = set(lexicon.antonyms(word))
    if not opposites.isdisjoint(lexicon.lemmas(other)):
        return False
    ours, theirs = _senses(word, _SENSES), _senses(other, _SENSES)
    both = _derived(ours) & _derived(theirs)
    if any(not opposites.isdisjoint(lexicon.bearers(sense)) for sense in both):
        return False  # "father" and "mother" are both to beget
    if not both.isdisjoint(ours | theirs):
        return True
    above = {kind for sense in _senses(word, _FIRST) for kind in lexicon.tables.hypernyms[sense]}
    return not above.isdisjoint(_senses(other, _FIRST))


@lru_cache(1 << 16)
def is_same_word(word: str, other: str) -> bool:
    """Whether two words are forms of one, or one is derived from the other by its ending: "manages", "manager"."""
    if word == other:
        return True
    lexicon = get_lexicon()
    ours, theirs = lexicon.lemmas(word), lexicon.lemmas(other)
    if not set(ours).isdisjoint(theirs):
        return True
    return any(_share_a_stem(our, their) and _are_derived(our, their) for our in ours for their in theirs)


def _share_a_stem(word: str, other: str) -> bool:
    shorter = min(len(word), len(other))
    shared = next((place for place in range(shorter) if word[place] != other[place]), shorter)
    return shared >= min(_STEM, shorter) and shared >= _OF_STEM * shorter


def _are_derived(word: str, other: str) -> bool:
    """Whether a sense of one is derived from a sense of the other, or both from a third."""
    tables = get_lexicon().tables
    ours, theirs = (_derived(frozenset(tables.senses[tables.words[lemma]])) for lemma in (word, other))
    return not ours.isdisjoint(theirs)


@lru_cache(1 << 14)
def _senses(word: str, most: int) -> frozenset[int]:
    return frozenset(get_lexicon().senses(word, most))


@lru_cache(1 << 14)
def _derived(senses: frozenset[int]) -> frozenset[int]:
    tables = get_lexicon().tables
    return senses.union(*(tables.derivations[sense] for sense in senses))
