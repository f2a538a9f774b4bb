"""The corpus of false certificates, as lines, and what a kernel must say to each."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from javascript import Recorded, called
from small_graphs import FALSE, SmallGraphs, small_graphs

from toulmin.kernel import Report, check


def lines() -> list[dict[str, Any]]:
    """All lines of all files, in the order of the files' names."""
    return [
        json.loads(line)
        for file in sorted(FALSE.glob("*.jsonl"))
        for line in file.read_text("utf-8").split("\n")
        if line
    ]


def graph_of(line: dict[str, Any]) -> SmallGraphs | None:
    """The graphs at hand that a line is about; None where the certificate holds its evidence."""
    return small_graphs(line["graph"]) if "graph" in line else None


def options(line: dict[str, Any]) -> dict[str, Any]:
    """The options of the check."""
    return {name: line[name] for name in ("strict", "root") if name in line}


def given(line: dict[str, Any]) -> str:
    """The certificate as it stands in a file: ``text`` where the JSON itself is what is wrong."""
    return line["text"] if "text" in line else json.dumps(line["certificate"])


def checked(line: dict[str, Any]) -> Report:
    """What the Python kernel says."""
    return check(given(line), graph_of(line), **options(line))


def disagreement(line: dict[str, Any], exit_code: int, report: str) -> str | None:
    """What a kernel should have said and did not, in words."""
    expected = line["expect"]
    if exit_code != expected["exit"]:
        return f"{line['name']} ({line['rule']}): exit {exit_code}, not {expected['exit']}\n{report}"
    lines_of = [one for one in report.splitlines() if re.search(expected["says"], one)]
    if not lines_of:
        return f"{line['name']} ({line['rule']}): no line says {expected['says']!r}\n{report}"
    if "never" in expected and re.search(expected["never"], report):
        return f"{line['name']} ({line['rule']}): says {expected['never']!r}\n{report}"
    return None


def checked_by_node(given_lines: Sequence[dict[str, Any]]) -> list[Report]:
    """What the JavaScript kernel says, in one process; skips where there is no node."""
    cases = []
    for line in given_lines:
        graph = graph_of(line)
        if graph is None:
            cases.append({"call": "check", "arguments": [given(line), options(line)]})
        else:
            recorded = Recorded(graph)
            check(given(line), recorded, **options(line))
            for place, asked in enumerate(graph.asked):  # in another order a kernel may ask for other relations
                for side, node in {json.dumps(one[:2]): one[:2] for one in asked.values()}.values():
                    for relation in {one[1] for one in graph.graphs[place]}:
                        recorded.range(place, side, node, relation)
            cases.append(recorded.case(given(line), **options(line)))
    names = [field.name for field in fields(Report)]
    return [Report(**{name: one[name] for name in names}) for one in called(cases)]
