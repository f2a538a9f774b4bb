"""Words that restrict or deny in English: negations, comparisons, modals, counts, numbers, times, yes/no forms.

They are closed classes (R. Huddleston, G. K. Pullum, "The Cambridge Grammar of the English Language", 2002): one table,
and the comparatives and superlatives of adjectives by WordNet. Another language needs another module like this one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal as Choice

from toulmin.english.denials import negates
from toulmin.english.lexicon import Lexicon
from toulmin.english.numbers import CARDINALS, SCALES
from toulmin.english.words import FIRST, LAST, PREPOSITIONS, QUESTION_STOP_WORDS, QUESTION_WORDS, YES_OR_NO, word_set
from toulmin.graph.times import parse_time

__all__ = [
    "BOUNDING",
    "MONTHS",
    "Kind",
    "QuestionToken",
    "Restriction",
    "compares",
    "is_restricting",
    "lasts",
    "politeness_blanked",
    "restrictions",
    "tokens",
]

_KEPT = 256  # texts whose words are kept: each reading of a question asks for them again

Span = tuple[int, int]

Kind = Choice["yes or no", "choice", "negation", "comparison", "order", "modality", "count", "number", "time"]


#: Each kind with its words, by themselves or in a row; what they are *not* read as stands in ``_is_exception``.
_WORDS: dict[Kind, str] = {
    "negation": """
        not, no, non, never, neither, nor, none, nobody, no one, nothing, nowhere, cannot, without, except, excepted,
        excepting, exclude, excludes, excluded, excluding, exclusive, only, solely, exclusively, but, unless, unlike,
        besides, minus, other than, rather than, instead of, apart from, aside from, far from, different from, different
        than, different to, hardly, scarcely, barely, rarely, seldom, lack, lacks, lacked, lacking, absent, missing,
        free, fail to, fails to, failed to, refuse to, refuses to, refused to, former, formerly, previously
    """,
    "comparison": """
        more, less, fewer, lesser, than, before, after, until, till, since, prior to, at least, at most, most, least,
        fewest, up to, minimum, maximum, minimal, maximal, min, max, exceed, exceeds, exceeded, exceeding, exactly,
        better, best, worse, worst, further, furthest, farther, farthest, lower, higher, lighter, elder, eldest, versus,
        vs, compared, twice, double, half
    """,
    "modality": """
        can, could, may, might, must, shall, should, would, ought, need to, needs to, needed to, have to, has to,
        able, unable, allowed, permitted, forbidden, prohibited, supposed, obliged, possible, impossible, possibly,
        safe, safely, unsafe, ok, okay, advisable, want to, wants to, wanted to, try to, tries to, tried to, hope to,
        hopes to, hoped to, plan to, plans to, planned to, intend to, intends to, intended to, about to
    """,
    "count": """
        how many, how often, how frequently, number of, count of, total, sum, average, median, percent, percentage,
        proportion, fraction, ratio, difference, combined, altogether
    """,
    "order": "most recent, most recently",
    "yes or no": "whether, if, true or false, is it true, is that so, any chance",
}
_KINDS = {tuple(phrase.split()): kind for kind, words in _WORDS.items() for phrase in words.split(",")}
_LONGEST = max(map(len, _KINDS))

_ORDINALS = word_set("second third fourth fifth sixth seventh eighth ninth tenth next previous")
_NUMBERS = (CARDINALS.keys() | SCALES.keys() | {"dozen"}) - {"one"}  # which stands for a noun: "the red one"
_MODALS = word_set("can could may might must shall should will would")
_AUXILIARIES = YES_OR_NO | _MODALS | {"am"}
_CONTRACTED = frozenset(word + "nt" for word in _AUXILIARIES - word_set("am may can will shall")) | word_set(
    "cant wont shant aint"
)  # as they are typed without the apostrophe
_DETERMINERS = word_set("a an the this that these those my your his her its our their any some")
#: Verbs that mean something else with "after".
_FOLLOWED_BY_AFTER = word_set("named called modelled modeled look looks looked looking take takes took taken taking")
#: Words of which "but" takes something away, so many words later at most: "all but one".
_WHOLES = word_set(
    "all every everything everyone everybody everywhere any anything anyone anybody none nothing nobody nowhere no "
    "each both most last next"
)
_NEAR = 3
#: Words that deny at the end of another one: "smoke-free".
_RESTRICTING_ENDS = frozenset({"free", "less", "only", "but"})
#: Names of months.
MONTHS = word_set("january february march april may june july august september october november december")

#: Asking politely is no modality and no question for yes or no: "can you tell me", "do you know who".
_ASKING = (
    r"(?:tell|name|list|show|find|identify|explain|remind|recall|remember|help|know|check|look up"
    r"|(?:give|point|let) (?:me|us))"
)
_POLITE = re.compile(
    rf"(?:^\W*(?:excuse me|pardon me|sorry|hello|hi|hey)\W+(?:but )?(?:i have a question\W+)?)"
    rf"|\bif any(?:one|body|thing)?\b"
    rf"|\b(?:(?:can|could|would|will|do|does|did|may|might)(?:n't)? (?:you|u|anyone|anybody|someone|somebody)"
    rf"(?: here| there| please| kindly| perhaps| maybe| happen to)* {_ASKING}"
    rf"|(?:can|could|may|might) (?:i|we) (?:please )?(?:ask|know|see)"
    rf"|(?:i|we)(?: would|'d)? (?:like|love|want|need|wish|have) to (?:know|ask|find out|see|learn|hear))\b"
)
#: "where would I find X" is "where is X"; "can I find X there" asks for yes or no.
_FINDING = re.compile(
    r"\b(?:where|which|what|who|whom|when|how)\b[^,;:.?!]*?\b((?:can|could|would|will|do) (?:i|we|you|one) find)\b"
)
_TAG = re.compile(r", ?(?:right|correct|true|yes or no|yes|no|ok|okay|eh|huh|or not)\W*$")
_TAG_CLAUSE = re.compile(rf", (?:{'|'.join(sorted(_AUXILIARIES))})(?:n't)? (?:it|he|she|they|there|that)\W*$")
_OPINION = re.compile(r"^\W*(?:i|we) (?:think|thought|guess|suppose|heard|hear|believe|assume|read)\b")
_FILLERS = word_set("please so and well ok okay now then hi hello hey but yes")  # a question may open with them
_CONFIRMING = word_set("confirm verify check prove")

#: Words that bound a number or a time which they stand before: it is not the value itself.
BOUNDING = word_set(
    "over under above below beyond between around about nearly almost within past by exceeding top up since before "
    "after until till than least most"
)

_DURATIONS = word_set("for less more longer shorter over under at between until exactly")  # behind a verb "last"

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_MONTH = "(?:" + "|".join(sorted(name for month in MONTHS for name in (month, month[:3] + r"\.?"))) + ")"
_TIME = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    rf"|{_MONTH},? \d{{4}}|\d{{4}}-\d\d(?:-\d\d)?|[12]\d{{3}}|[12]\d{{2}}0s|\d{{1,2}}(?:st|nd|rd|th)[ -]century)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QuestionToken:
    """A word of a question, ``question[start:end]``, lower-cased."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Restriction:
    """Words of a question that an answer must account for: ``question[start:end]``.

    Args:
        phrase: what a label must hold to read them; empty: no label can.
        plain: of a time, whether nothing bounds it ("in 1903", not "before 1903" or "by 1903").
    """

    start: int
    end: int
    text: str
    kind: Kind
    phrase: tuple[str, ...] = ()
    plain: bool = True


