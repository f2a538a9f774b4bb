"""The sentences of a text that was checked, and what people read for nodes and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args
from typing import Literal as Choice

from pydantic import StrictFloat, StrictInt, StrictStr

from toulmin.graph.labels import readable_relation
from toulmin.graph.types import Entity, Literal, Node, Relation, relabelled
from toulmin.program.json_forms import CertificateModel, statement_of

__all__ = ["CheckedSentence", "Verdict", "checked_sentences", "counted", "footnoted", "node_text", "shown"]

#: Of a sentence of a text that was checked. A text that a question asked for (``trace.asked``) was held against what
#: its sentences cite, not against the graph: "open" and "uncited" there, in place of the two before them.
Verdict = Choice["supported", "contradicted", "not in the graph", "not checked", "open", "uncited"]

_DECIDED = {"yes": True, "no": False, "unknown": None}
_GIVES = {"supported": True, "contradicted": False, "not in the graph": None, "open": None}
_LONGEST = 300  # characters of a text that ``print`` shows
_JOINERS = "\u200c\u200d"  # invisible, and part of words in several scripts


class CheckedSentence(CertificateModel):
    """A sentence of a text that was checked.

    Args:
        start, end: the sentence is ``question[start:end]``; offsets in characters (code points).
        claims: the truth nodes of its claims, places in the program.
        verdict: contradicted where a claim is no, else not in the graph where one is unknown or there is none; of a
            text that a question asked for open (what it cites does not say it) or uncited.
        score: of the claims that decide, the lowest where it is supported, else the highest.
        reason: what these were judged by, in words, or why it is not checked.
        statements: the ids of the statements that these were judged by.
    """

    text: StrictStr
    start: StrictInt
    end: StrictInt
    claims: tuple[StrictInt, ...] = ()
    verdict: Verdict
    score: StrictFloat | None = None
    reason: StrictStr | None = None
    statements: tuple[StrictStr, ...] = ()


def checked_sentences(certificate: Mapping[str, Any], labels: Mapping[str, str]) -> tuple[CheckedSentence, ...]:
    """The sentences of a certificate whose answer is a text, each with the verdict that its claims give.

    Args:
        labels: of entities and relations, by id.
    """
    reader = _SentenceReader(certificate, labels)
    return tuple(map(reader.sentence, certificate["answer"].get("sentences", ())))


class _SentenceReader:
    def __init__(self, certificate: Mapping[str, Any], labels: Mapping[str, str]) -> None:
        trace = certificate.get("trace")
        self._text, self._program, self._labels = certificate["question"], certificate["program"], labels
        self._truths = trace.get("truths", {}) if isinstance(trace, dict) else {}
        self._asked = isinstance(trace, dict) and isinstance(trace.get("asked"), str)

    def sentence(self, record: Mapping[str, Any]) -> CheckedSentence:
        """A sentence, and what was judged of its claims."""
        places = [claim["of"] for claim in record["claims"]]
        nodes = [self._program[place] for place in places]
        truths = [
            _DECIDED.get(node.get("decision"), self._truths.get(str(place)))
            for node, place in zip(nodes, places, strict=True)
        ]
        unchecked = record.get("unchecked")
        verdict: Verdict = "contradicted" if False in truths else "supported"
        if verdict == "supported" and (not truths or None in truths):
            left_out = bool(unchecked) and not truths
            if self._asked:
                verdict = "uncited" if left_out else "open"
            else:
                verdict = "not checked" if left_out else "not in the graph"
        deciding = [node for node, truth in zip(nodes, truths, strict=True) if truth is _GIVES.get(verdict)]
        scores = [node["score"] for node in deciding if "score" in node]
        why = dict.fromkeys(self._why(node) for node in deciding)
        stated = (node["statement"] for node in self._seen(deciding) if node["op"] == "statement")
        return CheckedSentence(
            text=self._text[record["start"] : record["end"]],
            start=record["start"],
            end=record["end"],
            claims=tuple(places),
            verdict=verdict,
            score=(min if verdict == "supported" else max)(scores, default=None),
            reason=unchecked if verdict in ("not checked", "uncited") else "; ".join(why),
            statements=tuple(dict.fromkeys(statement_of(statement).id for statement in stated)),
        )

    def _seen(self, claims: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        return [self._program[place] for claim in claims for place in claim.get("seen", ())]

    def _why(self, claim: Mapping[str, Any]) -> str:
        """What a claim was judged by, in words."""
        seen = self._seen([claim])
        if self._asked and claim.get("decision") == "unknown":
            return f"what it cites does not say it ({claim['by']})"
        otherwise = " otherwise" if claim.get("decision") == "no" else ""
        stated = [self._triple(node["statement"]) for node in seen if node["op"] == "statement"]
        reasons = [f"the graph says{otherwise}: {'; '.join(stated)}"] if stated else []
        reasons += [f"{n['source']} says{otherwise}: “{shown(n['text'])}”" for n in seen if n["op"] == "passage"]
        if reasons:
            return "; ".join(reasons)
        names = dict.fromkeys(self._labels.get(node["id"], node["id"]) for node in seen if node["op"] == "entity")
        return f"the graph does not say this of {', '.join(names)}" if names else "it names nothing of the graph"

    def _triple(self, record: object) -> str:
        said = relabelled(
            statement_of(record),
            lambda entity: Entity(entity.id, self._labels.get(entity.id)),
            lambda relation: Relation(relation.id, self._labels.get(relation.id) or readable_relation(relation.id)),
        )
        pairs = [f"{qualifier.relation.label}: {node_text(qualifier.value)}" for qualifier in said.qualifiers]
        more = f" ({', '.join(pairs)})" if pairs else ""
        return f"{node_text(said.subject)} — {said.relation.label} → {node_text(said.object)}{more}"


def shown(text: str) -> str:
    """A text as ``print`` shows it: one line that nothing in it can break or hide, cut off where it is very long."""
    line = " ".join(
        "".join(
            character for character in text if character.isprintable() or character.isspace() or character in _JOINERS
        ).split()
    )
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def node_text(node: Node) -> str:
    """What a person reads for a node: an entity's label (its id where it has none), a literal's value with its unit."""
    if not isinstance(node, Literal):
        return node.label or node.id
    if node.kind in ("unknown_value", "no_value"):
        return node.kind.replace("_", " ")
    return f"{node.value} {node.unit}" if node.unit else node.value


def footnoted(sentences: Sequence[CheckedSentence]) -> tuple[str, ...]:
    """Each sentence with the numbers of the statements that it rests on, counted from 1 over all: ``Ada sang. [1][3]``.

    A sentence that its statements do not bear out says so: ``[1: open]``, ``[uncited]``.
    """
    numbers: dict[str, int] = {}
    lines = []
    for sentence in sentences:
        marks = [numbers.setdefault(statement, len(numbers) + 1) for statement in sentence.statements]
        if sentence.verdict == "supported":
            notes = "".join(f"[{number}]" for number in marks)
        else:
            notes = f"[{', '.join(map(str, marks))}{': ' if marks else ''}{sentence.verdict}]"
        lines.append(f"{sentence.text} {notes}")
    return tuple(lines)


def counted(sentences: tuple[CheckedSentence, ...]) -> str:
    """How many sentences have each verdict: ``2 sentences supported, 1 contradicted``."""
    counts = [(verdict, sum(sentence.verdict == verdict for sentence in sentences)) for verdict in get_args(Verdict)]
    present = [(verdict, count) for verdict, count in counts if count]
    if not present:
        return "nothing was said"
    (verdict, first), *further = present
    parts = [f"{first} sentence{'s' if first > 1 else ''} {verdict}", *(f"{count} {name}" for name, count in further)]
    return ", ".join(parts)
