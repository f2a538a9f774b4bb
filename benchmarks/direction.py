"""Which way a question asks over a relation: the reader on small graphs that store both directions.

    python benchmarks/direction.py [FOLDER] [--show] [--kg-dir DIR]

FOLDER holds graphs, ``NAME.jsonl`` (docs/format.md), and ``questions.tsv``: a header, then graph, question, relation,
wording, direction and the gold answers joined by "|" (none: the question must be abstained from). Without FOLDER the
development set, ``recorded/direction``, is asked. Right is an answer set that equals the gold; an abstention where
there is gold is not right, but it is no wrong answer either. Printed are the share of right ones, also by relation,
wording, direction and graph, and each wrong answer with its confidence. Every answer is checked.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from built_graphs import built
from toulmin.errors import SettingsError, ToulminError
from toulmin.graph.store import open_graph
from toulmin.methods.asker import Asker
from toulmin.program.answer import Answer, node_text

DEVELOPMENT = Path(__file__).parent / "recorded" / "direction"
COLUMNS = ("graph", "question", "relation", "wording", "direction", "gold")
GOAL, SUREST = 0.85, 0.5


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question with its answer."""

    row: dict[str, str]
    answer: Answer
    checked: bool

    @property
    def gold(self) -> set[str]:
        """The labels of the right answers."""
        return set(filter(None, self.row["gold"].split("|")))

    @property
    def given(self) -> set[str]:
        """The labels of the answer."""
        return {node_text(value) for value in self.answer.values}

    @property
    def right(self) -> bool:
        """Whether the answer set is the gold, an abstention where there is none."""
        return self.answer.abstained if not self.gold else self.given == self.gold

    @property
    def wrong(self) -> bool:
        """Whether something else was answered."""
        return not self.right and not self.answer.abstained


def read_questions(folder: Path, columns: Collection[str] = COLUMNS) -> list[dict[str, str]]:
    """The rows of ``questions.tsv``, an empty text where the last field is missing.

    Raises:
        SettingsError: it is not such a file.
    """
    path = folder / "questions.tsv"
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from None
    for number, row in enumerate(rows, 2):
        row["gold"] = row.get("gold") or ""
        if list(row) != list(columns):
            raise SettingsError(f"{path}:{number}: expected {', '.join(columns)}, parted by tabs")
    return rows


def outcomes(folder: Path, kept: Path, method: str) -> list[Outcome]:
    """Build each graph that ``kept`` does not hold, and ask its questions."""
    rows, found = read_questions(folder), []
    for name in dict.fromkeys(row["graph"] for row in rows):
        with open_graph(built(kept / name, folder / f"{name}.jsonl", quiet=True)) as graph:
            asker = Asker(graph, method=method)
            for row in rows:
                if row["graph"] == name:
                    answer = asker.ask(row["question"])
                    found.append(Outcome(row, answer, answer.check(graph).exit_code == 0))
    return found


def share(some: Iterable[Outcome]) -> str:
    """How many are right, abstained from without need, and wrong."""
    every = list(some)
    right, wrong = (sum(getattr(one, kind) for one in every) for kind in ("right", "wrong"))
    return f"{right / len(every):.3f}  ({right} of {len(every)} right, {wrong} wrong)"


def main() -> None:
    """Ask, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=DEVELOPMENT)
    parser.add_argument("--method", default="reader")
    parser.add_argument("--show", action="store_true", help="print every question that is not right")
    parser.add_argument("--kg-dir", type=Path, help="keep the graphs here, and use those that are here")
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as work:
            found = outcomes(options.folder, options.kg_dir or Path(work), options.method)
    except ToulminError as error:
        sys.exit(str(error))
    if not found:
        sys.exit(f"{options.folder}/questions.tsv holds no question")
    for column in ("relation", "wording", "direction", "graph"):
        print(f"\nright by {column}")
        groups: dict[str, list[Outcome]] = defaultdict(list)
        for one in found:
            groups[one.row[column]].append(one)
        for name, group in groups.items():
            print(f"  {name:<28}{share(group)}")
    wrong = [one for one in found if one.wrong]
    print("\nwrong answers")
    for one in wrong:
        print(f"  {one.answer.confidence:.2f}  {one.row['graph']}: {one.row['question']}  {sorted(one.given)}")
    if options.show:
        print("\nabstained from without need")
        for one in found:
            if not one.right and not one.wrong:
                print(f"  {one.row['graph']}: {one.row['question']}  {one.answer.reason}")
    print(f"\nright                        {share(found)}; goal {GOAL}")
    surest = max((one.answer.confidence or 0.0 for one in wrong), default=0.0)
    print(f"surest wrong answer          {surest:.2f}; goal at most {SUREST}")
    print(f"answers that check          {sum(one.checked for one in found)} of {len(found)}")


if __name__ == "__main__":
    main()
