"""Indexing and finding passages: what is found for sentences of recorded reasoning, how fast, in how much memory.

    python benchmarks/passages.py --data PATH [--paragraphs 100000] [--queries 500] [--no-dense]

Found: the golden sentences of StrategyQA (train_gdsent.json) are indexed; the queries are the sentences of the recorded
chains of thought (recorded_cot.jsonl, code002_COT, without the concluding one), a random sample, seed 0. A query counts
as answered at k where one of the first k passages is a golden sentence of its question; most sentences have none that
says the same, so that the figures compare retrievers, and are no recall of evidence. Columns: among the first 10
candidates of the retriever, and the one chosen of them by embedding (papers/rr 4.2).

Speed: a generated collection, paragraphs of four golden sentences each drawn at random, is built and searched. Times
are the processor's, with the time on the wall in brackets. Memory is the peak of the process.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from toulmin.english.sentences import sentence_spans
from toulmin.errors import ToulminError
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.passages.index import RETRIEVERS, PassageIndex
from toulmin.retrieval.passages.indexing import build_passages

_SHORTEST = 30  # characters of a golden sentence that is no fragment


def golden(data: Path) -> dict[str, list[str]]:
    """Question -> its golden sentences."""
    records = json.loads((data / "train_gdsent.json").read_text("utf-8"))
    return {
        record["question"]: [s for part in record["golden_sentence"] for s in part if len(s) >= _SHORTEST]
        for record in records
    }


def reasoning(data: Path, gold: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Pairs of a question and a sentence of its recorded chain of thought."""
    pairs = []
    with (data / "recorded_cot.jsonl").open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            chain = record["completions"]["code002_COT"].strip()
            if gold.get(record["question"]):
                pairs += [(record["question"], chain[start:end]) for start, end in sentence_spans(chain)[:-1]]
    return pairs


def write(path: Path, texts: dict[str, str]) -> Path:
    """A file of JSON lines."""
    lines = (json.dumps({"id": source, "text": text}) for source, text in texts.items())
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


class Clock:
    """Time since it was made."""

    def __init__(self) -> None:
        self._processor, self._wall = time.process_time(), time.perf_counter()

    def told(self, count: int = 0) -> str:
        """Seconds, or milliseconds for each of ``count``: of the processor, and on the wall."""
        processor, wall = time.process_time() - self._processor, time.perf_counter() - self._wall
        if count:
            return f"{processor / count * 1000:.1f} ms ({wall / count * 1000:.1f})"
        return f"{processor:.1f} s ({wall:.1f})"


def memory() -> float:
    """The peak memory of the process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def found_table(work: Path, gold: dict[str, list[str]], pairs: list[tuple[str, str]], dense: bool) -> Table:
    """What each retriever finds."""
    texts = {f"{number}#{n}": s for number, several in enumerate(gold.values()) for n, s in enumerate(several)}
    owner = {question: number for number, question in enumerate(gold)}
    clock = Clock()
    build_passages([write(work / "golden.jsonl", texts)], work / "golden", vectors=dense)
    built = clock.told()
    index = PassageIndex.open(work / "golden")
    table = Table(title=f"{len(texts):,} golden sentences (built in {built}), {len(pairs):,} queries")
    for column in ("retriever", "in the first 10", "the nearest", "per query"):
        table.add_column(column, justify="left" if column == "retriever" else "right")
    for retriever in RETRIEVERS if dense else RETRIEVERS[:1]:
        clock = Clock()
        ranked = index.nearest([query for _, query in pairs], k=10, retriever=retriever)
        needed = clock.told(len(pairs))
        own = [
            [excerpt.source.split("#")[0] == str(owner[question]) for excerpt, _ in found]
            for (question, _), found in zip(pairs, ranked, strict=True)
        ]
        figures = (sum(map(any, own)) / len(own), sum(any(one[:1]) for one in own) / len(own))
        table.add_row(retriever, *(f"{figure:.3f}" for figure in figures), needed)
    return table


def speed_table(work: Path, gold: dict[str, list[str]], queries: list[str], paragraphs: int) -> Table:
    """Building and searching a large collection."""
    chance = random.Random(0)
    sentences = [sentence for several in gold.values() for sentence in several]
    source = work / "large.jsonl"
    with source.open("w", encoding="utf-8") as lines:
        for number in range(paragraphs):
            text = " ".join(chance.sample(sentences, 4))
            lines.write(json.dumps({"id": f"p{number}", "text": text}) + "\n")
    table = Table(title=f"{paragraphs:,} paragraphs, {source.stat().st_size / 1e6:.0f} MB of text")
    table.add_column("what")
    table.add_column("figure", justify="right")
    before = memory()
    clock = Clock()
    report = build_passages([source], work / "large")
    table.add_row("build", clock.told())
    table.add_row("words", f"{report.words:,}")
    table.add_row("peak memory before, after the build", f"{before:.0f}, {memory():.0f} MB")
    size = sum(path.stat().st_size for path in (work / "large").iterdir())
    table.add_row("index on disk", f"{size / 1e6:.0f} MB")
    clock = Clock()
    index = PassageIndex.open(work / "large")
    table.add_row("open", clock.told(1))
    clock = Clock()
    index.search(queries)
    table.add_row("a query: BM25, the first 10", clock.told(len(queries)))
    few = queries[:50]
    clock = Clock()
    index.nearest(few)
    table.add_row("a query: the nearest, embedded on demand", clock.told(len(few)))
    return table


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds strategyqa/")
    parser.add_argument("--paragraphs", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--no-dense", action="store_true", help="leave out the retrievers that need vectors")
    options = parser.parse_args()
    data = options.data / "strategyqa"
    gold = golden(data)
    pairs = random.Random(0).sample(reasoning(data, gold), options.queries)
    get_embedder().embed(["warm"])
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        console.print(speed_table(work, gold, [query for _, query in pairs], options.paragraphs))
        console.print(found_table(work, gold, pairs, dense=not options.no_dense))


if __name__ == "__main__":
    try:
        main()
    except ToulminError as error:
        sys.exit(f"{error}")
