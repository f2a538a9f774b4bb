"""What a text that ships has in common with the data sets that Toulmin is evaluated on (``evaluated_sets``).

Any text borrows from an item of a data set

- "whole": if a sentence of it is the item's question or claim, but for case and punctuation;
- "six words": if six words of it in a row stand in the item, two of them content words.

What a model is shown borrows also

- "one word": if a sentence of it, of six words or more, is found in the item in the same order but for one word, and
  the item has at most two words more;
- "relation": if it holds a label of three words or more of a relation, which the bundled graph does not have;
- "content": if rare words of a sentence of it meet again in one commonsense question with its rule, triples and steps.
  A word weighs log2(r / 500), where it is the r-th most frequent of English, and nothing if it stands in the
  instructions of three prompts or more: "statement" and "option" are the task's. A noun of two words that WordNet has
  is one word. Two words or more that weigh 3.5 and half of what the sentence weighs, or 8.5, are too many.

The bounds of "content" report the demonstrations for which the rule was made, and 0.8 % of the sentences of this
project's documents (27 of 3,333), half of them for the name of one person.

A text borrows a name if it holds an uncommon one of what a data set is about: neither WordNet nor the bundled graph has
it, and it is of several words and written as a name, or of one word that is not in the vocabulary.

A question made by a template borrows a template if their frames are the same: what is left of a question with a name
where every run of content words counts as one (``frame``).

The vocabulary is that of the embedder which ships: 30,522 pieces of words, in the order of their frequency in English.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations

from evaluated_sets import Item
from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import RULE_STOP_WORDS
from toulmin.graph.bundled import bundled_path

__all__ = ["Borrowed", "Library", "borrowed", "borrowed_names", "frame", "task_words", "uncommon"]

RUN = 6  # words in a row
CONTENT_WORDS = 2  # of them, at least
COMMONSENSE = frozenset({"crlt", "strategyqa", "creak", "recipe_mpr_personal"})
WEIGHT, SHARE, ALONE = 3.5, 0.5, 8.5

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENDS = re.compile(r"[.?!;:]+(?:\s|$)|[\n\t\"“”()|*{}\[\]]|\\n")
_FIRST_WORD = 1996  # its place in the vocabulary: "the"
_COMMON = 500  # words more frequent than this one weigh nothing
_TASK = 3  # prompts
_LABEL = 3  # words of a relation's label
_NAME = 6  # words of a name, at most
_SHORT = 4  # letters from which a name may be of one word
_FRAMING = frozenset("@ 's also along alongside else same fellow".split())
_RAREST = 3  # words of a sentence, of which two are looked for
_LONGER = 2  # words that an item may have beyond a sentence


@dataclass(frozen=True, slots=True)
class Borrowed:
    """What a text has in common with an item.

    Args:
        rule: see the module.
        words: what is shared.
        text: the sentence that ships, or what of it is shared.
        item: what it is shared with.
    """

    rule: str
    words: str
    text: str
    item: Item

    def __str__(self) -> str:
        return f"{self.rule}: {self.words!r} of {self.text!r} is in {self.item.source}: {self.item.text[:120]!r}"


def words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case; "'s" is a word."""
    return tuple(_WORD.findall(text.lower().replace("’", "'").replace("'s", " s")))


def sentences(text: str) -> list[str]:
    """The pieces of a text between points, quotation marks, bars, brackets and line ends, without repetition."""
    return list(dict.fromkeys(piece.strip() for piece in _ENDS.split(text) if piece.strip()))


@cache
def _vocabulary() -> dict[str, int]:
    pieces = (files("toulmin.retrieval") / "wordpiece" / "vocab.txt").read_text("utf-8").splitlines()
    return {piece: place for place, piece in enumerate(pieces)}


def _place(word: str) -> int:
    vocabulary = _vocabulary()
    return vocabulary.get(word, len(vocabulary))


@cache
def _lemma(word: str) -> str:
    lemmas = [lemma for lemma in get_lexicon().lemmas(word) if lemma in _vocabulary()]
    return min(lemmas, key=lambda one: (len(one), one)) if lemmas else word


@cache
def _weight(word: str) -> float:
    lexicon = get_lexicon()
    if word.isdigit() or not (lexicon.is_noun(word) or lexicon.is_verb(word) or word not in _vocabulary()):
        return 0.0
    return math.log2(max(min(_place(word), _place(_lemma(word))) - _FIRST_WORD, _COMMON) / _COMMON)


