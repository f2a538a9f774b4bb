"""Answers and retrieval on perturbed graphs, with exact ground truth: the curves of papers/okgqa, figure 5.

    python benchmarks/perturbation.py --data PATH --limit N [--kinds K,K…] [--levels L,L…] [--kg-dir DIR]

MetaQA's graph is perturbed by each of the paper's four heuristics at 0, 0.1 … 1.0 (41 graphs, one at a time, in
--kg-dir), and questions of MetaQA dev with two hops are asked on each. No language model is asked. What is true is the
end of the gold path in the graph as it was.

- search: fidelis without a model; Hits@1, an abstention is wrong.
- triplet, path, subgraph: the three retrievals of papers/okgqa 4.1, of which triplet is the plain one; they look at the
  two-hop sub-graph pruned by PageRank. A hit is a true answer among what is retrieved. pruned: that sub-graph itself.
- false answers of the search: the first value is not true. Of these, "reading" follow statements that are all true: the
  question was read otherwise ("before": the unperturbed run gives a false one, too). Of the others, "shown" have a
  statement of changes.jsonl in every path to that value that the check of the certificate lists.

The same command goes on where it was stopped: records lie in --kg-dir.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from built_graphs import KEPT, built
from quality import asking
from toulmin.errors import ToulminError
from toulmin.evaluation.datasets import load
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.perturbation import Perturbation, false_statements, perturbed
from toulmin.evaluation.statistics import bootstrap_interval
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.graph.types import Entity
from toulmin.program.answer import Answer
from toulmin.retrieval.embedders import MiniLM
from toulmin.retrieval.open_ended.retrieve import FORMS, PrizeRetriever
from toulmin.retrieval.retriever import Retriever

KINDS = ("relation-swapping", "relation-replacement", "edge-rewiring", "edge-deletion")
LEVELS = tuple(place / 10 for place in range(11))
MEASURES = ("search", *FORMS, "pruned")
EVERY = 1_000_000  # statements that a report lists
SECONDS = 120.0  # for a check
Steps = list[tuple[str, str]]  # relation id, direction


@dataclass(frozen=True)
class Truth:
    """The graph as it was."""

    graph: EmbeddedGraph

    @cached_property
    def relations(self) -> dict[str, int]:
        """Relation numbers by id."""
        return {relation.id: number for number, relation in enumerate(self.graph.subgraph([], 0).relations)}

    @cached_property
    def ids(self) -> dict[str, str]:
        """Relation ids as the gold paths name them."""
        return {relation.id.rpartition(":")[2]: relation.id for relation in self.graph.subgraph([], 0).relations}

    def walk(self, start: str, steps: Steps) -> set[str]:
        """The ends of a path."""
        subgraph = self.graph.subgraph([], 0)
        first = subgraph.index(start)
        nodes = np.array([] if first is None else [first], dtype=np.int32)
        for relation, direction in steps:
            nodes = subgraph.follow(nodes, self.relations[relation], backward=direction == "backward")
        return set(subgraph.tables.keys.many(nodes))

    def topic(self, question: Question) -> str:
        """The entity that a question is about."""
        return next(match.id for match in self.graph.lookup(question.gold_entities)[0])

    def gold(self, question: Question) -> set[str]:
        """The true answers: the gold path walked, without the topic itself."""
        topic = self.topic(question)
        steps: Steps = [(self.ids[step.relation], step.direction or "forward") for step in question.gold_paths[0]]
        return self.walk(topic, steps) - {topic}


def chain(answer: Answer) -> tuple[str, list[int], Steps] | None:
    """Of a program that is a path: its entity, the places of its follow nodes, their steps; None of another one."""
    program = answer.certificate["program"]
    starts = [node for node in program if node["op"] == "entity"]
    follows = [(place, node) for place, node in enumerate(program) if node["op"] == "follow"]
    if len(starts) != 1 or any(node["op"] not in ("entity", "follow", "difference", "named") for node in program):
        return None
    if any(len(node["relations"]) != 1 for _, node in follows):
        return None
    steps = [(node["relations"][0], node["direction"]) for _, node in follows]
    return starts[0]["id"], [place for place, _ in follows], steps


def rests_on(answer: Answer, graph: EmbeddedGraph, value: str, false: frozenset[str]) -> str:
    """`shown` where every path to a value, of the statements that the check lists, holds a false one; else `not shown`.

    `unchecked` where there is no list.
    """
    found = chain(answer)
    assert found is not None
    start, places, steps = found
    report = {node["place"]: node["statements"] for node in answer.check(graph, shown=EVERY, seconds=SECONDS).nodes}
    if any(place not in report for place in places):
        return "unchecked"
    short = {identity[:12] for identity in false}
    truly = {start}  # what true statements alone lead to
    reached = {start}
    for place, (_, direction) in zip(places, steps, strict=True):
        cited = {text.rpartition("[")[2][:-1] for text in report[place]}
        next_truly, next_reached = set[str](), set[str]()
        near = graph.statements(sorted(reached), side="incoming" if direction == "backward" else "outgoing")
        for statement in (one for some in near for one in some):
            if statement.id[:12] not in cited:
                continue
            ends = statement.subject.id, statement.object.id if isinstance(statement.object, Entity) else ""
            here, there = ends if direction == "forward" else ends[::-1]
            next_reached.add(there)
            if here in truly and statement.id[:12] not in short:
                next_truly.add(there)
        reached, truly = next_reached, next_truly
    return "shown" if value in reached and value not in truly else "not shown"


def asked(
    questions: Sequence[Question], truth: Truth, graph: EmbeddedGraph, false: frozenset[str]
) -> Iterator[dict[str, Any]]:
    """What each question came to on a graph."""
    ask, retriever = asking(graph), Retriever(graph, embedder=MiniLM(threads=1))
    prizes = PrizeRetriever(graph.subgraph([], 0), retriever.embedder, index=retriever.vectors)
    for question in questions:
        gold = truth.gold(question)
        answer = ask(question)
        values = [value.id for value in answer.values if isinstance(value, Entity)]
        record: dict[str, Any] = {"id": question.id, "search": bool(values) and values[0] in gold}
        record["abstained"] = answer.abstained
        if values and not record["search"]:
            path = chain(answer)
            if path is None:
                record["false"] = "no path"
            elif values[0] in truth.walk(path[0], path[2]):
                record["false"] = "reading"
            else:
                record["false"] = rests_on(answer, graph, values[0], false)
        seeds = [
            mention.candidates[0].entity.id
            for mention in retriever.linker.link(question.question)
            if mention.candidates
        ]
        for form in FORMS:
            found = prizes.retrieve(question.question, form, seeds).statements
            ends = {node.id for one in found for node in (one.subject, one.object) if isinstance(node, Entity)}
            record[form] = bool(gold & ends)
        around = prizes.around(seeds)
        record["pruned"] = bool(gold & set(graph.subgraph([], 0).tables.keys.many(around.nodes)))
        yield record


def measured(source: Path, questions: Sequence[Question], options: argparse.Namespace, kept: Path) -> None:
    """Ask the questions on all graphs, and keep what came of them."""
    done = {(one["kind"], one["level"]) for one in records(kept)}
    levels = sorted(options.levels, key=lambda level: (level * 10) % 5)  # a rough curve first
    with open_graph(source) as graph:
        truth = Truth(graph)
        for level in levels:
            for kind in options.kinds:
                if level == 0 and kind != options.kinds[0]:
                    continue  # all are the same graph
                perturbation = Perturbation(kind, level, options.seed)
                if (kind, level) in done:
                    continue
                out = options.kg_dir / "perturbed"
                perturbed(source, perturbation, out)
                with open_graph(out) as other:
                    found = list(asked(questions, truth, other, false_statements(out)))
                rmtree(out)
                with kept.open("a", encoding="utf-8") as file:
                    file.writelines(json.dumps({"kind": kind, "level": level, **one}) + "\n" for one in found)
                print(perturbation.name, sum(one["search"] for one in found), "of", len(found), file=sys.stderr)


def records(kept: Path) -> list[dict[str, Any]]:
    """What was kept."""
    return [json.loads(line) for line in kept.read_text("utf-8").splitlines()] if kept.exists() else []


def shown(found: Sequence[dict[str, Any]], console: Console) -> None:
    """The tables."""
    by = defaultdict(list)
    for one in found:
        by[one["kind"], one["level"]].append(one)
    base = next((some for (_, level), some in by.items() if level == 0), [])  # all kinds begin with the same graph
    false_before = {one["id"] for one in base if "false" in one}
    levels = sorted({level for _, level in by})
    for measure in MEASURES:
        table = Table("level", *dict.fromkeys(kind for kind, _ in by), title=measure)
        for level in levels:
            cells = []
            for kind in dict.fromkeys(kind for kind, _ in by):
                some = base if level == 0 else by.get((kind, level), [])
                interval = bootstrap_interval([float(one[measure]) for one in some]) if some else None
                cells.append(f"{interval.estimate:.2f} [{interval.low:.2f}, {interval.high:.2f}]" if interval else "-")
            table.add_row(f"{level:g}", *cells)
        console.print(table)
    table = Table(
        "kind", "answers", "false", "reading (before)", "of the graph", "shown", "unchecked", "no path", "abstained"
    )
    for kind in dict.fromkeys(kind for kind, _ in by):
        some = [one for (this, level), group in by.items() for one in group if this == kind and level > 0]
        wrong = [one for one in some if "false" in one]
        reading = [one for one in wrong if one["false"] == "reading"]
        counts = {
            name: sum(one["false"] == name for one in wrong) for name in ("shown", "not shown", "unchecked", "no path")
        }
        table.add_row(
            kind,
            str(sum(not one["abstained"] for one in some)),
            str(len(wrong)),
            f"{len(reading)} ({sum(one['id'] in false_before for one in reading)})",
            str(counts["shown"] + counts["not shown"] + counts["unchecked"]),
            str(counts["shown"]),
            str(counts["unchecked"]),
            str(counts["no path"]),
            str(sum(one["abstained"] for one in some)),
        )
    console.print(table)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets' folders")
    parser.add_argument("--limit", type=int, default=100, help="questions")
    parser.add_argument("--seed", type=int, default=0, help="of the sample and of the perturbations")
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=list(KINDS))
    parser.add_argument("--levels", type=lambda text: [float(one) for one in text.split(",")], default=list(LEVELS))
    parser.add_argument("--kg-dir", type=Path, default=KEPT, help="graphs and records")
    options = parser.parse_args()
    dataset = load("metaqa/2-hop/dev", options.data)
    questions = dataset.sample(options.limit, options.seed)
    kept = options.kg_dir / f"perturbation-{options.limit}-{options.seed}.jsonl"
    try:
        measured(built(options.kg_dir / dataset.graphs[0].stem, dataset.graphs[0]), questions, options, kept)
    except ToulminError as error:
        sys.exit(str(error))
    shown(records(kept), Console(width=150))


if __name__ == "__main__":
    main()
