"""Atomic facts: what a text states, one fact at a time, each a sentence that can be read alone.

By rules on words (``split_facts``), with no model: verbs of one subject, lists, relative clauses, appositions,
participles, "with" and leading phrases are said apart, and pronouns give way to the text's last fitting subject. The
rules are FActScore's notion of an atomic fact (Min et al. 2023, arXiv 2305.14251), not its prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from toulmin.check_text.split.appositions import said_by_the_way
from toulmin.check_text.split.clauses import clauses_of
from toulmin.check_text.split.phrases import facts_of
from toulmin.check_text.split.references import References
from toulmin.check_text.split.tagged_words import NO_WORD, POSSESSIVES, Names, Words, listed, read_words
from toulmin.check_text.split.verbs import IMPLIED, Phrase, glue, is_finite, is_name, parted, trimmed
from toulmin.english.denials import DENYING
from toulmin.english.inflection import singular
from toulmin.english.sentences import Sentence
from toulmin.english.words import word_set

__all__ = ["NO_VERB", "AtomicFact", "SentenceFacts", "split_facts", "why_unchecked"]

#: Why a sentence in which the rules find no statement is not checked; a model may find one.
NO_VERB = "no statement: it has no verb"

_LONGEST = 2_000  # characters of a sentence that is taken apart; what is longer is no sentence
_MOST = 40  # facts of a sentence
_FEWEST = 3  # words and marks of what is no sentence, whatever it ends with
_DENYING = DENYING | word_set("none except rather instead opposed unlike but")
_DONE = frozenset("born died founded released directed written produced located published".split())
_LONGEST_FIELD = 5  # words of "Date of birth:", with the colon
_FEWEST_NAMES = 3  # names of a sentence that has parts
_LONGEST_VALUE = 5  # words of a number with its unit
_LONGEST_PART = 14  # words from one name to the next
_FIRST_PERSON = re.compile(
    r"\b(?:I|[Ww]e)\s+(?:[a-z]+\s+)?(?:think|thought|believe|feel|guess|suppose|hope|love|like|hate|prefer|wish|"
    r"recommend|would|am|are|was|were|have|can|cannot|can't|don't|do|will|apologi[sz]e|know)\b|\bI['’](?:m|ve|d|ll)\b"
    r"|\b[Ii]n (?:my|our) (?:humble )?(?:opinion|view)\b|\b[Ii]f you ask me\b|\b[Aa]s an AI\b"
)
# "May 1990 was hot", "would later become", "perhaps best known" state what they say.
_HEDGE = re.compile(
    r"\b(?:may(?! be (?:found|seen|used|known|called|served|made|eaten))|might|could(?! not| be (?:found|seen))"
    r"|would(?! (?:later|go on|eventually|soon|then|subsequently|ultimately|again|continue|become|come to)\b)"
    r"|[Pp]erhaps(?! (?:best|most)\b)|[Mm]aybe|[Pp]ossibly|[Pp]robably|[Pp]resumably|[Ss]upposedly|[Aa]llegedly"
    r"|[Pp]urportedly|[Rr]eportedly|[Aa]pparently|[Rr]umou?red"
    r"|[Ii]t (?:is|was|has been) (?:said|claimed|reported|believed|thought|possible|unclear|unknown|likely)"
    r"|(?:seem|appear)(?:s|ed)? to|(?:claim|purport)(?:s|ed)? to"
    r"|(?:is|was|are|were) (?:likely|unlikely|expected|believed|thought|said|reported|alleged|claimed|rumou?red) to"
    r"|[Aa]ccording to (?:legend|rumou?rs?|some)|(?:[Ss]ome|[Mm]any) (?:people )?(?:say|claim|believe|think)"
    r"|[Ii]f|[Uu]nless|[Ww]hether)\b"
)
_DENIED = re.compile(
    r"\b(?:false|untrue|not true|not the case|incorrect|wrong|a myth|a lie|an error|a misconception|doubtful|denie[sd]|"
    r"doubt(?:s|ed)?|disput(?:e|es|ed)|refut(?:e|es|ed))(?: \w+)? that\b",
    re.IGNORECASE,
)
# No statement by itself says how one thing stands to another: "more than 9" is a bound, "older than Ada" is not.
_COMPARED = re.compile(
    r"\b(?:the same (?:[\w-]+ ){1,4}(?:as|that|in which|when|where)\b"
    r"|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|some|many|few|\d+) "
    r"(?:(?:and a half|full|whole|short) )?(?:second|minute|hour|day|week|month|year|decade|centur)(?:y|ie)?s? "
    r"(?:before|after|(?:earlier|later|older|younger|more|less) than)\b"
    r"|(?:older|younger|taller|larger|bigger|smaller|longer|shorter|higher|lower|earlier|later|heavier|lighter|faster|"
    r"slower|richer|poorer|cheaper|wider|deeper|newer) than "
    r"(?!\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half)\b))",
    re.IGNORECASE,
)
#: What makes a sentence no statement that could be checked, and why.
_REASONS = (
    (_FIRST_PERSON, "said of the writer: no statement about the world"),
    (_HEDGE, "hedged (“{}”): not stated as a fact"),
    (_DENIED, "says of another statement that it is denied (“{}”): state the contrary itself"),
    (_COMPARED, "compares with something else (“{}”): no statement by itself says so"),
)
_QUOTED = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|«[^»\n]{1,80}»")
# A title that ends in a question mark makes no question: … wrote "Are Small Farms Doomed to Fail?"
_ASKED = re.compile(r"\?[*_)\] ]*$|^[^\w\"“«'‘]*[\"“«'‘].*\?[\"”»'’][*_)\] ]*$", re.DOTALL)
#: They turn the order of letters round: what is read is then not what stands there.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_OPINION = listed("opinion")
_REQUESTS = listed("requests")


@dataclass(frozen=True, slots=True)
class AtomicFact:
    """One fact that a sentence states.

    Args:
        text: a sentence of its own: "Albert Einstein was born in Ulm."
        pieces: (from, to, at): ``fact.text[from:to]`` stands at ``text[at:]``, up to capitals, possibly in another
            sentence.
        stands: (from, to, start, end): ``fact.text[from:to]`` was put in for the pronoun ``text[start:end]``.
        implied: it is said by the way ("in Ulm, Germany": that Ulm is in Germany), and counts only where the graph
            supports or contradicts it.
    """

    text: str
    pieces: tuple[tuple[int, int, int], ...] = ()
    stands: tuple[tuple[int, int, int, int], ...] = ()
    implied: bool = False

    def place(self, start: int, end: int) -> tuple[int, int] | None:
        """Where the words ``fact.text[start:end]`` stand in the whole text; None: not as they are."""
        for first, last, at in self.pieces:
            if first <= start and end <= last:
                return at + start - first, at + end - first
        return None


@dataclass(frozen=True, slots=True)
class SentenceFacts:
    """A sentence with the facts that it states.

    Args:
        unchecked: why it is not checked ("a question: …"); then it has no facts. None otherwise.
        beside: the sentence as a whole, with names for its pronouns and as it is, and its parts from one name to the
            next: facts may lose what joins two names. None that says the same as a fact.
    """

    sentence: Sentence
    facts: tuple[AtomicFact, ...] = ()
    unchecked: str | None = None
    beside: tuple[AtomicFact, ...] = ()


def split_facts(
    text: str, sentences: Sequence[Sentence], names: Names | None = None, *, by_the_way: bool = False
) -> Iterator[SentenceFacts]:
    """The facts of each sentence, in order.

    Args:
        names: which of some strings are names of the graph; such a name is never taken apart.
        by_the_way: also all facts that are said by the way (``AtomicFact.implied``): of "the film Heat", that Heat is
            a film; else only places and years. A sentence with such facts has others too.
    """
    references = References()
    for sentence in sentences:
        if len(sentence.text) > _LONGEST:
            yield SentenceFacts(sentence, (), f"longer than {_LONGEST:,} characters: no sentence")
            continue
        words = read_words(text, sentence.start, sentence.end, names)
        unchecked = why_unchecked(sentence.text, words)
        if unchecked is not None:
            yield SentenceFacts(sentence, (), unchecked)
            continue
        topic = references.topic
        resolved = references.resolve(words)
        phrases = list(_phrases(resolved, topic, references.subject.phrase if references.subject else ()))
        stated = [phrase for phrase in phrases if not _is_implied(phrase)]
        if not stated and sentence.text.endswith((".", "!")) and len(words) > _FEWEST:
            stated = [tuple(words[:-1])]  # it looks like a sentence: better judged as a whole than not at all
        if not stated:
            yield SentenceFacts(sentence, (), NO_VERB)
            continue
        stated += [phrase for phrase in phrases if _is_implied(phrase) and (by_the_way or not _is_kind(phrase))]
        facts: dict[str, AtomicFact] = {}
        for fact in (_fact(phrase, text) for phrase in stated[:_MOST]):
            facts.setdefault(fact.text, fact)
        beside: dict[str, AtomicFact] = {}
        for fact in (_fact(part, text) for part in (tuple(resolved), tuple(words), *_between_names(resolved))):
            if fact.text not in facts:
                beside.setdefault(fact.text, fact)
        yield SentenceFacts(sentence, tuple(facts.values()), beside=tuple(beside.values()))


def _phrases(resolved: Words, topic: Phrase, subject: Phrase) -> Iterator[Phrase]:
    yield from _field(resolved, topic)
    resolved, by_the_way = said_by_the_way(resolved, subject)
    yield from by_the_way
    for clause in clauses_of(resolved):
        for fact in facts_of(clause):
            if fact[0].lower in POSSESSIVES and fact[0].tag == "determiner" and subject:
                fact = (*subject, glue("'s", "genitive"), *fact[1:])
            yield fact


def _field(words: Words, topic: Phrase) -> Iterator[Phrase]:
    """What a line like "Editor: Greta Holm" says of what the text spoke of last."""
    colon = next((place for place, word in enumerate(words[:_LONGEST_FIELD]) if word.text == ":"), 0)
    value = trimmed(words[colon + 1 :])
    if not colon or not value or not topic or any(is_finite(value, place) for place in range(len(value))):
        return
    head = tuple(replace(word, text=word.text.lower(), tag="common") for word in words[:colon])
    if head[0].text in _DONE:
        copula = () if head[0].text == "died" else (glue("was", "be"),)
        dated = head[0].text != "located" and len(head) == 1 and value[0].tag in ("number", "name")
        yield (*topic, *copula, *head, *((glue("on" if len(value) > 1 else "in", "preposition"),) * dated), *value)
        return
    joints = [place for place, word in enumerate(value) if word.text == "," or word.tag == "coordinator"]
    items = [trimmed(item) for item in parted(value, joints) if item]
    single = singular(head[-1].text)
    if single is None or any(not is_name(item) for item in items):
        yield (*topic, glue("'s", "genitive"), *head, glue("is" if single is None else "are", "be"), *value)
        return
    for item in items:
        yield (*topic, glue("'s", "genitive"), *head[:-1], glue(single), glue("is", "be"), *item)


def _fact(phrase: Phrase, text: str) -> AtomicFact:
    """The fact that words tell, with where they stand in the text."""
    shown = ""
    pieces: list[tuple[int, int, int]] = []
    stands: list[tuple[int, int, int, int]] = []
    before = NO_WORD
    for word in phrase:
        piece = " ".join(word.text.split())
        tight = 0 <= before.end == word.start or piece[0] in ",.;:)%?!" or word.tag == "genitive"
        if shown and not tight and shown[-1] != "(":
            shown += " "
        if not shown and piece[:1].islower() and len(piece[:1].upper()) == 1:  # "ß" has no capital of its length
            piece = piece[:1].upper() + piece[1:]
        elif shown and word.tag != "name" and piece[:1].isupper() and piece[1:].islower():
            piece = piece[:1].lower() + piece[1:]  # it opened its sentence
        start = len(shown)
        shown += piece
        if word.start >= 0 and text[word.start : word.end].casefold() == piece.casefold():
            first, last, at = pieces[-1] if pieces else (0, 0, -2)
            follows = at + last - first == before.end <= word.start
            if follows and text[before.end : word.start] == shown[last:start]:
                pieces[-1] = (first, len(shown), at)
            else:
                pieces.append((start, len(shown), word.start))
        if word.stands is not None:
            begun = stands.pop()[0] if stands and stands[-1][2:] == word.stands else start
            stands.append((begun, len(shown), *word.stands))
        before = word
    shown += "" if shown.endswith((".", '."', ".”")) else "."
    return AtomicFact(shown, tuple(pieces), tuple(stands), implied=_is_implied(phrase))


def _is_kind(phrase: Phrase) -> bool:
    """Whether what is said by the way is only what something is: "the film Heat"."""
    return any(word.tag == IMPLIED and after.lower in ("a", "an") for word, after in pairwise(phrase))


def _is_implied(phrase: Phrase) -> bool:
    return any(word.tag == IMPLIED for word in phrase)


def _between_names(words: Words) -> Iterator[Phrase]:
    """The parts from each name to the next name or number; none where something is denied, or of a list."""
    if any(word.lower in _DENYING or word.tag == "not" for word in words):
        return  # what is denied in one place may be said in another
    ends = [place for place, word in enumerate(words) if word.tag in ("name", "number")]
    if len(ends) < _FEWEST_NAMES:
        return
    for first, last in pairwise(ends):
        inner = words[first + 1 : last]
        listed = all(word.tag in ("mark", "coordinator") for word in inner)
        listed = listed and any(word.tag == "coordinator" or word.text not in ",(" for word in inner)
        if inner and words[first].tag == "name" and not listed and len(inner) <= _LONGEST_PART:
            # with what a number counts: "34 metres above the road"
            counted = words[last + 1 : last + _LONGEST_VALUE] if words[last].tag == "number" else ()
            unit = takewhile(lambda w: w.tag in ("common", "base", "preposition") and w.lower != "with", counted)
            yield (*words[first : last + 1], *unit)


def why_unchecked(text: str, words: Words) -> str | None:
    """Why a sentence is not checked, in words; None: it states something."""
    plain = [word for word in words if word.tag != "mark"]
    if _ASKED.search(text):
        return "a question: it states nothing"
    if not plain:
        return "no words"
    if _TURNING.search(text):
        return "holds characters that turn the order of letters round: take them out"
    first = plain[0]
    subject = len(plain) > 1 and plain[1].tag in ("be", "have", "past", "genitive")
    if first.lower == "please" or (first.lower in _REQUESTS and not subject):
        return "a request: it states nothing"
    bare = _QUOTED.sub('""', text)  # "I Was Never There" says nothing of the writer
    for pattern, reason in _REASONS:
        if (found := pattern.search(bare)) is not None:
            return reason.format(found[0].strip())
    opinion = _opinion(plain)
    return None if opinion is None else f"an opinion (“{opinion}”)"


def _opinion(words: Words) -> str | None:
    """The word of praise or blame that a sentence says of its subject, and nothing else."""
    for place, word in enumerate(words):
        before = [w for w in words[:place] if w.tag != "adverb" and w.lower not in ("a", "an", "the")]
        linked = bool(before) and (before[-1].tag == "be" or before[-1].lower in ("looks", "sounds", "feels"))
        known = place + 1 < len(words) and words[place + 1].lower in ("known", "remembered", "selling")
        if word.lower in _OPINION and linked and not known:
            concrete = any(w.tag in ("name", "number") for w in words[place + 1 :])
            return None if concrete else word.lower
    return None
