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
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from toulmin.english.lexicon import Lexicon
from toulmin.english.words import QUESTION_WORDS, word_set
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
_BY_LEXICON = 0.9  # of the lexicon's relatedness, beside the likeness of vectors
_CONVERSE = 0.5  # what it adds that a word names the other side of a label's relation: child, for parent
_MEANS = 0.35  # a verb that the lexicon does not relate to a label's means it from this likeness of vectors on
_TOKEN = re.compile(r"['’]s\b|['’]|\w+")
_MENTION = "\0"


@dataclass(frozen=True, slots=True)
class AskedHop:
    """What the wording says of one hop.

    Args:
        backward: whether it is to be walked against the relation's direction; None where the wording leaves it open.
        sure: whether the lexicon or the vectors relate the word that names the relation to the label.
        named: whether a word names the relation.
    """

    backward: bool | None
    sure: bool = True
    named: bool = True


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

    def asked(self, relation: int, label: str) -> AskedHop:
        """What the wording says of a hop from the mention.

        Args:
            relation: its number in the schema.
            label: its label.
        """
        read = Label.read(label, self._lexicon)
        naming = self._naming(relation, read)
        if naming is None:
            return AskedHop(None, named=False)
        return AskedHop(*(self._direction(*naming, read) if read else (None, False)))

    def _naming(self, relation: int, label: Label | None) -> tuple[int, float] | None:
        """The place of the word that names a relation, and how like the two are by vectors.

        Of words that are about as like, the nearer.
        """
        places = [
            at for at, token in enumerate(self._tokens) if at != self._at and is_content(token) and token.isalpha()
        ]
        if not places:
            return None
        like = self._schema.likeness([self._tokens[at] for at in places], np.array([relation]))[:, 0]
        score = like + np.array([self._meant(self._tokens[at], label) for at in places])
        worth = np.where(score > _NAMED, score - _FARTHER * np.abs(np.array(places) - self._at), 0.0)
        if worth.max() > 0:
            return places[int(worth.argmax())], float(like[worth.argmax()])
        verbs = [row for row, at in enumerate(places) if not self._is_noun(at)]
        if len(verbs) == 1:  # the only verb can but mean the relation
            return places[verbs[0]], float(like[verbs[0]])
        return None

    def _meant(self, word: str, label: Label | None) -> float:
        """How well a word means a label's by the lexicon."""
        if label is None:
            return 0.0
        related = max(self._lexicon.relatedness(word, other) for other in (label.word, label.noun or label.word))
        return _BY_LEXICON * related + _CONVERSE * (turned(word, label, self._lexicon) is not None)

    def _direction(self, at: int, like: float, label: Label) -> tuple[bool | None, bool]:
        """Whether the word at a place asks for the subjects of a relation (None: open), and whether that is sure."""
        word, noun = self._tokens[at], self._is_noun(at)
        asked = self._holds(at) if noun else self._does(at)
        if asked is None:
            return None, False
        if label.preposition in self._tokens and not noun and self._lexicon.relatedness(word, label.word) == 1.0:
            return asked != self._is_passive(at), True  # the label's own words: subject is subject
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

    def _is_noun(self, at: int) -> bool:
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
        helped = self._at == at - 1 and not _DO.isdisjoint(self._tokens[: self._at])  # does X cite
        if before in _RELATIVE or (subject and after == _MENTION) or helped:
            return False
        earlier = self._token(at - 2)
        if earlier in DETERMINERS | _POSSESSIVES and before != _MENTION:
            return True
        return not is_doing(word, lexicon)

    def _holds(self, at: int) -> bool | None:
        """Whether the thing asked for holds the role that a noun names (else the mention does); None: open."""
        tokens, mention = self._tokens, self._at
        begin, end = at, at
        while end + 1 < len(tokens) and end + 1 != mention and self._is_modifier(end + 1):
            end += 1
        while begin and begin - 1 != mention and self._is_modifier(begin - 1):
            begin -= 1
        after = tokens[end + 1 : end + 3]
        if at > mention and tokens[mention + 1] in ("'s", "'"):
            return True
        if after[:1] and after[0] in _TOWARDS and (len(after) == 1 or after[1] in _ASKING | {"whose"}):
            return False  # the father of whom, what is it the father of
        if mention > at:
            between = tokens[end + 1 : mention]
            if self._token(begin - 1) == "whose":
                return False
            if set(between) & (RELATING - {"by", "as"}):
                return not set(between) & word_set("including include includes")
            if set(between) & (_DO | _RELATIVE) or set(tokens[mention + 1 :]) & HAVE:
                return True
            if self._token(begin - 1) in ("what", "which") and between:
                return True  # what colour is it
            given = bool(between) or not (HAVE | {"with", "under"}).isdisjoint(tokens[:begin])
            return False if given else None  # "has the father X", but "father X"
        between = tokens[mention + 1 : begin]
        if "whose" in between:
            return between[0] == "whose"
        if set(between) & (_ASKING | {"that"}):
            return True
        function = DETERMINERS | _POSSESSIVES | BE | RELATING | _MODAL | _ADVERBS | {"among"}
        if any(word not in function for word in between):
            return True  # who does X have as its manager
        if not between and not self._gives_role():
            return None  # "X father": whose?
        return False

    def _gives_role(self) -> bool:
        """Whether a verb stands before the mention: who calls X father, who has X as manager."""
        before = self._token(self._at - 1)
        return before in HAVE or (is_content(before) and self._lexicon.is_verb(before))

    def _does(self, at: int) -> bool:
        """Whether the thing asked for does what a verb says (else the mention does)."""
        asked_is_subject = self._at > at
        if not asked_is_subject and set(self._tokens[at + 1 : at + 4]) & _OBJECTS:
            asked_is_subject = bool(set(self._tokens[self._at + 1 : at]) & _RELATIVE)  # X, which papers cite it
        elif not asked_is_subject and self._asks_between(at):
            asked_is_subject = True
        return asked_is_subject != self._is_passive(at)

    def _asks_between(self, at: int) -> bool:
        """Whether a question word after the mention is the subject of a verb: "on X which packages depend"."""
        between = self._tokens[self._at + 1 : at]
        return bool(set(between) & _ASKING) and between[0] in _ASKING and not set(between) & (BE | _DO)

    def _is_passive(self, at: int) -> bool:
        """Whether a verb is passive: "is cited by X", "papers cited by X", "by whom was X acquired"."""
        tokens, mention = self._tokens, self._at
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
        if back == mention and self._token(mention - 1) in BE:
            return True
        behind = tokens[at + 1 : at + 4]
        if mention > at:
            behind = tokens[at + 1 : min(at + 4, mention)]
        if "by" in behind:
            return True
        asked_by = any(a == "by" and b in _ASKING for a, b in pairwise(tokens))
        if asked_by or tokens[-1] == "by":
            return True
        before = self._token(at - 1)
        reduced = is_content(before) and before != _MENTION and self._lexicon.is_noun(before)
        return reduced and mention > at and bool(set(behind) & (RELATING - {"to"}))

    def _is_modifier(self, at: int) -> bool:
        """Whether the word at a place belongs to a noun beside it: direct manager, parent company."""
        word = self._token(at)
        return word.isalpha() and is_content(word) and not self._lexicon.is_verb(word) and word not in RELATING

    def _token(self, at: int) -> str:
        return self._tokens[at] if 0 <= at < len(self._tokens) else ""


def _is_base(word: str, lexicon: Lexicon) -> bool:
    return word in lexicon.lemmas(word) and lexicon.is_verb(word)
