"""FActScore without a model against the labels that people gave (Min et al. 2023): facts of 183 biographies.

    python benchmarks/factscore.py --data PATH [--people N]

People said of each atomic fact whether Wikipedia supports it (S), does not (NS), or it is irrelevant (IR). Wikipedia's
text does not come with the labels, so facts are judged by what there is: a graph of what MetaQA, FactKG, CR-LT and
the Freebase sub-graphs state of these people (2 hops), FEVER's sentences that name them, and, as true sentences about
all of them, the facts that people marked S in the biography of the same person by the *other* model. Agreement is of
"supported" with S, over the facts S and NS of the people of whom the knowledge says anything; intervals are
bootstrapped over people. Every pronoun that begins a fact is the person of the biography. Nothing was tuned on this.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from toulmin.check_text.judge.verdicts import judge
from toulmin.entailment.registry import get_scorer
from toulmin.evaluation.datasets.factscore import labelled_facts
from toulmin.evaluation.judging.facts import length_penalty
from toulmin.evaluation.judging.material import Library
from toulmin.evaluation.statistics import bootstrap_interval
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.retrieval.knowledge import GivenPassages

MODELS = {"ChatGPT": 58.3, "InstructGPT": 42.5}  # FActScores by people, as published (Min et al. 2023, abstract, 4.3)
GAMMA = 10
_PRONOUN = re.compile(r"^(?:He|She|They)\b")
_OWN = re.compile(r"^(?:His|Her|Their)\b")
_SCORED = 8  # passages that are laid beside a fact


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a biography with its label: S, NS or IR."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Biography:
    """What a model wrote of a person, in facts; none where it did not respond."""

    model: str
    person: str
    facts: tuple[Fact, ...]


def biographies(data: Path) -> list[Biography]:
    """All of them."""
    found = []
    for one in labelled_facts(data).texts:
        own = f"{one.topic}'s"
        facts = [Fact(_OWN.sub(own, _PRONOUN.sub(one.topic, fact.text)), fact.label) for fact in one.facts or ()]
        found.append(Biography(one.model, one.topic, tuple(facts)))
    return found


def _key(label: str) -> str:
    return re.sub(r" *\(.*?\)", "", label.replace("_", " ")).casefold()


def triples(data: Path) -> Iterator[tuple[str, str, str]]:
    """What the data sets state, as subject, relation and object."""
    for file, mark in (
        ("metaqa/kb.txt", "|"),
        ("factkg/graph.tsv", "\t"),
        ("crlt/wikidata_cache.tsv", "\t"),
        ("freebase_union/webqsp_kg.tsv", "\t"),
        ("freebase_union/cwq_kg.tsv", "\t"),
    ):
        with (data / file).open(encoding="utf-8", errors="replace", newline="") as stream:
            for row in csv.reader(stream, delimiter=mark, quoting=csv.QUOTE_NONE):
                if len(row) >= 3 and all(row[:3]) and not row[2].startswith(("m.", "g.")):
                    subject, relation, value = (part.replace("_", " ") for part in row[:3])
                    yield subject, relation.rpartition(".")[2], value.lstrip("+")


def graph_of(data: Path, people: Iterable[str]) -> tuple[MemoryGraph, set[str]]:
    """A graph of what is within two steps of people, and those people of whom it says anything."""
    wanted = {_key(one): one for one in people}
    said = list(dict.fromkeys(triples(data)))
    # A film may have a person's name: of MetaQA's only those count that another thing points at.
    found = {_key(triple[2]) for triple in said} & wanted.keys()
    near = {triple for triple in said if _key(triple[2]) in found or _key(triple[0]) in found}
    ends = {end for triple in near for end in (triple[0], triple[2])}
    kept = [triple for triple in said if triple[0] in ends]

    def node(label: str) -> Entity:
        name = wanted.get(_key(label), label) if _key(label) in found else label
        return Entity(f"e:{name}", name)

    statements = [Statement(node(s), Relation(f"r:{r}", r), node(o)) for s, r, o in kept]
    return MemoryGraph.from_statements(statements, name="people"), {wanted[key] for key in found}


def fever(data: Path) -> list[str]:
    """The sentences of Wikipedia that FEVER's evidence has."""
    sentences: dict[str, None] = {}
    for line in (data / "nli" / "fever.jsonl").read_text("utf-8").splitlines():
        for text in json.loads(line)["pars"]:
            plain = text.replace("-LRB-", "(").replace("-RRB-", ")").replace("-LSB-", "[").replace("-RSB-", "]")
            sentences[re.sub(r" ([.,;:!?)\]])|([(\[]) ", r"\1\2", plain)] = None
    return list(sentences)


