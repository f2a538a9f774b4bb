"""Which way a question asks over a relation whose two ends are of one kind: "the father of X", "whose father is X".

Where a relation leads from films to people, the kind of thing asked for tells the direction. Between two people, two
papers or two firms only the wording does. Both the wording and the label of a relation say who plays a role:

* a noun: its holder and the one it is held towards ("the manager of X": the thing asked for is the manager),
* a verb: who does it and to whom ("what does X cite": X does).

``Label`` says which end of a relation that is, ``QuestionWording`` whether it is the thing asked for; the direction
follows from the two and from how their words correspond (manage - manager: doer; employ - employee: done to; parent -
child: turned).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from toulmin.english.lexicon import Lexicon
from toulmin.english.words import NAMED, QUESTION_WORDS, SAME, word_set
from toulmin.methods.question.asked_for import is_content
from toulmin.methods.question.label_roles import (
    BE,
    DETERMINERS,
    HAVE,
    RELATING,
    Label,
    PartOfSpeech,
    is_deverbal,
    is_doer,
    is_doing,
    is_participle,
    turned,
)
from toulmin.retrieval.schema import GraphSchema

__all__ = ["AskedHop", "QuestionWording"]


_DO = word_set("do does did")
_MODAL = word_set("can could will would may might shall should must")
_POSSESSIVES = word_set("'s ' his her its their whose")
_OBJECTS = word_set("it him her them")
_ASKING = word_set("what which who whom")
_RELATIVE = _ASKING | {"that"}
_TOWARDS = word_set("of to for over")  # between a noun and the one towards whom its role is held
_ADVERBS = word_set("also ever once later then now currently directly still not just")
_NAMED = 0.3  # a word names a relation from this likeness on
_FARTHER = 0.05  # what a word loses, as a name of a relation, by each word that it is farther from the mention
_BY_LEXICON = 0.9  # of the lexicon's relatedness, beside the likeness of vectors (as ``lexical`` in weights.toml)
_CONVERSE = 0.5  # what it adds that a word names the other side of a label's relation: child, for parent
_CANDIDATES = 4  # words that may name one relation
_MEANS = 0.35  # a verb that the lexicon does not relate to a label's means it from this likeness of vectors on
_TOKEN = re.compile(r"['’]s\b|['’]|\w+")
_MENTION = "\0"


@dataclass(frozen=True, slots=True)
class AskedHop:
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


class QuestionWording:
    """How a question is worded around one mention.

    Args:
        question: as it was asked.
        start: of the mention.
        end: of the mention.
    """

    def __init__(self, question: str, start: int, end: int, schema: GraphSchema, lexicon: Lexicon) -> None:
        self._schema, self._lexicon = schema, lexicon
        left, right = (_TOKEN.findall(part.lower().replace("’", "'")) for part in (question[:start], question[end:]))
        self._tokens: list[str] = [*left, _MENTION, *right]
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
        if whom and self._token(at + 1) not in BE:
            return "person"
        nouns: list[str] = []
        for token in tokens[at + 1 :]:
            if nouns and not (is_content(token) and self._lexicon.is_noun(token)):
                break
            if is_content(token):
                if not self._lexicon.is_noun(token) or token == _MENTION:
                    break
                nouns.append(token)
        while len(nouns) > 1 and is_doing(nouns[-1], self._lexicon):
            del nouns[-1]  # which moons orbit
        if not nouns:
            return "person" if whom else None
        return "person" if nouns[-1] == "people" else nouns[-1]

    def _is_bare(self) -> bool:
        """Whether nothing but function words is said: who is X."""
        return not any(is_content(token) for token in self._tokens if token != _MENTION)

    def asked(self, relations: Sequence[int], labels: Sequence[str]) -> list[AskedHop]:
        """What the wording says of each hop of a path.

        Args:
            relations: relation numbers, from the mention outward.
            labels: their labels.
        """
        read = [Label.read(label, self._lexicon) for label in labels]
        first = last = self._at
        hops: list[AskedHop] = []
        for label, naming in zip(read, self._naming(relations, read), strict=True):
            if naming is None:
                hops.append(AskedHop(None, named=False))
                continue
            at, like = naming
            backward, sure = self._direction(at, (first, last), label, like) if label else (None, False)
            closed = not self._is_noun(at, (first, last)) or self._holds(at, (first, last)) is False
            first, last = min(at, first), max(at, last)
            hops.append(AskedHop(backward, True, sure, last=closed and self._is_whole(first, last)))
        return hops

    def _is_whole(self, first: int, last: int) -> bool:
        """Whether the words outside a span are function words and one run of nouns at most."""
        first -= self._token(first - 1) == "whose"
        outside = [*self._tokens[:first], _MENTION, *self._tokens[last + 1 :]]
        for at in range(len(outside) - 1, 0, -1):
            if outside[at] in _ASKING and outside[at - 1] in RELATING:
                del outside[at - 1]  # the manager of which people
        if set(outside) & (SAME | {"of", "'s", "'", "whose", "when", "where", "how"}):
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
        return tuple(None if naming is None else (naming[0], naming[2]) for naming in chosen)

    def _worth(self, chosen: Sequence[tuple[int, float, float] | None]) -> float:
        """How well some words name the hops of a path; nearer words are better, most of all for the first hops."""
        worth, reached = 0.0, {False: 0, True: 0}
        for hop, naming in enumerate(chosen, 1):
            if naming is None:
                continue
            right, far = naming[0] > self._at, abs(naming[0] - self._at)
            if far <= reached[right]:
                return -np.inf
            reached[right] = far
            worth += naming[1] - _FARTHER * far / hop
        return worth

    def _meant(self, word: str, label: Label | None) -> float:
        """How well a word means a label's by the lexicon."""
        if label is None:
            return 0.0
        related = max(self._lexicon.relatedness(word, other) for other in (label.word, label.noun or label.word))
        return _BY_LEXICON * related + _CONVERSE * (turned(word, label, self._lexicon) is not None)

    def repeats(self, labels: Sequence[str]) -> bool:
        """Whether the question says the word of a label more often than a path with these labels walks it."""
        read = [label for label in (Label.read(name, self._lexicon) for name in labels) if label]
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
        converse = turned(word, label, self._lexicon)
        if converse is not None:
            return not converse, True
        lexicon = self._lexicon
        related = max(lexicon.relatedness(word, label.word), lexicon.relatedness(label.word, word)) > 0
        sure = related or like > _MEANS
        if part == label.part == "noun" and related and lexicon.lemmas(word) != lexicon.lemmas(label.word):
            doers = [is_doer(noun, lexicon) for noun in (word, label.word) if is_deverbal(noun, lexicon)]
            if doers in ([True, False], [False, True]):
                return False, True  # dependents - dependencies
        if part == label.part:  # of two nouns the vectors alone tell nothing: tenants are no landlords
            return (True if related or part == "verb" else None), sure
        noun = word if part == "noun" else label.word
        derived = related or (part == "noun" and is_deverbal(noun, lexicon))
        return (is_doer(noun, lexicon), sure) if derived else (None, False)

    def _is_noun(self, at: int, inner: tuple[int, int]) -> bool:
        """Whether the word at a place is used as a noun."""
        word, lexicon = self._tokens[at], self._lexicon
        if not lexicon.is_verb(word):
            return True
        if not lexicon.is_noun(word) or word.endswith("ing") or is_participle(word, lexicon):
            return False
        before, after = self._token(at - 1), self._token(at + 1)
        if before in DETERMINERS | _POSSESSIVES | HAVE | {"as", "of"} or after == "of":
            return True
        subject = is_content(before) and before.isalpha() and lexicon.is_noun(before)
        helped = inner[1] == at - 1 and not _DO.isdisjoint(self._tokens[: inner[0]])  # does X cite
        if before in _RELATIVE or (subject and after == _MENTION) or helped:
            return False
        earlier = self._token(at - 2)
        if earlier in DETERMINERS | _POSSESSIVES and before != _MENTION:
            return True
        return not is_doing(word, lexicon)

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
            if set(between) & (RELATING - {"by", "as"}):
                return not set(between) & word_set("including include includes")
            if set(between) & (_DO | _RELATIVE) or set(tokens[last + 1 :]) & HAVE:
                return True
            if self._token(begin - 1) in ("what", "which") and between:
                return True  # what colour is it
            given = bool(between) or not (HAVE | {"with", "under"}).isdisjoint(tokens[:begin])
            return False if given else None  # "has the father X", but "father X"
        between = tokens[last + 1 : begin]
        if "whose" in between:
            return between[0] == "whose"
        if set(between) & (_ASKING | {"that"}):
            return True
        function = DETERMINERS | _POSSESSIVES | BE | RELATING | _MODAL | _ADVERBS | {"among"}
        if any(word not in function for word in between):
            return True  # who does X have as its manager
        if not between and not self._gives_role(first):
            return None  # "X father": whose?
        return False

    def _gives_role(self, at: int) -> bool:
        """Whether a verb stands before a mention: who calls X father, who has X as manager."""
        before = self._token(at - 1)
        return before in HAVE or (is_content(before) and self._lexicon.is_verb(before))

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
        return bool(set(between) & _ASKING) and between[0] in _ASKING and not set(between) & (BE | _DO)

    def _is_passive(self, at: int, inner: tuple[int, int]) -> bool:
        """Whether a verb is passive: "is cited by X", "papers cited by X", "by whom was X acquired"."""
        tokens, (first, last) = self._tokens, inner
        word = tokens[at]
        if word.endswith("ing") or not (is_participle(word, self._lexicon) or _is_base(word, self._lexicon)):
            return False
        back = at - 1
        while self._token(back) in _ADVERBS | {"been", "being"} or self._token(back).endswith("ly"):
            back -= 1
        if self._token(back) in BE or self._token(back + 1) in ("been", "being"):
            return True
        if not is_participle(word, self._lexicon):
            return False
        if back == last and self._token(first - 1) in BE:
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
        return reduced and first > at and bool(set(behind) & (RELATING - {"to"}))

    def _is_modifier(self, at: int) -> bool:
        """Whether the word at a place belongs to a noun beside it: direct manager, parent company."""
        word = self._token(at)
        return word.isalpha() and is_content(word) and not self._lexicon.is_verb(word) and word not in RELATING

    def _token(self, at: int) -> str:
        return self._tokens[at] if 0 <= at < len(self._tokens) else ""


def _is_base(word: str, lexicon: Lexicon) -> bool:
    return word in lexicon.lemmas(word) and lexicon.is_verb(word)
