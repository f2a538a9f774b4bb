"""A user's own words: what they name, what they may not, and that they say nothing of things."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toulmin.errors import SourceError
from toulmin.graph.build import BuildReport, build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.label_chooser import read_user_words
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, Record
from toulmin.graph.relation_forms import relation_forms

RECORDS: list[Record] = [
    *(
        RawName("h:manager", "manager"),
        RawName("h:Nurse", "nurse"),
        RawName("h:nora", "Nora"),
        RawName("h:nora2", "Nora"),
    ),
    *(
        RawStatement("h:nora", "h:manager", "h:omar"),
        RawStatement("h:nora", "h:kind", "h:Nurse"),
        RawStatement("h:nora2", "h:kind", "h:Nurse"),
    ),
]


def graph_with(path: Path, text: str) -> MemoryGraph:
    path.write_text(text, "utf-8")
    return MemoryGraph.from_records(RECORDS, words=read_user_words(path))


TOML = """
[Manager]
also = ["reports to", "boss", "manager"]
inverse = "leads"
["h:kind"]
also = "sort"
[nurse]
also = ["sister", "medical attendant"]
["h:nora2"]
also = "Nora the younger"
"""


def test_words_name_relations_classes_and_things_by_name_or_id(tmp_path: Path) -> None:
    as_json = {
        "manager": {"also": ["reports to", "boss"], "inverse": ["leads"]},
        "h:kind": {"also": "sort"},
        "nurse": {"also": ["sister", "medical attendant"]},
        "h:nora2": {"also": "Nora the younger"},
    }
    for name, text in (("w.toml", TOML), ("w.json", json.dumps(as_json))):
        with graph_with(tmp_path / name, text) as graph:
            forms = relation_forms(graph)
            assert (forms["h:manager"].forward, forms["h:manager"].backward) == (
                ("manager", "reports to", "boss"),
                ("leads",),
            )
            assert set(forms["h:kind"].forward) == {"h:kind", "sort"}
            found = graph.lookup(["Sister", "nora the younger", "boss", "leads"])
            assert [[match.id for match in some] for some in found] == [["h:Nurse"], ["h:nora2"], [], []]
            assert graph.subgraph([], 0).n_statements == 3
            assert len(graph.ranges.range("in", {"value": "leads", "kind": "string"}, None)) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[manger]\nalso = 'x'", "'manger': nothing in the graph has this name or id; did you mean 'manager'?"),
        ("[nora]\nalso = 'x'", "'nora': 2 things have this name: give the id of one of them"),
        ("[nurse]\ninverse = 'x'", "'nurse': is no relation, and only a relation has an inverse"),
        ("['h:omar']\ninverse = 'x'", "'h:omar': is no relation, and only a relation has an inverse"),
    ],
)
def test_words_that_fit_nothing_are_rejected_by_name(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "w.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(SourceError, match=r"w\.toml") as raised:
        MemoryGraph.from_records(RECORDS, words=read_user_words(path))
    assert raised.value.problem == problem
    assert build(tmp_path / "g", path).first_rejected[0].reason == problem
    with pytest.raises(SourceError, match=r"w\.toml"):
        build(tmp_path / "strict", path, strict=True)
    assert not (tmp_path / "strict").exists()


def build(out: Path, words: Path, *, strict: bool = False) -> BuildReport:
    with build_directory(out) as work:
        return build_graph([("a", RECORDS)], work, name="g", words=read_user_words(words), strict=strict)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("w.toml", "[manager]\nsynonyms = 'x'", "w.toml, field 'manager.synonyms': unknown: use also or inverse"),
        ("w.toml", "[manager]\nalso = 3", "w.toml, field 'manager.also': must be a text, or a list of texts"),
        ("w.toml", "[manager]\nalso = ['x', ' ']", "field 'manager.also': must be a text, or a list of texts"),
        ("w.toml", "manager = 'boss'", "w.toml, field 'manager': must be a table with also and inverse"),
        ("w.toml", "a = 1\n[place of birth]\n", "w.toml:2: not TOML: "),
        ("w.json", '{"a": {}\n"b"', "w.json:2: not JSON: "),
        ("w.json", "[]", "w.json: must be an object"),
    ],
)
def test_a_file_that_is_none_says_where_and_what(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(SourceError) as raised:
        read_user_words(path)
    assert said in str(raised.value)
    with pytest.raises(SourceError, match="no such file"):
        read_user_words(tmp_path / "none.toml")
