"""Which way a question asks over a relation whose two ends are of one kind: "the father of X", "whose father is X".

Where a relation leads from films to people, the kind of thing asked for tells the direction. Between two people, two
papers or two firms only the wording does. Both the wording and the label of a relation say who plays a role:

* a noun: its holder and the one it is held towards ("the manager of X": the thing asked for is the manager),
* a verb: who does it and to whom ("what does X cite": X does).

``Label`` says which end of a relation that is, ``Wording`` whether it is the thing asked for; the direction follows
from the two and from how their words correspond (manage - manager: doer; employ - employee: done to; parent - child:
turned).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Literal as Choice

import numpy as np

from toulmin.methods.fidelis.english import NAMED, PREPOSITIONS, QUESTION_WORDS
from toulmin.methods.fidelis.reading import is_content
from toulmin.retrieval.lexicon import Lexicon
from toulmin.retrieval.schema import GraphSchema, relation_text

__all__ = ["Asked", "Label", "Wording", "phrased"]

PartOfSpeech = Choice["noun", "verb"]


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


class _Side:
    """One side of a relation: kinds of WordNet that its bearers are of, and other words for it."""

    def __init__(self, *kinds: str, words: frozenset[str] = frozenset()) -> None:
        self.kinds, self.words = kinds, words


_BE = _set("is are was were be been being am get gets got")
_DO = _set("do does did")
_HAVE = _set("has have had having")
_MODAL = _set("can could will would may might shall should must")
_DETERMINERS = _set("the a an any all some each every both one other my your his her its their our")
_POSSESSIVES = _set("'s ' his her its their whose")
_OBJECTS = _set("it him her them")
_ASKING = _set("what which who whom")
_RELATIVE = _ASKING | {"that"}
_PREPOSITIONS = PREPOSITIONS | _set("under over behind upon into after as about through")
_TOWARDS = _set("of to for over")  # between a noun and the one towards whom its role is held
_ADVERBS = _set("also ever once later then now currently directly still not just")
#: The two sides of relations among people and firms: parents stand to children as ancestors to descendants.
_CONVERSES: tuple[tuple[_Side, _Side], ...] = (
    (_Side("parent", "ancestor"), _Side("offspring", "descendant")),
    (
        _Side("superior", "supervisor", "employer", "leader"),
        _Side("subordinate", "employee", "worker", words=_set("report work answer serve staff team")),
    ),
    (_Side("teacher"), _Side("student")),
    (_Side("predecessor"), _Side("successor")),
    (_Side("owner", "buyer", "acquirer", words=_set("parent")), _Side("subsidiary company")),
)
_SENSES = 5  # of a noun, in which it may be such a kind
_DOER = ("er", "or", "ant", "ent")  # endings of nouns for who does something
_NAMED = 0.3  # a word names a relation from this likeness on
_FARTHER = 0.05  # what a word loses, as a name of a relation, by each word that it is farther from the mention
_CANDIDATES = 4  # words that may name one relation
_MEANS = 0.35  # a verb that the lexicon does not relate to a label's means it from this likeness of vectors on
_TOKEN = re.compile(r"['’]s\b|['’]|\w+")
_MENTION = "\0"


@dataclass(frozen=True, slots=True)
class Label:
    """What the label of a relation says of its ends.

    Args:
        word: the noun or verb.
        part: its part of speech.
        words: all words of the label before a preposition.
        of_object: whether the object holds the role of the noun, or does what the verb says.
        preposition: after a participle ("based on"), which may be passive or past; None elsewhere.
        noun: what the objects are called, beside a verb ("award received", "references"); None elsewhere.
    """

    word: str
    part: PartOfSpeech
    words: tuple[str, ...]
    of_object: bool
    preposition: str | None = None
    noun: str | None = None

    @classmethod
    def read(cls, label: str, lexicon: Lexicon) -> Label | None:
        """Read a label; None where its words are unknown."""
        said = [word for word in relation_text(label).split() if word not in _DETERMINERS]
        while len(said) > 1 and said[0] in _BE | _HAVE:
            del said[0]
        at = next((at for at, word in enumerate(said) if at and word in _PREPOSITIONS), len(said))
        head, after = said[: at or 1], said[at] if at < len(said) else None
        if not head:
            return None
        first, last, words = head[0], head[-1], tuple(head)
        participle, noun = _is_participle(last, lexicon), lexicon.is_noun(last)
        if after == "by":
            return cls(last, "verb", words, of_object=True)
        if len(head) > 1 and noun and after is None:  # acquired company, citing paper, cites work
            if _is_participle(first, lexicon) or _is_doing(first, lexicon):
                return cls(first, "verb", (first,), of_object=first.endswith("ing"))
            role = first if lexicon.coarse_type(first) == "person" != lexicon.coarse_type(last) else last
            return cls(role, "noun", words, of_object=True)  # parent company, but line manager
        if after is not None and participle:
            return cls(last, "verb", words, of_object=True, preposition=after)
        third_person = last.endswith("s") and lexicon.is_verb(last) and lexicon.coarse_type(last) != "person"
        verb = participle or last.endswith("ing") or _is_doing(last, lexicon) or (third_person and len(head) == 1)
        if verb and after != "of":
            called = first if len(head) > 1 else last
            plain = after is None and lexicon.is_noun(called)
            return cls(last, "verb", words, of_object=False, noun=called if plain else None)
        if noun:
            return cls(last, "noun", words, of_object=after is None or at < len(said) - 1)
        return cls(last, "verb", words, of_object=False) if lexicon.is_verb(last) else None


@dataclass(frozen=True, slots=True)
class Asked:
    """What the wording says of one hop.

    Args:
        backward: whether it is to be walked against the relation's direction; None where the wording leaves it open.
        named: whether a word names the relation.
        sure: whether the lexicon or the vectors relate that word to the label.
        last: whether nothing is left for a further hop, but a noun for what is asked for: "papers that cite X".
    """

    backward: bool | None
    named: bool
    sure: bool = True
    last: bool = False


class Wording:
    """How a question is worded around one mention.

    Args:
        question: as it was asked.
        start: of the mention.
        end: of the mention.
    """

    def __init__(self, question: str, start: int, end: int, schema: GraphSchema, lexicon: Lexicon) -> None:
        self._schema, self._lexicon = schema, lexicon
        left, right = (_TOKEN.findall(part.lower().replace("’", "'")) for part in (question[:start], question[end:]))
        self._tokens = [*left, _MENTION, *right]
        for at, (before, word) in enumerate(pairwise(self._tokens), 1):
            if word == "'s" and before in QUESTION_WORDS | {"there", "that"}:
                self._tokens[at] = "is"
        self._at = len(left)

    @property
    def noun(self) -> str | None:
        """The noun for what is asked for: "person" with who, the last of the nouns after which, what, or a command."""
        tokens = self._tokens
        at = next((at for at, token in enumerate(tokens) if token in QUESTION_WORDS), -1)
        if (at >= 0 and tokens[at] in ("where", "when", "how")) or self._is_bare():
            return None
        whom = at >= 0 and tokens[at] in NAMED
        if whom and self._token(at + 1) not in _BE:
            return "person"
        nouns: list[str] = []
        for token in tokens[at + 1 :]:
            if nouns and not (is_content(token) and self._lexicon.is_noun(token)):
                break
            if is_content(token):
                if not self._lexicon.is_noun(token) or token == _MENTION:
                    break
                nouns.append(token)
        while len(nouns) > 1 and _is_doing(nouns[-1], self._lexicon):
            del nouns[-1]  # which moons orbit
        if not nouns:
            return "person" if whom else None
        return "person" if nouns[-1] == "people" else nouns[-1]

    def _is_bare(self) -> bool:
        """Whether nothing but function words is said: who is X."""
        return not any(is_content(token) for token in self._tokens if token != _MENTION)

    def asked(self, relations: Sequence[int], labels: Sequence[str]) -> list[Asked]:
        """What the wording says of each hop of a path.

        Args:
            relations: relation numbers, from the mention outward.
            labels: their labels.
        """
        read = [Label.read(label, self._lexicon) for label in labels]
        first = last = self._at
        found: list[Asked] = []
        for label, naming in zip(read, self._naming(relations, read), strict=True):
            if naming is None:
                found.append(Asked(None, named=False))
                continue
            at, like = naming
            backward, sure = self._direction(at, (first, last), label, like) if label else (None, False)
            closed = not self._is_noun(at, (first, last)) or self._holds(at, (first, last)) is False
            first, last = min(at, first), max(at, last)
            found.append(Asked(backward, True, sure, last=closed and self._is_whole(first, last)))
        return found

    def _is_whole(self, first: int, last: int) -> bool:
        """Whether the words outside a span are function words and one run of nouns at most."""
        first -= self._token(first - 1) == "whose"
        outside = [*self._tokens[:first], _MENTION, *self._tokens[last + 1 :]]
        for at in range(len(outside) - 1, 0, -1):
            if outside[at] in _ASKING and outside[at - 1] in _PREPOSITIONS:
                del outside[at - 1]  # the manager of which people
        if set(outside) & {"of", "'s", "'", "whose", "when", "where", "how"}:
            return False
        content = [at for at, word in enumerate(outside) if is_content(word) and word.isalpha()]
        return not content or content[-1] - content[0] == len(content) - 1

    def _naming(self, relations: Sequence[int], labels: Sequence[Label | None]) -> tuple[tuple[int, float] | None, ...]:
        """For each hop the place of the word that names its relation, and how like the two are by vectors.

        Together the words are as like the relations as can be, each farther out than those before it on its side; of
        words that are about as like, the nearer.
        """
        places = [
            at for at, token in enumerate(self._tokens) if at != self._at and is_content(token) and token.isalpha()
        ]
        if not places:
            return (None,) * len(labels)
        like = self._schema.likeness([self._tokens[at] for at in places], np.asarray(relations))
        choices: list[list[tuple[int, float, float] | None]] = []
        for hop, label in enumerate(labels):
            score = like[:, hop] + np.array([self._meant(self._tokens[at], label) for at in places])
            order = np.argsort(-score, kind="stable")[:_CANDIDATES]
            named = [(places[row], float(score[row]), float(like[row, hop])) for row in order if score[row] > _NAMED]
            choices.append([*named, None])
        chosen = max(product(*choices), key=self._worth)
        verbs = [row for row, at in enumerate(places) if not self._is_noun(at, (self._at, self._at))]
        if chosen == (None,) and len(verbs) == 1:  # the only verb can but mean the relation
            return ((places[verbs[0]], float(like[verbs[0], 0])),)
        return tuple(None if one is None else (one[0], one[2]) for one in chosen)

    def _worth(self, chosen: Sequence[tuple[int, float, float] | None]) -> float:
        """How well some words name the hops of a path; nearer words are better, most of all for the first hops."""
        worth, reached = 0.0, {False: 0, True: 0}
        for hop, one in enumerate(chosen, 1):
            if one is None:
                continue
            right, far = one[0] > self._at, abs(one[0] - self._at)
            if far <= reached[right]:
                return -np.inf
            reached[right] = far
            worth += one[1] - _FARTHER * far / hop
        return worth

    def _meant(self, word: str, label: Label | None) -> float:
        """How well a word means a label's by the lexicon."""
        if label is None:
            return 0.0
        related = max(self._lexicon.relatedness(word, one) for one in (label.word, label.noun or label.word))
        return 0.9 * related + 0.5 * (self._turned(word, label) is not None)

    def repeats(self, labels: Sequence[str]) -> bool:
        """Whether the question says the word of a label more often than a path with these labels walks it."""
        read = [label for label in (Label.read(one, self._lexicon) for one in labels) if label]
        return any(
            sum(self._lexicon.relatedness(token, label.word) == 1.0 for token in self._tokens)
            > sum(label.word == other.word for other in read)
            for label in read
        )

    def _direction(self, at: int, inner: tuple[int, int], label: Label, like: float) -> tuple[bool | None, bool]:
        """Whether the word at a place asks for the subjects of a relation (None: open), and whether that is sure."""
        word, noun = self._tokens[at], self._is_noun(at, inner)
        asked = self._holds(at, inner) if noun else self._does(at, inner)
        if asked is None:
            return None, False
        if label.preposition in self._tokens and not noun and self._lexicon.relatedness(word, label.word) == 1.0:
            return asked != self._is_passive(at, inner), True  # the label's own words: subject is subject
        if label.noun is not None and noun and self._lexicon.relatedness(word, label.noun) > 0:
            label = Label(label.noun, "noun", label.words, of_object=True)
        same, sure = self._same(word, "noun" if noun else "verb", label, like)
        return None if same is None else (asked == same) != label.of_object, sure

    def _same(self, word: str, part: PartOfSpeech, label: Label, like: float) -> tuple[bool | None, bool]:
        """Whether who holds or does what a word says is who holds or does what a label says, and whether that is sure.

        A verb that the lexicon does not relate to the label's is taken to have its subject, for want of better.
        """
        turned = self._turned(word, label)
        if turned is not None:
            return not turned, True
        lexicon = self._lexicon
        related = max(lexicon.relatedness(word, label.word), lexicon.relatedness(label.word, word)) > 0
        sure = related or like > _MEANS
        if part == label.part == "noun" and related and lexicon.lemmas(word) != lexicon.lemmas(label.word):
            doers = [self._is_doer(noun) for noun in (word, label.word) if self._is_deverbal(noun)]
            if doers in ([True, False], [False, True]):
                return False, True  # dependents - dependencies
        if part == label.part:
            return (True if sure or part == "verb" else None), sure
        noun = word if part == "noun" else label.word
        return (self._is_doer(noun), sure) if related or (part == "noun" and self._is_deverbal(noun)) else (None, False)

    def _is_deverbal(self, noun: str) -> bool:
        """Whether a noun is derived from a verb."""
        tables = self._lexicon.tables
        related = (other for sense in self._lexicon.noun_senses(noun)[:_SENSES] for other in tables.derivations[sense])
        return any(sense >= tables.nouns for sense in related)

    def _is_doer(self, noun: str) -> bool | None:
        """Whether a noun says who does something (manager), or what is done to (employee, acquisition); None: open."""
        base = next(iter(self._lexicon.lemmas(noun)), noun)
        if base.endswith("ee"):
            return False
        if base.endswith(_DOER) or self._lexicon.coarse_type(base) == "person":
            return True
        return None if self._lexicon.is_verb(base) and noun == base else False

    def _turned(self, word: str, label: Label) -> bool | None:
        """Whether a word and a label name the two sides of one relation; None where they are of none."""
        for higher, lower in _CONVERSES:
            sides = []
            for words in ((word,), label.words):
                above, below = (any(self._is_of(one, side) for one in words) for side in (higher, lower))
                if above == below:
                    break
                sides.append(above)
            if len(sides) == 2:
                return sides[0] != sides[1]
        return None

    def _is_of(self, word: str, side: _Side) -> bool:
        """Whether a noun, or the noun for who does what a verb says, is of one side of a relation."""
        lexicon = self._lexicon
        if not side.words.isdisjoint(lexicon.lemmas(word)):
            return True
        senses, tables = lexicon.noun_senses(word)[:_SENSES], lexicon.tables
        rows = [tables.words[base] for base in lexicon.lemmas(word)]
        verbs = [sense for row in rows for sense in tables.senses[row][:_SENSES] if sense >= tables.nouns]
        doers = {noun for verb in verbs for noun in tables.derivations[verb] if noun < tables.nouns}
        senses += [noun for noun in doers if any(name.endswith(_DOER) for name in lexicon.bearers(noun))]
        return any(lexicon.is_kind(sense, kind) for sense in senses for kind in side.kinds)

    def _is_noun(self, at: int, inner: tuple[int, int]) -> bool:
        """Whether the word at a place is used as a noun."""
        word, lexicon = self._tokens[at], self._lexicon
        if not lexicon.is_verb(word):
            return True
        if not lexicon.is_noun(word) or word.endswith("ing") or _is_participle(word, lexicon):
            return False
        before, after = self._token(at - 1), self._token(at + 1)
        if before in _DETERMINERS | _POSSESSIVES | _HAVE | {"as", "of"} or after == "of":
            return True
        subject = is_content(before) and before.isalpha() and lexicon.is_noun(before)
        helped = inner[1] == at - 1 and not _DO.isdisjoint(self._tokens[: inner[0]])  # does X cite
        if before in _RELATIVE or (subject and after == _MENTION) or helped:
            return False
        earlier = self._token(at - 2)
        if earlier in _DETERMINERS | _POSSESSIVES and before != _MENTION:
            return True
        return not _is_doing(word, lexicon)

    def _holds(self, at: int, inner: tuple[int, int]) -> bool | None:
        """Whether the thing asked for holds the role that a noun names (else the mention does); None: open."""
        tokens, (first, last) = self._tokens, inner
        begin, end = at, at
        while end + 1 < len(tokens) and end + 1 != first and self._is_modifier(end + 1):
            end += 1
        while begin and begin - 1 != last and self._is_modifier(begin - 1):
            begin -= 1
        after = tokens[end + 1 : end + 3]
        if at > last and tokens[last + 1] in ("'s", "'"):
            return True
        if after[:1] and after[0] in _TOWARDS and (len(after) == 1 or after[1] in _ASKING | {"whose"}):
            return False  # the father of whom, what is it the father of
        if first > at:
            between = tokens[end + 1 : first]
            if self._token(begin - 1) == "whose":
                return False
            if set(between) & (_PREPOSITIONS - {"by", "as"}):
                return not set(between) & _set("including include includes")
            if set(between) & (_DO | _RELATIVE) or set(tokens[last + 1 :]) & _HAVE:
                return True
            if self._token(begin - 1) in ("what", "which") and between:
                return True  # what colour is it
            given = between or not (_HAVE | {"with", "under"}).isdisjoint(tokens[:begin])
            return False if given else None  # "has the father X", but "father X"
        between = tokens[last + 1 : begin]
        if "whose" in between:
            return between[0] == "whose"
        if set(between) & (_ASKING | {"that"}):
            return True
        function = _DETERMINERS | _POSSESSIVES | _BE | _PREPOSITIONS | _MODAL | _ADVERBS | {"among"}
        if any(word not in function for word in between):
            return True  # who does X have as its manager
        if not between and not self._gives_role(first):
            return None  # "X father": whose?
        return False

    def _gives_role(self, at: int) -> bool:
        """Whether a verb stands before a mention: who calls X father, who has X as manager."""
        before = self._token(at - 1)
        return before in _HAVE or (is_content(before) and self._lexicon.is_verb(before))

    def _does(self, at: int, inner: tuple[int, int]) -> bool:
        """Whether the thing asked for does what a verb says (else the mention does)."""
        first, last = inner
        asked_is_subject = first > at
        if not asked_is_subject and set(self._tokens[at + 1 : at + 4]) & _OBJECTS:
            asked_is_subject = bool(set(self._tokens[last + 1 : at]) & _RELATIVE)  # X, which papers cite it
        elif not asked_is_subject and self._asks_between(last, at):
            asked_is_subject = True
        return asked_is_subject != self._is_passive(at, inner)

    def _asks_between(self, last: int, at: int) -> bool:
        """Whether a question word after the mention is the subject of a verb: "on X which packages depend"."""
        between = self._tokens[last + 1 : at]
        return bool(set(between) & _ASKING) and between[0] in _ASKING and not set(between) & (_BE | _DO)

    def _is_passive(self, at: int, inner: tuple[int, int]) -> bool:
        """Whether a verb is passive: "is cited by X", "papers cited by X", "by whom was X acquired"."""
        tokens, (first, last) = self._tokens, inner
        word = tokens[at]
        if word.endswith("ing") or not (_is_participle(word, self._lexicon) or _is_base(word, self._lexicon)):
            return False
        back = at - 1
        while self._token(back) in _ADVERBS | {"been", "being"} or self._token(back).endswith("ly"):
            back -= 1
        if self._token(back) in _BE or self._token(back + 1) in ("been", "being"):
            return True
        if not _is_participle(word, self._lexicon):
            return False
        if back == last and self._token(first - 1) in _BE:
            return True
        behind = tokens[at + 1 : at + 4]
        if first > at:
            behind = tokens[at + 1 : min(at + 4, first)]
        if "by" in behind:
            return True
        asked_by = any(a == "by" and b in _ASKING for a, b in pairwise(tokens))
        if asked_by or tokens[-1] == "by":
            return True
        before = self._token(at - 1)
        reduced = is_content(before) and before != _MENTION and self._lexicon.is_noun(before)
        return reduced and first > at and bool(set(behind) & (_PREPOSITIONS - {"to"}))

    def _is_modifier(self, at: int) -> bool:
        """Whether the word at a place belongs to a noun beside it: direct manager, parent company."""
        word = self._token(at)
        return word.isalpha() and is_content(word) and not self._lexicon.is_verb(word) and word not in _PREPOSITIONS

    def _token(self, at: int) -> str:
        return self._tokens[at] if 0 <= at < len(self._tokens) else ""


