"""Who does what to whom: which of two names is which end of a statement, by the grammar of the words around them.

Of "A manages B", "A is managed by B", "A is the manager of B", "B's manager is A" and of the labels "manager",
"manages" and "managed by". Where the words have none of these forms, nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from toulmin.check_text.judge.relation_labels import BOTH_WAYS, means, singular_label
from toulmin.english.lexicon import get_lexicon
from toulmin.retrieval.linking.mention_words import Word, words_of

__all__ = ["Ends", "ends_of", "is_doer", "is_turned", "says_inverse"]

Ends = Literal["as stated", "turned", "unknown"]

_BE = frozenset("is are was were be been being gets got".split())
_HAVE = frozenset("has have had having".split())
_BY = frozenset(("by", "with"))
_SKIPPED = frozenset("the a an his her its their also not never currently now still once originally".split())
_PREPOSITIONS = frozenset("in at on to for with from into against by of under through near within as".split())
_ARTICLES = frozenset(("the", "a", "an", "s", "its", "his", "her", "their"))
_PHRASE = 3  # words before a noun among which its article stands
_DOER = re.compile(r".{2,}(?:er|or|ee)s?$")
_PARTICIPLE = re.compile(r".+(?:ed|en|wn|ung|ound|ught|ilt|old|ade|eld|ept|eft|ent|orn|one)$")

_IS_OF = re.compile(
    r"\s+(?:is|was|are|were|became)\s+(?:the|a|an)\s+(?P<role>[\w -]{2,40}?)\s+of\s+(?:the\s+)?", re.ASCII
)
_OWNED = re.compile(r"['’]s?\s+(?P<role>[\w -]{2,40}?)\s+(?:is|was)\s+", re.ASCII)
_IS = re.compile(r"\s+(?:is|was)\s+", re.ASCII)
_OWNER = re.compile(r"['’]s?\s+(?P<role>[\w-]{2,40})\b", re.ASCII)
#: Who is the child of somebody is no parent of the same, and who is a student of somebody no teacher.
_CHILDREN, _PARENTS = frozenset(("son", "daughter", "child")), frozenset(("father", "mother", "parent"))
_STUDENTS = frozenset(("student", "pupil", "disciple", "doctoral student"))
_TEACHERS = frozenset(("teacher", "mentor", "tutor", "doctoral advisor"))
#: Roles, and their inverses: "X was the son of Y" denies that the graph's son of X is Y.
_INVERSES = tuple(roles for pair in ((_CHILDREN, _PARENTS), (_STUDENTS, _TEACHERS)) for roles in (pair, pair[::-1]))
#: The form of a word beside two names, and which of them, 0 or 1, does it: of the noun in "the WORD of A is B" it is A.
#: Of a passive it is known of "A was done by B" alone; of "A was done in B" it is -1. The other one is its other end.
_WordForm = tuple[Literal["noun", "active", "passive"], int]


def ends_of(text: str, names: Sequence[tuple[int, int]], label: str, *, subject: int) -> Ends:
    """Whether the words state a relation from its subject to its object, or the other way round.

    Args:
        names: the characters of the two names, in the order of the text.
        label: of the relation.
        subject: which of the names is the subject, 0 or 1.
    """
    words = words_of(text)
    parts = (
        [word for word in words if word.end <= names[0][0]],
        [word for word in words if names[0][1] <= word.start and word.end <= names[1][0]],
        [word for word in words if word.start >= names[1][1]],
    )
    label_words = [word.lower for word in words_of(label)]
    telling = [(at, term) for at, term in enumerate(label_words) if term not in _PREPOSITIONS | _BE]
    directions: set[bool] = set()
    for part, in_part in enumerate(parts):
        for place, word in enumerate(in_part):
            for at, term in telling:
                whole = word.lower == "".join(label_words) and at == len(label_words) - 1
                form = _word_form(parts, part, place) if whole or means(word.lower, term) else None
                first = _first(form, word.lower, label_words, at) if form is not None else None
                if first is not None:
                    directions.add(first == subject)
    return "unknown" if len(directions) != 1 else "as stated" if directions.pop() else "turned"


def is_doer(noun: str) -> bool:
    """Whether a noun says who does something, or to whom it is done: "manager", "author", "employee"."""
    return bool(_DOER.fullmatch(noun)) or get_lexicon().coarse_type(noun) == "person"


def _word_form(parts: Sequence[Sequence[Word]], part: int, place: int) -> _WordForm | None:
    """What a word says of the two names by its place, where a verb or noun of the relation stands in a plain form.

    Args:
        parts: the words before, between and behind the two names.
        part, place: where the word stands.
    """
    words, between = parts[part], [word.lower for word in parts[1]]
    verb = get_lexicon().is_verb(words[place].lower)
    behind = [word.lower for word in words[place + 1 :] if word.lower not in _SKIPPED]
    if part == 0:  # "The WORD of A is B"
        return ("noun", 0) if behind in (["of"], ["for"]) and not _BE.isdisjoint(between) else None
    if part == 2:  # "A is B's WORD", "A is the B WORD"
        owned = bool(words) and words[0].lower == "s" and place > 0
        owned |= place == 0 and len(between) == 2 and between[1] == "the"  # but not "is in the B WORD"
        return ("noun", 1) if owned and not _BE.isdisjoint(between) else None
    before = [word.lower for word in words[:place] if word.lower not in _SKIPPED]
    if behind == ["of"] and not _PREPOSITIONS.isdisjoint(set(before) - {"as"}):
        return None  # "in the state of A" tells what A is
    if (len(behind) == 1 and behind[0] in _BE) or (words[0].lower == "s" and place):
        return ("noun", 0)  # "The A WORD is B", "A's WORD is B"
    phrase = [word.lower for word in words[max(0, place - _PHRASE) : place]]
    article = any(word in _ARTICLES and _BE.isdisjoint(phrase[at:]) for at, word in enumerate(phrase))
    led = len(behind) == 1 and behind[0] in _PREPOSITIONS
    if led and (article or not verb):  # "A is the WORD of B", "a WORD at B"
        return ("noun", 1) if not _BE.isdisjoint(before) or "as" in before else None
    if not _HAVE.isdisjoint(before) and (article or not verb) and _BE.isdisjoint(before):  # "A has the WORD B"
        return ("noun", 0)
    if not verb or article:
        return None
    word = words[place].lower
    if behind == ["by"] and _PARTICIPLE.fullmatch(word):  # "A was designed by B", "A, designed by B and …"
        return ("passive", 1)
    if not (before and before[-1] in _BE and not word.endswith("ing")):
        return ("active", 0)
    if behind[:1] and behind[0] in _BY:
        return ("passive", 1)
    return ("passive", -1) if _PARTICIPLE.fullmatch(word) else None


def _first(form: _WordForm, word: str, label: Sequence[str], at: int) -> int | None:
    """Which of two names is the subject of a relation, where a word means one of its label's words."""
    lexicon, (kind, first), last = get_lexicon(), form, int(form[1] == 0)
    term = label[at]
    doer = is_doer(term)
    receives = label[-1] == "by"
    lies = label[-1] in _PREPOSITIONS and not receives and at < len(label) - 1 and bool(_PARTICIPLE.fullmatch(term))
    acts = lexicon.is_verb(term) and (term.endswith(("s", "ed")) or not lexicon.is_noun(term))
    if kind == "noun":
        does = is_doer(word)
        if label[-1] == "of" or (doer and term.rstrip("s").endswith("ee") != word.rstrip("s").endswith("ee")):
            return last
        if receives:
            return first if does else None
        if doer or not acts:
            return first
        return last if does else None
    if (receives or (doer and not acts)) and first < 0:
        return -1  # "managed in A": not by A
    if receives:  # "managed by"
        return last
    if lies:  # "housed in"
        return last if kind == "passive" else first
    if doer and not acts:  # "manager of", "manager"
        return first if label[-1] == "of" else last
    if acts:  # "manages"
        return first if first >= 0 else None
    if not set(lexicon.lemmas(word)).isdisjoint(lexicon.lemmas(term)):
        return None  # "lead" as a label may be who leads, "award" what is awarded
    return last if kind == "passive" else first  # "birth", "price"


