"""The words of a sentence with what they can be in it, by lists of closed classes, WordNet and endings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import islice, takewhile

from toulmin.english.inflection import is_participle, is_past, is_verb, verb_base
from toulmin.english.lexicon import get_lexicon
from toulmin.english.numbers import SCALES, read_number
from toulmin.english.words import word_set

__all__ = ["FLOATING", "NO_WORD", "POSSESSIVES", "Names", "TaggedWord", "Words", "listed", "read_words", "word_at"]

#: Which of some strings are names (of a graph): words that are one name are read as one word.
Names = Callable[[Sequence[str]], Sequence[bool]]

_TOKEN = re.compile(
    r"(?P<quoted>\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|«[^»\n]{1,80}»)"
    r"|(?P<genitive>['’]s\b|(?<=s)['’](?=\s|$))"
    r"|(?P<number>[£$€]?\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s|%)?(?![^\W\d_]))"
    r"|(?P<word>(?:[^\W\d_]\.){2,}|[^\W_]+(?:[-/&’'](?!s\b)[^\W_]+)*(?:(?<=\b[A-Z])\.|(?<=\b(?:Dr|Mr|Ms|St|Jr|Sr|Mt|vs))\.|(?<=\bMrs)\.)?)"
    r"|(?P<mark>\S)"
)
_WORDS = tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))
_CLOSED: dict[str, str] = {word: tag for tag, words in reversed(_WORDS["tags"].items()) for word in words.split()}
#: What tells of each of several: "are both buried", "were all directed".
FLOATING = frozenset(("both", "all", "each"))
#: Whose something is.
POSSESSIVES = frozenset(("his", "her", "its", "their"))
_PARTICLES = frozenset("de la le du des von van der den ten del della di da do dos al el bin ibn".split())
_ALONE = {**SCALES, "dozen": 12}  # with no number before them: "several hundred"
_OPEN = frozenset(("common", "past", "participle", "gerund", "verb", "base"))
_LONGEST_NAME = 9  # words


def listed(name: str) -> frozenset[str]:
    """The words of a list of ``words.toml``."""
    return word_set(_WORDS["lists"][name])


_UNDERTAKINGS = listed("undertakings")


@dataclass(frozen=True, slots=True)
class TaggedWord:
    """A word of a sentence, or one that stands in for it.

    Args:
        text: as it is written.
        start, end: its characters in the whole text; of a word that is put in, where it was taken from.
        tag: determiner, preposition, pronoun, relative, coordinator, subordinator, be, have, do, modal, not, adverb,
            genitive, number, name, past, participle, gerund, verb (third person), base, common, mark.
        stands: the characters of the pronoun that it was put in for.
    """

    text: str
    start: int
    end: int
    tag: str
    stands: tuple[int, int] | None = None

    @property
    def lower(self) -> str:
        """The word in small letters."""
        return self.text.lower()

    @property
    def count(self) -> int:
        """The number that the word says, in words or figures; 0: it says none."""
        return int(self.text) if self.text.isdecimal() else read_number(self.text) or _ALONE.get(self.lower, 0)


#: Words one after another: of a sentence, of a part of it.
Words = Sequence[TaggedWord]

#: Stands for the word where there is none: before the first, behind the last.
NO_WORD = TaggedWord("", -1, -1, "none")


def word_at(words: Words, place: int) -> TaggedWord:
    """The word at a place; ``NO_WORD`` where there is none."""
    return words[place] if 0 <= place < len(words) else NO_WORD


def read_words(text: str, start: int, end: int, names: Names | None = None) -> list[TaggedWord]:
    """The words and marks of ``text[start:end]``; names of several words are one."""
    words: list[TaggedWord] = []
    for match in _TOKEN.finditer(text, start, end):
        kind = match.lastgroup or "mark"
        if match[0] in "*_`#~|":
            continue  # marks of Markdown
        first = not words or words[-1].text in ("“", '"')
        opens = first or words[-1].text == ":"
        tag = {"quoted": "name", "genitive": "genitive", "number": "number", "mark": "mark"}.get(kind)
        words.append(TaggedWord(match[0], match.start(), match.end(), tag or _tag(match[0], first=first, opens=opens)))
    words = _named(words, text, names) if names is not None else words
    if len(words) > 1 and words[0].text[:1].isupper() and words[0].tag in _OPEN and words[1].tag == "name":
        words[0] = replace(words[0], tag="name")
    words = _contracted(words)
    if len(words) > 1 and _bare_singular(words[0], words[1]):
        words[0] = replace(words[0], tag="name")
    words = _titled(_joined(words, text), text, names)
    return [_in_context(words, place) for place in range(len(words))]


def _bare_singular(word: TaggedWord, after: TaggedWord) -> bool:
    """Whether a capitalised first word stands like a name: an ordinary noun would have an article or be a plural."""
    acts = word.tag in ("past", "verb") and after.tag in ("be", "have", "modal")  # "Run is based on …"
    singular = word.tag in ("common", "base") and word.lower in get_lexicon().lemmas(word.lower)
    singular = singular and after.tag not in ("common", "base", "number", "gerund", "participle")
    return (acts or (singular and word.text[0].isupper())) and word.lower not in _UNDERTAKINGS


def _tag(text: str, *, first: bool, opens: bool) -> str:
    lower = text.lower()
    closed = _CLOSED.get(lower) or (_CLOSED.get(lower[:-3], "modal") if lower.endswith(("n't", "n’t")) else None)
    if closed is not None and (opens or text[:1].islower() or (len(text) == 1 and text in "IA")):
        return closed
    if (opens or text.islower()) and (lower in _ALONE or read_number(lower) is not None):
        return "number"
    if text[:1].isupper() and not (first and _plain(lower)):
        return "name"
    return _verbal(lower)


@lru_cache(8192)
def _plain(lower: str) -> bool:
    """Whether a capitalised first word is an ordinary one."""
    return bool(get_lexicon().lemmas(lower)) and (
        is_verb(lower) or get_lexicon().is_noun(lower) or lower.endswith("ly")
    )


@lru_cache(8192)
def _verbal(lower: str) -> str:
    """What an ordinary word is by its form; a noun where it is more often that."""
    if lower.endswith("ly") and not is_verb(lower):
        return "adverb"
    base = verb_base(lower)
    if base is None:
        return "common"
    if lower.endswith("ing") and base != lower:
        return "gerund"
    if is_participle(lower):
        return "participle"
    if is_past(lower):
        return "past"
    if lower.endswith("s") and base != lower:
        return "verb"
    return "base" if lower == base else "common"


def _in_context(words: list[TaggedWord], place: int) -> TaggedWord:
    """A word with its tag in its context: after an article no finite verb, "that" after a noun begins a clause."""
    word = words[place]
    before = word_at(words, place - 1)
    after = word_at(words, place + 1)
    behind = word_at(words, place + 2)
    ends = behind is NO_WORD or behind.tag in ("mark", "preposition")
    owned = before.tag in ("determiner", "genitive")
    led = before.tag in ("common", "name", "gerund")
    floats = before.lower in FLOATING and after.tag not in ("common", "base", "name")
    further = behind if after.tag == "adverb" and behind is not NO_WORD else after
    tag = word.tag
    if word.lower == "that" and after.tag == "common" and ends:
        tag = "determiner"
    elif word.lower == "that" and place > 1 and words[place - 2].tag in ("be", "adverb", "not"):
        pass  # "it is false that"
    elif word.lower == "that" and before.tag in ("common", "name", "verb", "number", "base"):
        tag = "relative"
    elif word.lower == "that" and after.tag in ("common", "be"):
        tag = "determiner" if after.tag == "common" else "pronoun"
    elif word.lower in ("since", "once") and before.tag in ("have", "be", "adverb"):
        tag = "adverb"
    elif word.lower == "when" and before.text == ",":
        tag = "subordinator"
    elif owned and (word.tag in ("verb", "base", "gerund") or (word.tag == "past" and not floats)):
        tag = "common"  # the televised debate
    elif word.tag == "base" and led and after.tag in ("be", "have", "modal", "verb"):
        tag = "common"  # "a wool blanket comes from", "the order code is"
    elif word.lower == "following" and before.tag == "determiner":
        tag = "common"  # the following year
    elif word.lower in ("her", "his") and further.tag in ("mark", "preposition", "coordinator", NO_WORD.tag):
        tag = "pronoun"  # "saw her", "saw her again"
    elif word.tag == "name" and word.text.islower():
        tag = "common"
    return word if tag == word.tag else replace(word, tag=tag)


def _named(words: list[TaggedWord], text: str, names: Names) -> list[TaggedWord]:
    """Words that are a name together become one word, the longest first."""
    spans = [
        (i, j)
        for i, word in enumerate(words)
        if word.tag == "number" or (word.text[:1].isupper() and word.tag not in ("pronoun", "be", "have", "do"))
        for j in range(min(len(words), i + _LONGEST_NAME), i, -1)
        if (j > i + 1 or word.tag != "name") and _ends_like_name(words[i:j])
    ]
    forms = [text[words[i].start : words[j - 1].end] for i, j in spans]
    known = {span for span, named in zip(spans, names(forms), strict=True) if named}
    # The point that ends the sentence is part of "Marsh & Co.", not of "Ada Lovelace."
    known -= {
        (i, j)
        for i, j in known
        if j == len(words) and words[j - 1].text in ".!?" and ((i, j - 1) in known or j == i + 2)
    }
    for i, j in sorted(known, key=lambda span: (span[0] - span[1], span[0])):
        if all(word.tag != "taken" for word in words[i:j]):
            name = replace(_through(words[i], words[j - 1], text), tag="name")
            words[i:j] = [name, *[replace(name, tag="taken")] * (j - i - 1)]
    return [word for word in words if word.tag != "taken"]


def _ends_like_name(words: Words) -> bool:
    """Whether words end as a name may, with the whole of a bracket: "Heat (film)", not "Mexico City)"."""
    last = words[-1]
    if last.text == ")":
        return any(word.text == "(" for word in words)
    return last.text[:1].isupper() or last.tag == "number" or last.text in ".!?"


def _joined(words: list[TaggedWord], text: str) -> list[TaggedWord]:
    """Neighbouring names become one word, with a number behind them and with particles ("van der") between them."""
    joined: list[TaggedWord] = []
    end = 0
    while end < len(words):
        first, end = words[end], end + 1
        while _bare_name(first) and (step := _goes_on(words, end)) > 0:
            end += step
        last = words[end - 1]
        joined.append(first if last is first else _through(first, last, text))
    return joined


def _through(first: TaggedWord, last: TaggedWord, text: str) -> TaggedWord:
    """A word that reaches from one to another."""
    return replace(first, text=text[first.start : last.end], end=last.end)


def _titled(words: list[TaggedWord], text: str, names: Names | None) -> list[TaggedWord]:
    """The words with a title and its second part as one: "Fern Atlas: Volume I"; two names of the graph stay two."""
    titled: list[TaggedWord] = []
    for place, word in enumerate(words):
        title = (
            len(titled) > 1
            and titled[-1].text == ":"
            and titled[-2].tag == word.tag == "name"
            and word.start == titled[-1].end + 1
            and any(w.tag in ("be", "have", "past", "verb") for w in (*titled[:-2], *words[place + 1 :]))
            and not (names is not None and all(names([titled[-2].text, word.text])))
        )
        titled.append(word)
        if title:
            titled[-3:] = [_through(titled[-3], word, text)]
    return titled


def _contracted(words: list[TaggedWord]) -> list[TaggedWord]:
    """The words with "as well as" as one coordinator, and "it's" as "it is"."""
    contracted: list[TaggedWord] = []
    for word in words:
        if word.lower == "as" and [w.lower for w in contracted[-2:]] == ["as", "well"]:
            contracted[-2:] = [TaggedWord("as well as", contracted[-2].start, word.end, "coordinator")]
        elif word.tag == "genitive" and contracted and contracted[-1].tag == "pronoun":
            contracted.append(replace(word, tag="be"))
        else:
            contracted.append(word)
    return contracted


def _bare_name(word: TaggedWord) -> bool:
    return word.tag == "name" and word.text[0] not in '"“«'


def _goes_on(words: list[TaggedWord], place: int) -> int:
    """How many words from a place on belong to the name before it."""
    step = sum(1 for _ in takewhile(lambda word: word.lower in _PARTICLES, islice(words, place, None)))
    word = word_at(words, place + step)
    return step + 1 if _bare_name(word) or (step == 0 and word.tag == "number" and word.text.isdigit()) else 0
