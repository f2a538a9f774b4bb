"""What a question names: entities, texts and values of the graph, numbers, times; and its other words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal as Choice

import numpy as np
from rapidfuzz.distance import OSA

from toulmin.english.inflection import plural, singular
from toulmin.english.lexicon import get_lexicon
from toulmin.english.numbers import DECADES, NUMBER_WORDS, SCALES, read_number, read_ordinal
from toulmin.english.words import QUESTION_STOP_WORDS, word_set
from toulmin.graph.csr import Ints
from toulmin.graph.labels import normalise
from toulmin.graph.types import Literal
from toulmin.graph.values import literal_from_text
from toulmin.methods.question.missing_names import MissingName, named_mentions
from toulmin.methods.question.restrictions import BOUNDING, MONTHS, compares
from toulmin.methods.reader.forms import Constant
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.retrieval.embedders import Embedder
from toulmin.retrieval.linking import EntityLinker, Mention
from toulmin.retrieval.schema import unit

__all__ = ["Mentioned", "QuestionParts", "read_question"]

_CANDIDATES = 2  # entities that one mention may stand for
_MENTIONS = 6  # entity mentions, the likeliest
_LONGEST = 8  # words of a text or value
_LEAST_WEIGHT = 0.2  # of a mention, as the linker weighs how surely it is a name
_SURE = 0.95  # score from which on words surely name something, so that a reading must not leave it out
_FIRM = 0.9  # score from which on a mention keeps its words from others: those within it, and likened ones
_ALIKE = 0.6  # cosine of a word and a value from which on it may stand for it
_LIKENED, _LIKENED_VALUES = 0.8, 2  # score of a likened word, times its cosine; values that it may stand for
_TEXTS = 200  # longer texts with a word, at most, that it stands for
_WITHIN = 0.6  # score of a word of longer texts
_YEAR_AS_NUMBER = 0.5  # score of a number that may be a year
#: A hyphen joins digits, as in a date or a code; "Spanish-speaking" are two words.
_WORD = re.compile(
    r"(?:(?<![\w.,)])[-−](?=\d))?[€$£¥]?\w+(?:[.,:/'’]\w+|-(?:(?<=\d-)|(?=\d))\w+)*[%€$£¥]?|&", re.UNICODE
)
_SCALES = {**SCALES, "k": SCALES["thousand"], "m": SCALES["million"]}
_SCALED = re.compile(r"([€$£¥]?)(\d+(?:\.\d+)?)\s*(thousand|million|billion|k|m)\b\s*(.*)", re.IGNORECASE)
_SPOKEN = re.compile(rf"(?:({NUMBER_WORDS})|an?)(?: (\w+))?", re.ASCII)
_QUOTED = re.compile(r"[\"“”„«]([^\"“”„«»]{1,80})[\"“”»]")
_SHORTEST_MENDED, _LONG_MENDED = 5, 8  # letters of a word that may have a slip, and of one that may have two
_ASKING = word_set(
    "which where whose average total number highest lowest between before after oldest youngest longest shortest "
    "largest smallest cheapest heaviest earliest latest people years months during without higher lower longer"
)  # words of questions that are mended, too
_YEAR = re.compile(r"1\d{3}|20\d\d|2100")
_RANGES = {"between": word_set("and"), "from": word_set("to until till through")}
_MONTH = "|".join(sorted(MONTHS))
_MONTHS_OF_YEAR = re.compile(
    rf"\b({_MONTH})(?: and| to| till| until| through| ?[-–])\s?(?:{_MONTH}) (\d{{4}})\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Words of a question with one thing that they may name.

    Args:
        named: what they name.
        first, last: its words, ``words[first:last]``.
        kind: what it is; "within": a word of longer texts.
        numbers: of an entity or a text, its node numbers; of "within" those of the longer texts.
        score: how surely the words name it, 0 to 1.
        ordinal: whether they say a place in an order: "third".
    """

    named: Constant
    first: int
    last: int
    kind: Choice["entity", "text", "within", "number", "time", "quoted"]
    numbers: tuple[int, ...] = ()
    score: float = 1.0
    ordinal: bool = False

    @property
    def mask(self) -> int:
        """A bit for each of its words."""
        return ((1 << self.last) - 1) ^ ((1 << self.first) - 1)

    @property
    def nodes(self) -> Ints:
        """``numbers``, for the schema to go on from."""
        return np.array(self.numbers, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """A question taken apart.

    Args:
        words: with their places in the question; slips of spelling are mended in them.
        content: bit mask of the words that carry content.
        mentioned: what they may name.
        lacking: words that are a name which the graph does not have, though it has one like it.
        worded: of some words how they are said by the graph's own: "alto singers" for altos, "not paid" for unpaid.
    """

    question: str
    words: tuple[tuple[str, int, int], ...]
    content: int
    mentioned: tuple[Mentioned, ...]
    lacking: tuple[MissingName, ...] = ()
    worded: Mapping[int, str] = field(default_factory=dict)

    @property
    def spelled(self) -> str:
        """The question with its words as they are mended, and ``worded``."""
        parts, end = list[str](), 0
        for place, (word, start, stop) in enumerate(self.words):
            parts += [self.question[end:start], self.worded.get(place, word)]
            end = stop
        return "".join([*parts, self.question[end:]])

    def of_kinds(self, *kinds: str) -> list[Mentioned]:
        """What is named of some kinds."""
        return [mention for mention in self.mentioned if mention.kind in kinds]

    def left_out(self, mask: int) -> list[Mentioned]:
        """The sure names in capitals, numbers and times, and the quoted texts, that share no word with a mask."""
        held, mentions = mask, list[Mentioned]()
        for mention in sorted(self.mentioned, key=lambda mention: (-mention.score, mention.first - mention.last)):
            sure = mention.score >= _SURE and any(c.isupper() or c.isdigit() for c in self.text_of(mention))
            if (sure or mention.kind == "quoted") and not mention.mask & held:
                mentions.append(mention)
                held |= mention.mask
        return mentions

    def other_ends(self, mention: Mentioned) -> set[tuple[int, int] | None]:
        """Where the other end stands of the range of which a mention is one: "between 5 and 10", "from 1990 to 95"."""
        ends = set[tuple[int, int] | None]()
        for other in self.of_kinds(mention.kind):
            low, high = sorted((mention, other), key=lambda end: end.first)
            opening = self.words[low.first - 1][0].lower() if low.first else ""
            joint = [word.lower() for word, _, _ in self.words[low.last : high.first]]
            if len(joint) == 1 and joint[0] in _RANGES.get(opening, ()):
                ends.add(other.named.words)
        return ends

    @property
    def has_alternatives(self) -> bool:
        """Whether two things stand with nothing but "or" between them: "which is older, A or B"."""
        things = sorted(self.of_kinds("entity"), key=lambda thing: thing.first)
        return any(
            [word.lower() for word, _, _ in self.words[one.last : other.first]] == ["or"]
            for one, other in combinations(things, 2)
        )

    def text_of(self, mentioned: Mentioned) -> str:
        """The words of a mention."""
        return self.question[self.words[mentioned.first][1] : self.words[mentioned.last - 1][2]]

    def phrases(self, longest: int = 3) -> list[tuple[str, int]]:
        """Phrases that may say a relation or class: text and bit mask; none begins or ends in a stop word."""
        phrases = []
        for first in range(len(self.words)):
            for last in range(first + 1, min(len(self.words), first + longest) + 1):
                if self.content >> first & 1 and self.content >> (last - 1) & 1:
                    text = " ".join(word for word, _, _ in self.words[first:last]).lower()
                    phrases.append((text, ((1 << last) - 1) ^ ((1 << first) - 1)))
        return phrases


def read_question(question: str, linker: EntityLinker, schema: ReaderSchema, embedder: Embedder) -> QuestionParts:
    """Take a question apart."""
    words = tuple((match.group(), match.start(), match.end()) for match in _WORD.finditer(question))
    linked = [mention for mention in linker.link(question) if mention.weight >= _LEAST_WEIGHT and mention.candidates]
    mentions, lacking = named_mentions(question, linked, get_lexicon())
    named = [(mention.start, mention.end) for mention in mentions]
    free = {start for _, start, _ in words if not any(first <= start < last for first, last in named)}
    words = tuple((_mended(word, schema) if start in free else word, start, end) for word, start, end in words)
    content = sum(1 << place for place, (word, _, _) in enumerate(words) if not _is_stop(word))
    mentioned = [*_entities(mentions, words, schema)]
    mentioned += _texts(question, words, schema)
    mentioned += _values(question, words)
    mentioned += _quoted(question, words)
    mentioned += _likened(words, content, mentioned, schema, embedder)
    mentioned += _within(words, content, mentioned, schema)
    largest, lowered = _largest(mentioned), [word.lower() for word, _, _ in words]
    worded = {place: f"not {schema.denied[low]}" for place, low in enumerate(lowered) if low in schema.denied}
    worded |= _classes(words, largest, schema)
    return QuestionParts(question, words, content, tuple(largest), tuple(lacking), worded)


def _classes(
    words: Sequence[tuple[str, int, int]], mentioned: Sequence[Mentioned], schema: ReaderSchema
) -> dict[int, str]:
    """Nouns for a value that things of one class alone have, with that class, if the question does not name it.

    Nouns they are in the plural ("altos"), and behind a superlative ("the oldest alto").
    """
    asked = {form for word, _, _ in words for form in (word.lower(), _singular(word.lower()))}
    lexicon, classes = get_lexicon(), dict[int, str]()
    for mention in mentioned:
        last, word = mention.last - 1, words[mention.last - 1][0]
        if mention.kind not in ("entity", "text") or mention.score < _FIRM or not (word.isalpha() and word.islower()):
            continue
        single, value = _singular(word), mention.named.text.lower().split(" ")[-1]
        before = words[mention.first - 1][0].lower() if mention.first else ""
        behind = words[mention.last][0].lower() if mention.last < len(words) else ""
        ends = behind in QUESTION_STOP_WORDS or not lexicon.is_noun(behind)
        if value != single or not (single != word or (before.endswith("est") and compares(before, lexicon) and ends)):
            continue
        of = {schema.hops[hop ^ 1].near for hop in schema.ways(mention.nodes).tolist() if hop & 1}
        if len(of) == 1 and (label := of.pop()) and asked.isdisjoint(label.lower().split()):
            classes[last] = f"{single} {label.lower() if single == word else plural(label.lower())}"
    return classes


def _mended(word: str, schema: ReaderSchema) -> str:
    """A word, or the one word like it that the graph or a question has, where it is no word of English or the graph."""
    lexicon = get_lexicon()
    if len(word) < _SHORTEST_MENDED or not word.isalpha() or not word.islower():
        return word
    if lexicon.lemmas(word) or compares(word, lexicon):
        return word  # "lightest" is no slip of "highest"
    if normalise(word) in schema.text_words or schema.texts.get(normalise(word)):
        return word
    known = schema.label_words | _ASKING
    if word in known or any(word.endswith(text) for text in known):
        return word  # "unretired" is no slip of "retired"
    slips = 1 if len(word) < _LONG_MENDED else 2
    like = {text: distance for text in known if (distance := OSA.distance(word, text, score_cutoff=slips)) <= slips}
    nearest = [text for text, distance in like.items() if distance == min(like.values())]
    return nearest[0] if len(nearest) == 1 else word


def _largest(mentioned: Sequence[Mentioned]) -> list[Mentioned]:
    """The mentions but for those within a longer, firm one of their kind, within a time, or, if values, a name."""
    kept = []
    for mention in mentioned:
        inside = (
            mention.mask & other.mask == mention.mask and other.mask != mention.mask and other.score >= _FIRM
            for other in mentioned
            if other.kind == mention.kind or (other.kind in ("entity", "time") and mention.kind != "entity")
        )
        if not any(inside):
            kept.append(mention)
    return kept


def _entities(
    mentions: Sequence[Mention], words: Sequence[tuple[str, int, int]], schema: ReaderSchema
) -> Iterator[Mentioned]:
    for mention in sorted(mentions, key=lambda mention: -mention.weight)[:_MENTIONS]:
        first = next((n for n, (_, _, end) in enumerate(words) if end > mention.start), len(words))
        last = next((n for n, (_, start, _) in enumerate(words) if start >= mention.end), len(words))
        if mention.candidates[0].how != "exact":
            kind = normalise(_singular(mention.text.lower()))
            told = mention.text.islower() and not set(schema.texts.get(kind, ())).isdisjoint(schema.few_values)
            if told or kind in schema.class_labels:
                continue  # "hotels" are no hotel's name, nor "inns", if that is what some are told to be
        for candidate in mention.candidates[:_CANDIDATES]:
            number = schema.subgraph.index(candidate.entity.id)
            if number is None or first >= last or number in schema.class_numbers:
                continue  # a class is read as one, not as a thing
            text = candidate.entity.label or candidate.entity.id
            named = Constant(text, candidate.entity, (mention.start, mention.end), candidate.form)
            yield Mentioned(named, first, last, "entity", (number,), candidate.score)


def _texts(question: str, words: Sequence[tuple[str, int, int]], schema: ReaderSchema) -> Iterator[Mentioned]:
    """Texts of the graph that stand in the question."""
    for first in range(len(words)):
        for last in range(min(len(words), first + _LONGEST), first, -1):
            start, end = words[first][1], words[last - 1][2]
            span = question[start:end]
            if last - first == 1 and _is_stop(span) and not (first and span == "A"):  # "blood group A"
                continue
            numbers = _text_numbers(span, schema)
            if numbers:
                node = schema.subgraph.node(numbers[0])
                assert isinstance(node, Literal)  # noqa: S101  texts are
                yield Mentioned(Constant(node.value, node, (start, end)), first, last, "text", tuple(numbers))
                break


def _text_numbers(span: str, schema: ReaderSchema) -> list[int]:
    """The numbers of the texts that are the words, but for the plural of the last one."""
    plain, single = normalise(span), normalise(_singular(span))
    return schema.texts.get(plain) or schema.texts.get(single) or schema.plural_texts.get(single) or []


def _within(
    words: Sequence[tuple[str, int, int]], content: int, mentioned: Sequence[Mentioned], schema: ReaderSchema
) -> Iterator[Mentioned]:
    """Words of content that stand in longer texts of the graph and name nothing else."""
    held = 0
    for other in mentioned:
        held |= other.mask
    for place, (word, start, end) in enumerate(words):
        numbers = schema.text_words.get(normalise(word), ())
        if content >> place & 1 and not held >> place & 1 and numbers and len(word) > 1:
            named = Constant(word, Literal(word), (start, end))
            yield Mentioned(named, place, place + 1, "within", tuple(numbers[:_TEXTS]), _WITHIN)


def _quoted(question: str, words: Sequence[tuple[str, int, int]]) -> Iterator[Mentioned]:
    """Texts in quotation marks."""
    for match in _QUOTED.finditer(question):
        start, end = match.span(1)
        first = next((n for n, (_, _, stop) in enumerate(words) if stop > start), len(words))
        last = next((n for n, (_, begin, _) in enumerate(words) if begin >= end), len(words))
        if first < last:
            yield Mentioned(Constant(match[1], Literal(match[1]), (start, end)), first, last, "quoted")


def _is_stop(word: str) -> bool:
    """Whether a word carries no content; "IT" among words in small letters does."""
    return word.lower() in QUESTION_STOP_WORDS and not (len(word) > 1 and word.isupper())


def _singular(text: str) -> str:
    """A noun, or words that end in one, in the singular; of an unknown plural as most have it."""
    *ahead, last = text.split(" ")
    single = singular(last.lower())
    if single is None:
        single = last[:-1] if last.endswith("s") and not last.endswith("ss") else last
    return " ".join([*ahead, single])


def _likened(
    asked: Sequence[tuple[str, int, int]],
    content: int,
    mentioned: Sequence[Mentioned],
    schema: ReaderSchema,
    embedder: Embedder,
) -> Iterator[Mentioned]:
    """Words like one of the few values that a relation has: "Portuguese" for Portugal, "guitarists" for guitar.

    A word of a value of several is no word for it: "oil" is not "Fine Olive Oil".
    """
    if not schema.few_values:
        return
    held = 0
    for mention in mentioned:
        held |= mention.mask if mention.score > _FIRM else 0
    places = [
        p
        for p in range(len(asked))
        if content >> p & 1 and not held >> p & 1 and normalise(_singular(asked[p][0])) not in schema.class_labels
    ]
    if not places:
        return
    texts, numbers, vectors = schema.few_vectors
    likeness = unit(embedder.embed([_singular(asked[p][0].lower()) for p in places])) @ vectors.T
    for row, place in enumerate(places):
        for column in np.argsort(-likeness[row])[:_LIKENED_VALUES].tolist():
            parts = normalise(texts[column]).split(" ")
            if likeness[row, column] >= _ALIKE and not (len(parts) > 2 and normalise(asked[place][0]) in parts):
                number = numbers[column]
                node = schema.subgraph.node(number)
                words = asked[place][1], asked[place][2]
                named = Constant(texts[column], node, words, texts[column])
                kind: Choice["entity", "text"] = "text" if isinstance(node, Literal) else "entity"
                yield Mentioned(named, place, place + 1, kind, (number,), _LIKENED * float(likeness[row, column]))


def _values(question: str, words: Sequence[tuple[str, int, int]]) -> Iterator[Mentioned]:
    """Numbers and times, with their units; of "March to May 2021" both months are of that year."""
    for match in _MONTHS_OF_YEAR.finditer(question):
        at = next((n for n, (_, start, end) in enumerate(words) if (start, end) == match.span(1)), None)
        if at is not None and (literal := literal_from_text(f"{match[1]} {match[2]}")) is not None:
            yield Mentioned(Constant(match[1], literal, match.span(1)), at, at + 1, "time")
    place = 0
    while place < len(words):
        mention = None
        for last in range(min(len(words), place + _LONGEST), place, -1):
            start, end = words[place][1], words[last - 1][2]
            text = question[start:end]
            if last - place == 2 and _is_one_of_a_unit(words, place):
                continue  # "in a yard" there is no length, "under a metre" is one
            literal = _value(text)
            if literal is not None and (last - place == 1 or last == len(words) or not _is_stop(words[last - 1][0])):
                # "number 7 in the list" has no inches
                mention = Mentioned(
                    Constant(question[start:end], literal, (start, end)),
                    place,
                    last,
                    "time" if literal.kind == "time" else "number",
                    ordinal=read_ordinal(question[start:end]) is not None,
                )
                break
        if mention is None:
            place += 1
            continue
        yield mention
        if mention.kind == "time" and _YEAR.fullmatch(mention.named.text):  # a number as well as a year
            number = Constant(mention.named.text, Literal(mention.named.text, "quantity"), mention.named.words)
            yield Mentioned(number, mention.first, mention.last, "number", score=_YEAR_AS_NUMBER)
        place = mention.last


def _is_one_of_a_unit(words: Sequence[tuple[str, int, int]], place: int) -> bool:
    """Whether two words are an article and a noun, "a yard", that no bound comes before: then they are no quantity."""
    article, noun = (words[at][0].lower() for at in (place, place + 1))
    bounded = place > 0 and words[place - 1][0].lower() in BOUNDING
    return article in ("a", "an") and noun not in SCALES and not bounded


def _value(text: str) -> Literal | None:
    """A number or time that a text is: "50,000 euros", "3 May 1999", "five", "2 million"."""
    if (place := read_ordinal(text)) is not None:
        return Literal(str(place), "quantity")
    if decade := DECADES.get(text.lower()):
        return literal_from_text(f"the {decade}s")
    if (spoken := _SPOKEN.fullmatch(text.lower())) and (spoken[1] or spoken[2]):
        amount = read_number(spoken[1]) if spoken[1] else 1
        if amount is None:
            return None
        if spoken[2]:
            return literal_from_text(f"{amount} {spoken[2]}") or literal_from_text(f"{amount} {spoken[2].rstrip('s')}")
        if any(scale in spoken[1] for scale in SCALES):
            return Literal(str(amount), "quantity")
        return literal_from_text(str(amount))  # "nineteen ninety-nine" is a year
    if not any(character.isdigit() for character in text):
        return None
    if (scaled := _SCALED.fullmatch(text)) and (scaled[1] or scaled[3].lower() != "m"):  # "200 m" are metres
        digits = f"{float(scaled[2]) * _SCALES[scaled[3].lower()]:.10g}"
        return literal_from_text(f"{scaled[1]}{digits} {scaled[4]}".strip())
    text = text.replace("−", "-")
    literal = literal_from_text(text)
    if literal is None and text.endswith("s") and text[0].isdigit():
        literal = literal_from_text(text[:-1])  # "4 euros"
    return literal if literal is not None and literal.kind in ("time", "quantity") else None
