"""Holding each sentence against the statements that it cites, and against nothing else.

The text goes through ``check-text``, which takes its sentences apart into claims and finds the statements that bear
them out or contradict them. A claim counts as supported where these are among the cited ones, and as contradicted where
the statement that contradicts it is. What ``check-text`` leaves open, or finds elsewhere in the graph, is laid beside
each cited statement by itself: where the scorer is very sure that it follows, it is supported too; and so is the
sentence as a whole, name by name where several stand in a row. All else is open. A number that no cited statement gives
leaves a sentence open, whatever else is found, and what denies something follows from no single statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from toulmin.check_text.checking import REFUSED, TextChecker, unstated_numbers
from toulmin.check_text.judge.verdicts import denies
from toulmin.english.words import FUNCTION_WORDS, PREPOSITIONS
from toulmin.entailment.protocol import CONTRADICT, ENTAIL, Pair, Scorer
from toulmin.entailment.statement_premise import premise_of
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Node, Statement
from toulmin.graph.values import literal_words
from toulmin.llm.session import Session
from toulmin.program.answer import Answer
from toulmin.program.json_forms import statement_of
from toulmin.program.nodes import Decision
from toulmin.retrieval.linking.mention_words import bare_words, is_common, words_of
from toulmin.retrieval.statement_words import node_words, relation_words, statement_words

__all__ = ["Cited", "Held", "Holder", "Part", "all_left_open", "parts_of"]

_SMALL = r"(?:(?:a|an|the|in|at|on|by|to|of|from|for|with)\s+)*"  # what may stand again before each name in a row
_BETWEEN = rf"(?:,\s+(?:and|or)\s+|,\s+|\s+and\s+|\s+or\s+){_SMALL}"
_LACKING = f"{REFUSED}no statement that it cites gives"
_APART = 0.3  # by how much less a statement with its ends exchanged entails a claim
_OPEN = 0.5  # the score of what is left open: as likely as not
_DENIED = 0.5  # the score of a sentence that is contradicted as a part of it is


@dataclass(frozen=True, slots=True)
class Part:
    """What a sentence says of one name, or the whole of it, and the statements one of which has to bear it out."""

    says: str
    statements: tuple[Statement, ...]


def parts_of(sentence: str, statements: Sequence[Statement]) -> list[Part]:
    """The parts that a sentence comes to; none where a name of it is in no statement that could bear it out.

    Several names in a row are read one after the other: "Bram and Odd Sand were born in Grey Port" says of each of the
    two where he was born, as "The ferry calls at Vik, Lund and Moss" says of each harbour that the ferry calls there:
    one statement each. Which words are names, the statements tell that the sentence cites, so that no grammar is
    needed, and a row is read where names have commas or points of their own.
    """
    parts = [Part(sentence, tuple(statements))]
    rows = [row for group in _alike(statements) for row in _rows(sentence, group)]
    if len(rows) == 1:
        start, end, row = rows[0]
        parts = [Part(f"{sentence[:start]}{name}{sentence[end:]}", (statement,)) for name, statement in row.items()]
    supported = [
        Part(part.says, tuple(statement for statement in part.statements if _names_all(part.says, statement)))
        for part in parts
    ]
    return supported if all(part.statements for part in supported) else []


def _alike(statements: Sequence[Statement]) -> Iterator[dict[str, Statement]]:
    """Statements of one relation and one subject by what their objects are called, and of one object by subjects."""
    groups: dict[tuple[object, ...], dict[str, Statement]] = {}
    for statement in statements:
        for side, end, opposite in ((0, statement.subject, statement.object), (1, statement.object, statement.subject)):
            if isinstance(end, Entity) and end.label:
                groups.setdefault((side, statement.relation.id, opposite), {})[end.label] = statement
    return (group for group in groups.values() if len(group) > 1)


def _rows(sentence: str, names: Mapping[str, Statement]) -> Iterator[tuple[int, int, dict[str, Statement]]]:
    """Where names stand in a row, from the first to the last of them, and the statement of each."""
    name = "|".join(re.escape(label) for label in sorted(names, key=len, reverse=True))
    for match in re.finditer(rf"(?<!\w)(?:{name})(?:{_BETWEEN}(?:{name}))+(?!\w)", sentence):
        row = {label: names[label] for label in re.findall(rf"(?<!\w)(?:{name})(?!\w)", match[0])}
        yield match.start(), match.end(), row


def _names_all(sentence: str, statement: Statement) -> bool:
    """Whether every word that is written as a name is one of a statement."""
    stated_words = {word for part in statement_words(statement) for word in bare_words(part)}
    return all(
        word.bare in stated_words
        for place, word in enumerate(words_of(sentence))
        if word.text != word.lower and not (place == 0 and (word.lower in FUNCTION_WORDS or is_common(word.lower)))
    )


@dataclass(frozen=True, slots=True)
class Cited:
    """A sentence of a text, ``text[start:end]``, with the statements that it cites."""

    start: int
    end: int
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """A claim that a sentence makes, and what its statements say of it; ``by`` names who judged, or by which rule.

    Args:
        statements: those that decide it.
        named: the ends of these, each with the words of the text that name it and with the name.
    """

    says: str
    decision: Decision
    score: float
    by: str
    statements: tuple[Statement, ...] = ()
    named: tuple[tuple[Entity, tuple[int, int], str], ...] = ()


class Holder:
    """Holds the sentences of texts against what they cite.

    Args:
        support: the scorer's entailment from which on a statement bears a claim out that ``check-text`` leaves open.
    """

    def __init__(self, graph: Graph, scorer: Scorer, support: float) -> None:
        self._checker = TextChecker(graph, scorer=scorer)
        self._scorer, self._support = scorer, support

    async def hold(self, text: str, sentences: Sequence[Cited], session: Session | None = None) -> list[list[Held]]:
        """The claims of each sentence; none of one that cites nothing.

        Args:
            session: of a language model, which then takes the sentences apart in place of rules.
        """
        checked = await self._checker.check(text, session)
        claims = [self._claims(text, cited, checked) for cited in sentences]
        pairs: dict[Pair, None] = {}
        for cited, held in zip(sentences, claims, strict=True):
            sentence = text[cited.start : cited.end]
            for claim in held:
                if claim.decision == "unknown":
                    pairs |= dict.fromkeys(_pairs(Part(claim.says, cited.statements)))
                if claim.decision == "no":
                    pairs |= dict.fromkeys((_single(part), sentence) for part in cited.statements)
            if not _is_settled(held):
                pairs |= dict.fromkeys(pair for part in parts_of(sentence, cited.statements) for pair in _pairs(part))
        entailments = self._scorer.score(list(pairs)) if pairs else np.zeros((0, 3))
        scores = dict(zip(pairs, entailments.tolist(), strict=True))
        names = _names(checked)
        return [self._settled(text, cited, held, scores, names) for cited, held in zip(sentences, claims, strict=True)]

    def _settled(
        self, text: str, cited: Cited, claims: Sequence[Held], scores: Mapping[Pair, list[float]], names: _Named
    ) -> list[Held]:
        """The claims of a sentence as they are decided, or those that it comes to as a whole where that settles it."""
        sentence = text[cited.start : cited.end]
        decided = [
            _about(self._decided(claim, sentence, cited.statements, scores), text, cited, names) for claim in claims
        ]
        if _is_settled(claims) or _is_settled(decided):
            return decided
        whole = [claim for claim in decided if claim.decision == "yes" and claim.says == sentence]
        parts = [self._borne_out(part, scores) for part in parts_of(sentence, cited.statements)] if not whole else []
        borne_out = [_about(part, text, cited, names) for part in parts if part is not None]
        return whole or (
            borne_out if borne_out and len(borne_out) == len(parts) and _is_settled(borne_out) else decided
        )

    def _claims(self, text: str, cited: Cited, checked: Answer) -> list[Held]:
        """What a sentence claims, by what ``check-text`` found that it also cites."""
        if not cited.statements:
            return []
        sentence = text[cited.start : cited.end]
        sources = [_number_sources(statement) for statement in cited.statements]
        if lacking := unstated_numbers(sentence, sources):
            return [Held(sentence, "unknown", 1.0, f"{_LACKING} {', '.join(lacking)}")]
        by_digest = {statement.digest: statement for statement in cited.statements}
        program = checked.certificate["program"]
        held: dict[Held, None] = {}
        for part in checked.certificate["answer"]["sentences"]:
            if not cited.start <= part["start"] < cited.end:
                continue
            claims = [self._held(program[claim["of"]], program, by_digest) for claim in part["claims"]]
            checked_claims = [claim for claim in claims if claim is not None]
            # What check-text does not check is open here: the scorer alone may still find that it follows.
            whole = Held(text[part["start"] : part["end"]], "unknown", _OPEN, self._scorer.name)
            held |= dict.fromkeys(checked_claims or [whole])
        return list(held) or [Held(sentence, "unknown", _OPEN, self._scorer.name)]

    def _held(
        self, node: Mapping[str, Any], program: Sequence[Mapping[str, Any]], cited: Mapping[bytes, Statement]
    ) -> Held | None:
        """A claim of ``check-text``; None where it only says of a statement that it is said too."""
        says, decision = str(node["says"]), str(node["decision"])
        seen = [statement_of(program[at]["statement"]) for at in node["seen"] if program[at]["op"] == "statement"]
        flags = [statement.digest in cited for statement in seen]
        if decision == "yes" and seen and all(flags):
            return Held(says, "yes", float(node["score"]), str(node["by"]), tuple(seen))
        if decision == "yes" and len(seen) == 1 and (turned := _turned(seen[0], cited)) is not None:
            return Held(says, "yes", float(node["score"]), str(node["by"]), (turned,))
        if decision == "no" and any(flags):
            contradicting = tuple(statement for statement, is_cited in zip(seen, flags, strict=True) if is_cited)
            return Held(says, "no", float(node["score"]), str(node["by"]), contradicting)
        if decision == "yes" and len(seen) == 1 and says.count(": ") >= 2:  # as ``premise_of`` has it
            return None
        why = f"{REFUSED}no statement that it cites bears it out" if decision != "unknown" else str(node["by"])
        return Held(says, "unknown", _OPEN if decision != "unknown" else float(node["score"]), why)

    def _decided(
        self, claim: Held, sentence: str, statements: Sequence[Statement], scores: Mapping[Pair, list[float]]
    ) -> Held:
        """What is open is supported after all where one statement entails it; what is denied, if the sentence is too.

        A statement with its ends exchanged must entail it much less: the scorer is weak at who stands where. And of a
        sentence that was taken apart badly, a part may say what the sentence does not.
        """
        if claim.decision == "no":
            if max(scores[_single(statement), sentence][CONTRADICT] for statement in statements) < _DENIED:
                why = f"{REFUSED}a part of the sentence is contradicted, not the whole"
                return Held(claim.says, "unknown", _OPEN, why)
        elif claim.decision == "unknown" and not claim.by.startswith(_LACKING):
            return self._borne_out(Part(claim.says, tuple(statements)), scores) or claim
        return claim

    def _borne_out(self, part: Part, scores: Mapping[Pair, list[float]]) -> Held | None:
        """The part as supported by one of its statements alone; None where none entails it."""
        for statement in part.statements:
            for premise, exchanged in _laid(statement):
                sure = scores[premise, part.says][ENTAIL]
                exchanged_score = scores[exchanged, part.says][ENTAIL] if exchanged else 0.0
                names = [node_words(end) for end in (statement.subject, statement.object)]
                if sure < self._support or sure - exchanged_score < _APART or denies(part.says, (statement,), names):
                    continue
                if not _is_turned(part.says, statement):
                    return Held(part.says, "yes", sure, self._scorer.name, (statement,))
        return None


def _is_settled(claims: Sequence[Held]) -> bool:
    """Whether nothing is left open, or something contradicted, or nothing can be held against anything."""
    by = [claim.by.startswith(_LACKING) for claim in claims]
    return (
        any(by) or any(claim.decision == "no" for claim in claims) or all(claim.decision == "yes" for claim in claims)
    )


def _turned(statement: Statement, cited: Mapping[bytes, Statement]) -> Statement | None:
    """The statement that is cited and says the same with its ends exchanged: of a relation that holds both ways."""
    ends = (statement.object, statement.relation, statement.subject)
    same = (other for other in cited.values() if (other.subject, other.relation, other.object) == ends)
    return next(same, None)


def _is_turned(says: str, statement: Statement) -> bool:
    """Whether words say that the subject is a "child of" the object, where the object is the subject's child.

    The scorer reads whoever comes first as the subject.
    """
    noun = relation_words(statement.relation).split()[-1]
    subject, end = (re.escape(node) for node in (node_words(statement.subject), _words(statement.object)))
    pattern = rf"{subject}\b.*\b{re.escape(noun)}s?\s+(?:of|in|for|at)\b.*{end}"
    return noun not in PREPOSITIONS and re.search(pattern, says, re.IGNORECASE) is not None


def _pairs(part: Part) -> Iterable[Pair]:
    """The pairs by which the scorer judges whether a statement bears a part out."""
    return (
        (premise, part.says) for laid in map(_laid, part.statements) for pair in laid for premise in pair if premise
    )


def all_left_open(text: str, sentences: Sequence[Cited], why: str) -> list[list[Held]]:
    """The sentences as claims that are open, since holding them came to no end: ``why``, in words."""
    return [
        [Held(text[sentence.start : sentence.end], "unknown", _OPEN, f"{REFUSED}not held against it: {why}")]
        if sentence.statements
        else []
        for sentence in sentences
    ]


#: By entity the places of the words that name it, each with the name that it has there.
_Named = Mapping[str, Sequence[tuple[tuple[int, int], str]]]


def _names(checked: Answer) -> _Named:
    """By entity the words of a text that ``check-text`` took for it, each with the name that it has there."""
    names: dict[str, list[tuple[tuple[int, int], str]]] = {}
    for node in checked.certificate["program"]:
        if node["op"] == "entity" and node.get("words") and node.get("name"):
            names.setdefault(node["id"], []).append((tuple(node["words"]), node["name"]))
    return names


def _about(claim: Held, text: str, sentence: Cited, names: _Named) -> Held:
    """A claim with the names of what its statements are about; it is open where the text does not name that.

    Both ends of a statement that bears it out, one of a statement that contradicts it: as the kernel holds it to.
    """
    if claim.decision == "unknown":
        return claim
    named: dict[Entity, tuple[tuple[int, int], str]] = {}
    for statement in claim.statements:
        ends = [end for end in (statement.subject, statement.object) if isinstance(end, Entity)]
        for end in ends:
            labels = [(place, end.label) for place in _places(text, end.label, sentence.end)] if end.label else []
            mentions = (
                (p, name) for p, name in [*labels, *names.get(end.id, ())] if _is_said(p, name, text, sentence, claim)
            )
            if (first := next(mentions, None)) is not None:
                named[end] = first
        if not (all if claim.decision == "yes" else any)(end in named for end in ends):
            why = f"{REFUSED}it does not name what the statement is about that decides it"
            return Held(claim.says, "unknown", _OPEN, why)
    return replace(claim, named=tuple((entity, *where) for entity, where in named.items()))


def _places(text: str, label: str, end: int) -> Iterable[tuple[int, int]]:
    """Where a label stands in a text, as it is written, the last first; no later than an end."""
    at = text.rfind(label, 0, end)
    while at >= 0:
        yield at, at + len(label)
        at = text.rfind(label, 0, at + len(label) - 1)


def _is_said(place: tuple[int, int], name: str, text: str, sentence: Cited, claim: Held) -> bool:
    """Whether words name something in a sentence, or before it where the claim has the words or the name."""
    if place[1] > sentence.end:
        return False
    says = claim.says.casefold()
    return place[0] >= sentence.start or any(form.casefold() in says for form in (text[slice(*place)], name))


def _single(statement: Statement) -> str:
    """A statement as one of a relation with one value, which another value contradicts."""
    return premise_of(node_words(statement.subject), relation_words(statement.relation), _words(statement.object), True)


def _laid(statement: Statement) -> tuple[tuple[str, str], ...]:
    """How a statement is laid before the scorer, each time also with its ends exchanged where both are entities."""
    subject, relation = node_words(statement.subject), relation_words(statement.relation)
    end, qualifiers = _words(statement.object), ""
    if statement.qualifiers:
        qualifiers = ", ".join(
            f"{relation_words(qualifier.relation)} {_words(qualifier.value)}" for qualifier in statement.qualifiers
        )
        qualifiers = f" ({qualifiers})"
    turns = isinstance(statement.object, Entity)
    return tuple(
        (
            premise_of(subject, relation, end + qualifiers, mark),
            premise_of(end, relation, subject + qualifiers, mark) if turns else "",
        )
        for mark in (False, None)
    )


def _words(node: Node) -> str:
    return literal_words(node) if isinstance(node, Literal) else node_words(node)


def _number_sources(statement: Statement) -> str:
    """Everything of a statement that a number of a sentence may come from, as the graph and as people write it."""
    nodes = (statement.object, *(qualifier.value for qualifier in statement.qualifiers))
    written = " ".join([*statement_words(statement), *map(_words, nodes)])
    bare = written.replace("-", " ").replace("T", " ").replace(",", "")
    return " ".join([written, bare, *(word.lstrip("0+") for word in bare.split())])
