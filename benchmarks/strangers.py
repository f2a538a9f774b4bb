"""Questions as people type them, over graphs and tables of domains that nothing was tuned for or trained on.

    python benchmarks/strangers.py [--set second] [--method auto] [--graph NAME …] [--json FILE] [--show] [--kg-dir DIR]

``recorded/strangers`` holds four graphs (Turtle, N-Triples without labels, Wikidata's entity JSON, triples in upper
case) and two sets of tables, each with its questions (docs/datasets.md) and their gold (``strangers_gold.py``). They
were written before what reads them: who works on a reader reads neither graphs nor questions, hence nothing is
shown without --show. No language model is asked.

``recorded/strangers_second`` to ``strangers_fifth`` (--set) hold six more each, of 27 and 28 November 2026, by authors
who had seen neither the code nor other questions. The first three sets are for development since 28 November: their
failures were read, and rules made of what they have in common. The fourth and fifth are for measuring.

An answer is right iff it is the gold set; numbers are compared by value, whatever unit stands beside them, texts
without case, diacritics, blanks and punctuation, rows whatever the order of their columns. Of a question that the
graph cannot answer an abstention is right ("rightly silent"). An answer without a confidence counts as one of
confidence 1. A graph that cannot be built, and a question that ends in an error, count as "failed": not right, and no
refusal.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from strangers_gold import ROW, SETS, called, sources
from toulmin.errors import ToulminError
from toulmin.evaluation.datasets import load
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.metrics.answers import value_label
from toulmin.evaluation.metrics.runs import Levels, confidence_auc
from toulmin.evaluation.statistics import ConfidenceInterval, bootstrap_statistic, mean_interval
from toulmin.graph.protocol import Graph
from toulmin.graph.store import open_graph
from toulmin.graph.types import Literal, Node
from toulmin.methods.asker import Asker
from toulmin.program.answer import Answer

SURE = 0.5
RESULTS = ("right", "silent", "abstained", "wrong", "failed")

Key = str | float
_NUMBER = re.compile(r"(?:[€$£]\s*)?([-−+]?\d+(?:,\d{3})*(?:\.\d+)?)(?:\s*[^\d\s][^\d]{0,30})?")
_DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:T.*)?")
_WRITTEN_DAY = re.compile(r"(\d\d)/(\d\d)/(\d{4})")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question with its answer.

    Args:
        gold: as stored; empty: the graph does not tell.
        given: the values, rows or verdict of the answer; empty: none.
        result: one of ``RESULTS``; "silent": an abstention where it is right.
        reason: of an abstention or a failure.
        codes: of an abstention: the codes of its reasons (docs/certificate.md).
        checks: whether the answer passes its check.
    """

    graph: str
    id: str
    kind: str
    question: str
    gold: tuple[str, ...]
    given: tuple[str, ...]
    result: str
    confidence: float | None
    reason: str | None
    codes: tuple[str, ...]
    checks: bool

    @property
    def good(self) -> bool:
        """Whether it is right or rightly silent."""
        return self.result in ("right", "silent")

    @property
    def surely_wrong(self) -> bool:
        """Whether it is wrong and does not say that it is unsure."""
        return self.result == "wrong" and (self.confidence is None or self.confidence >= SURE)


# -- comparing answers -----------------------------------------------------------------------------------------------


def key(text: str) -> Key:
    """A value as it is compared: a number by its value, a date in ISO's form, other texts by letters and digits."""
    text = text.strip()
    if found := _DAY.fullmatch(text):
        return found[1]
    if found := _WRITTEN_DAY.fullmatch(text):
        return f"{found[3]}-{found[2]}-{found[1]}"
    if found := _NUMBER.fullmatch(text):
        return float(found[1].replace(",", "").replace("−", "-"))
    plain = "".join(one for one in unicodedata.normalize("NFKD", text).casefold() if one.isalnum())
    return plain or text


def alike(gold: Key, given: Key) -> bool:
    """Whether two keys are of one value: numbers to within a rounding where the gold is no whole number."""
    if isinstance(gold, float) and isinstance(given, float):
        near = 1e-9 if gold.is_integer() else 1e-5
        return math.isclose(gold, given, rel_tol=near, abs_tol=1e-9 if gold.is_integer() else 0.006)
    return gold == given