@lru_cache(_KEPT)
def tokens(question: str) -> tuple[QuestionToken, ...]:
    """The words of a question; hyphens separate, an apostrophe does not, a possessive is left off."""
    words: list[QuestionToken] = []
    for match in _TOKEN.finditer(question):
        text = match[0].lower().replace("’", "'")
        bare = text.removesuffix("'s")
        words.append(QuestionToken(match.start(), match.start() + len(bare), bare))
    return tuple(words)


def politeness_blanked(question: str) -> str:
    """The question with blanks for words of politeness ("I would like to know"), which ask for nothing; as long."""
    for start, end in _polite_spans(question):
        question = question[:start] + " " * (end - start) + question[end:]
    return question


def _polite_spans(question: str) -> list[Span]:
    plain = _plain(question)
    return [match.span() for match in _POLITE.finditer(plain)] + [match.span(1) for match in _FINDING.finditer(plain)]


@lru_cache(_KEPT)
def restrictions(question: str, names: tuple[Span, ...], lexicon: Lexicon) -> tuple[Restriction, ...]:
    """The words of a question that restrict or deny, in their order.

    Args:
        names: where the linked mentions are, first the one that the answer is searched from.
    """
    sentence = tokens(question)
    restrictive = _yes_or_no(question, sentence, names, lexicon)
    polite = _polite_spans(question)
    times = _times(question, sentence, names)
    at = 0
    while at < len(sentence):
        token = sentence[at]
        time = next((stated for stated in times if stated.start <= token.start and token.end <= stated.end), None)
        if time is not None:
            restrictive.append(time)
            at += sum(time.start <= inside.start < time.end for inside in sentence)
            continue
        length, kind = 1, None
        if not any(start <= token.start and token.end <= end for start, end in polite):
            length, kind = _match(sentence, at, question, lexicon)
            if (
                token.text == "but"
                and at + 1 < len(sentence)
                and sentence[at + 1].start in {start for start, _ in names}
            ):
                kind = "negation"  # "the nurses but Ole"
            if _is_choice(sentence, at, lexicon) and _is_auxiliary(sentence[0]):
                kind = "choice"
        if kind is not None:
            words = sentence[at : at + length]
            first = at - 1 if kind == "number" and at and sentence[at - 1].text in BOUNDING else at
            start, end = sentence[first].start, words[-1].end
            restrictive.append(Restriction(start, end, question[start:end], kind, tuple(word.text for word in words)))
        at += length
    return tuple(sorted(restrictive, key=lambda restriction: (restriction.start, -restriction.end)))


