"""The certificate as it is read: every field checked, every node of the program well typed.

``NODES`` is the table of nodes: what each yields, and the shape of its fields. Where a shape is a text, the field names other
nodes that yield that: "nodes", "truth", "value" (nodes or a period), "any"; "*" stands for a list, "!" and "+" for one of at least one and two;
"var" is a variable; "/it" means: evaluated under the binder, once for each node that the variable ``it`` stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import KernelError
from .shapes import (
    anything,
    boolean,
    integer,
    literal,
    node,
    number,
    positive,
    shaped,
    share,
    span,
    statement,
    text,
    wrong,
)

FORMAT = "toulmin-certificate/1"
MOST_NODES = 20_000
_QUESTION = 100_000
_IDS = [text, 1]
_EXTREME = {"of": "nodes", "it": "var", "by?": "nodes/it", "from?": positive, "to?": positive}
_AGGREGATE = {"of": "nodes", "it": "var", "by": "nodes/it"}
_QUANTIFIED = {"of": "nodes", "it": "var", "test": "truth/it"}
_SENTENCE = {
    "text": text,
    "by": text,
    "entailment": share,
    "unknown": share,
    "contradiction": share,
    "similarity?": number,
    "seen?": [integer],
}
_CHAIN = {
    "text": text, "sample": integer, "prediction?": text, "base?": number, "grounded?": number, "disputed?": number,
    "sentences": [_SENTENCE],
}  # fmt: skip
_WINDOW = {
    "from?": literal,
    "to?": literal,
    "start": [text],
    "end": [text],
    "point": [text],
    "unknown?": ("keep", "drop"),
}


def _option(given: object, where: str) -> tuple[Any, int]:
    option, place = given if isinstance(given, list) and len(given) == 2 else wrong(where, "[literal, node]")
    return literal(option, where), integer(place, where)


def _cell(given: object, where: str) -> Any:
    return None if given is None else node(given, where)


#: What each node yields, and its fields.
NODES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "entity": ("nodes", {"id": text, "words?": span, "name?": text}),
    "literal": ("nodes", {"value": literal, "words?": span}),
    "it": ("nodes", {"of": "nodes"}),
    "follow": ("nodes", {
        "of": "nodes", "relations": _IDS, "direction": ("forward", "backward"), "graph?": integer,
        "qualified?": [{"relations": _IDS, "is": node}], "window?": _WINDOW, "not_back?": boolean,
    }),
    "instances": ("nodes", {"of": "nodes", "relations": _IDS, "sub?": [text]}),
    "named": ("nodes", {"of": "nodes"}),
    "qualifier": ("nodes", {"of": "nodes", "relations": _IDS}),
    "union": ("nodes", {"of": "nodes+"}),
    "intersection": ("nodes", {"of": "nodes+"}),
    "difference": ("nodes", {"of": "nodes+"}),
    "where": ("nodes", _QUANTIFIED),
    "first": ("nodes", _EXTREME),
    "last": ("nodes", _EXTREME),
    "among": ("nodes", {"of": "nodes", "keep": [node, 1], "by": text, "score": number}),
    "complete": ("nodes", {"of": "nodes"}),
    "count": ("nodes", {"of": "nodes"}),
    "sum": ("nodes", _AGGREGATE),
    "mean": ("nodes", _AGGREGATE),
    "min": ("nodes", _AGGREGATE),
    "max": ("nodes", _AGGREGATE),
    "arithmetic": ("nodes", {"do": (
        "add", "subtract", "multiply", "divide", "round", "duration", "distance", "convert", "year", "month", "day", "century",
        "decade_of_century",
    ), "left": "nodes", "right?": "nodes"}),
    "table": ("rows", {"of": "nodes", "it": "var", "columns": "nodes*/it"}),
    "group": ("rows", {
        "of": "nodes", "it": "var", "by": "nodes/it", "members": "var", "measures": "nodes*/members",
        "having?": "truth/members",
    }),
    "compare": ("truth", {
        "do": ("=", "≠", "<", "≤", ">", "≥", "overlaps", "within", "contains", "starts"), "left": "value", "right": "value",
    }),
    "period": ("period", {"left?": "nodes", "right?": "nodes"}),
    "exists": ("truth", {"of": "nodes"}),
    "is_a": ("truth", {
        "left": "nodes", "right": "nodes", "relations": _IDS, "sub?": [text], "disjoint?": [text], "closed?": boolean,
    }),
    "some": ("truth", _QUANTIFIED),
    "every": ("truth", _QUANTIFIED),
    "one": ("truth", _QUANTIFIED),
    "and": ("truth", {"of": "truth!"}),
    "or": ("truth", {"of": "truth!"}),
    "not": ("truth", {"of": "truth"}),
    "statement": ("truth", {"graph": integer, "statement": statement}),
    "passage": ("truth", {"source": text, "sha256": text, "start": integer, "end": integer, "text": text}),
    "judged": ("truth", {"says": text, "by": text, "score": number, "decision": ("yes", "no", "unknown"), "seen": "any*"}),
    "rule": ("truth", {
        "says": text, "by": text, "of": "truth", "direction": ("sufficient", "necessary", "both"),
        "if_true?": ("yes", "no"), "if_false?": ("yes", "no"),
    }),
    "choice": ("nodes", {"options": [_option, 1]}),
    "vote": ("vote", {
        "function": ("equal", "f1", "f2", "f3", "mean-entailment", "calibrated"), "chains": [_CHAIN, 1], "voting?": boolean,
        "ties?": ("no", "first", "majority"), "yes_or_no?": boolean, "T_m?": number, "T_e?": number, "T_c?": number,
        "w?": [number, 3], "words?": [number, 2],
    }),
    "query": ("rows", {"graph": integer, "text": text, "columns": [text], "rows": [[_cell]]}),
}  # fmt: skip

_LEAST = {"+": 2, "*": 0, "!": 1}
_EVIDENCE_ONLY = ("exists", "count", "sum", "mean", "min", "max", "table", "group")


@dataclass(slots=True)
class Op:
    """A node of the program.

    Attributes:
        data: its fields.
        parts: the places of the nodes that it takes, but for what is evaluated under it.
        under: of a binder: (variable, the places evaluated under it) for each of its variables.
        yields: "nodes", "truth", "rows" or "period".
        kind: "named" (what the question names), "evidence" or "chosen".
        free: the variables that it depends on.
    """

    op: str
    data: dict[str, Any]
    parts: list[int]
    under: list[tuple[int, list[int]]]
    yields: str
    kind: str = "evidence"
    free: frozenset[int] = frozenset()

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


def _graph(given: object, where: str) -> Any:
    endpoint = isinstance(given, dict) and "endpoint" in given
    return shaped(
        given, {"name": text, "endpoint": text, "asked": text} if endpoint else {"name": text, "root": text}, where
    )


_SHAPE = {
    "format": (FORMAT,), "maker": text, "question": text, "graphs": [_graph], "program": [anything], "answer": anything,
    "reading?": {"by": text, "score": number}, "evidence?": anything, "method?": text, "model?": text, "prompts?": text,
    "confidence?": share, "usage?": anything, "trace?": anything,
}  # fmt: skip


def read_certificate(given: object) -> Certificate:
    """The certificate of a JSON value.

    Raises:
        KernelError: it is none.
    """
    data = shaped(given, _SHAPE, "certificate")
    if len(data["question"]) > _QUESTION or len(data["program"]) > MOST_NODES:
        raise KernelError(f"a question of over {_QUESTION:,} characters, or a program of over {MOST_NODES:,} nodes")
    program: list[Op] = []
    owners: dict[int, int] = {}
    for place, part in enumerate(data["program"]):
        op = part.get("op") if isinstance(part, dict) else None
        if not isinstance(op, str) or op not in NODES:
            raise KernelError(f"node {place}: must be an object with an 'op' that is known")
        program.append(_op(op, part, place, program, owners, len(data["graphs"])))
    return Certificate(data, program, _answer(data["answer"], program, len(data["question"])))


def _op(op: str, given: object, place: int, program: list[Op], owners: dict[int, int], graphs: int) -> Op:
    where = f"node {place} ({op})"
    yields, spec = NODES[op]
    references = {name: rule for name, rule in spec.items() if isinstance(rule, str)}
    shapes = {
        name: [integer, _LEAST[rule.partition("/")[0][-1]]] if rule.partition("/")[0][-1] in _LEAST else integer
        for name, rule in references.items()
    }
    data = shaped(given, {"op": text, **spec, **shapes}, where)
    node_ = Op(op, data, [], [], yields)
    under: dict[str, list[int]] = {"it": [], "members": []}
    for marked, rule in references.items():
        name = marked.rstrip("?")
        wanted, _, variable = rule.partition("/")
        for part in _places(data[name]):
            _check_part(part, place, wanted.rstrip("+*!"), program, f"{where} {name}")
            if wanted != "var":
                (under[variable] if variable else node_.parts).append(part)
    others = [(part, "truth") for _, part in data.get("options") or ()]
    others += [
        (part, "any")
        for chain in data.get("chains") or ()
        for said in chain["sentences"]
        for part in said["seen"] or ()
    ]
    for part, wanted in others:
        _check_part(part, place, wanted, program, where)
        node_.parts.append(part)
    if (data.get("graph") or 0) >= max(graphs, 1):
        raise KernelError(f"{where}: graph {data['graph']} is none of the certificate's")
    if op == "vote":
        node_.yields = "truth" if data["yes_or_no"] else "nodes"
    if op != "it":
        node_.under = [(data[name], under[name]) for name in ("it", "members") if name in data]
        _check_binding(node_, place, program, owners, where)
    free = {variable for part in node_.parts for variable in program[part].free} | ({place} if op == "it" else set())
    for variable, places in node_.under:
        free |= {other for part in places for other in program[part].free if other != variable}
    node_.free = frozenset(free)
    node_.kind = _kind(node_, program, where)
    return node_


def _places(given: Any) -> Iterable[int]:
    return () if given is None else (given,) if isinstance(given, int) else given


def _check_part(part: int, place: int, wanted: str, program: list[Op], where: str) -> None:
    if part >= place:
        raise KernelError(f"{where}: node {part} does not stand before node {place}")
    found = program[part]
    if wanted == "var" and found.op != "it":
        raise KernelError(f"{where}: node {part} is no variable")
    if (
        (wanted in ("nodes", "truth")
        and found.yields != wanted)
        or (wanted == "value"
        and found.yields not in ("nodes", "period"))
    ):
        raise KernelError(f"{where}: node {part} ({found.op}) yields {found.yields}")
    if wanted != "any" and found.kind == "chosen":
        raise KernelError(f"{where}: node {part} was chosen, and nothing is computed from what was chosen")


def _check_binding(node_: Op, place: int, program: list[Op], owners: dict[int, int], where: str) -> None:
    for variable, _ in node_.under:
        if program[variable]["of"] != node_["of"] or owners.setdefault(variable, place) != place:
            raise KernelError(f"{where}: its variable {variable} belongs to another node, or to another set")
        elsewhere = [part for other, places in node_.under if other != variable for part in places]
        if any(variable in program[part].free for part in (*elsewhere, *node_.parts)):
            raise KernelError(f"{where}: its variable {variable} is used where it is not bound")
    if len({variable for variable, _ in node_.under}) < len(node_.under):
        raise KernelError(f"{where}: one variable for two things")


def _kind(node_: Op, program: list[Op], where: str) -> str:
    """Whether a node says what the question names, or what statements say."""
    kinds = [program[part].kind for part in node_.parts]
    named = [kind == "named" for kind in kinds]
    if node_.op in _EVIDENCE_ONLY and named[0]:
        raise KernelError(f"{where}: what the question names is no evidence")
    if node_.op == "compare" and all(named):
        raise KernelError(f"{where}: both sides are what the question names")
    if node_.op in ("entity", "literal") or (node_.op == "union" and any(named)):
        return "named"
    if node_.op in ("it", "named", "complete", "difference"):
        return kinds[0]
    if node_.op in ("intersection", "arithmetic", "period") and all(named):
        return "named"
    if node_.op in ("where", "first", "last"):
        told = [program[part] for _, places in node_.under for part in places]
        return "evidence" if any(one.kind == "evidence" and node_["it"] in one.free for one in told) else kinds[0]
    return "chosen" if node_.op == "among" else "evidence"


def _marked(given: object, where: str) -> tuple[int, int, str]:
    start, end, what = given if isinstance(given, list) and len(given) == 3 else wrong(where, "[start, end, what]")
    return (*span([start, end], where), text(what, where))


_REASONS: Mapping[str, Mapping[str, Any]] = {
    "unread": {"words": [_marked, 1]},
    "unnamed": {"words": span},
    "nothing": {"of": integer},
    "unknown": {"of": integer},
    "unsure": {"of": integer, "score": number, "needed": number},
    "direction": {"of": [integer, 2]},
    "lacks": {"entity": text, "relation": text, "direction": ("forward", "backward")},
    "opposite": {"of": integer, "relation": text},
    "unusable": {"times": integer},
    "stopped": {"what": ("calls", "tokens", "seconds", "cost")},
    "split": {"of": integer},
    "other": {"says": text},
}
_ANSWERS: Mapping[str, Mapping[str, Any]] = {
    "nodes": {"of": integer, "values": [node, 1], "at_least?": boolean},
    "truth": {"of": integer, "value": ("yes", "no")},
    "rows": {"of": integer, "rows": [[[node]]]},
    "text": {"sentences": [{"start": integer, "end": integer, "claims": [{"of": integer, "words?": span}]}, 1]},
    "none": {"reasons": [anything, 1], "tried?": [integer]},
}


def _answer(given: object, program: list[Op], length: int) -> dict[str, Any]:
    kind = given.get("kind") if isinstance(given, dict) else None
    if not isinstance(kind, str) or kind not in _ANSWERS:
        raise KernelError(f"answer: its kind must be one of {', '.join(_ANSWERS)}")
    answer: dict[str, Any] = shaped(given, {"kind": text, **_ANSWERS[kind]}, "answer")
    places = [(answer["of"], kind)] if "of" in answer else [(place, "") for place in answer.get("tried") or ()]
    for sentence in answer.get("sentences", ()):
        places += [(claim["of"], "truth") for claim in sentence["claims"]]
    if kind == "none":
        answer["reasons"] = [_reason(reason, number, length) for number, reason in enumerate(answer["reasons"])]
        places += [(place, "") for reason in answer["reasons"] for place in _places(reason.get("of"))]
    for place, wanted in places:
        if place >= len(program) or program[place].free or (wanted and program[place].yields != wanted):
            raise KernelError(f"answer: node {place} is not there, depends on a variable, or yields something else")
    if "of" in answer and program[answer["of"]].kind == "named":
        raise KernelError("answer: what the question names is no answer to it")
    return answer


def _reason(given: object, place: int, length: int) -> dict[str, Any]:
    code = given.get("code") if isinstance(given, dict) else None
    if not isinstance(code, str) or code not in _REASONS:
        raise KernelError(f"answer reason {place}: its code must be one of {', '.join(_REASONS)}")
    reason: dict[str, Any] = shaped(given, {"code": text, **_REASONS[code]}, f"answer reason {place}")
    for words in (reason["words"],) if code == "unnamed" else reason.get("words", ()):
        if words[1] > length:
            raise KernelError(f"answer reason {place}: words beyond the question")
    return reason