def same(gold: Sequence[Sequence[Key]], given: Sequence[Sequence[Key]]) -> bool:
    """Whether two sets of rows are equal, for one order of the columns."""
    if not gold or len(gold) != len(given) or {len(row) for row in gold} != {len(row) for row in given}:
        return False
    return any(
        all(any(all(map(alike, row, (other[place] for place in order))) for other in given) for row in gold)
        for order in permutations(range(len(gold[0])))
    )


def _told(node: Node) -> str:
    return node.value if isinstance(node, Literal) else value_label(node)


def _rows(answer: Answer, names: dict[str, str]) -> list[list[str]]:
    """The distinct rows of an answer; a value is a row of one cell, keys of rows give way to their names."""
    rows = [[", ".join(map(_told, cell)) for cell in row] for row in answer.rows]
    rows = rows or [[_told(value)] for value in answer.values]
    return [list(row) for row in dict.fromkeys(tuple(names.get(cell, cell) for cell in row) for row in rows)]


def _verdict(answer: Answer) -> bool | None:
    """Yes or no, also of an answer that is one truth value of the graph."""
    (value,) = answer.values if len(answer.values) == 1 else (None,)
    if isinstance(value, Literal) and value.kind == "boolean":
        return value.value in ("true", "1")
    return answer.verdict


def judged(question: Question, answer: Answer, names: dict[str, str]) -> str:
    """Which of ``RESULTS`` an answer is."""
    if answer.abstained:
        return "silent" if question.unknown else "abstained"
    if question.verdict is not None:
        return "right" if _verdict(answer) is question.verdict else "wrong"
    gold = [list(map(key, one.split(ROW))) for one in question.answers]
    given = [list(map(key, row)) for row in _rows(answer, names)]
    return "right" if same(gold, given) else "wrong"


# -- asking ----------------------------------------------------------------------------------------------------------


def _gold(question: Question) -> tuple[str, ...]:
    if question.verdict is not None:
        return ("yes" if question.verdict else "no",)
    return question.answers


def asked(name: str, question: Question, asker: Asker, graph: Graph, names: dict[str, str]) -> Outcome:
    """One question's outcome; what ends in an error of ours is "failed"."""
    given: tuple[str, ...] = ()
    result, confidence, reason, checks = "failed", None, None, False
    codes: tuple[str, ...] = ()
    try:
        answer = asker.ask(question.question)
        checks = answer.check(graph).exit_code == 0
    except ToulminError as error:
        reason = str(error)
    else:
        result = min((judged(question, answer, by) for by in (names, {})), key=RESULTS.index)  # keys or names of rows
        confidence, reason = answer.confidence, answer.reason
        codes = tuple(sorted({one["code"] for one in answer.certificate["answer"].get("reasons", ())}))
        if answer.kind == "truth":
            given = ("yes" if answer.verdict else "no",)
        elif not answer.abstained:
            given = tuple(ROW.join(row) for row in _rows(answer, names))
    return Outcome(
        name,
        question.id,
        question.type or "",
        question.question,
        _gold(question),
        given,
        result,
        confidence,
        reason,
        codes,
        checks,
    )


