"""The check of a certificate, and its report: every word of it comes from here and from the graph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .certificate import Certificate, read_certificate
from .encoding import LABEL, Statement
from .errors import KernelError
from .evaluate import STATUSES, Evaluator, Nodes
from .evidence import Evidence, Graph, Missing, Source, label_of
from .sentence import filled, node_text, sentences, statement_text
from .shapes import FORMAT, one_line, read
from .values import Literal

_SHOWN = 20
_SEEN = ("statement", "passage", "follow", "instances")
_EXCUSED = ("unsure", "unread", "unnamed", "direction", "opposite")


@dataclass(slots=True)
class Report:
    """What a check found.

    Attributes:
        read_as: the program as a sentence. judge: who judged that the question means it, with the score.
        answer: what the answer says.
        status: the weakest of what the answer needs. exit_code: 0 passes, 1 does not, 2 is no certificate.
        nodes: of each node its place, op, sentence, status, reason, whether it counts, and its statements.
        problems: what is wrong beside single nodes.
        root: the root of each graph that the statements were held against, and who gave it.
    """

    read_as: str = ""
    judge: str = ""
    answer: list[str] = field(default_factory=list)
    status: str = "fails"
    exit_code: int = 2
    nodes: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    root: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"Read as: {self.read_as}{self.judge}"] if self.read_as else []
        lines += [f"Answer: {text}" for text in self.answer]
        for node in self.nodes:
            counts = "" if node["used"] else " (not needed: supports nothing)"
            lines.append(f"{node['place']:>4} {node['status']:<12} {node['sentence']}{counts}")
            lines += [f"{'':18}{text}" for text in (*([node["reason"]] if node["reason"] else ()), *node["statements"])]
        lines += [f"Graph: {text}" for text in self.root] + [f"Problem: {text}" for text in self.problems]
        counted = [node["status"] for node in self.nodes if node["used"]]
        counts = ", ".join(f"{counted.count(status)} {status}" for status in STATUSES if status in counted)
        passes = {0: "passes", 1: "does not pass", 2: "not checked"}[self.exit_code]
        return "\n".join([*lines, f"{passes}: {self.status}{f' ({counts})' if counts else ''}"])

    def to_json(self) -> str:
        """The report as JSON."""
        names = ("read_as", "judge", "answer", "status", "exit_code", "nodes", "problems", "root")
        return json.dumps({name: getattr(self, name) for name in names}, ensure_ascii=False, indent=1)


def check(
    given: str | bytes | dict[str, Any],
    graph: Graph | None = None,
    *,
    root: str | None = None,
    strict: bool = False,
    seconds: float = 10.0,
) -> Report:
    """Check a certificate: against the evidence that it holds, or against a graph.

    Args:
        given: the certificate, as JSON or read from it.
        root: the root that the graph must have, from somebody who is trusted.
        strict: what is weaker than recomputed does not pass.
        seconds: that the evaluation may take.
    """
    report = Report()
    try:
        certificate = read_certificate(read(given) if isinstance(given, (str, bytes)) else given)
        _check(certificate, graph, root, strict, seconds, report)
    except (KernelError, RecursionError) as error:
        report.exit_code, report.status = 2, "fails"
        report.problems = [one_line(str(error) if isinstance(error, KernelError) else "nests too deeply")]
    return report


def _check(
    certificate: Certificate, graph: Graph | None, root: str | None, strict: bool, seconds: float, report: Report
) -> None:
    graphs, held = certificate.data["graphs"], certificate.data["evidence"]
    source: Source | Evidence = (
        Source(graph)
        if graph is not None
        else Evidence([] if held is None else held, graphs if held is not None else [])
    )
    changed = _roots(graphs, graph, source, root, report)
    evaluator = Evaluator(certificate.program, source, len(graphs), certificate.question, seconds)
    evaluator.run()

    def label(identifier: str) -> str | None:
        try:
            return label_of(source, len(graphs), identifier)
        except Missing:
            return None

    said = sentences(certificate.program, label)
    needed, extra = _answer(certificate, evaluator, said, label, report)
    statuses = list(extra)
    for place, node in enumerate(certificate.program):
        status = evaluator.status[place] or "unverifiable"
        if status == "fails" and changed:
            status = "stale"
        if status == "recomputed" and isinstance(source, Evidence) and source.roots and source.roots[0] is None:
            status = "unverifiable" if evaluator.statements[place] else status
        evaluator.status[place] = status
        statuses += [status] if place in needed else []
        used = list(evaluator.statements[place])
        shown = [statement_text(one, label) for one in used[:_SHOWN]] + (
            [f"… and {len(used) - _SHOWN:,} more"] if len(used) > _SHOWN else []
        )
        report.nodes.append({
            "place": place, "op": node.op, "sentence": said[place], "status": status, "reason": evaluator.reason[place],
            "used": place in needed, "statements": shown,
        })  # fmt: skip
    reading = certificate.data["reading"]
    if report.read_as == certificate.question:
        report.judge = "; as it was asked"
    elif reading is None:
        report.judge, statuses = "; nobody says that the question means this", [*statuses, "unverifiable"]
    else:
        report.judge = f"; judged by {one_line(reading['by'], 100)}, {reading['score']:.2f}"
        statuses.append("judged")
    if report.problems:
        statuses.append("stale" if changed else "fails")
    report.status = max(statuses, key=STATUSES.index)
    weakest = max([report.status, *(node["status"] for node in report.nodes)], key=STATUSES.index)
    limit = "recomputed" if strict else "unverifiable"
    report.exit_code = int(weakest in ("stale", "fails") or STATUSES.index(report.status) > STATUSES.index(limit))


def _roots(
    graphs: Sequence[Any], graph: Graph | None, source: Source | Evidence, root: str | None, report: Report
) -> bool:
    """Hold the graphs against the roots they should have; whether a graph at hand is another one."""
    changed = False
    found = list(graph.roots()) if graph is not None else source.roots if isinstance(source, Evidence) else []
    for place, part in enumerate(graphs):
        title, wanted = one_line(part["name"], 60), part.get("root")
        has = found[place] if place < len(found) else None
        if wanted is None:
            told = "" if graph is not None else "; no root proves it"
            report.root.append(
                f"{title}: as {one_line(part['endpoint'], 100)} said on {one_line(part['asked'], 40)}{told}"
            )
        elif has is None:
            report.root.append(f"{title}: no evidence is given")
        elif has == wanted:
            by = "root given" if root == has else "root that the certificate names"
            report.root.append(f"{title}: held against the {by}, {one_line(has, 64)}")
        elif graph is None:
            report.problems.append(f"the evidence of {title} leads to the root {has}, not to the certificate's")
        else:
            changed = True
            report.root.append(f"{title}: the graph is another one, or has changed")
    if root is not None and root not in [part.get("root") for part in graphs]:
        report.problems.append("the certificate is about graphs of another root than the one given")
    return changed


def _beneath(certificate: Certificate, places: Iterable[int]) -> set[int]:
    found: set[int] = set()
    queue = list(places)
    while queue:
        place = queue.pop()
        if place not in found:
            found.add(place)
            node = certificate.program[place]
            queue += node.parts + [part for variable, parts in node.under for part in (variable, *parts)]
    return found


def _answer(
    certificate: Certificate, evaluator: Evaluator, said: Sequence[str], label: Any, report: Report
) -> tuple[set[int], list[str]]:
    """Hold the answer against what follows: the nodes that it needs, and the statuses of what else it says."""
    answer, values = certificate.answer, evaluator.values
    kind, place = answer["kind"], answer.get("of")
    if kind == "text":
        return _text(certificate, evaluator, said, label, report)
    if kind == "none":
        return _none(certificate, evaluator, said, label, report)
    value = values[place]
    report.read_as = f"whether {said[place]}" if kind == "truth" else said[place]
    if kind == "nodes":
        bound = "at least " if answer["at_least"] else ""
        report.answer = [bound + ", ".join(node_text(one, label) for one in answer["values"][:100])]
        same = isinstance(value, Nodes) and (value.items, value.at_least) == (
            answer["values"],
            bool(answer["at_least"]),
        )
    elif kind == "truth":
        report.answer, same = [answer["value"]], value is (answer["value"] == "yes")
    else:
        report.answer = [
            " | ".join(", ".join(node_text(one, label) for one in cell) for cell in row) for row in answer["rows"][:100]
        ]
        same = isinstance(value, list) and [tuple(row) for row in value] == [tuple(row) for row in answer["rows"]]
    if not same and evaluator.status[place] not in ("unverifiable", "fails"):
        report.problems.append("the answer is not what follows from the program")
    return _beneath(certificate, [place]), []


def _text(
    certificate: Certificate, evaluator: Evaluator, said: Sequence[str], label: Any, report: Report
) -> tuple[set[int], list[str]]:
    at, question, needed = 0, certificate.question, set()
    report.read_as = "the claims of this text"
    for sentence in certificate.answer["sentences"]:
        start, end = sentence["start"], sentence["end"]
        if start < at or end <= start or end > len(question) or any(c.isalnum() for c in question[at:start]):
            report.problems.append(f"the sentences leave out, or take twice, what stands before {start}")
        at = end
        places = [claim["of"] for claim in sentence["claims"]]
        truths = [evaluator.values[place] for place in places]
        verdict = (
            "contradicted" if False in truths else "supported" if truths and None not in truths else "not in the graph"
        )
        report.answer.append(f"{verdict}: “{one_line(question[start:end])}”")
        needed |= _beneath(certificate, places)
        for place in places:
            node = certificate.program[place]
            if (
                node.op == "judged"
                and node["decision"] != "unknown"
                and not any(certificate.program[part].op in _SEEN for part in node["seen"])
            ):
                report.problems.append(f"node {place} judges by nothing that a statement or passage says")
    if any(c.isalnum() for c in question[at:]):
        report.problems.append(f"the sentences leave out what stands after {at}")
    return needed, []


def _none(
    certificate: Certificate, evaluator: Evaluator, said: Sequence[str], label: Any, report: Report
) -> tuple[set[int], list[str]]:
    answer, statuses = certificate.answer, []
    excused = False
    places = set(answer["tried"] or ())
    for reason in answer["reasons"]:
        report.answer.append(
            f"none: {filled(FORMAT['reasons'][reason['code']], reason, said, label, certificate.question)}"
        )
        statuses.append(_reason_status(reason, certificate, evaluator, report))
        excused |= reason["code"] in _EXCUSED
        of = reason.get("of", ())
        places |= set(of if isinstance(of, tuple) else (of,))
    for place in answer["tried"] or ():
        value = evaluator.values[place]
        if not excused and (
            value is True
            or value is False
            or (isinstance(value, Nodes) and value.items)
            or (isinstance(value, list) and value)
        ):
            report.problems.append(
                f"node {place} was tried and yields something, and no reason says why it is no answer"
            )
    report.read_as = said[min(places)] if places else "nothing"
    return _beneath(certificate, places), statuses


def _reason_status(reason: dict[str, Any], certificate: Certificate, evaluator: Evaluator, report: Report) -> str:
    code = reason["code"]
    value = evaluator.values[reason["of"]] if isinstance(reason.get("of"), int) else None
    found: list[Statement] = []
    try:
        for graph in range(len(certificate.data["graphs"])):
            if code == "lacks":
                side = "out" if reason["direction"] == "forward" else "in"
                found += evaluator.source.statements(graph, side, reason["entity"], reason["relation"])
            elif code == "unnamed":
                words = Literal(certificate.question[slice(*reason["words"])], "string")
                found += evaluator.source.statements(graph, "in", words, LABEL)
    except Missing:
        return "unverifiable"
    wrong = (
        bool(found)
        or (code == "nothing" and bool(isinstance(value, Nodes) and value.items))
        or (code in ("unknown", "split") and value in (True, False) and value is not None)
    )
    if wrong:
        report.problems.append(f"the reason {code!r} is not so")
    if code in ("nothing", "unknown", "lacks", "split"):
        return "recomputed"
    return "unverifiable" if code in ("other", "unusable", "stopped") else "judged"