Judge = Callable[[Biography], Sequence[str] | None]


def by_graph(graph: MemoryGraph, people: set[str]) -> Judge:
    """Verdicts by the graph; None of a person of whom it says nothing."""
    library, scorer = Library(graph), get_scorer()

    def verdicts(one: Biography) -> Sequence[str] | None:
        if one.person not in people:
            return None
        facts = [fact.text for fact in one.facts]
        return [found.verdict for found in judge(" ".join(facts), facts, library.retriever, scorer)]

    return verdicts


def by_passages(passages: Callable[[Biography], Sequence[str]]) -> Judge:
    """Verdicts by sentences about the person; None where there is none."""
    scorer, empty = get_scorer(), MemoryGraph.from_statements([], name="none")
    retriever = Library(empty).retriever

    def verdicts(one: Biography) -> Sequence[str] | None:
        given = list(dict.fromkeys(passages(one)))
        if not given:
            return None
        facts = [fact.text for fact in one.facts]
        known = GivenPassages(given, k=_SCORED)
        return [found.verdict for found in judge("", facts, retriever, scorer, known)]

    return verdicts


def share(pairs: Mapping[str, Sequence[bool]], seed: int = 0) -> str:
    """The share of what is true, with its interval over people."""
    hits = np.array([sum(values) for values in pairs.values()], dtype=float)
    sizes = np.array([len(values) for values in pairs.values()], dtype=float)
    if not sizes.sum():
        return "– (of 0)"
    drawn = np.random.default_rng(seed).integers(len(sizes), size=(10_000, len(sizes)))
    total = sizes[drawn].sum(axis=1)
    means = hits[drawn].sum(axis=1)[total > 0] / total[total > 0]
    low, high = np.quantile(means, (0.025, 0.975))
    return f"{hits.sum() / sizes.sum():.3f} [{low:.3f}, {high:.3f}] of {int(sizes.sum()):,}"


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Cohen's κ of two yes-or-no judges."""
    a, b = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    chance = a.mean() * b.mean() + (1 - a.mean()) * (1 - b.mean())
    return float(((a == b).mean() - chance) / (1 - chance)) if chance < 1 else 1.0


