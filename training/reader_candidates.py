"""What the grammar offers for the questions of the worlds: candidates that the reader will really see, right and wrong.

    python training/reader_candidates.py --out candidates.jsonl [--share 0.5] [--bare] [--features features.npz]

Each line holds a question with its candidates' utterances and which of them mean it. One that means it otherwise, yet
has its answer, is left out: nobody knows whether it is wrong. With ``--bare`` graphs do not say what things are, and
questions that need it are left out. ``--features`` keeps what ``fit_scoring.py`` fits on.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domains import CLASSES, INSTANCE, Domain, Example, domains
from same_meaning import same_meaning
from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.methods.reader.completeness import Completeness
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import Form
from toulmin.methods.reader.grammar import Grammar
from toulmin.methods.reader.mentions import read_question
from toulmin.methods.reader.network import ReadingNetwork
from toulmin.methods.reader.operators import shipped_operators
from toulmin.methods.reader.programs import TimeRoles, place_of
from toulmin.methods.reader.reading import reading_features, result_key
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.methods.reader.scoring import Scoring, Weights
from toulmin.methods.reader.utterances import utterance
from toulmin.program.builder import Builder
from toulmin.retrieval.retriever import Retriever

__all__ = ["OpenGraph", "World"]

_READ = 40


class OpenGraph:
    """A graph with what the reader knows of it."""

    def __init__(self, graph: MemoryGraph) -> None:
        self.graph, self.retriever = graph, Retriever(graph)
        self.schema = ReaderSchema(self.retriever.subgraph([], 0), self.retriever.embedder)

    def grammar(self, question: str) -> tuple[Scoring, Grammar]:
        """What may be meant by a question, and what speaks for it."""
        asked = read_question(question, self.retriever.linker, self.schema, self.retriever.embedder)
        likely = shipped_operators().likely(question)
        scoring = Scoring(asked, self.schema, self.retriever.embedder, likely, Weights())
        return scoring, Grammar(asked, self.schema, scoring)

    def reading_features(
        self, drafts: Sequence[tuple[Draft, str]], scoring: Scoring, network: ReadingNetwork
    ) -> NDArray[np.float64]:
        """float64[n, len(READ)]: what speaks for each of some drafts, with their utterances."""
        return reading_features(drafts, scoring, network, Completeness(scoring, self.retriever.lexicon))

    def offered(self, question: str) -> tuple[Scoring, list[Draft]]:
        """All drafts of a question."""
        scoring, grammar = self.grammar(question)
        return scoring, grammar.drafts()


class World(OpenGraph):
    """A domain with its graph open."""

    def __init__(self, domain: Domain, *, bare: bool = False) -> None:
        kept = [one for one in domain.statements if not bare or one.relation != INSTANCE]
        super().__init__(MemoryGraph.from_statements(kept, name=domain.name))
        self.domain = domain

    def result(self, form: Form, times: TimeRoles) -> object:
        """What a form yields; None: nothing, or it cannot be run."""
        for assume in (False, True):
            try:
                builder = Builder("", self.graph)
                value = builder.value(place_of(form, builder, CLASSES, times, assume=assume))
            except InputError:
                continue
            if (key := result_key(value)) is not None:
                return key
        return None


def _line(world: World, question: str, example: Example, rng: random.Random) -> tuple[dict[str, Any], Any]:
    scoring, drafts = world.offered(question)
    order = np.argsort(-scoring.scores(drafts), kind="stable").tolist() if drafts else []
    kept: dict[str, Draft] = {}
    for place in order:
        kept.setdefault(utterance(drafts[place].form), drafts[place])
    right, wrong = list[str](), list[str]()
    gold = example.form
    answer = None if gold is None else world.result(gold, world.domain.times)
    for text, draft in list(kept.items())[:400]:
        if gold is not None and same_meaning(draft.form, gold):
            right.append(text)
        elif len(wrong) < _READ:
            same = (
                answer is not None
                and not isinstance(answer, bool)
                and world.result(draft.form, world.domain.times) == answer
            )
            if not same:
                wrong.append(text)
    kind = {"question": question, "right": right, "wrong": wrong, "world": world.domain.name}
    if gold is None or not right or not drafts:
        return kind | {"gold": utterance(gold) if gold else None}, None
    hit = np.array([utterance(draft.form) in right for draft in drafts])
    misses = rng.sample(np.flatnonzero(~hit).tolist(), min(300, int((~hit).sum())))
    top = [place for place in order[:100] if not hit[place]]
    rows = [*np.flatnonzero(hit)[:3].tolist(), *top, *misses]
    chosen = [drafts[place] for place in rows]
    return kind | {"gold": utterance(gold)}, (scoring.features(chosen), hit[rows])


def _chosen(world: World, share: float, rng: random.Random) -> Iterator[tuple[str, Example]]:
    for example in world.domain.examples:
        for question in example.questions:
            if rng.random() < share:
                yield question, example


def main() -> None:
    """Write candidates and features."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=Path, default=Path(__file__).parent / "domains")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--features", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the questions")
    parser.add_argument("--only", nargs="*", help="worlds")
    parser.add_argument("--bare", action="store_true", help="without what says what things are")
    options = parser.parse_args()
    rng, features, groups, labels = random.Random(0), list[Any](), list[Any](), list[Any]()
    count, reached, began = 0, 0, time.monotonic()
    with options.out.open("w", encoding="utf-8") as out:
        for domain in domains(options.worlds):
            if options.only and domain.name not in options.only:
                continue
            world = World(domain, bare=options.bare)
            for question, example in _chosen(world, options.share, rng):
                line, held = _line(world, question, example, rng)
                if options.bare and example.form is not None and not line["right"]:
                    continue
                out.write(json.dumps(line) + "\n")
                if example.form is not None:
                    count, reached = count + 1, reached + bool(line["right"])
                if held is not None:
                    features.append(held[0])
                    labels.append(held[1])
                    groups.append(np.full(len(held[1]), len(groups)))
            seconds = time.monotonic() - began
            print(
                f"{domain.name}: {count} questions, {reached / max(1, count):.3f} reached, {seconds:.0f} s", flush=True
            )
    if options.features and features:
        np.savez(
            options.features,
            features=np.concatenate(features),
            labels=np.concatenate(labels),
            groups=np.concatenate(groups),
        )


if __name__ == "__main__":
    main()