def is_restricting(word: str) -> bool:
    """Whether a word by itself is in the table."""
    return (word,) in _KINDS


def _plain(question: str) -> str:
    """The question in lower case with plain apostrophes and blanks, as long as it was."""
    lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in question)
    return re.sub(r"\s", " ", lowered.replace("’", "'"))


def _match(sentence: Sequence[QuestionToken], at: int, question: str, lexicon: Lexicon) -> tuple[int, Kind | None]:
    """How many words from ``at`` on are of which kind; 1 and None where they are of none."""
    word = sentence[at].text
    if _in_compound(sentence, at, lexicon) or _is_hyphenated(sentence, at, question):
        return 1, None
    if word in MONTHS and at and sentence[at - 1].text in ("in", "on", "of", "since", "by", "before", "after"):
        return 1, "time"
    for length in range(min(_LONGEST, len(sentence) - at), 0, -1):
        phrase = tuple(token.text for token in sentence[at : at + length])
        if phrase in _KINDS:
            exception = _is_exception(sentence, at, length, question, lexicon)
            return (1, None) if exception else (length, _KINDS[phrase])
    if word == "as" and at + 2 < len(sentence) and sentence[at + 2].text == "as" and not negates(sentence[at + 1].text):
        if sentence[at + 1].text == "well":
            return 3, None  # "as well as" joins
        return (3, "comparison") if lexicon.is_adjective(sentence[at + 1].text, first=False) else (1, None)
    if word.endswith("n't") or word in _CONTRACTED:
        return 1, "negation"
    if word.endswith("'ll"):  # "who'll" is "who will"
        return 1, "modality"
    if word in FIRST | LAST | _ORDINALS or _ORDINAL.fullmatch(word):
        return 1, None if _is_exception(sentence, at, 1, question, lexicon) else "order"
    if any(char.isdigit() for char in word) or word in _NUMBERS:
        return 1, "number"
    if compares(word, lexicon):
        return 1, "comparison"
    return 1, None


