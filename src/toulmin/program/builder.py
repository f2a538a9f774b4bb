"""Builds programs, and certificates of them, so that a method states what it found and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy as copy_of
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from typing import Any, Required, TypedDict, Unpack

from toulmin.errors import InputError
from toulmin.graph.merkle import ALIAS, LABEL
from toulmin.graph.protocol import Graph
from toulmin.graph.ranges import plain_node
from toulmin.graph.types import Entity, Node
from toulmin.kernel import KernelError
from toulmin.kernel.certificate import DEEPEST, OpNode, beneath, read_certificate, read_op
from toulmin.kernel.format import FORMAT as SHAPES
from toulmin.kernel.report import spellings
from toulmin.kernel.sentence import sentences
from toulmin.program.answer import FORMAT, Answer, Usage
from toulmin.program.array_evaluator import ArrayEvaluator
from toulmin.program.node_adder import NodeAdder
from toulmin.program.nodes import It, ProgramNode, as_json, read_node
from toulmin.program.reasons import Reason, reason_json
from toulmin.program.value import Nodes, Result, Rows

__all__ = ["Builder", "graph_json"]

_version = cache(version)
_MOST_GRAPHS = 100  # of a certificate


class _RunFields(TypedDict, total=False):
    """What an answer says of how it was made; ``trace`` is told beside, unchecked."""

    method: Required[str]
    model: str | None
    confidence: float | None
    usage: Usage | None
    prompts_hash: str | None
    trace: Mapping[str, Any] | None


class Builder(NodeAdder):
    """Collects the nodes of a program; every method that adds one returns its place, and the same node is added once.

    Args:
        question: the question's text, to which the offsets of words refer.
        graph: the graph that the program is evaluated over.
    """

    def __init__(self, question: str, graph: Graph) -> None:
        self.question, self.graph = question, graph
        self._program: list[ProgramNode] = []
        self._known: list[OpNode] = []
        self._depths: list[int] = []
        self._places: dict[str, int] = {}
        self._owned: dict[int, int] = {}
        self._evaluator = ArrayEvaluator(graph, self._program, self._known)

    def fork(self) -> Builder:
        """A builder with the same nodes, to try something without keeping it."""
        copy = copy_of(self)
        copy._program, copy._known, copy._depths = list(self._program), list(self._known), list(self._depths)
        copy._places, copy._owned = dict(self._places), dict(self._owned)
        copy._evaluator = self._evaluator.fork(copy._program, copy._known)
        return copy

    def adopt(self, fork: Builder) -> None:
        """Keep what was tried in a fork of this builder, and what is known of its values."""
        vars(self).update(vars(fork))

    @property
    def program(self) -> tuple[ProgramNode, ...]:
        """The nodes."""
        return tuple(self._program)

    def static(self, place: int) -> OpNode:
        """A node as the kernel reads it: what it yields, whether that is evidence, the variables that it depends on."""
        return self._known[place]

    def add(self, node: ProgramNode | Mapping[str, Any]) -> int:
        """Add a node, or find it where it is there already (a variable is always a new one).

        Raises:
            InputError: it names no earlier node, or one of another type.
        """
        if isinstance(node, Mapping):
            node = read_node(dict(node))
        key = node.model_dump_json(by_alias=True, exclude_none=True)
        if not isinstance(node, It) and key in self._places:
            return self._places[key]
        place, owned = len(self._program), dict(self._owned)
        try:
            op = read_op(as_json(node), place, self._known, owned, _MOST_GRAPHS)
        except KernelError as error:
            raise InputError(str(error)) from None
        if gone := sorted(op.free & self._owned.keys()):
            raise InputError(f"node {place} ({op.op}): the variable {gone[0]} belongs to node {owned[gone[0]]} alone")
        depth = max((self._depths[part] for part in op.named), default=0) + bool(op.under)
        if depth > DEEPEST:
            raise InputError(f"node {place} ({op.op}): more than {DEEPEST} binders within each other")
        self._program.append(node)
        self._known.append(op)
        self._depths.append(depth)
        self._places[key], self._owned = place, owned
        return place

    def value(self, place: int) -> Result:
        """What a node yields.

        Raises:
            InputError: it depends on a variable, or what it says is not so in the graph.
        """
        return self._evaluator.value(place)

    def nodes(self, place: int) -> tuple[Node, ...]:
        """The nodes that a node yields, in canonical order.

        Raises:
            InputError: it yields none but truth, rows or a period.
        """
        value = self.value(place)
        if not isinstance(value, Nodes):
            raise InputError(f"node {place} yields {self._known[place].yields}, not nodes")
        return value.nodes

    def truth(self, place: int) -> bool | None:
        """The truth that a node yields.

        Raises:
            InputError: it yields something else.
        """
        value = self.value(place)
        if value is not None and not isinstance(value, bool):
            raise InputError(f"node {place} yields {self._known[place].yields}, not truth")
        return value

    def is_named(self, words: str) -> bool:
        """Whether the graph has these words as a name of anything, as they stand or as a name may else be written."""
        bearers = (self.follow(self.literal(form), (LABEL, ALIAS), "backward") for form in spellings(words))
        return any(map(self.nodes, bearers))

    def sentence(self, place: int) -> str:
        """The canonical sentence of a node, as the kernel makes it."""
        return self.sentences([place])[0]

    def sentences(self, places: Iterable[int]) -> list[str]:
        """The canonical sentences of nodes."""
        asked_for = list(places)
        texts, moved = self._sentences_of(asked_for)
        return [texts[moved[place]] for place in asked_for]

    def explained(self, place: int) -> str:
        """The canonical sentence of a node, and those of the nodes that it names by number, since they are long."""
        texts, moved = self._sentences_of([place])
        shown = [moved[place]]
        for number in shown:  # grows as sentences name others, which stand before them
            numbers = dict.fromkeys(map(int, re.findall(r"\bnode (\d{1,4})\b", texts[number])))
            shown += [cited for cited in numbers if cited < number and cited not in shown]
        return "; ".join([texts[shown[0]], *(f"node {number} is {texts[number]}" for number in shown[1:])])

    def _sentences_of(self, places: Sequence[int]) -> tuple[Sequence[str], Mapping[int, int]]:
        """The canonical sentences of a program of what some nodes need, and the places of nodes in it."""
        program, moved = self._needed(places)
        answer = {"kind": "none", "reasons": [{"code": "other", "says": ""}]}
        certificate = self._certificate(program, answer, (), None, {"method": "none"}).certificate
        return sentences(read_certificate(certificate).program, certificate["trace"]["labels"].get), moved

    def check_answer(self, place: int) -> None:
        """Whether a node may be an answer.

        Raises:
            InputError: there is no such node, it depends on a variable, or it is what the question names.
        """
        if not 0 <= place < len(self._known):
            raise InputError(f"there is no node {place} to answer with")
        if self._known[place].free:
            raise InputError(f"node {place} depends on a variable, and is no answer")
        if self._known[place].kind == "named":
            raise InputError(f"node {place} is what the question names, and no answer to it")
        if self._known[place].yields == "period":
            raise InputError(f"node {place} is a period, and no answer")

    # -- certificates ------------------------------------------------------------------------------------------------

    def answer(
        self,
        place: int,
        *,
        by: str,
        score: float,
        **run: Unpack[_RunFields],
    ) -> Answer:
        """The answer that is what a node yields.

        Args:
            by, score: who judged that the question means this, and how surely, 0 to 1.

        Raises:
            InputError: it yields nothing (then ``abstain``), or may be no answer.
        """
        self.check_answer(place)
        value = self.value(place)
        if (
            value is None
            or (isinstance(value, Nodes) and not len(value))
            or (isinstance(value, Rows) and not value.rows)
        ):
            raise InputError(f"node {place} yields no answer: abstain instead")
        program, moved = self._needed([place])
        answer: dict[str, Any] = {"kind": self._known[place].yields, "of": moved[place]}
        shown: Iterable[Node] = ()
        if isinstance(value, Nodes):
            answer["values"] = [plain_node(node) for node in value.nodes]
            answer |= {"at_least": True} if value.at_least else {}
            shown = value.nodes
        elif isinstance(value, Rows):
            answer["rows"] = [[list(map(plain_node, cell)) for cell in row] for row in value.rows]
            shown = (node for row in value.rows for cell in row for node in cell)
        else:
            answer["value"] = "yes" if value else "no"
        return self._certificate(program, answer, shown, {"by": by, "score": float(score)}, run)

    def abstain(
        self,
        reasons: Reason | Sequence[Reason],
        *,
        tried: Sequence[int] = (),
        by: str | None = None,
        score: float = 0.0,
        **run: Unpack[_RunFields],
    ) -> Answer:
        """An abstention; its reasons say what is missing.

        Args:
            tried: the nodes that were tried. None of them may be an answer, unless a reason excuses it.

        Raises:
            InputError: no reason, or one about a node that there is not.
        """
        reason_list = [reasons] if not isinstance(reasons, Sequence) else list(reasons)
        if not reason_list:
            raise InputError("an abstention says why")
        places = [place for reason in reason_list for place in _about(reason)] + list(tried)
        program, moved = self._needed(places)
        reasons_json = [_moved(reason_json(reason), SHAPES["reasons"][reason.code], moved) for reason in reason_list]
        answer: dict[str, Any] = {"kind": "none", "reasons": reasons_json}
        answer |= {"tried": sorted({moved[place] for place in tried})} if tried else {}
        reading = {"by": by, "score": float(score)} if by is not None else None
        return self._certificate(program, answer, (), reading, run)

    def text(
        self,
        sentences: Sequence[tuple[int, int, Sequence[int], str | None]],
        *,
        by: str,
        score: float,
        **run: Unpack[_RunFields],
    ) -> Answer:
        """The verdicts on a text, which is the question of this builder.

        Args:
            sentences: of each its start and end, its claims (truth nodes), and why it is not checked, where it is not.
        """
        program, moved = self._needed([place for _, _, claims, _ in sentences for place in claims])
        sentences_json = [
            {"start": start, "end": end, "claims": [{"of": moved[place]} for place in claims]}
            | ({} if unchecked is None else {"unchecked": unchecked})
            for start, end, claims, unchecked in sentences
        ]
        truths = {str(moved[place]): self.truth(place) for _, _, claims, _ in sentences for place in claims}
        run["trace"] = {**(run.get("trace") or {}), "truths": truths}
        answer = {"kind": "text", "sentences": sentences_json}
        return self._certificate(program, answer, (), {"by": by, "score": float(score)}, run)

    def _needed(self, places: Iterable[int]) -> tuple[list[dict[str, Any]], dict[int, int]]:
        """The nodes that some need, as JSON and renumbered, and the new place of each."""
        wanted = list(places)
        if missing := [place for place in wanted if not 0 <= place < len(self._program)]:
            raise InputError(f"there is no node {missing[0]}")
        needed = sorted(beneath(self._known, wanted))
        moved = {old: new for new, old in enumerate(needed)}
        nodes = (self._program[place] for place in needed)
        return [_moved(as_json(node), SHAPES["nodes"][node.op], moved) for node in nodes], moved

    def _certificate(
        self,
        program: list[dict[str, Any]],
        answer: dict[str, Any],
        shown: Iterable[Node],
        reading: dict[str, Any] | None,
        run: _RunFields,
    ) -> Answer:
        usage = run.get("usage")
        labels = self._labels_of([*program, answer], shown)
        certificate = {
            "format": FORMAT,
            "maker": f"toulmin {_version('toulmin')}",
            "question": self.question,
            "graphs": self._graphs(),
            "program": program,
            "reading": reading,
            "answer": answer,
            "method": run.get("method"),
            "model": run.get("model"),
            "prompts": run.get("prompts_hash"),
            "confidence": run.get("confidence"),
            "usage": usage.model_dump(exclude_none=True) if usage else None,
            "trace": {**(run.get("trace") or {}), "labels": labels},
        }
        return Answer({name: value for name, value in certificate.items() if value is not None})

    def _graphs(self) -> list[dict[str, str]]:
        members: Iterable[Graph] = getattr(self.graph, "graphs", {"": self.graph}).values()
        return [graph_json(member) for member in members]

    def _labels_of(self, parts: Sequence[Mapping[str, Any]], shown: Iterable[Node]) -> dict[str, str]:
        """The labels of what a program and its answer name, for those who read it without the graph."""
        labels = {node.id: node.label for node in shown if isinstance(node, Entity) and node.label}
        ids = dict.fromkeys(id_ for part in parts for id_ in _ids(part) if id_ not in labels)
        for id_, info in zip(ids, self.graph.describe(list(ids)), strict=True) if ids else ():
            if info is not None and info.entity.label:
                labels[id_] = info.entity.label
        return labels


def graph_json(graph: Graph) -> dict[str, str]:
    """A graph as a certificate names it: by its root, or by its address and the time."""
    if "://" in graph.fingerprint:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return {"name": graph.name, "endpoint": graph.fingerprint, "asked": now}
    return {"name": graph.name, "root": graph.fingerprint}


def _about(reason: Reason) -> tuple[int, ...]:
    of = getattr(reason, "of", ())
    return (of,) if isinstance(of, int) else tuple(of)


def _moved(record: dict[str, Any], spec: Mapping[str, Any], moved: Mapping[int, int]) -> dict[str, Any]:
    """The JSON of a node or reason, of which format.json says in which fields it names nodes, with other places."""
    shapes = {marked.rstrip("?"): shape for marked, shape in spec["fields"].items()}
    return {name: _with_places(value, shapes.get(name, ""), moved) for name, value in record.items()}


def _with_places(value: Any, shape: Any, moved: Mapping[int, int]) -> Any:
    if "@" not in str(shape):
        return value
    if isinstance(shape, str):
        return moved[value]
    if isinstance(shape, dict):
        return _moved(value, {"fields": shape}, moved)
    return [_with_places(part, shape[0], moved) for part in value]


_ID_FIELDS = frozenset("id entity relation is nearest relations sub disjoint start end point keep".split())


def _ids(part: Mapping[str, Any]) -> Iterable[str]:
    """The ids of entities and relations in a part of a certificate."""
    for name, value in part.items():
        values = value if isinstance(value, list) else [value]
        if name in _ID_FIELDS:
            yield from (id_ for id_ in values if isinstance(id_, str))
        elif name in ("window", "qualified", "reasons"):
            for nested in values:
                yield from _ids(nested)
        elif name == "statement":
            subject, relation, end, pairs, _ = value
            named = (subject, relation, end, *(part for pair in pairs for part in pair))
            yield from (id_ for id_ in named if isinstance(id_, str))
