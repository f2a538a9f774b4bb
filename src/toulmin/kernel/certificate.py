"""The certificate as it is read: every field checked, every node of the program well typed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .encoding import refuse_if
from .shapes import FORMAT, places, shaped

_MOST_NODES, _MOST_GRAPHS, _QUESTION = 20_000, 100, 100_000
DEEPEST = 8  # binders within each other
_RESTRICTIONS = ("where", "named", "first", "last", "complete")  # they keep which statements led to each node
_EVIDENCE_ONLY = ("exists", "count", "sum", "mean", "min", "max", "table", "group")


@dataclass(slots=True)
class Op:
    """A node of the program."""

    op: str
    data: dict[str, Any]  # its fields
    yields: str  # "nodes", "truth", "rows" or "period"
    parts: list[int] = field(default_factory=list)  # the places of what it takes, but for what is evaluated under it
    under: list[tuple[int, list[int]]] = field(default_factory=list)  # of a binder: variable, the places under it
    kind: str = "evidence"  # or "named" (what the question names), or "chosen"
    free: frozenset[int] = frozenset()  # the variables that it depends on

    def __getitem__(self, name: str) -> Any:
        return self.data[name]


@dataclass(slots=True)
class Certificate:
    """A certificate whose form is right; whether it is true is for the evaluation to say."""

    data: dict[str, Any]
    program: list[Op]
    answer: dict[str, Any]

    @property
    def question(self) -> str:
        """The text that was asked."""
        return str(self.data["question"])


def beneath(program: Sequence[Op], starts: Iterable[int], enters: Callable[[Op], bool] = lambda _: True) -> set[int]:
    """The nodes that some need, themselves included; not those that are not entered, nor what only they need."""
    found, queue = set[int](), list(starts)
    while queue:
        place = queue.pop()
        node = program[place]
        if place not in found and enters(node):
            found.add(place)
            queue += [*node.parts, *(part for variable, inner in node.under for part in (variable, *inner))]
    return found


def read_certificate(given: object) -> Certificate:
    """The certificate of a JSON value; KernelError if it is none."""
    data = shaped(given, FORMAT["certificate"], "certificate")
    long = len(data["question"]) > _QUESTION or len(data["program"]) > _MOST_NODES
    refuse_if(long, f"a question of over {_QUESTION:,} characters, or a program of over {_MOST_NODES:,} nodes")
    refuse_if(len(data["graphs"]) > _MOST_GRAPHS, f"more than {_MOST_GRAPHS} graphs")
    program: list[Op] = []
    owners: dict[int, int] = {}
    for place, part in enumerate(data["program"]):
        op = part.get("op") if isinstance(part, dict) else None
        known = isinstance(op, str) and op in FORMAT["nodes"]
        refuse_if(not known, f"node {place}: must be an object with an 'op' that is known")
        program.append(_op(str(op), part, place, program, owners, len(data["graphs"])))
    return Certificate(data, program, _answer(data["answer"], program, len(data["question"])))


def _op(op: str, given: object, place: int, program: list[Op], owners: dict[int, int], graphs: int) -> Op:
    where, spec = f"node {place} ({op})", FORMAT["nodes"][op]
    node = Op(op, shaped(given, {"op": "text", **spec["fields"]}, where), spec["yields"])
    if op == "vote":
        node.yields = "truth" if node["yes_or_no"] else "nodes"
    under: dict[str, list[int]] = {"it": [], "members": []}
    for part, marked in places(node.data, spec["fields"]):
        wanted, _, variable = marked.partition("/")
        _check_part(part, place, wanted, program, where)
        if wanted != "var":
            (under[variable] if variable else node.parts).append(part)
    sets = node["of"] if isinstance(node.data.get("of"), tuple) else [node.data.get("of")]
    counted = any(program[part].op == "count" for part in sets if part is not None)
    refuse_if(counted, f"{where}: a count is a number, and no set")
    graph = node.data.get("graph") or 0
    refuse_if(graph >= max(graphs, 1), f"{where}: graph {graph} is none of the certificate's")
    if op == "qualifier" or node.data.get("not_back"):
        before = program[node["of"]]
        while before.op in _RESTRICTIONS:
            before = program[before["of"]]
        same = before.op == "follow" and (op == "qualifier" or before["relations"] == node["relations"])
        wrong = not same or before["direction"] == node.data.get("direction")
        refuse_if(wrong, f"{where}: goes on from statements that were not followed")
    if op != "it":
        node.under = [(node[name], under[name]) for name in ("it", "members") if name in node.data]
        _check_binding(node, place, program, owners, where)
    bound = [({variable}, inner) for variable, inner in node.under]
    free = (program[part].free - own for own, inner in [(set[int](), node.parts), *bound] for part in inner)
    node.free = frozenset({place} if op == "it" else ()).union(*free)
    refuse_if(len(node.free) > DEEPEST, f"{where}: depends on more than {DEEPEST} variables")
    node.kind = _kind(node, program, where)
    return node


def _check_part(part: int, place: int, wanted: str, program: list[Op], where: str) -> None:
    refuse_if(part >= place, f"{where}: node {part} does not stand before node {place}")
    found = program[part]
    refuse_if(wanted == "var" and found.op != "it", f"{where}: node {part} is no variable")
    allowed = {"value": ("nodes", "period"), "nodes": ("nodes",), "truth": ("truth",)}.get(wanted, (found.yields,))
    refuse_if(found.yields not in allowed, f"{where}: node {part} ({found.op}) yields {found.yields}")
    chosen = wanted != "any" and found.kind == "chosen"
    refuse_if(chosen, f"{where}: node {part} was chosen, and nothing is computed from what was chosen")


def _check_binding(node: Op, place: int, program: list[Op], owners: dict[int, int], where: str) -> None:
    for variable, _ in node.under:
        its = f"{where}: its variable {variable}"
        own = program[variable]["of"] == node["of"] and owners.setdefault(variable, place) == place
        refuse_if(not own, f"{its} belongs to another node, or to another set")
        elsewhere = [part for other, inner in node.under if other != variable for part in inner]
        free = any(variable in program[part].free for part in (*elsewhere, *node.parts))
        refuse_if(free, f"{its} is used where it is not bound")
    variables = [variable for variable, _ in node.under]
    refuse_if(len({*variables}) < len(variables), f"{where}: one variable for two things")


def _kind(node: Op, program: list[Op], where: str) -> str:
    """Whether a node says what the question names, or what statements say."""
    kinds = [program[part].kind for part in node.parts]
    named = [kind == "named" for kind in kinds]
    tests = [program[part] for _, inner in node.under for part in inner]
    launders = node.op in _EVIDENCE_ONLY and "named" in (kinds[0], *(one.kind for one in tests))
    refuse_if(launders, f"{where}: what the question names is no evidence")
    refuse_if(node.op == "compare" and all(named), f"{where}: both sides are what the question names")
    if node.op in ("entity", "literal") or (node.op == "union" and any(named)):
        return "named"
    if node.op in ("it", "named", "complete", "difference"):
        return kinds[0]
    if node.op in ("intersection", "arithmetic", "period") and all(named):
        return "named"
    if node.op in ("where", "first", "last"):
        return "evidence" if any(one.kind == "evidence" and node["it"] in one.free for one in tests) else kinds[0]
    return "chosen" if node.op == "among" else "evidence"


def _answer(given: object, program: list[Op], length: int) -> dict[str, Any]:
    kind = given.get("kind") if isinstance(given, dict) else None
    known = isinstance(kind, str) and kind in FORMAT["answers"]
    refuse_if(not known, f"answer: its kind must be one of {', '.join(FORMAT['answers'])}")
    shape = FORMAT["answers"][kind]
    answer: dict[str, Any] = shaped(given, {"kind": "text", **shape}, "answer")
    reasons = answer.get("reasons") or ()
    named = [pair for one in reasons for pair in places(one, FORMAT["reasons"][one["code"]]["fields"])]
    for place, wanted in (*places(answer, shape), *named):
        right = place < len(program) and not program[place].free and wanted in ("any", program[place].yields)
        refuse_if(not right, f"answer: node {place} is not there, depends on a variable, or yields something else")
    laundered = "of" in answer and program[answer["of"]].kind == "named"
    refuse_if(laundered, "answer: what the question names is no answer to it")
    spans = [one["words"] for one in reasons if one["code"] == "unnamed"]
    spans += [words for one in reasons if one["code"] == "unread" for words in one["words"]]
    refuse_if(any(span[1] > length for span in spans), "answer: words beyond the question")
    return answer
