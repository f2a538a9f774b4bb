"""What a question demands of a reading beyond its parts: things of a class, amounts, columns, a place in an order.

The network passes over these at times. Each demand is a rule of English that a reading meets or leaves unread.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from toulmin.english.inflection import is_past, is_verb, singular
from toulmin.english.lexicon import Lexicon
from toulmin.english.words import AUXILIARIES, PREPOSITIONS, QUESTION_WORDS, YES_OR_NO, word_set
from toulmin.graph.quantities import CURRENCIES, convertible
from toulmin.graph.times import is_time
from toulmin.graph.types import Entity, Literal, Node
from toulmin.methods.question.restrictions import QuestionToken, compares, lasts
from toulmin.methods.reader.beside_names import LIGHT_NOUNS
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import (
    Calculated,
    Constant,
    Form,
    Grouped,
    Hop,
    Join,
    Kind,
    Membership,
    Ranked,
    Tabled,
    Things,
    walk,
)
from toulmin.methods.reader.schema import Class
from toulmin.methods.reader.scoring import Scoring
from toulmin.program.answer import node_text

__all__ = ["Demands"]

#: "List the wards with their heads", "name all parts and how much they weigh": a column for each.
_LISTING = re.compile(
    r"^\W*(?:please )?(?:list|show|give|name|get|print|all|every|each|everything)\b.*?"
    r"(\b(?:and|plus|with|along with|together with) (?:their|its|his|her) (?!own\b)\w+"
    r"|, (?:each )?with the (?!most|least|fewest|\w+est\b)\w+"
    r"|\b(?:and|plus) (?:what|when|where|who|which|how \w+(?: \w+)?) (?:they|it|he|she|each)\b)"
)
#: A plain row of names of columns, to the end of the question, and what stands between two of them.
_WORD = r"(?!(?:and|plus|or|in|of|for|on|at|to|by|from|who|that|which|where|please|sorted|ordered)\b)[\w()/-]+"
_NAME = rf"{_WORD}(?: {_WORD}){{0,3}}"
_BETWEEN = r"(?:, (?:and |plus )?| (?:and|plus) )"
_COLUMNS = re.compile(
    rf"(?:,? ?(?:and|plus|each|with|along|together|the|their|its|his|her) )+({_NAME}(?:{_BETWEEN}{_NAME})*)"
    r"(?:,? please)?\W*"
)
_NOT_LISTING = word_set("between both difference gap")
#: Words that ask for one of several by its place, beside superlatives ("heaviest") and comparatives.
_PLACING = word_set(
    "first second third fourth fifth sixth seventh eighth ninth tenth last final next previous initial most least "
    "more less fewer fewest top bottom maximum minimum max min best worst better worse record peak lower upper senior "
    "junior win wins winner winning won champion champions lead leads leading led leader runner podium bestseller "
    "bestselling number rank ranked ranks ranking rear behind ahead before beyond favourite favorite chief main "
    "firstborn ever"
)
#: What may ask for those with the most related things, beside "most" itself.
_COUNTING = word_set(
    "most least more less fewer fewest many much often number numbers count counts common frequent frequently popular "
    "rare big bigger biggest large larger largest small smaller smallest busy busier busiest great greater greatest "
    "high higher highest low lower lowest top bottom maximum minimum max min record rank ranked ranking"
)

#: Superlatives that numbers and times measure, whatever these are called.
_MEASURED = word_set(
    "biggest largest greatest smallest tiniest longest shortest tallest highest lowest oldest youngest newest latest "
    "earliest soonest heaviest lightest fastest quickest slowest cheapest dearest costliest priciest deepest "
    "shallowest widest broadest narrowest thickest thinnest hottest warmest coldest coolest strongest weakest richest "
    "poorest busiest closest nearest farthest furthest loudest brightest steepest fewest least most best worst"
)
_LIKE_KEY = 0.3  # cosine of another superlative and what is measured from which on that may be meant
_SHORTER_THAN_YEARS = word_set("second minute hour day week month")  # the time between two dates is told in years
_NAMING_THINGS = word_set("which who whom whose where when")
_TRUTHS = word_set("yes no true false")
_MEASURES = word_set(
    "much many far long short old young tall heavy light high low deep wide narrow broad thick thin big large small "
    "hot warm cold fast quick slow steep loud bright expensive cheap costly"
)
#: Units that tell how fast, how tall something is: no length is an answer to the one, no weight to the other.
_TOLD_IN = {
    **dict.fromkeys(("fast", "quick", "slow"), ("m/s", "s")),
    **dict.fromkeys(("tall", "deep", "wide", "narrow", "broad", "thick", "thin", "far"), ("m",)),
    **dict.fromkeys(("heavy", "light"), ("kg",)),
    **dict.fromkeys(("hot", "warm", "cold"), ("kelvin",)),
    **dict.fromkeys(("old", "young", "busy"), ("s",)),
    **dict.fromkeys(("cheap", "dear", "costly", "pricy", "expensive"), ("money",)),
    "long": ("m", "s"),
}
_BASE_UNITS = ("m", "s", "kg", "m/s", "kelvin")
_SUPERLATIVES = {
    f"{stem}est": word for word in _TOLD_IN for stem in (word, word[:-1] + "i", word + word[-1], word[:-1])
}
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_DIGIT = re.compile(r"\d")
_LATEST = word_set("recent recently newest latest")

#: Before the class that is asked for: "show me all our flights"; and what may stand behind it.
_BEFORE_ASKED = word_set(
    "which what is are was were of the all our my your any most least please show list give name find tell me us need "
    "want"
)
_BEHIND_ASKED = (PREPOSITIONS | AUXILIARIES | YES_OR_NO | QUESTION_WORDS) | word_set(
    "that whose and or but not without whether can will by under over after before since until"
)
_NAMING, _THINGS = word_set("which what"), word_set("who whom what")
_CODE = re.compile(r"[A-Za-z]{0,4}[ _/-]?\d+")  # the name of a row that has none
_OTHERS = word_set("any all every everyone everything anyone anything others other")
_EACH = word_set("each every per respectively")
_FARTHEST = 4  # words from the start of a question to a class that is asked for


class Demands:
    """What one question demands of its readings.

    Args:
        scoring: of the question, over the graph.
        tokens: the words of the question.
    """

    def __init__(self, scoring: Scoring, lexicon: Lexicon, tokens: Sequence[QuestionToken]) -> None:
        self._asked, self._schema, self._lexicon, self._tokens = scoring.asked, scoring.schema, lexicon, tokens
        self._scoring = scoring
        self._asking = [token for token in tokens if token.text in QUESTION_WORDS]
        self._class = self._asked_class()
        self._is_truth = bool(tokens) and tokens[0].text in YES_OR_NO
        listing = _LISTING.search(scoring.asked.question.lower())
        between = any(token.text in _NOT_LISTING for token in tokens)
        #: Where columns for each thing are asked for, and how many, if that is plain: nothing but rows will do.
        self.columns: tuple[tuple[int, int], int | None] | None = None
        if listing is not None and not between:
            told = _COLUMNS.fullmatch(listing.string, listing.start(1))
            self.columns = listing.span(1), None if told is None else len(re.findall(_BETWEEN, told[1])) + 1

    def unmet(self, draft: Draft, values: Sequence[Node]) -> Iterator[tuple[int, int]]:
        """Where words stand that demand what a draft with some values is not."""
        yield from self._of_form(draft.form, draft.parts, values)
        yield from self._denied_beside(draft, values)
        yield from self._called_otherwise(draft, values)
        for word in (self._of_another_kind(draft, values), self._of_another_class(draft, values)):
            if word is not None:
                yield word.start, word.end

    def _of_opinion(self, parts: Sequence[int]) -> Iterator[tuple[int, int]]:
        """What asks for the most of something that no value measures: "noblest", by whatever the graph has."""
        for token in self._tokens:
            word = token.text
            superlative = word.endswith("est") and compares(word, self._lexicon)
            if superlative and word not in _MEASURED and self._scoring.likeness(word, parts) < _LIKE_KEY:
                yield token.start, token.end

    def _of_form(self, form: Form, parts: Sequence[int], values: Sequence[Node]) -> Iterator[tuple[int, int]]:
        """What demands columns, amounts, a place in an order, or another unit."""
        tokens, rows = self._tokens, isinstance(form, Tabled | Grouped)
        if self.columns is not None and not rows:
            yield self.columns[0]
        texts = [node_text(value).lower() for value in values]
        things = tokens and (tokens[0].text in _NAMING_THINGS or (self._class is not None and not self._is_truth))
        if things and values and set(texts) <= _TRUTHS:
            yield tokens[0].start, tokens[0].end
        if values and not rows:
            without = not any(map(_DIGIT.search, texts))
            times = all(isinstance(value, Literal) and value.kind == "time" for value in values)
            units = {value.unit for value in values if isinstance(value, Literal) and value.unit is not None}
            for how, of in pairwise(tokens):  # a day is no answer to how long, either
                unfit = _is_told_otherwise(of.text, units) or (times and of.text in ("long", "old"))
                if how.text == "how" and of.text in _MEASURES and (without or unfit):
                    yield how.start, of.end
        for ranked in (part for part in walk(form) if isinstance(part, Ranked)):
            yield from self._of_opinion(parts)
            if isinstance(ranked.of, Things) and ranked.key.path and ranked.of.kind.label == ranked.key.path[-1].label:
                yield tokens[0].start, tokens[-1].end  # "the highest salary" of a table of salaries is an amount
            yield from _of_ranks(tokens, ranked, len(values) if ranked is form else 0, self._lexicon)
            key = ranked.key.path[-1] if ranked.key.path and ranked.key.measure != "count" else None
            keyed_in = () if key is None else self._schema.units_of(key)
            for token in tokens:
                if _is_told_otherwise(_SUPERLATIVES.get(token.text, ""), keyed_in):
                    yield token.start, token.end
            if ranked.key.measure == "count" or (ranked.key.path and self._schema.is_measured(ranked.key.path[-1])):
                yield from ((token.start, token.end) for token in tokens if token.text in _LATEST)
        if isinstance(form, Calculated) and form.do == "duration":
            for many, unit in pairwise(tokens):
                if many.text == "many" and (singular(unit.text) or unit.text) in _SHORTER_THAN_YEARS:
                    yield unit.start, unit.end

    def _denied_beside(self, draft: Draft, values: Sequence[Node]) -> Iterator[tuple[int, int]]:
        """What a reading denies to be an end of a relation that never has it, where another leads to it from there.

        "No" says nothing then: a cork's supplier is not Porto, but its origin is.
        """
        form, mentioned = draft.form, {mention.named: mention for mention in self._asked.mentioned}
        if not isinstance(form, Membership) or not isinstance(form.of, Join) or values != [Literal("no")]:
            return
        item, of = (mentioned.get(part) if isinstance(part, Constant) else None for part in (form.item, form.of.of))
        if item is None or of is None or item.named.words is None:
            return
        leading = self._schema.ways(item.nodes) ^ 1
        if draft.parts[-1] not in leading:
            others = np.intersect1d(leading, self._schema.ways(of.nodes)).tolist()
            if any(np.isin(item.nodes, self._schema.follow(of.nodes, hop)).any() for hop in others):
                yield item.named.words

    def _called_otherwise(self, draft: Draft, values: Sequence[Node]) -> Iterator[tuple[int, int]]:
        """What is asked for or counted by the name of a relation or class that a reading does not have.

        "On what floor is X" asks for no ward, if floors are told of these; "how many depots" for no vans.
        """
        hops = [part for part in walk(draft.form) if isinstance(part, Hop)]
        called = {word for hop in hops for word in f"{hop.label} {hop.far} {hop.near}".lower().split()}
        called |= {word for part in walk(draft.form) if isinstance(part, Kind) for word in part.label.lower().split()}
        for before, noun, behind in zip(self._tokens, self._tokens[1:], (*self._tokens[2:], None), strict=False):
            words = {noun.text, singular(noun.text) or noun.text}
            if behind is not None and behind.text not in _BEHIND_ASKED:
                continue
            if before.text == "many" and draft.kind == "number" and words.isdisjoint(called):
                class_ = self._class_called(noun.text)
                if class_ is not None and not any(self._lexicon.is_kind_of(hop.far, class_.kind.label) for hop in hops):
                    yield noun.start, noun.end
                elif class_ is None and not words.isdisjoint(self._schema.counted):
                    yield noun.start, noun.end  # "places", where "max places" are told
            elif before.text in _NAMING and before is self._asking[0] and words.isdisjoint(LIGHT_NOUNS):
                yield from [(noun.start, noun.end)] if self._schema.is_other_than(noun.text, values) else ()

    def _asked_class(self) -> tuple[QuestionToken, Class] | None:
        """The class of the graph that is asked for, and the word for it: "which flights"; None where none is."""
        rest = list(self._tokens)
        if len(rest) > 1 and rest[0].text in PREPOSITIONS and rest[1].text in _NAMING:
            rest.pop(0)  # "in which ward", not "in two wards"
        while rest and (rest[0].text in _BEFORE_ASKED or compares(rest[0].text, self._lexicon)):
            rest.pop(0)
        if not rest or (self._asking and self._asking[0].start < rest[0].start and self._asking[0].text not in _NAMING):
            return None
        for place, head in enumerate(rest[:_FARTHEST]):  # "which small steel parts"
            if head.text in _BEHIND_ASKED or is_past(head.text):
                return None
            if (asked := self._class_called(head.text)) is not None and self._ends_in(head, rest[place + 1 :], asked):
                return head, asked
        return None

    def _class_called(self, word: str) -> Class | None:
        """The class whose label a word is, or alone ends in: "ward" is a hospital ward."""
        names, classes = {word, singular(word)}, self._schema.classes
        exact = [class_ for class_ in classes if class_.kind.label.lower() in names]
        ending = exact or [class_ for class_ in classes if class_.kind.label.lower().split(" ")[-1] in names]
        return ending[0] if exact or len(ending) == 1 else None

    def _ends_in(self, head: QuestionToken, behind: Sequence[QuestionToken], asked: Class) -> bool:
        """Whether what is asked for ends in a word for a class: not "the flight's captain", not "flight number"."""
        if behind and self._asked.question[head.end : behind[0].start] != " ":
            return False
        plural = head.text != asked.kind.label.lower().split(" ")[-1]
        verb = behind and (is_verb(behind[0].text) or is_past(behind[0].text))
        verb = verb and (plural or not self._lexicon.is_noun(behind[0].text))  # "flights number" is no noun
        return not behind or bool(verb) or behind[0].text in _BEHIND_ASKED or behind[0].text.endswith("ing")

    def _of_another_class(self, draft: Draft, values: Sequence[Node]) -> QuestionToken | None:
        """The word that names a class of which none of these things is, though they are of one, or are numbers."""
        if self._class is None or not values:
            return None
        word, asked = self._class
        called = {label for part in walk(draft.form) if isinstance(part, Hop) for label in part.label.lower().split()}
        ids = [value.id for value in values if isinstance(value, Entity)]
        if not ids:
            amounts = all(isinstance(value, Literal) and value.kind == "quantity" for value in values)
            other = draft.kind == ("number" if amounts else "text")
            return word if other and called.isdisjoint(asked.kind.label.lower().split()) else None
        numbers = self._numbers_of(values)
        others = numbers[~np.isin(numbers, asked.members)]
        label, hop = self._schema.class_label(others), draft.form.hop.label if isinstance(draft.form, Join) else ""
        if not label or self._lexicon.is_kind_of(label, asked.kind.label) or asked.kind.label.lower() in hop.split():
            return None
        return word

    def _of_another_kind(self, draft: Draft, values: Sequence[Node]) -> QuestionToken | None:
        """The word that asks for other values than these: no truth is asked for by "what", no time by "what did".

        Nor by "which awards" how many these are, nor by "how many people" a share of them, or one number for each of
        several things; and by "what followed" nobody.
        """
        literals = [value for value in values if isinstance(value, Literal)]
        if not self._asking or not values:
            return None
        if not literals:
            return self._asking[0] if self._are_people(draft, values) or self._are_joining(values) else None
        if len(literals) < len(values):
            return None
        asking, kinds = self._asking[0], {literal.kind for literal in literals}
        behind = [token.text for token in self._tokens if token.start > asking.start][:2]
        if kinds == {"boolean"} and draft.kind == "truth":
            return asking
        if kinds == {"time"} and asking.text == "what" and behind[:1] and behind[0] in AUXILIARIES:
            return asking
        if kinds != {"quantity"} or not isinstance(draft.form, Join):
            return None
        if asking.text == "how" and len(literals) > 1 and not isinstance(draft.form.of, Constant):
            return (
                asking
                if behind[:1] in (["many"], ["much"]) and _EACH.isdisjoint(t.text for t in self._tokens)
                else None
            )
        units = {literal.unit for literal in literals}
        if asking.text == "which" and units == {None} and len(literals) == 1:
            counted = [word for word in draft.form.hop.label.split() if singular(word) is not None]
            return asking if behind and behind[0] in counted and not is_time(literals[0].value) else None
        if asking.text == "how" and behind[:1] == ["many"] and None not in units:
            return None if any(convertible(word, str(unit)) for word in behind[1:] for unit in units) else asking
        return None

    def _are_joining(self, values: Sequence[Node]) -> bool:
        """Whether "who" or "what" yields rows that join things, and that codes alone name: a loan is no book."""
        codes = [value.label or value.id for value in values if isinstance(value, Entity)]
        if self._asking[0].text not in _THINGS or not all(map(_CODE.fullmatch, codes)):
            return False
        numbers = self._numbers_of(values)
        label = self._schema.class_label(numbers)
        named = {self._schema.class_label(mention.nodes) for mention in self._asked.of_kinds("entity")}
        asked = {form for token in self._tokens for form in (token.text, singular(token.text))}
        if not label or label in named or not asked.isdisjoint(label.lower().split()):
            return False
        ahead = (hop for hop in self._schema.ways(numbers).tolist() if not hop & 1)
        joined = {self._schema.class_label(self._schema.follow(numbers, hop)) for hop in ahead}
        return len(joined - {"", label}) > 1

    def _numbers_of(self, values: Sequence[Node]) -> NDArray[np.int32]:
        found = (self._schema.subgraph.index(value.id) for value in values if isinstance(value, Entity))
        return np.array([number for number in found if number is not None], dtype=np.int32)

    def _are_people(self, draft: Draft, values: Sequence[Node]) -> bool:
        """Whether a verb stands behind "what", and these are people by something that is not called as people are."""
        behind = next((token.text for token in self._tokens if token.start > self._asking[0].start), "")
        if self._asking[0].text != "what" or not (behind in YES_OR_NO | AUXILIARIES or is_past(behind)):
            return False
        kind = self._schema.class_label(self._numbers_of(values)).split()
        if kind and any(kind[-1] in (token.text, singular(token.text)) for token in self._tokens):
            return False  # "what is the heaviest printer"
        called = [word for part in walk(draft.form) if isinstance(part, Hop) for word in part.label.split()]
        return bool(kind) and self._is_person(kind[-1]) and not any(map(self._is_person, called))

    def _is_person(self, word: str) -> bool:
        return self._lexicon.is_a(word, "person")


def _is_told_otherwise(adjective: str, units: Collection[str]) -> bool:
    """Whether all of these units are known not to tell how much so something is: how fast, in kilograms."""
    if adjective not in _TOLD_IN or not units:
        return False
    by = {
        "money" if unit in CURRENCIES else next((b for b in _BASE_UNITS if convertible(unit, b)), "") for unit in units
    }
    return "" not in by and by.isdisjoint(_TOLD_IN[adjective])


def _of_ranks(
    tokens: Sequence[QuestionToken], ranked: Ranked, count: int, lexicon: Lexicon
) -> Iterator[tuple[int, int]]:
    """What asks for a first or last of things, or for so many of them, in another sense than a rank has."""
    placing = [
        token for place, token in enumerate(tokens) if _places(token.text, lexicon) and not _bounds(tokens, place)
    ]
    if not placing and tokens:
        yield tokens[0].start, tokens[-1].end  # nothing asks for one of several
    asked = ranked.last - ranked.first + 1
    if asked > 1 and count > 2 * asked:  # many are at one place
        yield from ((token.start, token.end) for token in placing[:1])
    if ranked.key.measure == "count" and all(token.text not in _COUNTING for token in tokens):
        yield from ((token.start, token.end) for token in placing[:1])  # "the loveliest" has not the most of anything


def _bounds(tokens: Sequence[QuestionToken], at: int) -> bool:
    """Whether a word asks for no place: "less than an hour" bounds (not "than any other"), and courses last an hour."""
    behind = [token.text for token in tokens[at + 1 : at + 3]]
    than = behind[:1] == ["than"] and _OTHERS.isdisjoint(behind)
    return than or (tokens[at].text == "last" and lasts(tokens, at))


def _places(word: str, lexicon: Lexicon) -> bool:
    noun = lexicon.is_noun(word) and not lexicon.is_adjective(
        word[:-3], first=False
    )  # "forest"; "dear" has a "dearest"
    superlative = word.endswith("est") and not noun
    return word in _PLACING or superlative or _ORDINAL.fullmatch(word) is not None or compares(word, lexicon)
