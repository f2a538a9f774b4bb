"""What the words right beside a name leave no doubt of: which way a relation is asked for, and over how many.

"the manager of Alice" is whom "manager" leads to from Alice, and "whose manager is Alice" are those from whom it leads
to her; "papers that cite X" stand before X in "cites", and "papers cited by X" behind it. A reading that walks the
relation the other way leaves that unread. Only words that are those of the relation's label, in another form perhaps,
say so; of all else nothing is said.

"The wage of Zuri's keeper's trainer" goes three steps from Zuri: a reading with fewer passes over one of them. Only
what hangs together with the name by "'s" and "of the" is counted, and only nouns: "date of birth" is one step, "the
name of", "the number of" are none. A verb behind them is one step more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from toulmin.english.inflection import inflections, is_past, singular, verb_base
from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import AUXILIARIES, FUNCTION_WORDS, word_set
from toulmin.graph.types import Entity
from toulmin.methods.reader.forms import Condition, Constant, Form, Hop, Join, walk

__all__ = ["LIGHT_NOUNS", "Voice", "genitive_chain"]

_NAME = "\x00\x01?"  # the name in what is matched
_LAST = "\x00(?!\x01)"  # the same, if no noun stands behind it: "treated by the Brook clinic" is not by Brook
_ARTICLE = r"(?:the |an? )?"
_BE = r"(?:is|are|was|were|been|being|be)"
_DO = r"(?:does|do|did|has|have|had)"
_PARENTS, _CHILDREN = ("mother", "father", "parent"), ("son", "daughter", "child", "children")
_PARTHOOD = frozenset({"part of", "is part of"})
_HAVING_PARTS = r"(?:consists?|comprises?|contains?|includes?|(?:is|are) (?:made up|made|composed) of)\b"
#: What says of a relation's ends which comes later: verbs, of whose objects "by" makes subjects, and nouns.
_FOLLOW, _PRECEDE = word_set("follows succeeds supersedes replaces"), word_set("precedes")
_FOLLOWED, _PRECEDED = word_set("followed succeeded superseded replaced"), word_set("preceded")
_LATER, _EARLIER = word_set("successor next sequel replacement subsequent"), word_set("predecessor previous prequel")
_BESIDE = rf"(?<!named )(?<!called )(?<!looks )(?<!look )(?<!looked )\b{{}} {_ARTICLE}{_LAST}"  # "after X"
_AGENT = re.compile(r"\w{3,}(?:er|or)s?")

_OWNED = re.compile(r"(?:['’]s|(?<=s)['’])((?: [^\W_][\w-]*){1,4})")
_OF = re.compile(r"([\w-]+) of ((?:the|a|an|his|her|its|their) )?$", re.IGNORECASE)
_OF_NOUN = re.compile(r"([\w-]+) of [\w-]+$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_][\w-]*")
_VERB = re.compile(r" ([a-z]+)\b")
_LINKING = AUXILIARIES | word_set("was were had did called named titled located situated based")
#: They name nothing that a relation of their own leads to: "the year of X's promotion" is when X was promoted.
LIGHT_NOUNS = word_set(
    "name names title number count kind type sort list all one some any each most none both many much part half rest "
    "total sum average amount value set size share extent degree level year date day month time start end beginning"
)


class Voice:
    """What the words beside names of one question say of directions."""

    def __init__(self, question: str) -> None:
        self._question = question
        self._kept: dict[tuple[str, tuple[int, int]], bool | None] = {}

    def turned(self, form: Form) -> Constant | None:
        """A name of a form from which it walks a relation against what the question says; None: there is none."""
        for named, hop, against in _walked(form):
            if named.words is not None and isinstance(named.node, Entity):  # "a population of 71" is no relation of 71
                asked = self._against(hop.label.lower(), named.words)
                if asked is not None and asked != against:
                    return named
        return None

    def _against(self, label: str, span: tuple[int, int]) -> bool | None:
        """Whether a relation is asked for from its object, which stands at a place, to its subject; None: unclear."""
        key = label, span
        if key not in self._kept:
            start, end = span
            behind = self._question[end:].lower().replace("’", "'")
            noun = re.match(r" (\w+)", behind)
            modifies = noun is not None and noun[1] not in FUNCTION_WORDS and get_lexicon().is_noun(noun[1])
            text = f"{self._question[:start].lower()}\x00{modifies * chr(1)}{behind}"
            self._kept[key] = _of_label(label, text)
        return self._kept[key]


def _walked(form: Form) -> Iterator[tuple[Constant, Hop, bool]]:
    """Each name that a form has, with the hop at it, and whether that is walked from the object to the subject."""
    for part in walk(form):
        match part:
            case Join(of=Constant() as named, hop=hop):
                yield named, hop, hop.against
            case Condition(do="=", values=(Constant() as named,), key=key) if len(key.path) == 1:
                yield named, key.path[0], not key.path[0].against  # from the thing to the name


def _of_label(label: str, text: str) -> bool | None:
    """What is beside the name, for a label that is a verb ("cites", "depends on"), passive ("cited by"), or a noun."""
    verb, *rest = label.split() or [""]
    if (later := _subject_is_later(label.split())) is not None:
        after, before = (re.search(_BESIDE.format(word), text) for word in ("after", "before"))
        if bool(after) != bool(before):
            return later == bool(after)
    if label == "child of":
        parent, child = (_of_noun(f"(?:{'|'.join(words)})", text) for words in (_PARENTS, _CHILDREN))
        return parent if parent is not None else None if child is None else not child
    if label in _PARTHOOD:
        return True if re.search(rf"\b{_DO}? ?{_ARTICLE}{_NAME} {_HAVING_PARTS}", text) else _of_noun("part", text)
    base = verb_base(verb)
    if base is None or base == verb or not all(word in FUNCTION_WORDS for word in rest):
        return _of_noun(re.escape(label), text)
    if rest != ["by"]:
        return _of_verb(base, rest, text)
    active = _of_verb(base, [], text)
    return None if active is None else not active


def _subject_is_later(label: Sequence[str]) -> bool | None:
    """Whether the subject of a relation comes after its object: of what "follows" it does, of a "successor" not."""
    last = label[-1] if label else ""
    for word in label:
        if word in _FOLLOW or (word in _PRECEDED and last == "by"):
            return True
        if word in _PRECEDE or (word in _FOLLOWED and last == "by"):
            return False
        if word in _LATER or word in _EARLIER:
            return (word in _LATER) == (last in ("of", "to", "for"))
    return None


def _of_noun(label: str, text: str) -> bool | None:
    is_agent = get_lexicon().is_verb(label) and get_lexicon().is_a(label, "person")
    if is_agent and re.search(rf"\b{_DO} {_ARTICLE}{_NAME} {label}\b", text):
        return True  # whom X mentors has X for a mentor
    label = rf"{label}s?"
    of_name = rf"(?<!\ba )(?<!\bwith )\b{label} of {_ARTICLE}{_LAST}"
    if re.search(rf"{_NAME}'s? {label}\b|{of_name}|{_NAME} have as {_ARTICLE}{label}\b", text):
        return False
    having = rf"\b(?:has|have|had|with) {_ARTICLE}{_NAME} as {_ARTICLE}{label}\b"
    turned = rf"\bwhose {label} {_BE} {_ARTICLE}{_LAST}|{_NAME} {_BE} {_ARTICLE}{label} of\b|{having}"
    return True if re.search(turned, text) else None


def _of_verb(base: str, rest: Sequence[str], text: str) -> bool | None:
    finite, present, participle = (
        "|".join(
            re.escape(form) for form in sorted({form for tag in tags for form in inflections(base, tag) or (base,)})
        )
        for tags in (("VB", "VBP", "VBZ", "VBD", "VBG"), ("VBZ",), ("VBN", "VBD"))
    )
    behind = "".join(rf" {re.escape(word)}" for word in rest)
    passive = rf"(?:{participle}){behind} by"
    if re.search(rf"{_NAME} (?:{_BE} )?{passive}\b|\b{_BE} {_ARTICLE}{_NAME} {passive}\b", text):
        return True
    asked = rf"\b{_DO} {_ARTICLE}{_NAME} (?:{base}|{participle}){behind}\b|{_NAME} (?:{present}){behind}\b"
    if not re.search(rf"\b{_BE} {_ARTICLE}{_NAME}", text):
        asked += rf"|{_NAME} (?:{participle}){behind}\W*$"  # "companies that X acquired"
    if re.search(rf"\b{passive} {_ARTICLE}{_LAST}|{asked}", text):
        return False
    if re.search(rf"\b(?:{finite}){behind} {_ARTICLE}{_LAST}", text):
        return True
    for agent in set() if rest else set(_AGENT.findall(text)):
        noun = singular(agent) or agent
        if base in (noun[:-1], noun[:-2], noun[:-3]) and (of_noun := _of_noun(re.escape(noun), text)) is not None:
            return not of_noun  # whoever manages Alice is her manager
    return None


def genitive_chain(question: str, span: tuple[int, int]) -> tuple[list[str], tuple[int, int]]:
    """The steps that the genitives around a name ask for, each by its noun or verb, and where they stand.

    Args:
        span: of the name, ``question[start:end]``.
    """
    owned, (start, end) = list[str](), span
    while (phrase := _OWNED.match(question, end)) is not None:
        words = [(word[0].lower(), word.end()) for word in _WORD.finditer(question, phrase.start(1), phrase.end(1))]
        whole = next((n for n, (word, _) in enumerate(words) if word in FUNCTION_WORDS), len(words))
        nouns = [(word, place) for word, place in words[:whole] if _is_noun(word)]
        if not nouns or (whole < len(words) and _OWNED.match(question, phrase.end()) is not None):
            break
        noun, end = nouns[-1]
        owned += [noun] if (singular(noun) or noun) != "name" else []
    verb = _VERB.match(question, end) if owned else None
    if verb is not None and (is_past(verb[1]) or verb[1] == "born") and verb[1] not in _LINKING:
        of_person = get_lexicon().is_a(
            owned[-1], "person"
        )  # "X's father born"; "X's office opened" may be one relation
        owned += [verb[1]] if of_person or len(owned) > 1 else []
    heads = list[str]()
    while (of := _OF.search(question, 0, start)) is not None:
        head = of[1].lower()
        if start == span[0] and not of[2] and get_lexicon().is_a(head, "location"):
            break  # "the city of Paris"
        if head in FUNCTION_WORDS or not _is_noun(head):
            break
        heads += [head] if head not in LIGHT_NOUNS else []
        start = of.start()
        while (compound := _OF_NOUN.search(question, 0, of.end(1))) is not None:  # "date of birth"
            start = compound.start()
            of = compound
    return [*owned, *heads], (start, end)


def _is_noun(word: str) -> bool:
    is_noun = get_lexicon().is_noun
    return word != "born" and not is_past(word) and (is_noun(word) or is_noun(singular(word) or word))
