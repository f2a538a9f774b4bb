"""Write docs/metrics.md from the declarations of the metrics.

python scripts/metrics.py
"""

from __future__ import annotations

from pathlib import Path

from toulmin.evaluation.metrics.declared import Metric, declared

__all__ = ["PAGE", "markdown"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "metrics.md"
_HEAD = """# Metrics

Written by `python scripts/metrics.py` from the declarations in `toulmin.evaluation`; a test compares them.
`toulmin metrics` lists them, `toulmin metrics NAME` prints one.

- **Fixed denominator.** The figure of a metric *of a question* is its mean over all questions that have it; one that
  was abstained from, crashed or timed out counts as wrong (0). Which questions have it depends on the data set alone,
  but for the metrics "of answers", which are over answers of that kind. The table of a run tells their number where
  these are not all questions.
- **Of a run** are figures that are no mean over questions. Only they, and the column "legacy: answered only", look at
  answered questions alone.
- **Intervals** are percentile bootstrap intervals over questions, 95 %. Where a metric is 0 of all questions, or 1 of
  all, which gives such an interval no width, it is the exact one of a share (Clopper and Pearson).
- **`toulmin compare RUN RUN…`** compares runs on the same data over the questions that both have: McNemar's exact test
  for right or wrong, the paired t-test for numbers, Wilcoxon's signed-rank test for costs, the bootstrap for figures of
  a run; Fisher's exact and Welch's test for two samples without a common question. P-values that are given together
  are corrected for their number (Holm; `--correction benjamini-hochberg`).
- **`legacy_…`** is what published scripts compute. It is for comparison with their figures and nothing else.
"""


def markdown() -> str:
    """The document."""
    metrics = declared().values()
    rows = ["| metric | of a | range | source |", "| --- | --- | --- | --- |"]
    rows += [f"| [`{one.name}`](#{one.name}) | {one.of} | {one.range} | {one.source} |" for one in metrics]
    return "\n".join([_HEAD, "\n".join(rows) + "\n", *map(_section, metrics)])


def _section(one: Metric) -> str:
    better = f", {one.better} is better" if one.better else ""
    needs = f" Of {one.needs}." if one.needs else ""
    return f"## {one.name}\n\n{one.definition}{needs} Range: {one.range}{better}. Source: {one.source}.\n"


if __name__ == "__main__":
    PAGE.write_text(markdown(), "utf-8")
