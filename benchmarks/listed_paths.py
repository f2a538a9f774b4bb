"""What the lists that `fidelis:frugal` shows a model keep, and what they cost in tokens, measured without a model.

    python benchmarks/listed_paths.py (--kg DIR | --data PATH --work DIR) --dataset NAME [--data PATH]
                                      [--limit 100] [--seed 0] [--skip 0] [--keywords FILE] [--show N]

A question counts as reached where some listed path leads to an answer of the data set, and its best path is the one of
the highest F1 against these answers. Both calls are made; the replies are no model's: to the first, the keywords and
the plan of --keywords (JSON: id of a question -> {"keywords": [...], "plan": [...]}), else the words of the question
without names and function words; to the second, that no path answers. Tokens are those of both prompts with their
demonstrations, by the WordPiece of BERT and by four characters each; replies are not counted. --show prints the lists
of so many questions.
--skip leaves out the questions of the sample of that size, so that a part stays unseen.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from built_graphs import KEPT, built
from prompt_tokens import wordpiece
from toulmin.errors import ToulminError
from toulmin.evaluation.datasets import load
from toulmin.evaluation.datasets.types import Question
from toulmin.graph.labels import normalise
from toulmin.graph.store import EmbeddedGraph, open_graph
from toulmin.graph.subgraph import Subgraph
from toulmin.llm.protocol import ModelRequest
from toulmin.llm.scripted import ScriptedModel
from toulmin.methods.asker import Asker
from toulmin.methods.fidelis import GuidedSettings
from toulmin.methods.protocol import Linked, Searched, WalkedPath
from toulmin.methods.question.unread_words import content_words

NOTHING: dict[str, Any] = {"thought": "", "paths": [], "narrow": None}
UNDECIDED = {"thought": "", "paths": [], "how": "judge", "left": 0, "op": "=", "right": 0, "value": 0}


@dataclass(slots=True)
class Listed:
    """What one question's list holds.

    Args:
        linked: entities that paths start from.
        paths: how many were listed.
        right: how many of these lead to an answer.
        best: the highest F1 of one path.
        place: of the first path of that F1, from 1; 0: none.
        tokens: of both prompts, by WordPiece; ``quarters``: their characters by four.
    """

    question: Question
    linked: int = 0
    paths: int = 0
    right: int = 0
    best: float = 0.0
    place: int = 0
    tokens: int = 0
    quarters: int = 0
    list_tokens: int = 0
    shown: str = ""
    names: list[str] = field(default_factory=list)


def ends(subgraph: Subgraph, start: str, path: WalkedPath) -> set[str]:
    """The names of what a path leads to, but of its start."""
    number = {relation.id: place for place, relation in enumerate(subgraph.relations)}
    origin = subgraph.index(start)
    nodes = np.array([] if origin is None else [origin], dtype=np.int32)
    for relation, direction in path.relations:
        nodes = nodes[nodes < subgraph.n_entities]
        nodes = subgraph.follow(nodes, number[relation.id], backward=direction == "backward")
    nodes = nodes[~subgraph.machine[nodes]]
    others = nodes[nodes != origin]
    return {normalise(label) for label in subgraph.labels(others if len(others) else nodes)}


def f1(found: set[str], wanted: set[str]) -> float:
    """The harmonic mean of precision and recall."""
    both = len(found & wanted)
    return 2 * both / (len(found) + len(wanted))


class Reader:
    """Replies with given keywords, then that no path answers; keeps what it was shown."""

    def __init__(self, keywords: Mapping[str, Any]) -> None:
        self._keywords = keywords
        self.question: Question | None = None
        self.requests: list[ModelRequest] = []

    def __call__(self, request: ModelRequest) -> str:
        """The reply to a request, whatever fields its schema asks for."""
        self.requests.append(request)
        assert self.question is not None
        step = request.step.rpartition("/")[2]
        if step == "answer":
            return json.dumps(NOTHING)
        if step == "verdict":
            return json.dumps(UNDECIDED | {"verdict": "unknown"})
        text = self.question.question
        given = self._keywords.get(self.question.id, {})
        said = {
            "keywords": given.get("keywords") or list(content_words(text)) or [text],
            "plan": given.get("plan", []),
            "names": given.get("names", []),
            "statement": "" if "names" in (request.schema or {}).get("properties", ()) else text,
            "asks": "things",
        }
        fields = (request.schema or {}).get("properties", said)
        return json.dumps({name: said[name] for name in fields})


async def listed(asker: Asker, reader: Reader, subgraph: Subgraph, question: Question, count: Any) -> Listed:
    """Ask one question, and look at what was listed."""
    reader.question, reader.requests = question, []
    found = Listed(question)
    wanted = {normalise(answer) for answer in question.answers}
    scores: list[float] = []
    async for event in asker.events(question.question):
        if isinstance(event, Linked):
            found.linked = len(event.entities)
            found.names = [one.entity.label or one.entity.id for one in event.entities]
        elif isinstance(event, Searched):
            scores += [f1(ends(subgraph, event.start.id, path), wanted) for path in event.paths]
    found.paths, found.right, found.best = len(scores), sum(map(bool, scores)), max(scores, default=0.0)
    found.place = scores.index(found.best) + 1 if found.best else 0
    for request in reader.requests:
        texts = [message.content for message in request.messages]
        found.tokens += sum(map(count, texts))
        found.quarters += len("\n".join(texts)) // 4
    last = reader.requests[-1] if reader.requests else None
    if last is not None and not last.step.endswith("plan"):
        found.shown = last.messages[-1].content
        found.list_tokens = count(found.shown)
    return found


def measured(graph: EmbeddedGraph, questions: Sequence[Question], keywords: Mapping[str, Any]) -> list[Listed]:
    """What is listed of each question."""
    reader, count = Reader(keywords), wordpiece()
    asker = Asker(graph, method="fidelis", model=ScriptedModel(reader), settings=GuidedSettings.frugal())
    subgraph = graph.subgraph([], 0)
    with asyncio.Runner() as runner:
        return [runner.run(listed(asker, reader, subgraph, question, count)) for question in questions]


def table(name: str, found: Sequence[Listed]) -> Table:
    """The figures."""

    def mean(values: Sequence[float]) -> str:
        return f"{statistics.fmean(values):.3f}" if values else "–"

    shown = Table("what", "figure", title=f"{name}: {len(found)} questions")
    asked = [one for one in found if one.paths]
    shown.add_row("a listed path leads to an answer", mean([bool(one.right) for one in found]))
    shown.add_row("F1 of the best listed path", mean([one.best for one in found]))
    for first in (5, 10, 15):
        shown.add_row(f"best path among the first {first}", mean([0 < one.place <= first for one in found]))
    shown.add_row("nothing linked or listed", str(len(found) - len(asked)))
    shown.add_row("paths listed", f"{statistics.fmean([one.paths for one in asked]):.1f}")
    shown.add_row("of these leading to an answer", mean([one.right / one.paths for one in asked]))
    for what in ("tokens", "quarters", "list_tokens"):
        values = [getattr(one, what) for one in asked]
        label = {
            "tokens": "tokens of both prompts, WordPiece",
            "quarters": "tokens of both prompts, characters / 4",
            "list_tokens": "of these in the last user message, WordPiece",
        }[what]
        shown.add_row(label, f"mean {statistics.fmean(values):,.0f}, at most {max(values):,}")
    return shown


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the data sets' folders")
    parser.add_argument("--dataset", default="webqsp", help="webqsp, metaqa/2-hop/dev, pathquestion/2 …")
    parser.add_argument("--work", type=Path, default=KEPT, help="graphs, by the name of their file")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--skip", type=int, default=0, help="ask none of the questions of --limit SKIP")
    parser.add_argument("--keywords", type=Path, help="replies to the first call; only their questions are asked")
    parser.add_argument("--show", type=int, default=0, help="print the lists of so many questions")
    options = parser.parse_args()
    try:
        dataset = load(options.dataset, options.data)
        keywords = json.loads(options.keywords.read_text("utf-8")) if options.keywords else {}
        before = {one.id for one in dataset.sample(options.skip, options.seed)} if options.skip else set()
        kept = tuple(one for one in dataset.questions if one.id not in before and (not keywords or one.id in keywords))
        questions = replace(dataset, questions=kept).sample(options.limit, options.seed)
        source = dataset.graphs[0]
        with closing(open_graph(built(options.work / source.stem, source))) as graph:
            found = measured(graph, questions, keywords)
    except ToulminError as error:
        sys.exit(str(error))
    console = Console(width=160)
    for one in found[: options.show]:
        head = f"{one.question.question} [{', '.join(one.question.answers[:5])}] best {one.best:.2f} at {one.place}"
        console.print(f"\n{head}; linked {one.names}\n{one.shown}", markup=False, highlight=False)
    console.print(table(options.dataset, found))


if __name__ == "__main__":
    main()