def phrased(label: str, name: str, backward: bool, lexicon: Lexicon) -> str:
    """What a hop from a thing gives, in words: "the father of X", "what has X as its father", "what cites X"."""
    said = relation_text(label)
    read = Label.read(label, lexicon)
    words = said.split()
    verb = " ".join(words[1:]) if words[0] in _BE and len(words) > 1 else said
    if read is None:
        return f"what stands before “{said}” {name}" if backward else f"what stands after {name} “{said}”"
    if read.part == "noun" and read.of_object:
        noun = " ".join(words[1:]) if words[0] in _HAVE and len(words) > 1 else said
        return f"what has {name} as its {noun}" if backward else f"the {noun} of {name}"
    if read.part == "noun":
        return f"the {verb} {name}" if backward else f"what {name} is the {verb}"
    if read.of_object:
        return f"what is {verb} {name}" if backward else f"what {name} is {verb}"
    return f"what {said} {name}" if backward else f"what {name} {said}"


def _is_participle(word: str, lexicon: Lexicon) -> bool:
    """Whether a word is the past form or participle of a verb."""
    return word.endswith(("ed", "en", "t", "n", "d", "e")) and _is_past(word, lexicon)


def _is_past(word: str, lexicon: Lexicon) -> bool:
    bases = [base for base in lexicon.lemmas(word) if base != word and lexicon.is_verb(base)]
    return bool(bases) and not word.endswith(("ing", "s"))


def _is_doing(word: str, lexicon: Lexicon) -> bool:
    """Whether a word is first of all a verb: "cites", "uses", "manage"; not "children", "references"."""
    for base in lexicon.lemmas(word):
        row = lexicon.tables.words.get(base)
        if row is not None and lexicon.tables.senses[row]:
            return lexicon.tables.senses[row][0] >= lexicon.tables.nouns and lexicon.is_verb(base)
    return False


def _is_base(word: str, lexicon: Lexicon) -> bool:
    return word in lexicon.lemmas(word) and lexicon.is_verb(word)