def is_turned(first: str, relation: str, *, subject_first: bool) -> bool:
    """Whether the words between two names say the opposite of a statement that joins them.

    Args:
        first: the words between the names, as in "X was the son of Y".
        relation: the label of the statement's relation.
        subject_first: whether the name that comes first is the statement's subject.
    """
    match = _IS_OF.fullmatch(first)
    if match is None:
        return False
    role, label = match["role"].lower().strip(), singular_label(relation)
    if label in BOTH_WAYS:
        return False
    # "student": the object is one of the subject; "student of": the subject of the object
    label, is_of_first = label.removesuffix(" of"), label.endswith(" of") == subject_first
    if role == label or {role, label} <= _CHILDREN or (role in _PARENTS and label == "parent"):
        return not is_of_first  # "X was the father of Y" says Y: father: X; "X was a daughter of Y" says Y: child: X
    return is_of_first and any(role in first and label in second for first, second in _INVERSES)


def says_inverse(text: str, names: Sequence[tuple[int, int]], relation: str, *, subject: int) -> bool:
    """Whether the words say a relation by its inverse: "A is the son of B", "B's son is A" where B is A's father.

    Args:
        names: the characters of the two names, in the order of the text.
        relation: the label of the relation.
        subject: which of the names is its subject, 0 or 1.
    """
    between, after = text[names[0][1] : names[1][0]], text[names[1][1] :]
    of, owned, owner = _IS_OF.fullmatch(between), _OWNED.fullmatch(between), _IS.fullmatch(between)
    behind = _OWNER.match(after) if owner else None
    role = (of and of["role"]) or (owned and owned["role"]) or (behind and behind["role"]) or ""
    first, second = singular_label(role), singular_label(relation)
    inverse = any(first in roles and second in inverses for roles, inverses in _INVERSES)
    return inverse and subject == (1 if owned else 0)
