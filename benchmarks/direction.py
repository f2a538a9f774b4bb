"""Which way a question asks over a relation: fidelis without a model on small graphs that store both directions.

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
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from toulmin.errors import ToulminError
from toulmin.graph.store import open_graph
from toulmin.methods.asker import Asker
from toulmin.program.answer import Answer, node_text

DEVELOPMENT = Path(__file__).parent / "recorded" / "direction"
COLUMNS = ("graph", "question", "relation", "wording", "direction", "gold")
GOAL, SUREST = 0.85, 0.5


@dataclass(frozen=True, slots=True)
class Asked:
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


def questions(folder: Path) -> list[dict[str, str]]:
    """The rows of ``questions.tsv``; ends the program where it is not such a file."""
    path = folder / "questions.tsv"
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")
    for number, row in enumerate(rows, 2):
        missing = [column for column in COLUMNS if row.get(column) is None]
        if missing:
            sys.exit(f"{path}, line {number}: no column {missing[0]}; the header is {' '.join(COLUMNS)}, tabs between")
    return rows


def asked(folder: Path, built: Path, method: str) -> list[Asked]:
    """Build each graph that ``built`` does not hold, and ask its questions."""
    rows, found = questions(folder), []
    for name in dict.fromkeys(row["graph"] for row in rows):
        if not (built / name).exists():
            command = [sys.executable, "-m", "toulmin.cli.main", "build", str(folder / f"{name}.jsonl"), "--out"]
            if subprocess.run([*command, str(built / name)], stdout=subprocess.DEVNULL, check=False).returncode:
                sys.exit(f"{folder / name}.jsonl: the graph could not be built; see above")
        with open_graph(built / name) as graph:
            asker = Asker(graph, method=method)
            for row in rows:
                if row["graph"] == name:
                    answer = asker.ask(row["question"])
                    found.append(Asked(row, answer, answer.check(graph).exit_code == 0))
    return found


def share(some: Iterable[Asked]) -> str:
    """How many are right, abstained from without need, and wrong."""
    every = list(some)
    right, wrong = (sum(getattr(one, kind) for one in every) for kind in ("right", "wrong"))
    return f"{right / len(every):.3f}  ({right} of {len(every)} right, {wrong} wrong)"


def main() -> None:
    """Ask, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=DEVELOPMENT)
    parser.add_argument("--method", default="fidelis")
    parser.add_argument("--show", action="store_true", help="print every question that is not right")
    parser.add_argument("--kg-dir", type=Path, help="keep the graphs here, and use those that are here")
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as work:
            built = options.kg_dir or Path(work)
            built.mkdir(parents=True, exist_ok=True)
            found = asked(options.folder, built, options.method)
    except ToulminError as error:
        sys.exit(str(error))
    if not found:
        sys.exit(f"{options.folder}/questions.tsv holds no question")
    for column in ("relation", "wording", "direction", "graph"):
        print(f"\nright by {column}")
        groups: dict[str, list[Asked]] = defaultdict(list)
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
