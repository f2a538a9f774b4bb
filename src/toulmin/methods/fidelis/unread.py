"""Words of a question that restrict or deny: what an answer must have read, or is not given.

A search for a path reads names and relations. "Which medicines are *not* contraindicated in pregnancy", "the *cheapest*
tyre", "*should* I take X" and "tell me *whether* X is Y" mean something else than the same words without these, so that
an answer which does not use them is the answer to another question. They are closed classes of English grammar
(R. Huddleston, G. K. Pullum, "The Cambridge Grammar of the English Language", 2002): one table here, and the
comparatives and superlatives by WordNet. A word is read if it is part of a name that was linked, or of the label of a
relation on the path ("not recommended with", "last name").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.graph.times import parse_time
from toulmin.methods.fidelis.english import FIRST, LAST, QUESTION_WORDS, STOP_WORDS
from toulmin.retrieval.lexicon import Lexicon

__all__ = ["MONTHS", "Kind", "Token", "Unread", "denied", "reason", "tokens", "unread"]

Kind = Choice["yes or no", "choice", "negation", "comparison", "order", "modality", "count", "number", "time"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in text.split(", "))


#: Each kind with its words, by themselves or in a row; what they are *not* read as stands in ``_is_other``.
_TABLE: tuple[tuple[Kind, frozenset[tuple[str, ...]]], ...] = (
    (
        "negation",
        _phrases(
            "not, no, never, neither, nor, none, nobody, nothing, nowhere, cannot, without, except, excepting, "
            "excepted, "
            "exclude, excludes, excluding, excluded, exclusive, unless, unlike, besides, hardly, scarcely, barely, "
            "rarely, seldom, "
            "non, lack, lacks, lacked, lacking, fail to, fails to, failed to, no one, other than, rather than, "
            "instead of, apart from, aside from, different from, different than, different to, free of, free from, "
            "far from, all but, any but, anything but, anyone but, everything but, everyone but, everybody but, "
            "nothing but, none but, only, solely, exclusively"
        ),
    ),
    (
        "comparison",
        _phrases(
            "more, less, fewer, lesser, than, before, after, until, till, since, prior to, at least, at most, most, "
            "least, fewest, minimum, maximum, minimal, maximal, min, max, exceed, exceeds, exceeded, exceeding, "
            "exactly, "
            "better, best, worse, worst, further, furthest, farther, farthest, lower, upper, higher, lighter, elder, "
            "eldest, versus, vs, compared, twice, double, half"
        ),
    ),
    (
        "modality",
        _phrases(
            "can, could, may, might, must, shall, should, would, ought, need to, needs to, needed to, have to, has to, "
            "had to, able, unable, allowed, permitted, forbidden, prohibited, supposed, obliged, possible, impossible, "
            "possibly, safe, safely, unsafe, ok, okay, advisable"
        ),
    ),
    (
        "count",
        _phrases(
            "how many, how often, how frequently, number of, count of, total, sum, average, median, percent, "
            "percentage, "
            "proportion, altogether"
        ),
    ),
    ("yes or no", _phrases("whether, if, true or false, is it true, is that so")),
)
_LONGEST = max(len(phrase) for _, phrases in _TABLE for phrase in phrases)

_ORDINALS = _words("second third fourth fifth sixth seventh eighth ninth tenth final next previous")
_NUMBERS = _words(
    """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen"""
)
_MODALS = _words("can could may might must shall should will would")
_AUXILIARIES = _words("am is are was were do does did has have had") | _MODALS
_CONTRACTED = frozenset(word + "nt" for word in _AUXILIARIES - _words("am may can will shall")) | _words(
    "cant wont shant aint"
)  # as they are typed without the apostrophe
_PRONOUNS = _words("i you he she it we they there that this")
_DETERMINERS = _words("a an the this that these those my your his her its our their any some")
#: Names of months.
MONTHS = _words("january february march april may june july august september october november december")

#: Asking politely is no modality and no question for yes or no: "can you tell me", "do you know who".
_ASKING = r"(?:tell|name|list|show|find|identify|say|explain|remind|recall|remember|help|know|give (?:me|us)|look up)"
_POLITE = re.compile(
    rf"\b(?:(?:can|could|would|will|do|does|did|may|might)(?:n't)? (?:you|u|anyone|anybody|someone|somebody)"
    rf"(?: please| kindly| perhaps| maybe)? {_ASKING}"
    rf"|(?:can|could|may|might) (?:i|we) (?:please )?(?:ask|know|see)"
    rf"|(?:i|we)(?: would|'d)? (?:like|love|want|need|wish) to (?:know|ask|find out|see|learn|hear))\b"
)
_TAG = re.compile(r", ?(?:right|correct|true|yes|no|ok|okay|eh|huh|or not)\W*$")
_TAG_CLAUSE = re.compile(rf",? (?:{'|'.join(sorted(_AUXILIARIES))})(?:n't)? (?:it|he|she|they|there|that)\W*$")
_OPINION = re.compile(r"^\W*(?:i|we) (?:think|thought|guess|suppose|heard|hear|believe|assume|read)\b")
_CONFIRMING = _words("confirm verify check prove")

_BOUNDING = _words(
    "over under above below beyond between around about nearly almost within past by exceeding top up since before "
    "after until till than least most"
)  # before a number or a time: it is a bound, not the value itself

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_MONTH = "(?:" + "|".join(sorted(name for month in MONTHS for name in (month, month[:3] + r"\.?"))) + ")"
_TIME = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    rf"|{_MONTH},? \d{{4}}|\d{{4}}-\d\d(?:-\d\d)?|[12]\d{{3}}|[12]\d{{2}}0s|\d{{1,2}}(?:st|nd|rd|th)[ -]century)\b",
    re.IGNORECASE,
)
_ALIKE = 0.9  # how near a word that has synonyms ("allowed") must be to one of a label to be read by it


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a question, ``question[start:end]``, lower-cased."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Unread:
    """Words of a question that the answer must account for: ``question[start:end]``.

    Args:
        plain: of a time, whether nothing bounds it ("in 1903", not "before 1903" or "by 1903").
    """

    start: int
    end: int
    text: str
    kind: Kind
    plain: bool = True


def tokens(question: str) -> list[Token]:
    """The words of a question; hyphens separate, an apostrophe does not, a possessive is left off."""
    found: list[Token] = []
    for match in _TOKEN.finditer(question):
        text = match[0].lower().replace("’", "'")
        bare = text.removesuffix("'s")
        found.append(Token(match.start(), match.start() + len(bare), bare))
    return found


def unread(
    question: str, names: Iterable[tuple[int, int, str]], labels: Iterable[str], lexicon: Lexicon
) -> list[Unread]:
    """The words of a question that neither a linked name nor a relation's label reads, in their order.

    Args:
        names: the linked mentions that the answer rests on: start, end, and the name that the graph has for it.
        labels: of the relations on the path.
    """
    said = tokens(question)
    spans = [(start, end, {token.text for token in tokens(form)}) for start, end, form in names]
    told = {token.text for label in labels for token in tokens(label)}
    lemmas = {lemma for word in told for lemma in (word, *lexicon.lemmas(word))}

    def read(token: Token, kind: Kind) -> bool:
        if any(start <= token.start and token.end <= end and token.text in form for start, end, form in spans):
            return True
        if kind == "comparison":  # "better" is not "good"
            return token.text in told
        return not lemmas.isdisjoint((token.text, *lexicon.lemmas(token.text)))

    found = _yes_or_no(question, said, spans, lexicon)
    polite = [match.span() for match in _POLITE.finditer(_plain(question))]
    times = _times(question, said, spans)
    at = 0
    while at < len(said):
        token = said[at]
        time = next((one for one in times if one.start <= token.start and token.end <= one.end), None)
        if time is not None:
            found.append(time)
            at += sum(time.start <= other.start < time.end for other in said)
            continue
        if any(start <= token.start and token.end <= end for start, end in polite):
            at += 1
            continue
        length, kind = _match(said, at, question, lexicon)
        if token.text == "or" and _is_auxiliary(said[0]):
            kind = "choice"
        if kind is not None and not all(read(other, kind) for other in said[at : at + length]):
            synonymous = (
                kind in ("modality", "negation")
                and length == 1
                and any(lexicon.relatedness(token.text, word) >= _ALIKE for word in told if word not in STOP_WORDS)
            )
            if not synonymous:
                first = at - 1 if kind == "number" and at and said[at - 1].text in _BOUNDING else at
                start, end = said[first].start, said[at + length - 1].end
                found.append(Unread(start, end, question[start:end], kind))
        at += length
    return sorted(found, key=lambda one: (one.start, -one.end))


def denied(question: str, labels: Iterable[str]) -> str | None:
    """The label that holds a negation where the question holds none: what it says is the opposite."""
    if any(_negates(token.text) for token in tokens(question)):
        return None
    return next((label for label in labels if any(_negates(token.text) for token in tokens(label))), None)


def reason(words: Sequence[Unread]) -> str:
    """What an abstention says of the words that were not read, at least one."""
    shown = [f"“{text}”" for text in dict.fromkeys(word.text for word in words)]
    listed = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    kinds = {word.kind for word in words}
    if "yes or no" in kinds:
        return f"the question asks for yes or no ({listed}), and this method finds the things at the end of a path"
    if kinds == {"count"}:
        return f"the question asks for a number of things ({listed}), and this method does not count"
    return f"the question says {listed}, which this method does not read here"


def _plain(question: str) -> str:
    """The question in lower case with plain apostrophes and blanks, as long as it was."""
    lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in question)
    return re.sub(r"\s", " ", lowered.replace("’", "'"))


def _negates(word: str) -> bool:
    return word in ("not", "no", "never", "without", "cannot", "except", "excluding", "non") or word.endswith("n't")


def _match(said: Sequence[Token], at: int, question: str, lexicon: Lexicon) -> tuple[int, Kind | None]:
    """How many words from ``at`` on are of which kind; 1 and None where they are of none."""
    word = said[at].text
    for length in range(_LONGEST, 0, -1):
        phrase = tuple(token.text for token in said[at : at + length])
        for kind, phrases in _TABLE:
            if phrase in phrases and not _is_other(said, at, length, question, lexicon):
                return length, kind
    if word.endswith("n't") or word in _CONTRACTED:
        return 1, "negation"
    if word in FIRST | LAST | _ORDINALS or _ORDINAL.fullmatch(word):
        return 1, None if _is_other(said, at, 1, question, lexicon) else "order"
    if any(char.isdigit() for char in word) or word in _NUMBERS:
        return 1, "number"
    if word in MONTHS and at and said[at - 1].text in ("in", "on", "of", "since", "by", "before", "after"):
        return 1, "time"
    if _compares(word, lexicon):
        return 1, "comparison"
    return 1, None


def _is_other(said: Sequence[Token], at: int, length: int, question: str, lexicon: Lexicon) -> bool:
    """Whether words of the table are something else in English here: "May 1903", "a can of", "no. 5", "named after"."""
    word = said[at].text
    before = said[at - 1].text if at else ""
    after = said[at + length].text if at + length < len(said) else ""
    between = question[said[at].end : said[at + length].start] if after else ""
    noun = before in _DETERMINERS  # "the can", "a must", "the might of"
    if word in ("can", "must", "might", "need", "will") and length == 1:
        return noun or (word == "can" and after == "of")
    if word == "may":
        month = (
            before in ("in", "of", "on", "since", "by", "until", "during", "last", "this", "next") or before.isdigit()
        )
        return month or after.isdigit() or bool(_ORDINAL.fullmatch(after))
    if word == "no" and length == 1:
        return after.isdigit() or ("." in between and bool(after))
    if word == "non":
        return "-" not in between
    if word == "more":
        return after in ("about", "on") or before == "once"
    if word in ("number", "count"):  # "the number of", but "the phone number of"
        return bool(before) and before not in STOP_WORDS and before not in _DETERMINERS
    if word == "after":
        return (
            before in ("named", "called", "modelled", "modeled") or after in QUESTION_WORDS
        )  # "after whom is X named"
    if word == "since":
        return after == "when"
    if word == "last":  # a verb: "how long did X last"
        return not after and any(token.text in ("do", "does", "did") for token in said)
    if word == "second":
        return before in ("per", "a", "each") or before.isdigit()
    if word in ("next", "previous"):
        return word == "next" and after == "to"
    if word == "safe":
        return noun and not after
    if word == "half":
        return after in ("brother", "sister", "sibling", "siblings")
    return False


def _compares(word: str, lexicon: Lexicon) -> bool:
    """Whether a word is the comparative or superlative of an adjective, and no noun or verb that ends like one."""
    for ending in ("est", "er"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 3 or (lexicon.lemmas(word)[:1] == (word,) and not lexicon.is_adjective(word)):
            continue
        bases = {stem, stem + "e", stem[:-1] + "y" if stem.endswith("i") else stem}
        bases.add(stem[:-1] if stem[-1] == stem[-2] else stem)
        if any(lexicon.is_adjective(base) for base in bases):
            return True
    return False


def _times(question: str, said: Sequence[Token], spans: Sequence[tuple[int, int, set[str]]]) -> list[Unread]:
    """The times that a question states outside its names."""
    found: list[Unread] = []
    for match in _TIME.finditer(question):
        start, end = match.span()
        inside = any(first <= start and end <= last for first, last, _ in spans)
        if not inside and parse_time(match[0].lower()) is not None:
            before = next((token.text for token in reversed(said) if token.end <= start), "")
            found.append(Unread(start, end, match[0], "time", plain=before not in _BOUNDING))
    return found


def _yes_or_no(
    question: str, said: Sequence[Token], spans: Sequence[tuple[int, int, set[str]]], lexicon: Lexicon
) -> list[Unread]:
    """The words that make a question one for yes or no."""
    plain = _plain(question)
    if not said:
        return []

    def marked(start: int, end: int) -> list[Unread]:
        return [Unread(start, end, question[start:end].strip(" ,?.!"), "yes or no")]

    for pattern in (_TAG, _TAG_CLAUSE):
        if (match := pattern.search(plain)) and match.start() > 0:
            first = match.start() + len(match[0]) - len(match[0].lstrip(" ,"))
            return marked(first, match.end())
    asks = any(token.text in QUESTION_WORDS for token in said)
    if (match := _OPINION.match(plain)) and not asks:
        return marked(0, match.end())
    first = said[0]
    if first.text in _CONFIRMING:
        return marked(first.start, first.end)
    named = next((span for span in spans if span[0] <= first.start < span[1]), None)
    if named is None and _is_auxiliary(first):
        polite = any(match.start() <= first.start < match.end() for match in _POLITE.finditer(plain))
        either = any(token.text == "or" for token in said)
        return [] if polite or either else marked(first.start, first.end)
    if asks:
        return []
    ahead = min(spans, default=None)
    if ahead is None or sum(token.start < ahead[0] for token in said) > 1:
        return []
    rest = [token for token in said if token.start >= ahead[1]]
    if rest and (rest[0].text in _AUXILIARIES or _is_finite(rest, lexicon)):  # "X was born in Y?", "X wrote Y?"
        return marked(rest[0].start, rest[0].end)
    return []


def _is_auxiliary(token: Token) -> bool:
    return token.text.removesuffix("n't") in _AUXILIARIES or token.text in _CONTRACTED


def _is_finite(rest: Sequence[Token], lexicon: Lexicon) -> bool:
    """Whether a verb follows a name, with more than a preposition after it."""
    word = rest[0].text
    finite = lexicon.is_verb(word) and (word.endswith(("ed", "s")) or word not in lexicon.lemmas(word)[:1])
    return finite and any(token.text not in STOP_WORDS for token in rest[1:])
