"""Facts of human sentences against a graph: supported, contradicted, not in the graph (check-text).

    python benchmarks/check_text.py --data PATH [--scorer NAME] [--sample N] [--errors N]
    python benchmarks/check_text.py --data PATH --several
    python benchmarks/check_text.py --data PATH --speed KG

WebNLG's sentences that state one triple, each in three conditions: the graph as it is (supported), with the triple's
object exchanged for another object of the same relation (contradicted), with the triple removed (not in the graph).

- Which sentences. An exchange contradicts only where the relation has one value, as the graph's own statistics tell:
  else the graph may merely be incomplete (which is also what removing it looks like). So the three conditions are asked
  of triples whose subject has one object of the relation in the graph; the others are reported in the first condition.
- No graph is built for a sentence: triples that share no subject with each other are altered together, up to 40 in
  one graph; all other statements stay. Where another of them joins the same two nodes ("leader" beside "leader name"),
  the altered graph still says what the sentence says. So the first table is of the triples without such a statement
  whose relation has one object for at least half of its subjects; then come more relations, and then all triples.
- The exchanged object is drawn (seeded) from the relation's objects in the graph; neither name contains the other's.
- Nothing is fitted on these sentences, so that all of them are measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from toulmin.check_text.checking import TextChecker
from toulmin.check_text.judge.verdicts import FactVerdict, judge
from toulmin.entailment.protocol import Scorer
from toulmin.entailment.registry import get_scorer
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.readers import ReadOptions, registry
from toulmin.graph.types import Entity, Statement
from toulmin.program.json_forms import statement_of
from toulmin.retrieval.embedders import Embedder, Vectors, get_embedder
from toulmin.retrieval.retriever import Retriever

Triple = tuple[str, str, str]
VERDICTS = ("supported", "contradicted", "not in the graph")
CONDITIONS = ("as it is", "exchanged", "removed")
TOGETHER = 40  # triples altered in one graph
BATCH = 50
SURE = (0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence with the triples it states."""

    text: str
    triples: tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A sentence in one condition, and what became of it."""

    item: Item
    condition: str
    exchanged: str
    joined_otherwise: bool
    verdict: FactVerdict


class Remembering:
    """An embedder that remembers every vector: the altered graphs have nearly the same labels."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self.name, self.dimension = embedder, embedder.name, embedder.dimension
        self._known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of unit length."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._embedder.embed(new), strict=True) if new else ())
        return np.stack([self._known[text] for text in texts]) if texts else np.zeros((0, self.dimension), np.float32)


class Data:
    """WebNLG's sentences and graph."""

    def __init__(self, root: Path) -> None:
        lines = (root / "webnlg" / "texts.jsonl").read_text("utf-8").splitlines()
        said = [json.loads(line) for line in lines]
        self.items = [Item(one["text"], tuple(tuple(triple) for triple in one["triples"])) for one in said]
        self.graph = MemoryGraph.from_records(
            registry.read(root / "webnlg" / "graph.tsv", options=ReadOptions(literals=False)), name="webnlg"
        )
        whole = self.graph.subgraph([], 0)
        self.statements = whole.statements(range(whole.n_statements))
        self.names = {identifier: label for label, identifier in self._ids()}
        self.statement = {self._triple(one): one for one in self.statements}
        self.objects: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.joined: dict[frozenset[str], int] = defaultdict(int)
        for one in self.statements:
            subject, relation, obj = self._triple(one)
            self.objects[subject, relation].add(obj)
            self.joined[frozenset((subject, obj))] += 1

    def _ids(self) -> Iterator[tuple[str, str]]:
        from toulmin.graph.readers.minting import mint_entity, mint_relation

        for item in self.items:
            for subject, relation, obj in item.triples:
                yield subject, mint_entity(subject)
                yield relation, mint_relation(relation)
                yield obj, mint_entity(obj)

    def _triple(self, statement: Statement) -> Triple:
        obj = statement.object
        assert isinstance(obj, Entity)
        ids = (statement.subject.id, statement.relation.id, obj.id)
        subject, relation, value = (self.names.get(one, one) for one in ids)
        return subject, relation, value

    def single(self) -> list[Item]:
        """The sentences of one triple."""
        return [item for item in self.items if len(item.triples) == 1]

    def one_value(self, triple: Triple) -> bool:
        """Whether the subject has just this object."""
        return len(self.objects[triple[0], triple[1]]) == 1

    def single_share(self, relation: str) -> float:
        """The share of a relation's subjects that have one object."""
        counts = [len(objects) for (_, other), objects in self.objects.items() if other == relation]
        return counts.count(1) / len(counts)

    def altered(self, triples: Sequence[Triple]) -> Iterator[tuple[str, MemoryGraph, Mapping[Triple, str]]]:
        """Graphs with some triples exchanged, or removed: condition, graph, and what each triple's object became."""
        draw = random.Random(0)
        by_relation: dict[str, dict[str, Entity]] = defaultdict(dict)
        for one in self.statements:
            if isinstance(one.object, Entity):
                by_relation[one.relation.id][one.object.id] = one.object
        for group in _apart(triples):
            gone = {self.statement[triple].id for triple in group}
            rest = [one for one in self.statements if one.id not in gone]
            yield "removed", MemoryGraph.from_statements(rest), dict.fromkeys(group, "")
            others: list[Statement] = []
            became: dict[Triple, str] = {}
            for triple in group:
                statement = self.statement[triple]
                pool = [
                    node
                    for _, node in sorted(by_relation[statement.relation.id].items())
                    if node.id != statement.subject.id and _unlike(node.label or "", triple[2])
                ]
                if pool:
                    node = draw.choice(pool)
                    others.append(replace(statement, object=node))
                    became[triple] = node.label or ""
            yield "exchanged", MemoryGraph.from_statements([*rest, *others]), became


