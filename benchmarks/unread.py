"""Questions with a negation, a bound, modality or a yes/no form: how many are answered as if the word were not there.

    python benchmarks/unread.py [--questions FOLDER] [--abstain-below SHARE] [--json FILE]

The folder holds graphs (``NAME.jsonl``, see docs/format.md) and ``questions.tsv``: columns graph (NAME), question, kind
(negation, bound, modality, yes/no, plain; name: the graph lacks what is named) and gold, the answers' labels joined by
"|"; where it is empty, only an abstention was right when these were written: what counts or compares is answered by
now, and has to be read. Graphs are built with their vectors into a temporary folder; the reader (or --method) answers
without a model, with its default settings. The default folder (``recorded/unread``) is ours and was looked at while the
rules were made; the author of ``recorded/unread_unseen`` had not seen the rules.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from built_graphs import built
from direction import read_questions
from toulmin.errors import SettingsError, ToulminError
from toulmin.graph.store import open_graph
from toulmin.methods.asker import Asker
from toulmin.methods.registry import settings_from
from toulmin.program.answer import node_text

_FOLDER = Path(__file__).parent / "recorded" / "unread"
_COLUMNS = ["graph", "question", "kind", "gold"]
_KINDS = ("negation", "bound", "modality", "yes/no", "name", "plain")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question with its answer.

    Args:
        answers: labels; empty: abstained, ``reason`` says why.
        checks: whether the answer passes its check.
    """

    graph: str
    question: str
    kind: str
    gold: tuple[str, ...]
    answers: tuple[str, ...]
    reason: str | None
    confidence: float | None
    checks: bool

    @property
    def result(self) -> str:
        """ "right", "abstained" (of a question with an answer) or "wrong"."""
        if set(self.answers) == set(self.gold):
            return "right"
        return "wrong" if self.answers else "abstained"


def questions(folder: Path) -> list[dict[str, str]]:
    """The rows of a folder's ``questions.tsv``.

    Raises:
        SettingsError: it is not there, or a row is not as it should be.
    """
    rows = read_questions(folder, _COLUMNS)
    for line, row in enumerate(rows, 2):
        if row["kind"] not in _KINDS:
            raise SettingsError(f"{folder / 'questions.tsv'}:{line}: expected a kind, one of {', '.join(_KINDS)}")
    return rows


def outcomes(folder: Path, below: float | None, method: str) -> Iterator[Outcome]:
    """Each question of a folder with its answer, graph by graph."""
    rows = questions(folder)
    _, settings = settings_from(method, {} if below is None else {"abstain_below": str(below)}, model=False)
    for name in dict.fromkeys(row["graph"] for row in rows):
        with (
            tempfile.TemporaryDirectory() as work,
            open_graph(built(Path(work) / name, folder / f"{name}.jsonl", quiet=True)) as graph,
        ):
            ask = Asker(graph, method=method, settings=settings).ask
            for row in rows:
                if row["graph"] == name:
                    answer = ask(row["question"])
                    yield Outcome(
                        graph=name,
                        question=row["question"],
                        kind=row["kind"],
                        gold=tuple(row["gold"].split("|")) if row["gold"] else (),
                        answers=tuple(node_text(value) for value in answer.values),
                        reason=answer.reason,
                        confidence=answer.confidence,
                        checks=answer.check(graph).exit_code == 0,
                    )


def main() -> None:
    """Ask, print each question with its answer, then the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, default=_FOLDER, help="the folder (default: the one that ships)")
    parser.add_argument("--method", default="reader", help="(default: reader)")
    parser.add_argument("--abstain-below", type=float, help="the method's setting; 0: answer however unsure")
    parser.add_argument("--json", type=Path, help="write the outcomes to this file too")
    options = parser.parse_args()
    try:
        found = []
        for outcome in outcomes(options.questions, options.abstain_below, options.method):
            found.append(outcome)
            told = ", ".join(outcome.answers) or f"[{outcome.reason}]"
            sure = "" if outcome.confidence is None else f" ({outcome.confidence:.2f})"
            print(f"{outcome.result:9} {outcome.kind:8} {outcome.question} => {told}{sure}")
    except ToulminError as error:
        sys.exit(str(error))
    if options.json:
        options.json.write_text(json.dumps([asdict(outcome) for outcome in found], indent=1), encoding="utf-8")
    print(f"\n{'kind':9}questions  right  abstained  wrong")
    for kind in _KINDS:
        some = [outcome.result for outcome in found if outcome.kind == kind]
        print(f"{kind:9}{len(some):9}{some.count('right'):7}{some.count('abstained'):11}{some.count('wrong'):7}")
    read = [outcome for outcome in found if outcome.kind != "plain"]
    ignored = sum(outcome.result == "wrong" for outcome in read)
    print(f"answered as if a word were not there: {ignored} of {len(read)}")
    print(f"answers that check: {sum(outcome.checks for outcome in found)} of {len(found)}")


if __name__ == "__main__":
    main()
