"""Sentences on small graphs, with the verdicts that a reader gave: precision and recall of check-text.

    python benchmarks/check_text_small.py [FOLDER] [--scorer NAME] [--sure SCORE]

A folder holds graphs (``NAME.jsonl``, our own JSON lines) and ``sentences.tsv``: a header, then graph, sentence, kind
and verdict (supported, contradicted, not in the graph; of several, parted by "|", each is right). Kinds are for
counting only; ours, in ``recorded/check_text``, say what the graph says in other words, a wrong value, the opposite, or
it with the roles exchanged, or something of which the graph is silent, or name a qualifier. Rules were made on ours:
its figures are of development. The author of ``recorded/check_text_unseen`` had not seen the rules.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from scipy.stats import binomtest

from toulmin.check_text.checking import CheckSettings, TextChecker
from toulmin.check_text.judge.verdicts import JudgeSettings
from toulmin.entailment.registry import get_scorer
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import registry

VERDICTS = ("supported", "contradicted", "not in the graph")
COLUMNS = ["graph", "sentence", "kind", "verdict"]


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence about a graph, and the verdicts on it that are right."""

    graph: str
    sentence: str
    kind: str
    verdicts: tuple[str, ...]


def read_cases(folder: Path) -> list[Case]:
    """The sentences of a folder.

    Raises:
        ValueError: naming the line that has other columns, or another verdict.
    """
    file = folder / "sentences.tsv"
    rows = list(csv.reader(file.read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows or rows[0] != COLUMNS:
        raise ValueError(f"{file}: the first line must be {' '.join(COLUMNS)}, parted by tabs")
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(COLUMNS) or not set(row[-1].split("|")) <= set(VERDICTS):
            raise ValueError(f"{file}, line {number}: {row} is not graph, sentence, kind and one of {VERDICTS}")
    return [Case(row[0], row[1], row[2], tuple(row[3].split("|"))) for row in rows[1:]]


def share(right: int, of: int) -> str:
    """A share with its 95 % interval (Wilson's)."""
    if not of:
        return "none"
    interval = binomtest(right, of).proportion_ci(method="wilson")
    return f"{right / of:.3f} [{interval.low:.3f}, {interval.high:.3f}] ({right} of {of})"


def main() -> None:
    """Check each sentence; print what is wrong, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parent / "recorded" / "check_text")
    parser.add_argument("--scorer", default="shipped")
    parser.add_argument("--sure", type=float, default=0.0, help="as of check-text")
    options = parser.parse_args()
    settings = CheckSettings(judge=JudgeSettings(sure=options.sure))
    cases, scorer = read_cases(options.folder), get_scorer(options.scorer)
    given: Counter[tuple[str, str]] = Counter()
    kinds: Counter[tuple[str, str, str]] = Counter()
    for name in dict.fromkeys(case.graph for case in cases):
        graph = MemoryGraph.from_records(registry.read(options.folder / f"{name}.jsonl"), name=name)
        checker = TextChecker(graph, scorer=scorer, settings=settings)
        for case in (one for one in cases if one.graph == name):
            (checked,) = asyncio.run(checker.check(case.sentence)).sentences
            found = str(checked.verdict or "not checked")
            wanted = found if found in case.verdicts else case.verdicts[0]
            given[wanted, found] += 1
            kinds[case.kind, " or ".join(case.verdicts), found] += 1
            if found != wanted:
                print(f"{name}: {case.sentence} ({case.kind}: {wanted})")
                print(f"  {found} {checked.score or 0:.2f}: {checked.reason}")
    print()
    for (kind, wanted, found), number in sorted(kinds.items()):
        print(f"{kind:>16}, {wanted}: {number} {found}")
    print(f"\n{len(cases)} sentences")
    for verdict in VERDICTS:
        hits = given[verdict, verdict]
        called = sum(number for (_, other), number in given.items() if other == verdict)
        asked = sum(number for (other, _), number in given.items() if other == verdict)
        print(f"{verdict:>18}: precision {share(hits, called)}, recall {share(hits, asked)}")


if __name__ == "__main__":
    main()