def _unlike(one: str, other: str) -> bool:
    first, second = one.lower(), other.lower()
    return first not in second and second not in first


def _apart(triples: Sequence[Triple]) -> list[list[Triple]]:
    """Groups of triples none of whose subjects is an end of another."""
    groups: list[list[Triple]] = []
    for triple in triples:
        for group in groups:
            if len(group) < TOGETHER and all(
                triple[0] not in (other[0], other[2]) and triple[2] != other[0] for other in group
            ):
                group.append(triple)
                break
        else:
            groups.append([triple])
    return groups


def run(data: Data, scorer: Scorer, embedder: Embedder, sample: int | None) -> list[Result]:
    """All sentences, or a sample of them, in all conditions that apply."""
    items = data.single()
    items = random.Random(0).sample(items, sample) if sample is not None else items
    by_triple: dict[Triple, list[Item]] = defaultdict(list)
    for item in items:
        by_triple[item.triples[0]].append(item)
    results = _judged(data, data.graph, "as it is", items, {}, scorer, embedder)
    altered = sorted(triple for triple in by_triple if data.one_value(triple))
    for condition, graph, became in data.altered(altered):
        some = [item for triple in became for item in by_triple[triple]]
        results += _judged(data, graph, condition, some, became, scorer, embedder)
    return results


def _judged(
    data: Data,
    graph: Graph,
    condition: str,
    items: Sequence[Item],
    became: Mapping[Triple, str],
    scorer: Scorer,
    embedder: Embedder,
) -> list[Result]:
    retriever = Retriever(graph, embedder=embedder)
    results: list[Result] = []
    for start in range(0, len(items), BATCH):
        some = items[start : start + BATCH]
        verdicts = judge("", [item.text for item in some], retriever, scorer)
        for item, verdict in zip(some, verdicts, strict=True):
            triple = item.triples[0]
            also = data.joined[frozenset((triple[0], triple[2]))] > 1
            results.append(Result(item, condition, became.get(triple, ""), also, verdict))
    return results


def show(title: str, results: Sequence[Result]) -> None:
    """The confusion matrix with precision and recall, and their 95 % intervals over triples."""
    print(f"\n{title} ({len(results)} judged, {len({one.item.triples for one in results})} triples)")
    print(f"{'':>12}" + "".join(f"{verdict:>18}" for verdict in VERDICTS))
    matrix = _matrix(results)
    for condition, row in zip(CONDITIONS, matrix, strict=True):
        print(f"{condition:>12}" + "".join(f"{number:>18}" for number in row))
    draws = _bootstrap(results)
    for place, verdict in enumerate(VERDICTS):
        found = _precision_recall(matrix)[place]
        low, high = np.percentile(draws[:, place], [2.5, 97.5], axis=0)
        words = [
            f"{name} {value:.3f} [{a:.3f}, {b:.3f}]"
            for name, value, a, b in zip(("precision", "recall"), found, low, high, strict=True)
        ]
        print(f"{verdict:>18}: {', '.join(words)}")


def _matrix(results: Sequence[Result]) -> np.ndarray:
    matrix = np.zeros((3, 3), dtype=int)
    for one in results:
        matrix[CONDITIONS.index(one.condition), VERDICTS.index(one.verdict.verdict)] += 1
    return matrix


def _precision_recall(matrix: np.ndarray) -> np.ndarray:
    right = np.diag(matrix)
    return np.stack([right / np.maximum(matrix.sum(axis=0), 1), right / np.maximum(matrix.sum(axis=1), 1)], axis=1)


def _bootstrap(results: Sequence[Result], times: int = 1000) -> np.ndarray:
    """Precision and recall of 1,000 draws of the triples."""
    triples = {triple: place for place, triple in enumerate(dict.fromkeys(one.item.triples for one in results))}
    each = np.zeros((len(triples), 3, 3))
    for one in results:
        place = triples[one.item.triples]
        each[place, CONDITIONS.index(one.condition), VERDICTS.index(one.verdict.verdict)] += 1
    draw = np.random.default_rng(0)
    drawn = draw.integers(len(triples), size=(times, len(triples)))
    return np.stack([_precision_recall(each[rows].sum(axis=0)) for rows in drawn])