def outcomes(method: str, graphs: Collection[str], built: Path) -> Iterator[Outcome]:
    """Build each graph that ``built`` does not hold, and ask its questions."""
    for name in graphs:
        files = list(map(str, sources(name)))
        questions = load(str(sources(name)[0].with_name("questions.jsonl"))).questions
        if not (built / name).exists():
            command = [sys.executable, "-m", "toulmin.cli.main", "build", *files, "--out", str(built / name)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{name}: no graph: {done.stderr.strip() or done.stdout.strip()}", file=sys.stderr)
                for one in questions:
                    failed = ("failed", None, "the graph could not be built", (), False)
                    yield Outcome(name, one.id, one.type or "", one.question, _gold(one), (), *failed)
                continue
        names = called(name)
        with open_graph(built / name) as graph:
            asker = Asker(graph, method=method)
            for one in questions:
                yield asked(name, one, asker, graph, names)


# -- figures ---------------------------------------------------------------------------------------------------------


def kind_of(outcome: Outcome) -> str:
    """The kind without what makes it unanswerable."""
    return outcome.kind.split(":")[0]


def _share(some: Sequence[bool]) -> ConfidenceInterval | None:
    return mean_interval([float(one) for one in some]) if some else None


def _auc(found: Sequence[Outcome]) -> ConfidenceInterval | None:
    answered = [one for one in found if one.result in ("right", "wrong")]
    if not answered:
        return None
    sure = np.array([1.0 if one.confidence is None else one.confidence for one in answered])
    right = np.array([float(one.result == "right") for one in answered])

    def area(places: NDArray[np.int64]) -> float:
        return confidence_auc(Levels.of(sure[places], right[places]))

    resampled = bootstrap_statistic(area, len(answered))
    return None if resampled is None else resampled[0]


def figures(found: Sequence[Outcome]) -> dict[str, ConfidenceInterval | None]:
    """The figures that are aimed at, and two more; None where there is nothing to count."""
    unknown = [one for one in found if not one.gold]
    answered = [one for one in found if one.result in ("right", "wrong")]
    return {
        "right or rightly silent": _share([one.good for one in found]),
        f"wrong with confidence >= {SURE}": _share([one.surely_wrong for one in found]),
        "unanswerable refused": _share([one.good for one in unknown]),
        "direction right": _share([one.good for one in found if one.kind == "direction"]),
        "AUC of the confidence": _auc(found),
        "answered": _share([one.result in ("right", "wrong") for one in found]),
        "right where answered": _share([one.result == "right" for one in answered]),
    }


def table(found: Sequence[Outcome], name: str, of: Callable[[Outcome], str]) -> str:
    """Counts of results by a property, a line each."""
    lines = [f"{name:24}{'questions':>10}{'good':>7}" + "".join(f"{one:>13}" for one in (*RESULTS, "surely wrong"))]
    for value in dict.fromkeys(map(of, found)):
        some = [one for one in found if of(one) == value]
        results = [one.result for one in some]
        counts = [*map(results.count, RESULTS), sum(one.surely_wrong for one in some)]
        good = sum(one.good for one in some) / len(some)
        lines.append(f"{value:24}{len(some):10}{good:7.2f}" + "".join(f"{one:13}" for one in counts))
    return "\n".join(lines)


def main() -> None:
    """Ask, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--method", default="auto", help="or a form of one (default: auto)")
    parser.add_argument("--set", choices=SETS, default="first", help="of questions (default: first)")
    parser.add_argument("--graph", nargs="+", choices=[name for graphs, _ in SETS.values() for name in graphs])
    parser.add_argument("--json", type=Path, help="write figures and outcomes to this file; it holds the questions")
    parser.add_argument("--show", action="store_true", help="print each question with its answer: for who keeps them")
    parser.add_argument("--kg-dir", type=Path, help="keep the graphs here, and use those that are here")
    options = parser.parse_args()
    found = []
    try:
        with tempfile.TemporaryDirectory() as work:
            built = options.kg_dir or Path(work)
            built.mkdir(parents=True, exist_ok=True)
            for one in outcomes(options.method, options.graph or list(SETS[options.set][0]), built):
                found.append(one)
                if options.show:
                    sure = "" if one.confidence is None else f" ({one.confidence:.2f})"
                    told = "; ".join(one.given) or f"[{one.reason}]"
                    print(f"{one.result:9} {one.kind} {one.id}: {one.question} => {told}{sure}; gold {one.gold}")
    except ToulminError as error:
        sys.exit(str(error))
    result = figures(found)
    if options.json:
        written = {name: None if one is None else asdict(one) for name, one in result.items()}
        text = json.dumps(
            {"method": options.method, "figures": written, "outcomes": list(map(asdict, found))}, indent=1
        )
        options.json.write_text(text, encoding="utf-8")
    print(table(found, "kind", kind_of), end="\n\n")
    print(
        table([one for one in found if not one.gold], "unanswerable", lambda one: one.kind.split(": ")[1]), end="\n\n"
    )
    print(table(found, "graph", lambda one: one.graph), end="\n\n")
    silent = [one for one in found if one.result == "abstained"]
    print(table(silent, "abstained: why", lambda one: ", ".join(one.codes)), end="\n\n")
    for name, figure in result.items():
        told = "-" if figure is None else f"{figure.estimate:.3f} [{figure.low:.3f}, {figure.high:.3f}] of {figure.n}"
        print(f"{name:32}{told}")
    print(f"{'answers that check':32}{sum(one.checks for one in found)} of {len(found)}")


if __name__ == "__main__":
    main()
