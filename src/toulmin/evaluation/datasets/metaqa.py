"""MetaQA: questions over a graph of films, by number of hops.

``{n}-hop/qa_{split}.txt`` holds ``question with [topic entity] TAB answer|answer``; ``{n}-hop/qa_{split}_qtype.txt``,
aligned with it line by line, holds the gold path as types of node: ``actor_to_movie_to_year``. Every relation leads
from a film, so that a step to a film is walked backward. The brackets would give the linker its answer: they are
removed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import ProblemList, collect, data_folder, lines, required
from toulmin.evaluation.datasets.types import Dataset, Declared, GoldPath, PathRelation, Problem, Question

#: How the types of node in a gold path read as relations of kb.txt.
_RELATION = {
    "actor": "starred_actors",
    "director": "directed_by",
    "genre": "has_genre",
    "imdbrating": "has_imdb_rating",
    "imdbvotes": "has_imdb_votes",
    "language": "in_language",
    "tag": "has_tags",
    "tags": "has_tags",
    "writer": "written_by",
    "year": "release_year",
}
_TOPIC = re.compile(r"\[([^\[\]]+)\]")


def _gold_path(types: str) -> GoldPath:
    names = types.strip().split("_to_")
    steps = []
    for source, target in pairwise(names):
        if source == "movie" and target in _RELATION:
            steps.append(PathRelation(_RELATION[target], "forward"))
        elif target == "movie" and source in _RELATION:
            steps.append(PathRelation(_RELATION[source], "backward"))
        else:
            raise SourceError(f"no relation leads from {source!r} to {target!r} in the type {types.strip()!r}")
    if not steps:
        raise SourceError(f"{types.strip()!r} is not a path of types such as actor_to_movie")
    return tuple(steps)


def _types(path: Path, last_question: int, problems: ProblemList) -> dict[int, GoldPath]:
    """The gold path of each line; none where the file is not aligned with the questions."""
    paths: dict[int, GoldPath] = {}
    last = 0
    for last, text in lines(path, problems):
        try:
            paths[last] = _gold_path(text)
        except SourceError as error:
            problems.append(Problem(path, last, str(error)))
    if last == last_question:
        return paths
    # One line off, every path would be that of another question.
    problems.append(Problem(path, last, f"ends here, the questions at line {last_question}: gold paths are left out"))
    return {}


def _question(hops: int, prefix: str, number: int, text: str) -> Question:
    question, tab, gold = text.partition("\t")
    if not tab or "\t" in gold:
        raise SourceError(f"two fields separated by one tab are expected, found {text.count(chr(9)) + 1}")
    topics = _TOPIC.findall(question)
    if len(topics) != 1:
        raise SourceError(f"one [topic entity] is expected in the question, found {len(topics)}")
    answers = tuple(dict.fromkeys(answer.strip() for answer in gold.split("|") if answer.strip()))
    if not answers:
        raise SourceError("no answer after the tab")
    return Question(
        id=f"{prefix}-{number}",
        question=_TOPIC.sub(r"\1", question).strip(),
        answers=answers,
        hops=hops,
        gold_entities=(topics[0].strip(),),
    )


def _load(hops: int, split: str, data: Path) -> Dataset:
    folder = data_folder(data, "metaqa")
    path = required(folder, f"{hops}-hop/qa_{split}.txt")
    problems: ProblemList = []
    parse = partial(_question, hops, f"{hops}-hop-{split}")
    questions = collect(path, lines(path, problems), parse, problems, f"{hops}-hop/{path.name}")
    types = path.with_name(f"qa_{split}_qtype.txt")
    if types.is_file():
        last = max([record.line for record in questions] + [record.line for record in problems], default=0)
        paths = _types(types, last, problems)
        questions = tuple(replace(q, gold_paths=(paths[q.line],)) if q.line in paths else q for q in questions)
    return Dataset(f"metaqa/{hops}-hop/{split}", questions, tuple(problems), (folder / "kb.txt",))


LOADERS = {
    name: Declared(
        id=name,
        title=f"questions about films whose answers are {hops} step{'s'[: hops - 1]} away; {split} part",
        source="Zhang et al. 2018 (yuyuz/MetaQA)",
        licence="CC BY 3.0 (WikiMovies)",
        files=f"{hops}-hop/qa_{split}.txt, {hops}-hop/qa_{split}_qtype.txt, kb.txt",
        fields=("answers", "hops", "gold_entities", "gold_paths"),
        read=partial(_load, hops, split),
        needs="a graph built from kb.txt",
    )
    for hops in (1, 2, 3)
    for split in ("dev", "test")
    for name in (f"metaqa/{hops}-hop/{split}",)
}