def report(data: Data, results: Sequence[Result], errors: int) -> None:
    """The tables, and some errors."""
    asked = [one for one in results if data.one_value(one.item.triples[0])]
    alone = [one for one in asked if not one.joined_otherwise]
    first = [one for one in alone if data.single_share(one.item.triples[0][1]) >= 0.5]
    show("relations with one value", first)
    for sure in SURE:
        rows = _precision_recall(_matrix([replace(one, verdict=one.verdict.if_sure(sure)) for one in first]))
        print(f"  --sure {sure}:", *(f"{name} {a:.3f} / {b:.3f}" for name, (a, b) in zip(VERDICTS, rows, strict=True)))
    show("… and relations of which most subjects have several, where this one has one", alone)
    show("… and triples whose ends another statement joins", asked)
    rest = [one for one in results if not data.one_value(one.item.triples[0])]
    found = sum(one.verdict.verdict == "supported" for one in rest)
    print(f"\nsubjects with several values, the graph as it is: {found} of {len(rest)} supported")
    wrong = [one for one in asked if VERDICTS[CONDITIONS.index(one.condition)] != one.verdict.verdict]
    for one in random.Random(1).sample(wrong, min(errors, len(wrong))):
        print(f"\n{one.condition}: {one.item.text} {one.item.triples[0]} {one.exchanged}")
        print(f"  {one.verdict.verdict} {one.verdict.score:.2f}: {one.verdict.reason}")


def several(data: Data, scorer: Scorer, errors: int, least: int = 3) -> None:
    """The share of the triples of texts of three and more that are among the statements which support their claims."""
    items = [item for item in data.items if len(item.triples) >= least]
    items = random.Random(0).sample(items, min(1000, len(items)))
    checker, total = TextChecker(data.graph, scorer=scorer), _Found()
    for item in items:
        program = asyncio.run(checker.check(item.text)).certificate["program"]
        claims = [node for node in program if node["op"] == "judged"]
        seen = [program[place] for claim in claims if claim["decision"] == "yes" for place in claim["seen"]]
        said = {statement_of(node["statement"]).id for node in seen if node["op"] == "statement"}
        total.add({data.statement[triple].id for triple in item.triples}, said)
        missed = [triple for triple in item.triples if data.statement[triple].id not in said]
        if missed and errors > 0:
            errors -= 1
            facts = "".join(f"\n  {claim['decision']}: {claim['says']}" for claim in claims)
            print(f"\n{item.text}\n  missed: {missed}{facts}")
    print(f"{len(items)} texts of {least} and more triples, checked as check_text does: {total}")


@dataclass(slots=True)
class _Found:
    """How many gold statements of texts are among those found."""

    right: int = 0
    gold: int = 0
    found: int = 0
    whole: int = 0
    texts: int = 0

    def add(self, gold: set[str], said: set[str]) -> None:
        """Take in one text."""
        self.right += len(gold & said)
        self.gold += len(gold)
        self.found += len(said)
        self.whole += gold <= said
        self.texts += 1

    def __str__(self) -> str:
        return (
            f"{self.right} of {self.gold} triples found ({self.right / self.gold:.3f}), all of a text's "
            f"{self.whole / self.texts:.3f}, {self.right / max(self.found, 1):.3f} of what is found is of the text"
        )


def speed(kg: str, scorer: Scorer, count: int = 400) -> None:
    """Sentences per second on a graph: statements of it in words, half of them with another object."""
    import toulmin

    graph = toulmin.open(kg)
    checker = TextChecker(graph, scorer=scorer)
    whole = graph.subgraph([], 0)
    draw = random.Random(0)
    rows = draw.sample(range(whole.n_statements), 2 * count)
    ends = list(zip(whole.statements(rows[:count]), whole.statements(rows[count:]), strict=True))
    from toulmin.retrieval.statement_words import node_words, relation_words

    texts = [
        f"The {relation_words(one.relation)} of {node_words(one.subject)} is "
        f"{node_words((other if place % 2 else one).object)}."
        for place, (one, other) in enumerate(ends)
    ]
    asyncio.run(checker.check(" ".join(texts[:8])))
    start, busy = time.perf_counter(), time.process_time()
    for place in range(0, count, 10):
        asyncio.run(checker.check(" ".join(texts[place : place + 10])))
    wall, busy = time.perf_counter() - start, time.process_time() - busy
    print(f"{count / wall:.1f} sentences/s, {1000 * busy / count:.0f} ms of processor each, in texts of ten, {kg}")


def main() -> None:
    """Read the options, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--scorer", default="shipped")
    parser.add_argument("--sample", type=int, help="judge so many sentences, drawn by a seed")
    parser.add_argument("--errors", type=int, default=0, help="print so many wrong verdicts")
    parser.add_argument("--several", action="store_true", help="texts of three and more triples")
    parser.add_argument("--speed", metavar="KG")
    options = parser.parse_args()
    scorer = get_scorer(options.scorer)
    if options.speed:
        speed(options.speed, scorer)
        return
    data, embedder = Data(options.data), Remembering(get_embedder())
    if options.several:
        several(data, scorer, options.errors)
    else:
        report(data, run(data, scorer, embedder, options.sample), options.errors)


if __name__ == "__main__":
    main()
