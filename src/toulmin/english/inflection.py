"""Forms of verbs and nouns: which word is a form of one, and the finite form that a participle stands for."""

from __future__ import annotations

from functools import lru_cache

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import word_set

__all__ = ["finite", "inflections", "is_participle", "is_past", "is_verb", "plural", "singular", "verb_base"]

#: Bases that are their own past, and stand for it more often than they are nouns.
_UNCHANGED = word_set("beat cost cut hit hurt let put quit read set shut split spread")
#: Pasts that are nouns or adjectives more often.
_NOUNS = word_set("bit bore bound cleft clove crew dove ground overlay rebound rent slew smelt stove unbound wound")
#: Participles of regular verbs that are hardly ever a simple past.
_STATES = word_set("based located situated")

_PLURALS = {"children": "child", "grandchildren": "grandchild", "men": "man", "women": "woman", "alumni": "alumnus"}


@lru_cache(8192)
def is_verb(word: str) -> bool:
    """Whether a base form of the word is a verb."""
    return get_lexicon().is_verb(word)


@lru_cache(8192)
def verb_base(word: str) -> str | None:
    """The base form of a verb: "directed" -> "direct"; None: it is none."""
    lexicon = get_lexicon()
    bases = [lemma for lemma in lexicon.lemmas(word) if lexicon.is_verb(lemma)]
    if word.endswith("ves") and lexicon.is_verb(word[:-1]):
        bases.append(word[:-1])  # "lives", of which the lexicon thinks as the plural of "life"
    return next((base for base in bases if base != word), bases[0] if bases else None)


def singular(noun: str) -> str | None:
    """The singular of a plural: "leaders" -> "leader", "craftspeople" -> "craftsperson"; None: it is no plural."""
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith("people") and noun != "people":
        return noun.removesuffix("people") + "person"
    if not noun.endswith("s") or noun.endswith("ss"):
        return None
    return next((lemma for lemma in get_lexicon().lemmas(noun) if lemma != noun), None)


def plural(noun: str) -> str:
    """The plural of a noun, of several words that of the last one: "chess player" -> "chess players"."""
    *before, last = noun.split(" ")
    return " ".join([*before, next(iter(inflections(last, "NNS")), f"{last}s")])


def finite(gerund: str, *, past: bool) -> str:
    """The finite form that a participle stands for: "winning" -> "won" or "wins"."""
    base = verb_base(gerund) or gerund
    return next(iter(inflections(base, "VBD" if past else "VBZ")), base)


@lru_cache(8192)
def is_past(word: str) -> bool:
    """Whether a word is the simple past of a verb, as most participles are too: "directed", "wrote", "built"."""
    base = verb_base(word)
    if base is None or word in _NOUNS:
        return False
    if word == base:
        return word in _UNCHANGED
    return word.endswith("ed") or word in inflections(base, "VBD")


@lru_cache(8192)
def is_participle(word: str) -> bool:
    """Whether a word is a participle and hardly ever a simple past: "written", "become", "located"."""
    base = verb_base(word)
    if base is None or (word == base and not word.endswith("come")):  # "run" is rather a present
        return False
    return word in _STATES or (word in inflections(base, "VBN") and word not in inflections(base, "VBD"))


@lru_cache(8192)
def inflections(base: str, tag: str) -> tuple[str, ...]:
    """The forms of a verb or noun with a tag of the Penn treebank, the usual one first."""
    from lemminflect import getInflection

    forms: tuple[str, ...] = getInflection(base, tag)
    return forms