def report(name: str, texts: Sequence[Biography], verdicts_of: Judge) -> None:
    """Print the agreement with people's labels."""
    judged = [(one, found) for one in texts if one.facts and (found := verdicts_of(one)) is not None]
    people = {one.person for one, _ in judged}
    rows = [
        (one.person, one.model, fact.label == "S", verdict)
        for one, found in judged
        for fact, verdict in zip(one.facts, found, strict=True)
        if fact.label != "IR"
    ]
    print(f"\n{name}: {len(people)} people, {len(judged)} biographies, {len(rows):,} facts S or NS")
    if not rows:
        return

    def of(chosen: Callable[[bool, str], bool | None]) -> str:
        pairs: dict[str, list[bool]] = defaultdict(list)
        for person, _, true, verdict in rows:
            if (value := chosen(true, verdict)) is not None:
                pairs[person].append(value)
        return share(pairs)

    print(f"  agreement (supported = S)         {of(lambda true, verdict: true == (verdict == 'supported'))}")
    print(f"  … of always 'supported'           {of(lambda true, verdict: true)}")
    print(f"  Cohen's kappa                     {kappa([(true, v == 'supported') for _, _, true, v in rows]):.3f}")
    print(f"  supported, and S (precision)      {of(lambda true, v: true if v == 'supported' else None)}")
    print(f"  S, and supported (recall)         {of(lambda true, v: v == 'supported' if true else None)}")
    print(f"  contradicted, and NS (precision)  {of(lambda true, v: not true if v == 'contradicted' else None)}")
    print(f"  NS, and contradicted (recall)     {of(lambda true, v: v == 'contradicted' if not true else None)}")
    print(f"  decided (supported, contradicted) {of(lambda true, v: v != 'not in the graph')}")
    decided = of(lambda true, v: None if v == "not in the graph" else true == (v == "supported"))
    print(f"  agreement where it is decided     {decided}")
    for model in MODELS:
        by_people, by_us = [], []
        for one, found in judged:
            if one.model == model:
                kept = [
                    (f.label == "S", v == "supported") for f, v in zip(one.facts, found, strict=True) if f.label != "IR"
                ]
                if kept:
                    by_people.append(float(np.mean([true for true, _ in kept])))
                    by_us.append(float(np.mean([said for _, said in kept])))
        if len(by_us) > 1:
            a, b = bootstrap_interval(by_people), bootstrap_interval(by_us)
            together = np.corrcoef(by_people, by_us)[0, 1]
            print(
                f"  {model:<12} mean of a biography: people {a.estimate:.3f} [{a.low:.3f}, {a.high:.3f}], "
                f"ours {b.estimate:.3f} [{b.low:.3f}, {b.high:.3f}], Pearson {together:.2f} over {len(by_us)}"
            )


def published(texts: Sequence[Biography]) -> None:
    """Print the FActScores that the labels give beside the published ones."""
    for model, figure in MODELS.items():
        answered = [one for one in texts if one.model == model and one.facts]
        asked = sum(one.model == model for one in texts)
        scores = [np.mean([fact.label == "S" for fact in one.facts]) for one in answered]
        strict = [
            np.mean([fact.label == "S" for fact in one.facts if fact.label != "IR"])
            for one in answered
            if any(fact.label != "IR" for fact in one.facts)
        ]
        long = [s * length_penalty(len(one.facts), GAMMA) for s, one in zip(scores, answered, strict=True)]
        print(
            f"{model:<12} {len(answered)} of {asked} respond ({len(answered) / asked:.3f}); FActScore by people's "
            f"labels {100 * np.mean(scores):.1f} with IR as not supported, {100 * np.mean(strict):.1f} without IR, "
            f"{100 * np.mean(long):.1f} with the penalty; published {figure}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="FActScore without a model against the labels of people.")
    parser.add_argument("--data", type=Path, required=True, help="the folder with factscore, metaqa, factkg …")
    parser.add_argument("--people", type=int, default=60, help="of the third kind of knowledge, so many")
    given = parser.parse_args()
    texts = biographies(given.data)
    published(texts)
    people = list(dict.fromkeys(one.person for one in texts))
    graph, known = graph_of(given.data, people)
    report("graph of MetaQA, FactKG, CR-LT, Freebase", texts, by_graph(graph, known))
    sentences = fever(given.data)
    report("FEVER's sentences", texts, by_passages(lambda one: [text for text in sentences if one.person in text]))
    true = {(one.model, one.person): [fact.text for fact in one.facts if fact.label == "S"] for one in texts}
    some = set(people[: given.people])
    other = {"ChatGPT": "InstructGPT", "InstructGPT": "ChatGPT"}
    report(
        "what people marked S in the other model's biography",
        [one for one in texts if one.person in some],
        by_passages(lambda one: true.get((other[one.model], one.person), [])),
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
