"""Names that are alike: whether check-text takes another thing for the graph's, or the graph's thing for another.

    python benchmarks/names_alike.py [--scorer NAME] [--sure SCORE]

Statements with a sentence each, which names the statement's object otherwise (a misspelling, another form: it should be
supported), or another thing that is named alike ("Iraq" for Iran, "Paris, Texas" for Paris: it should not be): 165 of
``recorded/names_alike.tsv``, and 145 of ``names_in_regions.tsv``. The statements of a file are one graph, with labels
and no aliases. What is wrong is printed, then the counts.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from pathlib import Path

from toulmin.check_text.checking import CheckSettings, TextChecker
from toulmin.check_text.judge.verdicts import JudgeSettings
from toulmin.entailment.registry import get_scorer
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement

_FILES = [Path(__file__).parent / "recorded" / f"{name}.tsv" for name in ("names_alike", "names_in_regions")]
_WRONG = {"other": "supported", "same": "contradicted"}


def main() -> None:
    """Check each sentence; print what is wrong, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scorer", default="shipped")
    parser.add_argument("--sure", type=float, default=0.0, help="as of check-text")
    options = parser.parse_args()
    settings = CheckSettings(judge=JudgeSettings(sure=options.sure))
    for file in _FILES:
        _check(file, settings, options.scorer)


def _check(file: Path, settings: CheckSettings, scorer: str) -> None:
    lines = [line.split("\t") for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    triples = dict.fromkeys((subject, relation, obj) for _, subject, relation, obj, _ in lines)
    statements = [
        Statement(Entity(f"e:{subject}", subject), Relation(f"r:{relation}", relation), Entity(f"e:{obj}", obj))
        for subject, relation, obj in triples
    ]
    checker = TextChecker(MemoryGraph.from_statements(statements), scorer=get_scorer(scorer), settings=settings)
    counts: Counter[tuple[str, str]] = Counter()
    print(f"{file.name}:")
    for kind, _, _, obj, sentence in lines:
        if kind == "fact":
            continue
        (checked,) = asyncio.run(checker.check(sentence)).sentences
        counts[kind, checked.verdict or "not checked"] += 1
        if checked.verdict == _WRONG[kind]:
            print(f"  {sentence}  {checked.verdict} {checked.score:.2f}  (the graph: {obj})")
    for kind in _WRONG:
        told = {verdict: number for (of, verdict), number in sorted(counts.items()) if of == kind}
        print(f"{kind}: {sum(told.values())} sentences, {told}")


if __name__ == "__main__":
    main()
