"""PathQuestion: templated questions of two or three hops over a small graph.

``PQ-{n}H.txt`` holds ``question TAB answer(answer/answer/…/) TAB subject#relation#node#…#answer#<end>#answer``. The
set in parentheses is the gold. Every step is walked forward. The underscores that join an entity's words mark its
span in the question as brackets would, and become spaces there; gold labels keep them, as the graph does.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import ProblemList, collect, data_folder, lines, required
from toulmin.evaluation.datasets.types import Dataset, Declared, GoldPath, PathRelation, Question

_ANSWER = re.compile(r"(?P<first>.+?)\((?P<all>.+)\)")
_END = "<end>"


def _answers(field: str) -> tuple[str, ...]:
    match = _ANSWER.fullmatch(field.strip())
    if match is None:
        raise SourceError(f"the answer {field!r} is not of the form answer(answer/answer/)")
    answers = tuple(dict.fromkeys(answer for answer in match["all"].split("/") if answer))
    if match["first"] not in answers:
        raise SourceError(f"the answer {match['first']!r} is not in its own set {match['all']!r}")
    return answers


def _path(field: str, hops: int) -> tuple[str, GoldPath]:
    """The start entity and the relations of a gold path."""
    parts = field.strip().split("#")
    if _END in parts:
        parts = parts[: parts.index(_END)]
    if len(parts) != 2 * hops + 1 or not all(parts):
        raise SourceError(f"the path {field.strip()!r} does not have {hops} steps of relation and node")
    return parts[0], tuple(PathRelation(relation, "forward") for relation in parts[1::2])


def _question(hops: int, number: int, text: str) -> Question:
    fields = text.split("\t")
    if len(fields) != 3:
        raise SourceError(f"three fields separated by tabs are expected, found {len(fields)}")
    start, gold_path = _path(fields[2], hops)
    return Question(
        id=f"PQ-{hops}H-{number}",
        question=" ".join(fields[0].replace("_", " ").split()),
        answers=_answers(fields[1]),
        hops=hops,
        gold_entities=(start,),
        gold_paths=(gold_path,),
    )


def _load(hops: int, data: Path) -> Dataset:
    folder = data_folder(data, "pathquestion")
    path = required(folder, f"PQ-{hops}H.txt")
    problems: ProblemList = []
    questions = collect(path, lines(path, problems), partial(_question, hops), problems)
    return Dataset(f"pathquestion/{hops}", questions, tuple(problems), (folder / f"{hops}H-kb.txt",))


LOADERS = {
    f"pathquestion/{hops}": Declared(
        id=f"pathquestion/{hops}",
        title=f"templated questions about people whose answers are {hops} steps away",
        source="Zhou et al. 2018 (zmtkeke/IRN)",
        licence="no licence file there",
        files=f"PQ-{hops}H.txt, {hops}H-kb.txt",
        fields=("answers", "hops", "gold_entities", "gold_paths"),
        read=partial(_load, hops),
        needs=f"a graph built from {hops}H-kb.txt",
    )
    for hops in (2, 3)
}
