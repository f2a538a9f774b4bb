"""Forms of verbs: which word is a form of one, and the finite form that a participle stands for."""

from __future__ import annotations

from functools import lru_cache

from toulmin.english.lexicon import get_lexicon

__all__ = ["PARTICIPLES", "PASTS", "finite", "is_verb", "singular", "verb_base"]

_PAST = dict(
    pair.split(":")
    for pair in (
        "be:was become:became begin:began beat:beat break:broke bring:brought build:built buy:bought catch:caught "
        "choose:chose come:came cost:cost "
        "cut:cut deal:dealt do:did draw:drew drive:drove eat:ate fall:fell feed:fed feel:felt "
        "fight:fought find:found flee:fled fly:flew forget:forgot get:got give:gave go:went grow:grew have:had "
        "hear:heard hide:hid hit:hit hold:held keep:kept know:knew lay:laid lead:led leave:left lend:lent let:let "
        "lose:lost make:made mean:meant meet:met overcome:overcame overtake:overtook pay:paid put:put read:read "
        "rebuild:rebuilt ride:rode rise:rose run:ran say:said see:saw seek:sought sell:sold send:sent set:set "
        "shoot:shot shrink:shrank sing:sang sink:sank sit:sat sleep:slept speak:spoke spend:spent split:split "
        "spread:spread stand:stood steal:stole strike:struck swear:swore swim:swam take:took teach:taught tell:told "
        "think:thought throw:threw undergo:underwent understand:understood undertake:undertook wear:wore weep:wept "
        "win:won withdraw:withdrew write:wrote"
    ).split()
)
#: Irregular forms that are a simple past, most of them participles too.
PASTS = frozenset(_PAST.values()) - {"was"}
#: Forms that are a participle and never a simple past.
PARTICIPLES = frozenset(
    "been become begun bitten blown born borne broken chosen come done drawn driven eaten fallen flown forbidden "
    "forgotten frozen given gone grown hidden known overcome overtaken ridden risen seen shaken shown shrunk sung sunk "
    "spoken stolen struck sworn swum taken thrown torn undergone undertaken withdrawn worn woven written based located "
    "situated".split()
)

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
    """The singular of a plural: "leaders" -> "leader"; None: it is no plural."""
    if noun in _PLURALS:
        return _PLURALS[noun]
    if not noun.endswith("s") or noun.endswith("ss"):
        return None
    return next((lemma for lemma in get_lexicon().lemmas(noun) if lemma != noun), None)


def finite(gerund: str, *, past: bool) -> str:
    """The finite form that a participle stands for: "winning" -> "won" or "wins"."""
    base = verb_base(gerund) or gerund
    return _past(base) if past else _present(base)


def _past(base: str) -> str:
    if base in _PAST:
        return _PAST[base]
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return f"{base[:-1]}ied"
    doubled = len(base) < 5 and base[-1:] in "bdgmnprt" and base[-2:-1] in "aeiou" and base[-3:-2] not in "aeiou"
    return f"{base}{base[-1]}ed" if doubled else f"{base}ed"


def _present(base: str) -> str:
    if base in ("be", "have"):
        return {"be": "is", "have": "has"}[base]
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{base}es"
    return f"{base[:-1]}ies" if base.endswith("y") and base[-2:-1] not in "aeiou" else f"{base}s"