def _is_choice(sentence: Sequence[QuestionToken], at: int, lexicon: Lexicon) -> bool:
    """Whether a word is an "or" between two things, and does not go on with a bound: "two or more", "ten or later"."""
    after = [token.text for token in sentence[at + 1 : at + 2]]
    return sentence[at].text == "or" and not any(word in ("more", "less") or compares(word, lexicon) for word in after)


def _in_compound(sentence: Sequence[QuestionToken], at: int, lexicon: Lexicon) -> bool:
    """Whether a word that orders or counts is part of a noun of several words: "other half", "second cousin"."""
    if sentence[at].text not in FIRST | LAST | _ORDINALS | _NUMBERS | {"best", "better", "double", "lower", "number"}:
        return False
    pairs = [sentence[first : first + 2] for first in (at - 1, at) if first >= 0 and first + 2 <= len(sentence)]
    return any(lexicon.is_noun(f"{pair[0].text} {pair[1].text}") for pair in pairs)


def _is_hyphenated(sentence: Sequence[QuestionToken], at: int, question: str) -> bool:
    """Whether a word ends another one: "follow-up"; yet "smoke-free" denies, and "over-70s" bounds."""
    hyphen = at > 0 and question[sentence[at - 1].end : sentence[at].start] == "-"
    word, before = sentence[at].text, sentence[at - 1].text
    number = any(char.isdigit() for char in word + before) or word in _NUMBERS
    return hyphen and not number and word not in _RESTRICTING_ENDS and before not in BOUNDING


def _is_exception(sentence: Sequence[QuestionToken], at: int, length: int, question: str, lexicon: Lexicon) -> bool:
    """Whether words of the table are something else in English here: "May 1903", "a can of", "no. 5", "named after"."""
    word = sentence[at].text
    before = sentence[at - 1].text if at else ""
    after = sentence[at + length].text if at + length < len(sentence) else ""
    between = question[sentence[at].end : sentence[at + length].start] if after else ""
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
    if word == "up":  # "what do they add up to"
        return before in ("add", "adds", "added")
    if word in ("number", "count"):  # "the number of", but "the phone number of"
        return bool(before) and before not in QUESTION_STOP_WORDS and before not in _DETERMINERS
    if word == "but":  # "all but one" denies, "cheap but good" joins; "but not" has a "not" of its own
        near = {token.text for token in sentence[max(0, at - _NEAR) : at]}
        return before not in QUESTION_WORDS and after not in ("for", "one", "two") and near.isdisjoint(_WHOLES)
    if word == "after":  # "looks after", "named after", "after whom is X named"
        time = any(char.isdigit() for char in after)
        return (before in _FOLLOWED_BY_AFTER and not time) or after in QUESTION_WORDS
    if word == "since":
        return after == "when"
    if word == "last":
        return lasts(sentence, at)
    if word == "second":
        return before in ("per", "a", "each") or before.isdigit()
    if word == "half":
        return before in ("other", "better")  # somebody's other half
    if word in ("next", "previous"):
        return word == "next" and after == "to"
    if word == "safe":
        return noun and not after
    if word == "free":
        hyphen = at > 0 and question[sentence[at - 1].end : sentence[at].start] == "-"
        return not hyphen and after not in ("of", "from")
    return False


def lasts(sentence: Sequence[QuestionToken], at: int) -> bool:
    """Whether "last" is a verb: "how long did X last", "which courses last less than an hour"."""
    if at + 1 == len(sentence):
        return any(token.text in ("do", "does", "did") for token in sentence)
    after = sentence[at + 1].text
    return at > 0 and sentence[at - 1].text.endswith("s") and (after in _DURATIONS or after[0].isdigit())


