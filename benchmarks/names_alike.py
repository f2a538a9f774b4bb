"""Names that are alike: whether check-text takes another thing for the graph's, or the graph's thing for another.

    python benchmarks/names_alike.py [--scorer NAME] [--sure SCORE]

Of ``recorded/names_alike.tsv``: 165 statements with a sentence each, which names the statement's object otherwise
(a misspelling, another form: it should be supported), or another thing that is named alike ("Iraq" for Iran: it should
not be). All statements are one graph, with labels and no aliases. What is wrong is printed, then the counts.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from pathlib import Path

from toulmin.entailment.registry import get_scorer
from toulmin.entailment.text.checking import CheckSettings, TextChecker
from toulmin.entailment.text.judging.fact_verdict import JudgeSettings
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement

_FILE = Path(__file__).parent / "recorded" / "names_alike.tsv"
_WRONG = {"other": "supported", "same": "contradicted"}


def main() -> None:
    """Check each sentence; print what is wrong, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scorer", default="shipped")
    parser.add_argument("--sure", type=float, default=0.0, help="as of check-text")
    options = parser.parse_args()
    lines = [line.split("\t") for line in _FILE.read_text("utf-8").splitlines() if not line.startswith("#")]
    statements = [
        Statement(Entity(f"e:{subject}", subject), Relation(f"r:{relation}", relation), Entity(f"e:{obj}", obj))
        for _, subject, relation, obj, _ in lines
    ]
    settings = CheckSettings(judge=JudgeSettings(sure=options.sure))
    checker = TextChecker(MemoryGraph.from_statements(statements), scorer=get_scorer(options.scorer), settings=settings)
    counts: Counter[tuple[str, str]] = Counter()
    for kind, _, _, obj, sentence in lines:
        (checked,) = asyncio.run(checker.check(sentence)).sentences
        counts[kind, checked.verdict or "not checked"] += 1
        if checked.verdict == _WRONG[kind]:
            print(f"  {sentence}  {checked.verdict} {checked.score:.2f}  (the graph: {obj})")
    for kind in _WRONG:
        told = {verdict: number for (of, verdict), number in sorted(counts.items()) if of == kind}
        print(f"{kind}: {sum(told.values())} sentences, {told}")


if __name__ == "__main__":
    main()
