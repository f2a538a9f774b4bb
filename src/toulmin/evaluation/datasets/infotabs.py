"""INFOTABS: hypotheses about a table, which entails them, contradicts them, or does not tell.

``infotabs_dev.tsv`` has the columns ``annotater_id table_id hypothesis label`` (E, C, N); ``tables/ID.json`` holds keys
with lists of values. A hypothesis is a claim over the table alone, which it brings twice: as statements (the title is
the subject, a key the relation, a value the object), and as a table for rr (``--knowledge own``).

The gold of three values: E is a true claim, C a false one, N is ``Question.unknown``: the table does not tell, an
abstention is right. papers/rr (4.4) leaves N out: ``infotabs``; ``infotabs/neutral`` has all three.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import ProblemList, collect, data_folder, lines, required, text_field
from toulmin.evaluation.datasets.types import Dataset, Declared, Question
from toulmin.graph.readers.minting import mint_entity, mint_relation, relation_label
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.graph.values import literal_from_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toulmin.retrieval.knowledge import FactTable

_VERDICTS = {"E": True, "C": False, "N": None}
_COLUMNS = ("table_id", "hypothesis", "label")
_Premise = tuple["FactTable", tuple[Statement, ...]]


def _premise(folder: Path, name: str) -> _Premise:
    from toulmin.retrieval.knowledge import read_table

    try:
        table = read_table(folder / f"{name}.json")
    except SourceError as error:
        raise SourceError(f"{folder.name}/{name}.json: {error.problem}", field="table_id") from None
    subject = Entity(mint_entity(table.title), table.title)
    return table, tuple(
        Statement(
            subject,
            Relation(mint_relation(key), relation_label(key)),
            literal_from_text(value) or Literal(value),
            graph="table",
        )
        for key, values in table.rows
        for value in dict.fromkeys(values)
    )


def _records(path: Path, problems: ProblemList) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows by the names in the first line."""
    columns: list[str] = []
    for number, text in lines(path, problems):
        cells = text.split("\t")
        if not columns:
            if missing := [name for name in _COLUMNS if name not in cells]:
                raise SourceError(f"the first line names no column {', '.join(missing)}", path, number)
            columns = cells
        else:
            yield number, dict(zip(columns, cells, strict=False))


def _question(premise: Callable[[str], _Premise], number: int, record: Mapping[str, str]) -> Question:
    label = text_field(record, "label")
    if label not in _VERDICTS:
        raise SourceError(f"is not E, C or N but {label!r}", field="label")
    table, statements = premise(text_field(record, "table_id"))
    return Question(
        id=f"dev-{number}",
        question=text_field(record, "hypothesis"),
        verdict=_VERDICTS[label],
        unknown=label == "N",
        gold_entities=(table.title,),
        task="claim",
        statements=statements,
        table=table,
    )


def _load(name: str, data: Path) -> Dataset:
    folder = data_folder(data, "infotabs")
    path = required(folder, "infotabs_dev.tsv", "maindata/infotabs_dev.tsv")
    tables = next((folder_ for folder_ in (folder / "tables" / "json", folder / "tables") if folder_.is_dir()), None)
    if tables is None:
        raise SourceError("no such folder; give --data the folder that holds it", folder / "tables")
    problems: ProblemList = []
    parse = partial(_question, cache(partial(_premise, tables)))
    questions = collect(path, _records(path, problems), parse, problems)
    neutral = name == "infotabs/neutral"
    return Dataset(name, tuple(one for one in questions if neutral or not one.unknown), tuple(problems))


LOADERS = {
    name: Declared(
        id=name,
        title=f"claims over one table, {what}; dev part",
        source="Gupta et al. 2020 (infotabs/infotabs)",
        licence="Apache-2.0",
        files="infotabs_dev.tsv, tables/*.json",
        fields=("verdict", *more, "gold_entities", "task", "statements", "table"),
        read=partial(_load, name),
        needs="a model, or for rr recorded --chains; rr takes --knowledge own; no graph: each claim brings its table",
    )
    for name, what, more in (
        ("infotabs", "true or false", ()),
        ("infotabs/neutral", "true, false, or not told by it", ("unknown",)),
    )
}