def compares(word: str, lexicon: Lexicon) -> bool:
    """Whether a word is the comparative or superlative of an adjective, and no noun or verb that ends like one."""
    for ending in ("est", "er"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 3 or (lexicon.lemmas(word)[:1] == (word,) and not lexicon.is_adjective(word)):
            continue
        bases = {stem, stem + "e", stem[:-1] + "y" if stem.endswith("i") else stem}
        bases.add(stem[:-1] if stem[-1] == stem[-2] else stem)
        if any(len(base) > 2 and lexicon.is_adjective(base, first=ending == "er") for base in bases):
            return True
    return False


def _times(question: str, sentence: Sequence[QuestionToken], names: Sequence[Span]) -> list[Restriction]:
    """The times that a question states outside its names."""
    times: list[Restriction] = []
    for match in _TIME.finditer(question):
        start, end = match.span()
        inside = any(first <= start and end <= last for first, last in names)
        if not inside and parse_time(match[0].lower()) is not None:
            before = next((token.text for token in reversed(sentence) if token.end <= start), "")
            times.append(Restriction(start, end, match[0], "time", plain=before not in BOUNDING))
    return times


def _yes_or_no(
    question: str, sentence: Sequence[QuestionToken], names: Sequence[Span], lexicon: Lexicon
) -> list[Restriction]:
    """The words that make a question one for yes or no."""
    plain = _plain(question)
    if not sentence:
        return []

    def asking(start: int, end: int) -> list[Restriction]:
        return [Restriction(start, end, question[start:end].strip(" ,?.!"), "yes or no")]

    for pattern in (_TAG, _TAG_CLAUSE):
        if (match := pattern.search(plain)) and match.start() > 0:
            return asking(match.end() - len(match[0].lstrip(" ,")), match.end())
    asks = any(token.text in QUESTION_WORDS for token in sentence)
    if (match := _OPINION.match(plain)) and not asks:
        return asking(0, match.end())
    first = next((token for token in sentence if token.text not in _FILLERS), sentence[0])
    if first.text in _CONFIRMING:
        return asking(first.start, first.end)
    name = next((span for span in names if span[0] <= first.start < span[1]), None)
    if name is None and _is_auxiliary(first):
        polite = next((match for match in _POLITE.finditer(plain) if match.start() <= first.start < match.end()), None)
        if polite is not None and re.match(r"\s*that\b", plain[polite.end() :]) is None:
            return []
        either = any(_is_choice(sentence, at, lexicon) for at in range(len(sentence)))
        return [] if either else asking(first.start, first.end)
    if asks:
        return []
    ahead = min(names, default=None)
    if ahead is None or sum(token.start < ahead[0] for token in sentence) > 1:
        return []
    predicate = [token for token in sentence if token.start >= ahead[1]]
    if predicate and predicate[-1].text in PREPOSITIONS:
        return []  # "X was born in?": what is left out is asked for
    if predicate and (
        predicate[0].text in _AUXILIARIES or _is_finite(predicate, lexicon, asked="?" in question)
    ):  # "X was born in Y?", "X wrote Y?"
        return asking(predicate[0].start, predicate[0].end)
    return []


def _is_auxiliary(token: QuestionToken) -> bool:
    return token.text.removesuffix("n't") in _AUXILIARIES or token.text in _CONTRACTED


def _is_finite(predicate: Sequence[QuestionToken], lexicon: Lexicon, *, asked: bool) -> bool:
    """Whether a verb follows a name, with more than a preposition after it."""
    word = predicate[0].text
    finite = lexicon.is_verb(word) and (word.endswith(("ed", "s")) or word not in lexicon.lemmas(word)[:1])
    if not asked and lexicon.is_noun(word):  # "X awards received"
        return False
    return finite and any(token.text not in QUESTION_STOP_WORDS for token in predicate[1:])