def _weights(text: str) -> dict[str, float]:
    """The words that weigh something, by their base form; a noun of two words is as heavy as the rarer."""
    said = words(text)
    weights: dict[str, float] = {}
    number = 0
    while number < len(said):
        compound = " ".join((said[number], _lemma(said[number + 1]))) if number + 1 < len(said) else ""
        if compound and get_lexicon().is_noun(compound):
            weights[compound] = max(_weight(said[number]), _weight(said[number + 1]))
            number += 2
        else:
            weights[_lemma(said[number])] = _weight(said[number])
            number += 1
    return {lemma: weight for lemma, weight in weights.items() if weight}


class Library:
    """Texts that ship, indexed for what items may share with them.

    Args:
        texts: each is taken apart by ``sentences``; runs of words do not cross from one sentence to the next.
        task: base forms of words that weigh nothing; None: a model is not shown the texts.
    """

    def __init__(self, texts: Iterable[str], task: frozenset[str] | None = None) -> None:
        self._task = task
        self._sentences = list(dict.fromkeys(sentence for text in texts for sentence in sentences(text)))
        self._words = [words(sentence) for sentence in self._sentences]
        self._weights = [
            {lemma: weight for lemma, weight in _weights(sentence).items() if lemma not in (task or ())}
            for sentence in self._sentences
        ]
        self._whole: dict[tuple[str, ...], int] = {}
        self._runs: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self._by_pair: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._by_weight: dict[str, list[int]] = defaultdict(list)
        for place, said in enumerate(self._words):
            if len(said) > 2:
                self._whole.setdefault(said, place)
            for run in _runs(said):
                self._runs[run].append(place)
            if len(said) >= RUN:
                for pair in combinations(_rarest(said, _RAREST), 2):
                    self._by_pair[pair].append(place)
            for lemma in self._weights[place]:
                self._by_weight[lemma].append(place)

        self._longest = max(map(len, self._words), default=0)
        self._in_pairs = {word for pair in self._by_pair for word in pair}

    def compare(self, item: Item) -> list[Borrowed]:
        """What the texts have in common with an item."""
        found = []
        said = _words_of(item)
        if (place := self._whole.get(said)) is not None:
            found.append(self._borrowed("whole", said, place, item))
        for number in range(len(said) - RUN + 1):
            run = said[number : number + RUN]
            found += [self._borrowed("six words", run, place, item) for place in self._runs.get(run, ())]
        return found if self._task is None else found + self._of_shown(said, item)

    def _of_shown(self, said: tuple[str, ...], item: Item) -> list[Borrowed]:
        """By the rules for what a model is shown."""
        found = []
        for place in sorted(self._alike(said)):
            mine = self._words[place]
            if len(mine) - 1 <= len(said) <= len(mine) + _LONGER and _in_order(mine, said) >= len(mine) - 1:
                found.append(self._borrowed("one word", mine, place, item))
        for label in item.labels:
            called = words(label)
            if len(called) >= _LABEL and called not in _known_names():
                found += [
                    self._borrowed("relation", called, place, item)
                    for place, mine in enumerate(self._words)
                    if any(mine[n : n + len(called)] == called for n in range(len(mine)))
                ]
        return found + (self._content(item) if item.source in COMMONSENSE else [])

    def _alike(self, said: Sequence[str]) -> set[int]:
        """Sentences of which two of the three rarest words are among these words, as all but one word must be."""
        if len(said) > self._longest + _LONGER:
            return set()
        listed = [word for word in _rarest(said, len(said)) if word in self._in_pairs]
        return {place for pair in combinations(listed, 2) for place in self._by_pair.get(pair, ())}

    def _content(self, item: Item) -> list[Borrowed]:
        met: dict[int, list[str]] = defaultdict(list)
        for lemma in _weights_of(item):
            for place in self._by_weight.get(lemma, ()):
                met[place].append(lemma)
        found = []
        for place, shared in met.items():
            weights = self._weights[place]
            sum_ = sum(weights[lemma] for lemma in shared)
            enough = sum_ >= ALONE or (sum_ >= WEIGHT and sum_ >= SHARE * sum(weights.values()))
            if len(shared) > 1 and enough:
                found.append(self._borrowed("content", shared, place, item))
        return found

    def _borrowed(self, rule: str, shared: Sequence[str], place: int, item: Item) -> Borrowed:
        return Borrowed(rule, " ".join(shared), self._sentences[place], item)


