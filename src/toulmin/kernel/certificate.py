"""The certificate as it is read: every field checked, every node of the program well typed; and the statements that it
holds, with the proof that they are all there are."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

from .format import FORMAT, LABEL, GraphStatement, Node, Places, digest, enc, key, refuse_if, shaped, tagged, utf8

DEEPEST = 8  # binders within each other
_RESTRICTIONS = ("where", "named", "first", "last", "complete")  # they keep which statements led to each node


@dataclass(slots=True)
class OpNode:
    """A node of the program."""

    op: str
    data: dict[str, Any]  # its fields
    yields: str  # "nodes", "truth", "rows" or "period"
    parts: list[int] = field(default_factory=list)  # the places of what it takes, but for what is evaluated under it
    under: dict[int, list[int]] = field(default_factory=dict)  # of a binder: the places under each of its variables
    kind: str = "evidence"  # or "named" (what the question names), or "chosen"
    free: frozenset[int] = frozenset()  # the variables that it depends on

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    @property
    def named(self) -> list[int]:
        """The places of all that it names, its variables among them."""
        return [*self.parts, *self.under, *(part for inner in self.under.values() for part in inner)]


class Certificate(NamedTuple):
    """A certificate whose form is right; whether it is true is for the evaluation to say."""

    data: dict[str, Any]
    program: list[OpNode]
    answer: dict[str, Any]


def beneath(program: Sequence[OpNode], of: Iterable[int], into: Callable[[OpNode], bool] = lambda _: True) -> set[int]:
    """The nodes that some need, themselves included; not those that are not entered, nor what only they need."""
    needed, queue = set[int](), list(of)
    while queue:
        place = queue.pop()
        node = program[place]
        if place not in needed and into(node):
            needed.add(place)
            queue += node.named
    return needed


def read_certificate(given: object) -> Certificate:
    """The certificate of a JSON value; KernelError if it is none."""
    data = shaped(given, FORMAT["certificate"], "certificate")
    program: list[OpNode] = []
    owners: dict[int, int] = {}
    for place, part in enumerate(data["program"]):
        program.append(read_op(part, place, program, owners, len(data["graphs"])))
    return Certificate(data, program, _answer(data["answer"], program, len(data["question"])))


def read_op(given: object, place: int, program: list[OpNode], owners: dict[int, int], graphs: int) -> OpNode:
    """The node at a place of a program, given those before it and which node each variable belongs to."""
    data = tagged(given, "op", "nodes", f"node {place}", named := Places())
    op, where, spec = data["op"], f"node {place} ({data['op']})", FORMAT["nodes"][data["op"]]
    node = OpNode(op, data, spec["yields"])
    if op == "vote":
        node.yields = "truth" if node["yes_or_no"] else "nodes"
    variables = [node[name] for name in ("it", "members") if op != "it" and name in data]
    refuse_if(len({*variables}) < len(variables), f"{where}: one variable for two things")
    node.under = {variable: [] for variable in variables}
    for part, marked in named:
        wanted, _, variable = marked.partition("/")
        _check_part(part, place, wanted, program, where)
        if wanted != "var":
            (node.under[node[variable]] if variable else node.parts).append(part)
    graph = data.get("graph") or 0
    refuse_if(graph >= max(graphs, 1), f"{where}: graph {graph} is none of the certificate's")
    if op == "qualifier" or data.get("not_back"):
        before = program[node["of"]]
        while before.op in _RESTRICTIONS:
            before = program[before["of"]]
        same = before.op == "follow" and (op == "qualifier" or before["relations"] == node["relations"])
        wrong = not same or before["direction"] == data.get("direction")
        refuse_if(wrong, f"{where}: goes on from statements that were not followed")
    node.free = frozenset([place] if op == "it" else []).union(*(program[part].free for part in node.parts))
    for bound, inner in node.under.items():
        mine = program[bound]["of"] == node["of"] and owners.setdefault(bound, place) == place
        refuse_if(not mine, f"{where}: its variable {bound} belongs to another node, or to another set")
        node.free = node.free.union(*(program[part].free - {bound} for part in inner))
    refuse_if(node.free & node.under.keys(), f"{where}: a variable of it is used where it is not bound")
    refuse_if(len(node.free) > DEEPEST, f"{where}: depends on more than {DEEPEST} variables")
    node.kind = _kind(node, program, where)
    return node


_YIELDS = {"value": ("nodes", "period"), "set": ("nodes",), "nodes": ("nodes",), "truth": ("truth",)}


def _check_part(part: int, place: int, wanted: str, program: list[OpNode], where: str) -> None:
    refuse_if(part >= place, f"{where}: node {part} does not stand before node {place}")
    node = program[part]
    refuse_if(wanted == "var" and node.op != "it", f"{where}: node {part} is no variable")
    unfit = node.yields not in _YIELDS.get(wanted, (node.yields,))
    refuse_if(unfit, f"{where}: node {part} ({node.op}) yields {node.yields}")
    refuse_if(wanted == "set" and node.op == "count", f"{where}: a count is a number, and no set")
    chosen = wanted != "any" and node.kind == "chosen"
    refuse_if(chosen, f"{where}: node {part} was chosen, and nothing is computed from what was chosen")


def _kind(node: OpNode, program: list[OpNode], where: str) -> str:
    """Whether a node says what the question names, or what statements say."""
    spec, kinds = FORMAT["nodes"][node.op], [program[part].kind for part in node.parts]
    tests = [(program[part], variable) for variable, inner in node.under.items() for part in inner]
    launders = "takes" in spec and "named" in (kinds[0], *(test.kind for test, _ in tests))
    refuse_if(launders, f"{where}: what the question names is no evidence")
    named = [kind == "named" for kind in kinds]
    refuse_if(node.op == "compare" and all(named), f"{where}: both sides are what the question names")
    tested = any(test.kind == "evidence" and variable in test.free for test, variable in tests)
    kind = spec.get("kind", "evidence")
    if kind == "first" or (kind == "tests" and not tested):
        return kinds[0]
    if kind in ("any", "all"):
        return "named" if (any if kind == "any" else all)(named) else "evidence"
    return "evidence" if kind == "tests" else kind


def _answer(given: object, program: list[OpNode], length: int) -> dict[str, Any]:
    answer: dict[str, Any] = tagged(given, "kind", "answers", "answer", named := Places())
    for place, wanted in named:
        right = place < len(program) and not program[place].free and wanted in ("any", program[place].yields)
        refuse_if(not right, f"answer: node {place} is not there, depends on a variable, or yields something else")
    named_only = "of" in answer and program[answer["of"]].kind == "named"
    refuse_if(named_only, "answer: what the question names is no answer to it")
    for reason in answer.get("reasons") or ():
        spans = reason["words"] if reason["code"] == "unread" else [reason.get("words")]
        refuse_if(any(span and span[1] > length for span in spans), "answer: words beyond the question")
    return answer


NOT_HELD = "the certificate does not hold these statements: give the graph"
AWAY = "this graph is not at hand"


class Missing(Exception):  # noqa: N818  (it is no error: the check goes on)
    """What is asked for is not at hand: the check can go on, but not here."""


class Source:
    """The statements of a certificate's graphs: of those at hand as they are given, each range asked for once; of the
    others as the certificate holds them, verified against the root when they are read (KernelError if it has others).

    Args:
        graph: the graphs at hand: ``roots()`` (of each of the certificate's what names its content; None: not at hand),
            ``range(graph, side, node, relation)`` (all its statements, as in certificates), ``document(source)`` (a
            text, or None), perhaps ``query(graph, text, limit)`` (what SPARQL gives now, or why it was not run)."""

    def __init__(self, graph: Any = None, evidence: Sequence[Any] = (), graphs: Sequence[Any] = ()) -> None:
        self._graph, self._held = graph, len(evidence)
        refuse_if(self._held != len(graphs), f"evidence: of {self._held} graphs, and the certificate has {len(graphs)}")
        self._known: dict[tuple[int, str, bytes, str | None], tuple[GraphStatement, ...]] = {}
        roots = [] if graph is None else [*graph.roots()]
        self.at_hand = {place for place, root in enumerate(roots) if root is not None}
        self.roots: list[str | None] = roots + [None] * (len(evidence) - len(roots))  # None where nothing is proved
        for place, part in enumerate(evidence):
            where = f"evidence {place}"
            if place not in self.at_hand and graphs[place]["root"] is not None:
                self.roots[place] = self._root(place, shaped(part, "proved", where), where)
            elif place not in self.at_hand:
                for number, held in enumerate(shaped(part, "told", where)["ranges"]):
                    self._keep(place, held["side"], held, f"{where} range {number}")

    def proved(self, graph: int) -> bool:
        """Whether these are surely all statements: a root proves it, or the graph is at hand."""
        return graph < len(self.roots) and self.roots[graph] is not None

    def statements(self, graph: int, side: str, node: Node, relation: str | None) -> tuple[GraphStatement, ...]:
        """All statements of a range; Missing where they are not at hand."""
        place, whole = (graph, side, key(node), relation), (graph, side, key(node), None)
        if place not in self._known and graph in self.at_hand:
            asked = node if isinstance(node, str) else {k: v for k, v in node._asdict().items() if v is not None}
            given = shaped([*self._graph.range(graph, side, asked, relation)], ["statement", 0], "the graph")
            self._known[place] = tuple(statement._replace(graph=graph) for statement in given)
        elif place not in self._known and whole in self._known:
            self._known[place] = tuple(held for held in self._known[whole] if held.relation == relation)
        elif place not in self._known:
            raise Missing(NOT_HELD if graph < self._held or not self.at_hand else AWAY)
        return self._known[place]

    def document(self, source: str) -> str | None:
        """The text of a document; None where it is not at hand."""
        return None if self._graph is None else self._graph.document(source)

    def again(self, graph: int, text: str, limit: int) -> Any:
        """What SPARQL gives now, or why it was not run; None where there is nothing that runs it."""
        run = getattr(self._graph, "query", None)
        return None if run is None or graph not in self.at_hand else run(graph, text, limit)

    def _root(self, graph: int, part: Any, where: str) -> str:
        """The root of a graph that its evidence leads to."""
        for side in ("out", "in"):
            leaves: dict[int, bytes] = {}
            for number, held in enumerate(part[side]["ranges"]):
                self._place(graph, side, held, part["size"], leaves, f"{where} {side} range {number}")
            _verify(leaves, part["size"], part[side]["hashes"], part[side]["root"], f"{where} {side}")
        return sha256(enc("toulmin graph 1", str(part["size"])) + part["out"]["root"] + part["in"]["root"]).hexdigest()

    def _keep(self, graph: int, side: str, held: Any, where: str) -> tuple[GraphStatement, ...]:
        """The statements of a range, each of its key."""
        node, relation = held["node"], held["relation"]
        place = (graph, side, key(node), relation)
        refuse_if(place in self._known, f"{where}: given twice")
        self._known[place] = statements = tuple(statement._replace(graph=graph) for statement in held["statements"])
        for _, subject, via, end, *_ in statements:
            of_it = node == (subject if side == "out" else end) and relation in (None, via)
            refuse_if(not of_it, f"{where}: holds a statement that is not of its key")
        return statements

    def _place(self, graph: int, side: str, held: Any, size: int, leaves: dict[int, bytes], where: str) -> None:
        """Check the order and the edges of a range, and note the hashes of its leaves."""
        node, relation, at = held["node"], held["relation"], held["at"]
        first = utf8(node) if side == "out" and isinstance(node, str) else key(node)
        least = (first,) if relation is None else (first, utf8(relation))
        statements = self._keep(graph, side, held, where)
        entries = [(first, utf8(statement.relation), digest(statement)) for statement in statements]
        in_order = all(entry < following for entry, following in pairwise(entries))
        refuse_if(not in_order, f"{where}: its statements are not in order, each once")
        before, after = held["before"], held["after"]
        apart = (not before or before[: len(least)] < least) and (not after or after[: len(least)] > least)
        refuse_if(not apart, f"{where}: what stands beside it belongs into it, or elsewhere")
        left_out = (not before) != (at == 0) or (not after) != (at + len(entries) == size)
        refuse_if(left_out, f"{where}: what stands beside it is left out")
        for place, entry in enumerate(filter(None, (before, *entries, after)), at - bool(before)):
            leaf = sha256((b"\0" if side == "out" else b"\1") + enc(entry[0], entry[1]) + entry[2]).digest()
            wrong = place >= size or leaves.setdefault(place, leaf) != leaf
            refuse_if(wrong, f"{where}: another statement stands at its place")


def _verify(leaves: dict[int, bytes], size: int, joined: bytes, root: bytes, where: str) -> None:
    """Check that the known leaves, with the hashes of all other parts of the tree, make its root."""
    hashes, known = iter([joined[at : at + 32] for at in range(0, len(joined), 32)]), sorted(leaves)

    def hash_of(begin: int, end: int) -> bytes:
        if bisect_left(known, begin) == bisect_left(known, end):
            given = next(hashes, b"")
            refuse_if(not given, f"{where}: the proof has too few hashes")
            return given
        if end - begin == 1:
            return leaves[begin]
        middle = begin + (1 << (end - begin - 1).bit_length() - 1)
        return sha256(b"\2" + hash_of(begin, middle) + hash_of(middle, end)).digest()

    computed = hash_of(0, size) if size else sha256(b"").digest()
    refuse_if(next(hashes, None), f"{where}: the proof has too many hashes")
    refuse_if(computed != root, f"{where}: the statements are not those of the root")


def label_of(read: Callable[[int, str, Node, str], Any], graphs: Iterable[int], identifier: str) -> str | None:
    """The label of an entity or relation in the first graph that has one; Missing where that is not at hand."""
    texts = (statement.object for graph in graphs for statement in read(graph, "out", identifier, LABEL))
    return next((str(text.value) for text in texts if not isinstance(text, str)), None)
