"""Of the statements that the recorded open-ended questions rest on, how many each retrieval finds; without a model.

    python benchmarks/okgqa.py [FILE of `toulmin generate`] [--kg bundled]

The entities are given, so that linking plays no part. The mean share of a question's statements, with its bootstrap
interval, and how many statements were retrieved in the mean.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.table import Table

import toulmin
from toulmin.evaluation.generation.question_file import read_questions
from toulmin.evaluation.statistics import bootstrap_interval
from toulmin.retrieval.open_ended.neighbourhood import RetrievalSettings
from toulmin.retrieval.open_ended.retrieve import FORMS, PrizeRetriever
from toulmin.retrieval.retriever import Retriever

RECORDED = Path(__file__).parent / "recorded" / "okgqa_bundled.jsonl"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="?", type=Path, default=RECORDED)
    parser.add_argument("--kg", default="bundled")
    given = parser.parse_args()
    questions = read_questions(given.questions)
    table = Table("settings", "form", "share found", "statements")
    with closing(toulmin.open(given.kg)) as graph:
        retriever, subgraph = Retriever(graph), graph.subgraph([], 0)
        for name, settings in (("default", RetrievalSettings()), ("paper", RetrievalSettings.paper())):
            prizes = PrizeRetriever(subgraph, retriever.embedder, index=retriever.vectors, settings=settings)
            for form in FORMS:
                shares, sizes = [], []
                for one in questions:
                    rows = prizes.retrieve(one["question"], form, one["entities"]).rows
                    found = {statement.id for statement in subgraph.statements(rows)}
                    shares.append(len(found & set(one["rests_on"])) / len(one["rests_on"]))
                    sizes.append(len(found))
                mean = bootstrap_interval(shares)
                share = f"{mean.estimate:.2f} [{mean.low:.2f}, {mean.high:.2f}]"
                table.add_row(name, form, share, f"{fmean(sizes):.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