def frame(question: str, name: str) -> tuple[str, ...]:
    """The function words of a question around its name and its content: "the … of @ also … which …"."""
    kept = list[str]()
    for word in re.findall(r"@|'s|\w+", re.sub(re.escape(name), "@", question, flags=re.IGNORECASE).lower()):
        shown = word if word in RULE_STOP_WORDS or word in _FRAMING else "…"
        if shown != "…" or kept[-1:] != ["…"]:
            kept.append(shown)
    return tuple(kept)


def task_words(instructions: Sequence[str]) -> frozenset[str]:
    """The base forms of words that stand in the instructions of three prompts or more."""
    counted = Counter(lemma for text in instructions for lemma in _weights(text))
    return frozenset(lemma for lemma, number in counted.items() if number >= _TASK)


def borrowed(texts: Iterable[str], items: Iterable[Item], task: frozenset[str] | None = None) -> list[Borrowed]:
    """What texts have in common with items, by the rules of the module but for names."""
    library = Library(texts, task)
    return [one for item in items for one in library.compare(item)]


def uncommon(names: Iterable[str]) -> frozenset[tuple[str, ...]]:
    """The names, in words, that neither WordNet nor the bundled graph has; nor their parts, as of "Ulm, Germany"."""
    found = set()
    for name in set(names):
        said = words(name)
        alone = len(said) == 1 and (len(said[0]) < _SHORT or said[0] in _vocabulary())
        spelt = len(said) <= _NAME and any(word.isalpha() for word in said)
        if spelt and not alone and not _is_known(said) and not all(_is_known(words(part)) for part in name.split(",")):
            found.add(said)
    return frozenset(found)


def _is_known(name: tuple[str, ...]) -> bool:
    """Whether WordNet or the bundled graph has a name, with or without an article before it."""
    spelt = " ".join(name)
    spellings = (spelt, spelt.replace(" s ", "'s "), spelt.replace(" ", "-"))
    known = name in _known_names() or any(get_lexicon().lemmas(spelling) for spelling in spellings)
    return known or (len(name) > 1 and name[0] in {"a", "an", "the"} and _is_known(name[1:]))


def borrowed_names(texts: Iterable[str], rare: frozenset[tuple[str, ...]]) -> list[tuple[str, str]]:
    """The uncommon names that texts hold, each with its sentence; one of several words only if written as a name."""
    found = []
    for sentence in dict.fromkeys(sentence for text in texts for sentence in sentences(text)):
        pieces = [match[0] for match in _WORD.finditer(sentence.replace("’", "'").replace("'s", " s"))]
        lower = tuple(piece.lower() for piece in pieces)
        for start in range(len(pieces)):
            ends = range(start + 1, min(start + _NAME, len(pieces)) + 1)
            found += [
                (" ".join(pieces[start:end]), sentence)
                for end in ends
                if lower[start:end] in rare and (end == start + 1 or _is_written_as_name(pieces[start:end]))
            ]
    return found


def _is_written_as_name(pieces: Sequence[str]) -> bool:
    """Whether the first and the last word and all words that weigh something begin with a capital."""
    return all(
        not piece[0].islower()
        for number, piece in enumerate(pieces)
        if number in (0, len(pieces) - 1) or _weight(piece.lower())
    )


@cache
def _known_names() -> frozenset[tuple[str, ...]]:
    known = set()
    for line in bundled_path().read_text("utf-8").splitlines():
        record = json.loads(line)
        for name in (record.get("label"), *record.get("aliases", ())):
            if name:
                known.add(words(name))
    return frozenset(known)


@cache
def _words_of(item: Item) -> tuple[str, ...]:
    return words(item.text)


@cache
def _weights_of(item: Item) -> tuple[str, ...]:
    return tuple(_weights(f"{item.text} {item.explanation} {' '.join(item.labels)}"))


def _runs(said: Sequence[str]) -> list[tuple[str, ...]]:
    """Six words in a row, each time with two content words."""
    runs = (tuple(said[n : n + RUN]) for n in range(len(said) - RUN + 1))
    return [run for run in runs if sum(_weight(word) > 0 for word in run) >= CONTENT_WORDS]


def _rarest(said: Sequence[str], number: int) -> list[str]:
    """The rarest words, rarest first; words of one rank in alphabetical order."""
    return sorted(set(said), key=lambda word: (-_place(word), word))[:number]


def _in_order(mine: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for word in mine:
        diagonal = 0
        for place, theirs in enumerate(other, start=1):
            diagonal, row[place] = row[place], diagonal + 1 if word == theirs else max(row[place], row[place - 1])
    return row[-1]
