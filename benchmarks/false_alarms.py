"""True sentences that the bundled graph mostly does not hold: how many check-text calls contradicted.

    python benchmarks/false_alarms.py [--scorer NAME]

The sentences are ours (``recorded/true_sentences.txt``): what people and language models say of a person, a place or a
work beyond what a small graph has. Each should be supported or not in
the graph, which is the one that is bundled. All were looked at while rules were made, the first fifty before the
others; they are counted apart.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from pathlib import Path

import toulmin
from check_text import SURE
from toulmin.check_text.checking import TextChecker
from toulmin.entailment.registry import get_scorer

_FILE = Path(__file__).parent / "recorded" / "true_sentences.txt"


def parts() -> list[list[str]]:
    """The first fifty sentences, which were looked at first, and the others."""
    found: list[list[str]] = []
    inside = False
    for line in _FILE.read_text("utf-8").splitlines():
        if line.startswith("#"):
            inside = False
            continue
        if not inside:
            found.append([])
        inside = True
        found[-1].append(line)
    return found


def main() -> None:
    """Check each sentence; print what is contradicted, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scorer", default="shipped")
    options = parser.parse_args()
    checker = TextChecker(toulmin.open("bundled"), scorer=get_scorer(options.scorer))
    alarms: list[float] = []
    for name, sentences in zip(("the first fifty", "the second fifty"), parts(), strict=True):
        counts: Counter[str] = Counter()
        for sentence in sentences:
            (checked,) = asyncio.run(checker.check(sentence)).sentences
            counts[checked.verdict or "not checked"] += 1
            if checked.verdict == "contradicted":
                assert checked.score is not None
                alarms.append(checked.score)
                print(f"  {sentence}  {checked.score:.2f}  {checked.reason}")
        print(f"{name}: {len(sentences)} sentences, {dict(counts)}")
    for sure in (0.0, *SURE):
        print(f"--sure {sure:.1f}: {sum(score >= sure for score in alarms)} contradicted")


if __name__ == "__main__":
    main()
