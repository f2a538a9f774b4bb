"""How the corpus is written: programs node by node, true certificates, and false ones as changes to them."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from false.graphs import DOCUMENTS, GRAPHS
from naive_merkle import graph_root
from small_graphs import SmallGraphs

from toulmin.kernel import check

DROP = object()  # what a change takes away


class Program(list[dict[str, Any]]):
    """The nodes of a program; each method adds one and gives its place."""

    def add(self, op: str, **fields: Any) -> int:
        """Any node."""
        self.append({"op": op} | {name.rstrip("_"): value for name, value in fields.items()})
        return len(self) - 1

    def entity(self, identifier: str, **fields: Any) -> int:
        """What the question names."""
        return self.add("entity", id=identifier, **fields)

    def literal(self, value: dict[str, str]) -> int:
        """A value that the question names."""
        return self.add("literal", value=value)

    def follow(self, of: int, *relations: str, **fields: Any) -> int:
        """From subject to object."""
        return self.add("follow", of=of, relations=list(relations), direction="forward", **fields)

    def back(self, of: int, *relations: str, **fields: Any) -> int:
        """From object to subject."""
        return self.add("follow", of=of, relations=list(relations), direction="backward", **fields)

    def it(self, of: int) -> int:
        """A variable."""
        return self.add("it", of=of)

    def compare(self, left: int, do: str, right: int) -> int:
        """A comparison."""
        return self.add("compare", do=do, left=left, right=right)


def nodes(of: int, *values: Any, **more: Any) -> dict[str, Any]:
    """An answer of nodes."""
    return {"kind": "nodes", "of": of, "values": list(values), **more}


def truth(of: int, value: str = "yes") -> dict[str, Any]:
    """An answer of yes or no."""
    return {"kind": "truth", "of": of, "value": value}


def rows(of: int, *given: Any) -> dict[str, Any]:
    """An answer of rows."""
    return {"kind": "rows", "of": of, "rows": list(given)}


def none(*reasons: dict[str, Any], tried: Sequence[int] = ()) -> dict[str, Any]:
    """An abstention."""
    return {"kind": "none", "reasons": list(reasons), "tried": list(tried)}


class Theme:
    """One file of the corpus.

    Attributes:
        lines: true certificates, each followed by what is false and differs from it by one change.
    """

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._graphs: list[str] = []
        self._twin: dict[str, Any] = {}

    def true(
        self, name: str, about: str, program: Sequence[Any], answer: dict[str, Any], says: str = "passes", *,
        question: str = "What was asked?", evidence: bool | list[Any] = False, **more: Any,
    ) -> dict[str, Any]:  # fmt: skip
        """A certificate that must pass; about: names of graphs.py, with spaces between."""
        self._graphs = about.split()
        fields: dict[str, Any] = {name: more.pop(name) for name in ("strict", "root") if name in more}
        certificate: dict[str, Any] = {
            "format": "toulmin-certificate/1", "maker": "by hand", "question": question,
            "graphs": [{"name": one, "root": graph_root(GRAPHS[one])} for one in self._graphs],
            "program": list(program), "reading": {"by": "a reader", "score": 0.9}, "answer": answer, **more,
        }  # fmt: skip
        self._twin = copy.deepcopy(certificate)
        if evidence:
            self._twin["evidence"] = self.evidence(certificate) if evidence is True else evidence
        held = {} if evidence else {"graph": self._graphs}
        self.lines.append(
            {"name": name, "rule": "true", "certificate": copy.deepcopy(self._twin), **held, **fields,
             "expect": {"exit": 0, "says": says}}
        )  # fmt: skip
        return self._twin

    def evidence(self, certificate: dict[str, Any]) -> list[dict[str, Any]]:
        """All that the check of a certificate reads, with proofs."""
        graphs = SmallGraphs([GRAPHS[one] for one in self._graphs])
        check(certificate, graphs)
        return graphs.evidence()

    def false(self, rule: str, change: Any, says: str, exit_: int = 1, **fields: Any) -> None:
        """The last true certificate with one change: paths such as ``program.3.of`` to values, or a function."""
        twin = next(line for line in reversed(self.lines) if line["rule"] == "true")
        certificate = copy.deepcopy(self._twin)
        if callable(change):
            change(certificate)
        else:
            for path, value in change.items():
                _put(certificate, path.split("."), value)
        count = sum(line["rule"] != "true" for line in self.lines)
        held = {"graph": twin["graph"]} if "graph" in twin else {}
        line = {"name": f"{twin['name']}: {count}", "rule": rule, "certificate": certificate, **held, **fields}
        self.lines.append({**line, "expect": {"exit": exit_, "says": says}})

    def written(self) -> str:
        """The lines."""
        return "".join(json.dumps(line) + "\n" for line in self.lines)


def _put(value: Any, path: Sequence[str], new: object) -> None:
    *before, last = (int(part) if part.isdigit() else part for part in path)
    for part in before:
        value = value[part]
    if new is DROP:
        del value[last]
    elif isinstance(value, list) and last == len(value):
        value.append(new)
    else:
        value[last] = new


def graphs_file() -> str:
    """The statements of all small graphs, as JSON."""
    comma = ",\n"
    lines = comma.join(
        f'{json.dumps(name)}: [\n{comma.join(json.dumps(one, ensure_ascii=False) for one in statements)}\n]'
        if statements else f"{json.dumps(name)}: []"
        for name, statements in GRAPHS.items()
    )  # fmt: skip
    return f'{{"graphs": {{\n{lines}\n}},\n"documents": {json.dumps(DOCUMENTS)}}}\n'
