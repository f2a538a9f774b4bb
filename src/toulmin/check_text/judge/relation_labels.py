"""What the label of a relation alone tells of it, by the words in it, and whether a word of a sentence means one.

A verdict rests on it that a relation is what a sentence says; likeness and kinship of meaning ("father", "mother") do
not do for that: two words mean the same that are forms of one word, or words for one of the frequent senses of both.
"""

from __future__ import annotations

from functools import lru_cache

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.retrieval.linking.mention_words import words_of

__all__ = [
    "BOTH_WAYS",
    "CLASSES",
    "TEXTS",
    "has_many_values",
    "holds_both_ways",
    "is_same_word",
    "is_verb_form",
    "is_verb_label",
    "means",
    "singular_label",
    "tells_where",
]

_FREQUENT = 3  # senses of a word, the most frequent first, by which it is a synonym
_FIRST = 2  # the same, where the word is the more special one
_STEM = 4  # letters that two forms of one word share, at least
_OF_STEM = 0.6  # share of the shorter one's letters that they are


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split("|"))


#: They lead from a thing to what it is: always more classes, and no word of the label is said in a sentence.
CLASSES = _listed("instance of|subclass of|type|is a|kind of|class")
#: They lead to free texts, of which a name is never all.
TEXTS = _listed("description|abstract|comment")
_NAMES = _listed("label")  # a thing may have any number of them
#: Nouns of which there may always be another, whatever the graph's subjects have.
_SEVERAL = _listed(
    "child|son|daughter|sibling|brother|sister|relative|friend|student|award|prize|product|member|ingredient|part|"
    "component|example|hobby|language|skill|effect|symptom"
)
#: They hold both ways, also where a graph says them one way: exchanged ends are no other statement. In the singular.
BOTH_WAYS = _listed(
    "sibling|spouse|married|partner|cousin|twin|friend|neighbour|neighbor|colleague|relative|rival|synonym|border|"
    "adjacent|connected"
)
#: Beginnings of words; they lead to where the subject lies: two such values, a town and its country, are both true.
_PLACES = _listed("countr|state|locat|situated|part of|contain|city|town|region|provinc|county|territor|capital of")
_LIVES = _listed("origin|citizen|birth|death")  # name a place, and tell of a life, not where a place lies


def tells_where(label: str) -> bool:
    """Whether a relation tells where its subject lies, or of what it is a part."""
    lower = label.lower()
    return any(word in lower for word in _PLACES) and not any(word in lower for word in _LIVES)


def holds_both_ways(label: str) -> bool:
    """Whether a relation holds both ways: "sibling", "married to"."""
    return not BOTH_WAYS.isdisjoint(map(singular_label, label.replace("_", " ").split()))


def singular_label(label: str) -> str:
    """A label in small letters without the "s" of a plural."""
    singular = label.lower().strip().removesuffix("s")
    return "child" if singular == "children" else singular


def has_many_values(label: str) -> bool:
    """Whether there may always be another value: by a plural, or by a noun of which one may have several."""
    nouns = label.split(" of ")[0].split()
    last = nouns[-1] if nouns else ""
    lemmas = get_lexicon().lemmas(last)
    plural = last.endswith("s") and not last.endswith("ss") and bool(lemmas) and last not in lemmas
    return plural or label in CLASSES | TEXTS | _NAMES or not _SEVERAL.isdisjoint((*nouns, *lemmas))


@lru_cache(4096)
def is_verb_label(label: str) -> bool:
    """Whether a label is a verb: "treats", "works on", "housed in"; not "headquarters", which may be one."""
    words = [word.lower for word in words_of(label)]
    last = next((word for word in reversed(words) if word not in FUNCTION_WORDS), "")
    led = bool(words) and words[-1] in FUNCTION_WORDS
    return is_verb_form(last) and (led or (len(words) == 1 and last not in get_lexicon().lemmas(last)))


def is_verb_form(word: str) -> bool:
    """Whether a word is a form of a verb other than its base: "treats", "housed"."""
    lexicon = get_lexicon()
    return word.endswith(("s", "ed", "en")) and any(
        base != word and lexicon.is_verb(base) for base in lexicon.lemmas(word)
    )


@lru_cache(1 << 16)
def means(word: str, other: str) -> bool:
    """Whether a word says another one, of a relation: "wrote" says "author", "wife" "spouse"; never its opposite."""
    if is_same_word(word, other):
        return True
    lexicon = get_lexicon()
    opposites = set(lexicon.antonyms(word))
    if not opposites.isdisjoint(lexicon.lemmas(other)):
        return False
    ours, theirs = _senses(word, _FREQUENT), _senses(other, _FREQUENT)
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
    ours, theirs = (get_lexicon().lemmas(one) for one in (word, other))
    same = word == other or not set(ours).isdisjoint(theirs)
    return same or any(_share_a_stem(our, their) and _are_derived(our, their) for our in ours for their in theirs)


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
