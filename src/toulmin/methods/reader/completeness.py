"""Complete or refused: which words of a question a reading leaves unread.

The network passes over "should" and "without" at times. Where a word stands in the question that restricts, denies,
compares, counts or permits, the reading must do what it asks for (an operator), name it, or walk a relation that is
called so; what the question names must be part of it, with as many steps as genitives go from it; "when" asks for a
time, and a class for things of it. Else it is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from toulmin.english.denials import negates
from toulmin.english.inflection import singular
from toulmin.english.lexicon import Lexicon
from toulmin.english.words import QUESTION_WORDS, word_set
from toulmin.graph.times import is_time
from toulmin.graph.types import Literal, Node
from toulmin.methods.question.restrictions import (
    BOUNDING,
    MONTHS,
    QuestionToken,
    Restriction,
    compares,
    restrictions,
    tokens,
)
from toulmin.methods.question.unread_words import opposing_label, unread_words
from toulmin.methods.reader.beside_names import Voice, genitive_chain
from toulmin.methods.reader.demands import Demands
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import (
    Condition,
    Constant,
    Form,
    Hop,
    Key,
    Kind,
    Noted,
    Own,
    Sets,
    Tabled,
    chain,
    walk,
)
from toulmin.methods.reader.mentions import Mentioned
from toulmin.methods.reader.operators import operators_of
from toulmin.methods.reader.scoring import Scoring
from toulmin.program.answer import node_text

__all__ = ["SINGLE_TIME", "Completeness"]

SINGLE_TIME = "single time"  # of one the first and the last are the same: "since when"

_ORDERS = frozenset({"<", ">", "≤", "≥"})
_FIRST = frozenset({"largest", "smallest", "min", "max", "places"})
#: The operators that read words of a kind (denials are counted); no operator reads "should", nor "can I".
_READ_BY: Mapping[str, frozenset[str]] = {
    "comparison": _ORDERS | _FIRST | {"compare", "as another", "calculate", "agree", "mean", "count condition", "has"},
    "order": _ORDERS | _FIRST,
    "count": frozenset({"count", "count condition", "rank by count", "sum", "mean", "group", "table"}),
    "number": frozenset({"places"}),
    "time": frozenset({"during"}),
    "choice": frozenset({"or", "either", "in"}),
}

#: What reads a word that asks for one number of many, which no other such operator reads: "total electorate".
_AGGREGATES = {"total": "sum", "sum": "sum", "combined": "sum", "altogether": "sum", "average": "mean", "median": ""}
_OF_SETS = frozenset({"count", "sum", "mean", "min", "max"})

#: Words that bound what follows them, whatever is measured: "older than" bounds a day of birth the other way round.
_UPWARD = word_set("more over exceeding least after since above beyond")
_DOWNWARD = word_set("less fewer under most before until till below")
_OF_MEASURES = word_set("above beyond below")  # a rank above 5 is a smaller number
_PERIODS = word_set("since until till")  # "open since 2019" is from then
_BETWEEN_BOUND_AND_VALUE = word_set("than of the a an about start end beginning")
_BESIDES = word_set("besides other apart aside")  # what a way there and back leaves out: "who besides X"
_ABILITY, _SPEAKERS = word_set("can could"), word_set("i we")
_OWN = word_set("its their his her")
_FARTHEST = 4  # words from a value to the one that bounds it
_DENIED = 2  # words between a denial and what it makes the opposite bound
#: Words that bound what stands before them, behind "or": "10 or more".
_UPWARD_BEHIND, _DOWNWARD_BEHIND = word_set("more over later"), word_set("less fewer under earlier")

#: No form reads them: what is near "around 1904" has no bounds.
_APPROXIMATELY = word_set("around nearly almost roughly approximately circa ca")

#: What relations from one thing to the next are called, and the words that ask for them: "the edition after X".
_SUCCESSIONS = word_set(
    "follows followed following succeeds succeeded successor precedes preceded predecessor next previous sequel prequel"
)
_COMING = word_set("come comes came coming go goes went is was are were there right directly immediately just the")
_IN_SUCCESSION = word_set("next previous following preceding after before subsequent prior")

_SEASON = re.compile(
    rf"(?:(?:early|mid|late|in)[ -])?(?:{'|'.join(MONTHS)}|spring|summer|autumn|winter)(?: \d{{1,4}})?", re.IGNORECASE
)  # "late August"
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Bound:
    """A word that bounds a value.

    Args:
        upward: whether from below.
        denial: a word before that denies it, or something else: "not born before 1985", "non-steel parts under".
        denied: whether it denies nothing else: "no more than".
    """

    token: QuestionToken
    upward: bool
    denial: QuestionToken | None = None
    denied: bool = False

    def is_crossed(self, condition: Condition, value: Constant | Own) -> bool:
        """Whether a condition does not bound the value, or in the opposite sense."""
        node = value.node if isinstance(value, Constant) else None
        measured_or_counted = isinstance(node, Literal) and node.kind in ("time", "quantity")
        measured = isinstance(node, Literal) and (node.kind == "time" or node.unit is not None)
        if self.token.text in _OF_MEASURES and not measured:
            return False
        if condition.do == "=":
            return measured_or_counted and self.token.text not in _PERIODS
        if self.denial is not None and not self.denied and any(self.turned_by(condition)):
            return False
        return (self.upward != self.denied) != (condition.do in (">", "≥"))

    def turned_by(self, condition: Condition) -> Iterator[int]:
        """Where the denial starts that makes the opposite bound of this one, if a condition is that bound."""
        if self.denial is not None and condition.do == ("≤" if self.upward else "≥"):
            yield self.denial.start


class Completeness:
    """What readings of one question leave unread.

    Args:
        scoring: of the question, over the graph.
        lexicon: of English.
    """

    def __init__(self, scoring: Scoring, lexicon: Lexicon) -> None:
        self._asked, self._lexicon, self._schema = scoring.asked, lexicon, scoring.schema
        self._tokens = tokens(self._asked.question)
        self._denying: int | None = None
        #: Where "when" stands, if it is what is asked: not "when it rains, who …"; else None.
        self.when: tuple[int, int] | None = None
        asking = [token for token in self._tokens if token.text in QUESTION_WORDS]
        if asking and asking[0].text == "when":
            start, end = asking[0].start, asking[0].end
            clause = any("," in self._asked.question[end : token.start] for token in asking[1:])
            self.when = None if clause else (start, end)
        self._demands, self._voice = Demands(scoring, lexicon, self._tokens), Voice(self._asked.question)

    def possible(self, drafts: Sequence[Draft]) -> Sequence[Draft]:
        """The drafts that may meet what is demanded: where columns are asked for, rows, of so many if there are any."""
        if self._demands.columns is None:
            return drafts
        (_, count), rows = self._demands.columns, [draft for draft in drafts if draft.kind == "rows"]
        asked = [row for row in rows if count and isinstance(row.form, Tabled) and len(row.form.columns) == count]
        return asked or rows or drafts

    def is_complete(self, draft: Draft, values: Sequence[Node]) -> bool:
        """Whether a draft that yields some values leaves nothing unread."""
        return not self.restricting(draft, values) and not self.left_out(draft, values)

    def restricting(self, draft: Draft, values: Sequence[Node]) -> list[Restriction]:
        """The words that restrict or deny and that a draft which yields some values accounts for in no way."""
        kind = draft.kind
        if kind == "time" and len(values) == 1:
            kind = SINGLE_TIME
        elif kind == "noted" and all(isinstance(value, Literal) and value.kind == "quantity" for value in values):
            kind = "number"
        return list(self.unread(draft, kind))

    def opposite(self, draft: Draft) -> str | None:
        """The id of a relation of a draft whose label says the opposite of the question; None where none does."""
        denied = {hop for part in walk(draft.form) if _denies(part) for hop in walk(part) if isinstance(hop, Hop)}
        every = (part for part in walk(draft.form) if isinstance(part, Hop) and part not in denied)
        hops = {hop.label: hop.ids[0] for hop in every if hop.ids}
        label = opposing_label(self._asked.question, hops, self._lexicon)
        return None if label is None else hops[label]

    def left_out(self, draft: Draft, values: Sequence[Node]) -> list[tuple[int, int]]:
        """Where names, numbers, quoted texts stand that a draft has no part for; and what asks for other values."""
        words = self._asked.words
        spans = [(words[mention.first][1], words[mention.last - 1][2]) for mention in self.names_left_out(draft)]
        spans += self._values_left_out(draft)
        if self.when is not None and not all(map(_is_time, values)):
            spans.append(self.when)
        if (turned := self._voice.turned(draft.form)) is not None and turned.words is not None:
            spans.append(turned.words)
        spans += self._passed_over(draft)
        return sorted([*spans, *self._demands.unmet(draft, values)])

    def _values_left_out(self, draft: Draft) -> Iterator[tuple[int, int]]:
        """The words that are one of the few texts that a relation has, and that no part of a draft accounts for."""
        labels = [part.label.lower().split() for part in walk(draft.form) if isinstance(part, Hop | Kind)]
        called = {word for label in labels for word in label}
        called |= self._schema.class_labels  # "the crane", beside "Cranes"
        left = self._of_few & ~draft.mask
        for place, (word, start, end) in enumerate(self._asked.words):
            text = word.lower()
            if left >> place & 1 and called.isdisjoint((text, singular(text) or text)):
                yield from () if draft.mask >> place + 1 & 1 else [(start, end)]  # "the actor X" is X

    @cached_property
    def _of_few(self) -> int:
        """A bit for each word of what is exactly one of the few texts that a relation has."""
        few, bits = set(self._schema.few_values), 0
        for mention in self._asked.of_kinds("text"):
            bits |= mention.mask if mention.score == 1 and not few.isdisjoint(mention.numbers) else 0
        return bits

    def _passed_over(self, draft: Draft) -> Iterator[tuple[int, int]]:
        """The chains of genitives that have more steps than the draft: "X's keeper's trainer" is not X's keeper.

        Of the words of one label ("cast member") all but one are no steps.
        """
        parts = list(walk(draft.form))
        hops = [part for part in parts if isinstance(part, Hop)]
        steps = len(hops) + sum(isinstance(part, Noted) for part in parts)
        labels = [{form for word in hop.label.lower().split() for form in (word, singular(word))} for hop in hops]
        of = sum(hop.label.count(" of ") for hop in hops)
        for mask, asked, span in self._chains:
            named = {singular(word) or word for word in asked}
            free = sum(max(0, len(named & label) - 1) for label in labels)
            free = max(free, min(of, self._asked.question[slice(*span)].count(" of ")))
            if mask & draft.mask and len(asked) - free > steps:
                yield span

    @cached_property
    def _chains(self) -> list[tuple[int, list[str], tuple[int, int]]]:
        """Of each thing that is named its bits, and the steps that genitives go from it, and where."""
        entities = (mention for mention in self._asked.mentioned if mention.kind == "entity")
        spans = ((mention.mask, mention.named.words) for mention in entities if mention.named.words is not None)
        return [(mask, *genitive_chain(self._asked.question, span)) for mask, span in spans]

    def names_left_out(self, draft: Draft) -> list[Mentioned]:
        """The names, numbers and quoted texts that a draft has no part for."""
        return self._asked.left_out(draft.mask | self._of_labels(draft.form))

    def unread(self, draft: Draft, kind: str) -> Iterator[Restriction]:
        """The words that restrict or deny and that a draft accounts for in no way.

        Args:
            kind: of what it yields, "number" too for qualifiers that are numbers, ``SINGLE_TIME`` for one time alone.
        """
        question, words = self._asked.question, self._asked.words
        used = [mention.named for mention in self._asked.mentioned if mention.mask & draft.mask]
        names = [(*constant.words, constant.name or constant.text) for constant in used if constant.words is not None]
        labels = [part.label for part in walk(draft.form) if isinstance(part, Hop | Noted)]
        operators = draft.operators | operators_of(draft.form)
        denials, returns = _count_of_denials(draft.form), _count_of_returns(draft.form)
        bounds = list(self._bounds(draft.form))
        turned = {start: bound.token for part, _, bound in bounds for start in bound.turned_by(part)}
        crossed = [bound.token for part, value, bound in bounds if bound.is_crossed(part, value)]
        for word in unread_words(question, names, labels, self._lexicon):
            named = _word_bits(word, words) & (draft.mask | self._of_labels(draft.form))
            follows = next((token for token in self._tokens if token.start >= word.end), None)
            if kind == SINGLE_TIME and word.kind in ("comparison", "order"):
                continue
            if word.text.lower() in _IN_SUCCESSION and self._is_succession(word, draft.form, labels):
                continue
            if word.phrase == ("until",) and follows is not None and follows.text == "when" and kind == "noted":
                continue
            if word.phrase == ("number", "of") and follows is not None and self._measures(draft.form, follows.text):
                continue
            if word.kind == "negation" and follows is not None and self._turns(word, follows.text, operators):
                continue
            if word.kind == "negation" and any(word.start <= start < word.end for start in turned):
                continue
            if word.text.lower() in _ABILITY and "count" not in operators and self._is_ability(word, draft, kind):
                continue  # what something can hold is what it holds
            if word.phrase == ("instead", "of") and any("replac" in label for label in labels):
                continue
            if word.text.lower() == "altogether" and "count" in operators and self._asks_how_many:
                continue  # "how many are there altogether"
            if word.phrase == ("minus",) and "calculate" in operators:
                continue
            if word.phrase == ("exactly",) and follows is not None and _is_one_number(draft.form, follows):
                continue
            if returns and not _BESIDES.isdisjoint(word.phrase[:1]):
                returns -= 1
                continue
            if word.kind == "negation":  # each denies something by itself
                denials -= 1
                if denials < 0:
                    yield word
            elif not _accounts_for(word, follows, operators, kind, named):
                yield word
                crossed = [token for token in crossed if not word.start <= token.start < word.end]
        for token in self._undone[max(0, denials) :]:
            text = question[token.start : token.end]
            yield Restriction(token.start, token.end, text, "negation", (token.text,))
        denials -= len(self._undone)
        yield from self._approximate(draft)
        if denials > 0:  # what turns a bound denies nothing else
            crossed += turned.values()
        for token in crossed:
            yield Restriction(token.start, token.end, question[token.start : token.end], "comparison", (token.text,))

    def _is_succession(self, word: Restriction, form: Form, labels: Sequence[str]) -> bool:
        """Whether a form goes from one thing to the next: by what it is called, or to what "comes after" of a class.

        "Born after X" is no succession, whatever relation leads from X to others of its class.
        """
        hops = [part for part in walk(form) if isinstance(part, Hop)]
        ahead = [token.text for token in self._tokens if token.end <= word.start][-1:]
        alike = len(hops) == 1 and bool(hops[0].near) and hops[0].near == hops[0].far and set(ahead) <= _COMING
        return alike or not _SUCCESSIONS.isdisjoint(" ".join(labels).split())

    def _approximate(self, draft: Draft) -> Iterator[Restriction]:
        """The numbers and times of a draft that a word before them calls approximate."""
        spans = {
            mention.named.words: self._asked.words[mention.first][1]
            for mention in self._asked.mentioned
            if mention.kind in ("number", "time") and mention.mask & draft.mask and mention.named.words is not None
        }
        for (_, end), start in spans.items():
            near = next((token for token in reversed(self._tokens) if token.end <= start), None)
            if near is not None and near.text in _APPROXIMATELY:
                yield Restriction(near.start, end, self._asked.question[near.start : end], "comparison", (near.text,))

    @cached_property
    def _undone(self) -> list[QuestionToken]:
        """The words that deny what is told to be so or not: "unpaid"."""
        return [token for token in self._tokens if token.text in self._schema.denied]

    @cached_property
    def _asks_how_many(self) -> bool:
        return any((how.text, many.text) == ("how", "many") for how, many in pairwise(self._tokens))

    def _is_ability(self, word: Restriction, draft: Draft, kind: str) -> bool:
        """Whether "can" says what something is good for: not what I may do, nor what one that is named could do."""
        if kind == "number" and any(how.text == "how" for how in self._tokens):
            return True
        subject = next((token for token in self._tokens if token.start >= word.end), None)
        if word.text.lower() != "can" or draft.kind == "truth" or subject is None or subject.text in _SPEAKERS:
            return False
        named = (mention.named.words for mention in self._asked.of_kinds("entity"))
        return all(words is None or not words[0] <= subject.start < words[1] for words in named)

    def _measures(self, form: Form, word: str) -> bool:
        """Whether a form orders or bounds by a value that the graph has, and that is called so: "number of gates"."""
        keys = [part for part in walk(form) if isinstance(part, Key) and part.measure == "value" and part.path]
        lemmas = {word, *self._lexicon.lemmas(word)}
        labels = [label for key in keys for label in key.path[-1].label.split()]
        return any(not lemmas.isdisjoint((label, *self._lexicon.lemmas(label))) for label in labels)

    def _bounds(self, form: Form) -> Iterator[tuple[Condition, Constant | Own, _Bound]]:
        """The conditions of a form with a value that a word of the question bounds."""
        labels = {word for part in walk(form) if isinstance(part, Hop) for word in part.label.split()}
        for part in walk(form):
            if isinstance(part, Condition) and part.do in (*_ORDERS, "="):
                for value in part.values:
                    match value:
                        case Constant(words=tuple(span)):
                            bound = self._bound(span, labels)
                        case Own():
                            owned = next((token for token in self._tokens if token.text in _OWN), None)
                            bound = self._bound((owned.start, owned.end), labels) if owned else None
                        case _:
                            continue
                    if bound is not None:
                        yield part, value, bound

    def _bound(self, span: tuple[int, int], labels: Collection[str]) -> _Bound | None:
        """The word that bounds a value and stands in no label of the reading; None: none does."""
        before = [token for token in self._tokens if token.end <= span[0]]
        behind = [token for token in self._tokens if token.start >= span[1]]
        if behind and behind[0].text != "or" and behind[0].text.isalpha():
            behind = behind[1:]  # the unit
        words = [token.text for token in behind[:3]]
        ends = len(words) < 3 or not (words[2] == "than" or words[2][0].isdigit())
        if ends and words[:1] == ["or"] and words[1:2] and words[1] in _UPWARD_BEHIND | _DOWNWARD_BEHIND:
            return _Bound(behind[1], words[1] in _UPWARD_BEHIND)
        for place in range(len(before) - 1, max(-1, len(before) - 1 - _FARTHEST), -1):
            token, previous = before[place], before[place - 1].text if place else ""
            if token.text in _UPWARD | _DOWNWARD:
                if token.text in labels or (token.text in ("least", "most") and previous != "at"):
                    return None
                denial = self._denial(before[: place + 1])
                return _Bound(token, token.text in _UPWARD, denial, denial is not None and denial.text == previous)
            if compares(token.text, self._lexicon):
                break  # "more wards older than 30"
            if token.text not in _BETWEEN_BOUND_AND_VALUE and all(other.text != "than" for other in before[place:]):
                break  # "fewer chairs than 10"
        return None

    def _denial(self, words: Sequence[QuestionToken]) -> QuestionToken | None:
        """The word that denies the last of some words: not far before it, and nothing that is named stands between."""
        last = words[-1]
        for token in words[-2 : -3 - _DENIED : -1]:
            if negates(token.text):
                between = self._asked.question[token.end : last.start]
                named = any(
                    mention.named.words is not None and token.end <= mention.named.words[0] < last.start
                    for mention in self._asked.mentioned
                )
                return None if named or "," in between else token
        return None

    def unasked_denials(self, draft: Draft) -> int:
        """How many denials of a draft no word of the question asks for."""
        if self._denying is None:
            words = restrictions(self._asked.question, (), self._lexicon)
            self._denying = sum(word.kind == "negation" for word in words) + len(self._undone)
        return max(0, _count_of_denials(draft.form) + _count_of_returns(draft.form) - self._denying)

    def _of_labels(self, form: Form) -> int:
        """A bit for each number of the question that stands in the label of a hop: "growth since 1993"."""
        labels = {word for part in walk(form) if isinstance(part, Hop) for word in part.label.split()}
        words = self._asked.words
        return sum(
            1 << place for place, (word, _, _) in enumerate(words) if word[:1].isdigit() and word.lower() in labels
        )

    def _turns(self, word: Restriction, follows: str, operators: frozenset[str]) -> bool:
        """Whether a negation and what follows it are one bound, which is read: "no more than"; "but not …"."""
        if word.phrase == ("but",) and negates(follows):
            return True  # which has to be read itself
        bounds = follows in BOUNDING or follows in ("more", "less", "lower") or compares(follows, self._lexicon)
        return bounds and not operators.isdisjoint({"≤", "≥"})


def _returns(part: object) -> bool:
    """Whether a part goes there and back, to all but what it began with: "the others with the mother of X"."""
    return isinstance(part, Sets) and part.do == "difference" and chain(part.of[0])[0] == part.of[1]


def _count_of_returns(form: Form) -> int:
    return sum(map(_returns, walk(form)))


def _count_of_denials(form: Form) -> int:
    """How often a form leaves out or denies: "not X or Y" is two."""
    denying = [part for part in walk(form) if _denies(part)]
    return sum(len(part.values) if isinstance(part, Condition) and part.do == "≠" else 1 for part in denying)


def _denies(part: object) -> bool:
    match part:
        case Condition(do="≠" | "lacks") | Condition(values=(Constant(text="no" | "0"),)):
            return True
        case Sets(do="difference"):
            return not _returns(part)
    return False


def _is_time(node: Node) -> bool:
    """Whether a value is a time, also such as stands in the graph as a text, a number or a name ("1956", "1:00 pm")."""
    text = node_text(node)
    if (isinstance(node, Literal) and node.kind == "time") or is_time(text) or _CLOCK.fullmatch(text) is not None:
        return True
    return _SEASON.fullmatch(text) is not None


def _is_one_number(form: Form, token: QuestionToken) -> bool:
    """Whether a condition of a form is that something equals the number that a token begins."""
    conditions = [part for part in walk(form) if isinstance(part, Condition) and part.do == "="]
    values = [value for part in conditions for value in part.values if isinstance(value, Constant)]
    named = [value.words for value in values if isinstance(value.node, Literal) and value.node.kind != "string"]
    return any(words is not None and words[0] <= token.start < words[1] for words in named)


def _accounts_for(
    word: Restriction, follows: QuestionToken | None, operators: frozenset[str], kind: str, named: int
) -> bool:
    if word.kind == "yes or no":
        return kind == "truth"
    aggregate = _AGGREGATES.get(word.text.lower())
    if aggregate is not None and (follows is None or follows.text not in ("number", "count")):
        return operators.isdisjoint(_OF_SETS - {aggregate}) and (kind == "number" or aggregate in operators)
    if word.kind == "count" and kind == "number":
        return True  # "how many seats" has a relation to a number
    if word.kind in ("number", "time") and named:
        return True
    return not operators.isdisjoint(_READ_BY.get(word.kind, frozenset()))


def _word_bits(word: Restriction, words: tuple[tuple[str, int, int], ...]) -> int:
    """A bit for each word of the question that a restriction covers."""
    return sum(1 << place for place, (_, start, end) in enumerate(words) if start < word.end and end > word.start)
