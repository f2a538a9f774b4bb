"""What the tests of methods say of answers, and how their graphs are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, Record
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.graph.types import Literal
from toulmin.program.answer import Answer, node_text
from toulmin.retrieval.retriever import build_index

Ask = Callable[[str], Answer]

FILMS: list[tuple[str, str, str | Literal]] = [
    ("Metropolis", "director", "Fritz Lang"),
    ("M", "director", "Fritz Lang"),
    ("Metropolis", "screenwriter", "Thea von Harbou"),
    ("Fritz Lang", "spouse", "Thea von Harbou"),
    ("Fritz Lang", "place of birth", "Vienna"),
    ("Vienna", "country", "Austria"),
    ("Austria", "capital", "Vienna"),
    ("Casablanca", "director", "Michael Curtiz"),
    ("Michael Curtiz", "place of birth", "Budapest"),
]
THREE_HOPS = "In which country was the director of Metropolis born?"


def labels(answer: Answer) -> set[str]:
    """What a person reads of the answer set."""
    return {node_text(value) for value in answer.values}


def walked(answer: Answer) -> list[tuple[str, ...]]:
    """The relations of each path that leads to the answer, from an entity on; "^" marks one walked backward."""
    program, names = answer.certificate["program"], answer.certificate["trace"]["labels"]

    def paths(place: int) -> list[tuple[str, ...]]:
        node = program[place]
        if node["op"] == "entity":
            return [()]
        before = node["of"] if isinstance(node["of"], list) else [node["of"]]
        found = [path for part in before[: None if node["op"] == "union" else 1] for path in paths(part)]
        if node["op"] != "follow":
            return found
        way = "^" if node["direction"] == "backward" else ""
        return [(*path, way + names[node["relations"][0]]) for path in found]

    return paths(answer.certificate["answer"]["of"])


def operations(answer: Answer) -> list[str]:
    """What its program does, but for naming entities and values."""
    return [node["op"] for node in answer.certificate["program"] if node["op"] not in ("entity", "literal", "it")]


def linked(answer: Answer) -> list[str]:
    """The ids of the entities that words of the question name."""
    return [node["id"] for node in answer.certificate["program"] if node["op"] == "entity" and node.get("words")]


def named(triples: Sequence[tuple[str, str, str | Literal]]) -> MemoryGraph:
    """A graph of triples given by labels."""

    def entity(label: str) -> str:
        return f"e:{label.replace(' ', '_')}"

    names: dict[str, RawName] = {}
    facts: list[RawStatement] = []
    for subject, relation, node in triples:
        for label in (subject, node):
            if isinstance(label, str):
                names[entity(label)] = RawName(entity(label), label)
        names[f"r:{relation}"] = RawName(f"r:{relation.replace(' ', '_')}", relation)
        facts.append(
            RawStatement(
                entity(subject),
                f"r:{relation.replace(' ', '_')}",
                entity(node) if isinstance(node, str) else node,
            )
        )
    return MemoryGraph.from_records([*names.values(), *facts])


def built(directory: Path, records: Iterable[Record]) -> EmbeddedGraph:
    """A graph in a directory with its vectors."""
    with build_directory(directory) as work:
        build_graph([("records", records)], work, name=directory.name, strict=True)
        with open_graph(work) as graph:
            build_index(work, graph)
    return open_graph(directory)
