"""What is found by its name, through entry points of distributions that are really there."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toulmin
from toulmin.entailment import registry as entailment
from toulmin.errors import InputError, MissingExtraError, SettingsError
from toulmin.evaluation.datasets import MODULES, dataset_ids, load
from toulmin.graph.endpoint.dialects import find_dialect
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import formats, read
from toulmin.llm.registry import _KINDS as MODEL_KINDS
from toulmin.llm.registry import get_model
from toulmin.registry import Registry, closest, known
from toulmin.retrieval import scorers
from toulmin.retrieval.embedders import embedder_names, get_embedder
from toulmin.retrieval.knowledge.named import knowledge_from

Install = Callable[[str, str, str, Sequence[str]], None]
ROOT = Path(toulmin.__file__).parent
DOCS = Path(__file__).parents[1] / "docs"


def boats(own: dict[str, Any] | None = None, of: type | None = None) -> Registry[Any]:
    return Registry("kind of boat", "toulmin.boats", {"raft": "collections:deque"} if own is None else own, of)


# --- The class


def test_ours_by_place_and_as_it_is() -> None:
    registry = boats({"raft": "collections:deque", "barge": len})
    assert registry.names() == ("raft", "barge")
    assert registry.get("raft").__name__ == "deque"
    assert registry.get("barge") is len


def test_a_package_is_imported_when_its_thing_is_asked_for(distribution: Install) -> None:
    distribution(
        "harbour-boats", "def ketch(): return 'sails'\nyawl = ketch", "toulmin.boats", ["yawl = yawl", "ketch = ketch"]
    )
    registry = boats()
    assert registry.names() == ("raft", "ketch", "yawl")
    assert registry.get("raft")
    assert "harbour_boats" not in sys.modules
    assert registry.get("ketch")() == "sails"


def test_a_name_that_is_none(distribution: Install) -> None:
    distribution("harbour-boats", "", "toulmin.boats", ["ketch = ketch"])
    with pytest.raises(SettingsError) as told:
        boats().get("Kech")
    assert str(told.value) == "no kind of boat is called 'Kech'; did you mean 'ketch'? (known: raft, ketch)"
    with pytest.raises(SettingsError, match=r"no kind of boat is called '' \(known: raft, ketch\)"):
        boats().get("")


def test_a_name_that_two_bring(distribution: Install) -> None:
    distribution("harbour-boats", "ketch = raft = len", "toulmin.boats", ["ketch = ketch", "raft = raft"])
    distribution("lake-boats", "ketch = len", "toulmin.boats", ["ketch = ketch"])
    with pytest.raises(
        SettingsError, match=r"'ketch' is brought by (lake|harbour)-boats and by (lake|harbour)-boats: keep one"
    ):
        boats().get("ketch")
    with pytest.raises(SettingsError, match="'raft' is brought by toulmin and by harbour-boats"):
        boats().get("raft")
    assert boats().names() == ("raft", "ketch")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("", "AttributeError: .* has no attribute 'ketch'"),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("def", "SyntaxError: invalid syntax"),
        ("raise OSError('no sails\\non board')", "OSError: no sails on board"),
    ],
)
def test_what_cannot_be_loaded(distribution: Install, code: str, words: str) -> None:
    distribution("harbour-boats", code, "toulmin.boats", ["ketch = ketch"])
    with pytest.raises(
        SettingsError, match=rf"^the kind of boat 'ketch' of harbour-boats cannot be loaded \({words}"
    ) as told:
        boats().get("ketch")
    assert "\n" not in str(told.value)


def test_an_error_of_ours_is_told_as_it_is(distribution: Install) -> None:
    code = "from toulmin.errors import MissingExtraError\nraise MissingExtraError('ketch', 'gguf')"
    distribution("harbour-boats", code, "toulmin.boats", ["ketch = ketch"])
    with pytest.raises(MissingExtraError, match="gguf"):
        boats().get("ketch")


def test_what_is_of_another_type(distribution: Install) -> None:
    distribution("harbour-boats", "ketch = 3", "toulmin.boats", ["ketch = ketch"])
    with pytest.raises(SettingsError, match="'ketch' of harbour-boats is of type int, not something to call"):
        boats().get("ketch")
    with pytest.raises(SettingsError, match="'ketch' of harbour-boats is of type int, not a Path"):
        boats(of=Path).get("ketch")
    assert boats(of=int).get("ketch") == 3


WORDS = st.lists(st.text("abcdeXY-/", min_size=1, max_size=8), unique_by=str.casefold)


@given(st.text("abcdeXY-/", max_size=8), WORDS)
def test_only_names_that_are_there_are_suggested(name: str, names: list[str]) -> None:
    suggested = re.findall(r"'([^']*)'", closest(name, names))
    assert set(suggested) <= set(names)
    assert len(suggested) == len(set(suggested)) <= 3
    if name.casefold() in [one.casefold() for one in names]:
        assert suggested[0].casefold() == name.casefold()
    assert known(name, names).endswith(f"(known: {', '.join(names)})")


# --- Every look-up


def _data(name: str) -> Any:
    return load(name, "somewhere").id


def _read(name: str) -> Any:
    return list(read(__file__, format=name))


def _model(name: str) -> Any:
    return get_model(f"{name}:x").name


def _knowledge(name: str) -> Any:
    found = knowledge_from([name], MemoryGraph.from_statements([]))
    return None if found is None else found.name


CALLED = "class mine:\n    name = 'mine'\n    def __init__(self, *given): pass\n    def fit(self, texts): return self\n"
#: group, how it is looked up by name, what a package brings, what then comes out
LOOK_UPS: list[tuple[str, Callable[[str], Any], str, Any]] = [
    ("toulmin.readers", _read, "def mine(stream, options): yield 'record'", ["record"]),
    (
        "toulmin.dialects",
        lambda name: find_dialect(name).name,
        "from toulmin.graph.endpoint.dialects import DIALECTS\nmine = DIALECTS['rdf']",
        "rdf",
    ),
    ("toulmin.embedders", lambda name: get_embedder(name).name, CALLED, "mine"),
    ("toulmin.scorers", lambda name: scorers.get_text_scorer(name).name, CALLED, "mine"),
    ("toulmin.knowledge", _knowledge, CALLED, "mine"),
    ("toulmin.models", _model, CALLED, "mine"),
    ("toulmin.entailment", lambda name: entailment.get_scorer(name).name, CALLED, "mine"),
    (
        "toulmin.datasets",
        _data,
        "from toulmin.evaluation.datasets import Dataset\ndef mine(data): return Dataset(data.name, ())",
        "somewhere",
    ),
]


@pytest.mark.parametrize(("group", "look_up", "code", "expected"), LOOK_UPS, ids=[one[0] for one in LOOK_UPS])
def test_every_look_up_behaves_alike(
    group: str, look_up: Callable[[str], Any], code: str, expected: Any, distribution: Install
) -> None:
    with pytest.raises(SettingsError, match=r"'mine_pkg'.* \(known: .*\)$"):
        look_up("mine_pkg")
    distribution("mine-pkg", code, group, ["mine_pkg = mine", "mine_lost = lost"])
    assert look_up("mine_pkg") == expected
    with pytest.raises(SettingsError, match=r"'mine_pk'.*; did you mean 'mine_pkg'.*(known: .*mine_lost, mine_pkg)"):
        look_up("mine_pk")
    with pytest.raises(SettingsError, match="'mine_lost' of mine-pkg cannot be loaded"):
        look_up("mine_lost")
    distribution("other-pkg", code, group, ["mine_lost = mine"])
    with pytest.raises(SettingsError, match=r"'mine_lost' is brought by .* and by .*: keep one of them"):
        look_up("mine_lost")


def test_an_embedder_of_a_package_is_a_scorer_and_knows_what_follows_its_colon(distribution: Install) -> None:
    code = "class River:\n    def __init__(self, argument):\n        self.name = f'river of {argument}'"
    distribution("river-vectors", code, "toulmin.embedders", ["river = River"])
    assert "river" in embedder_names()
    assert get_embedder("river:stones").name == "river of stones"
    scorer = scorers.get_text_scorer("river:stones")
    assert isinstance(scorer, scorers.Cosine)
    assert (scorer.name, scorer.embedder.name) == ("river:stones", "river of stones")


@pytest.mark.parametrize(
    ("look_up", "name", "words"),
    [
        (get_embedder, "minilm:large", "'minilm' takes nothing after its name: leave 'large' out"),
        (get_embedder, "sentence-transformers", "write sentence-transformers:FOLDER"),
        (scorers.get_text_scorer, "bm25:x", "'bm25' takes nothing after its name"),
        (scorers.get_text_scorer, "minilm:x", "'minilm' takes nothing after its name"),
        (_knowledge, "temporal:x", "'temporal' takes nothing after its name"),
        (_knowledge, "given", "write given:FILE"),
        (_knowledge, "given:", "write given:FILE"),
    ],
)
def test_what_follows_a_name(look_up: Callable[[str], Any], name: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        look_up(name)


def test_kinds_of_knowledge_get_the_graph_and_the_tables(distribution: Install, tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text('{"title": ["Idris Elba"], "Occupation": ["Actor"]}')
    code = """
class Notes:
    def __init__(self, argument, options):
        self.name = f"{argument}, {options.graph.fingerprint}, {options.premise}"
"""
    distribution("notes", code, "toulmin.knowledge", ["notes = Notes"])
    graph = MemoryGraph.from_statements([])
    joined: Any = knowledge_from(["notes:mill", str(tmp_path / "table.json")], graph)
    (name,) = (one.name for one in joined.parts if type(one).__name__ == "Notes")
    assert name.startswith(f"mill, {graph.fingerprint}, ") and "Actor" in name


def test_a_format_of_a_package_is_known_by_its_suffix(distribution: Install, tmp_path: Path) -> None:
    code = (
        "from toulmin.graph.readers import RawStatement\n"
        "def read(stream, _): yield RawStatement('a', 'b', stream.read().decode())"
    )
    distribution("knots", code, "toulmin.readers", ["knot = read"])
    assert formats()[-1] == "knot"
    (tmp_path / "a.knot").write_text("c")
    assert next(iter(read(tmp_path / "a.knot"))) == ("a", "b", "c", (), "normal")
    (tmp_path / "a.nott").write_text("c")
    with pytest.raises(InputError, match=r"\.knot \(also"):
        read(tmp_path / "a.nott")


def test_data_sets_that_are_none(distribution: Install) -> None:
    with pytest.raises(
        SettingsError, match=r"no data set is called 'metaqa/2-hops/dev'; did you mean 'metaqa/2-hop/dev' or"
    ):
        load("metaqa/2-hops/dev", ".")
    distribution("odd-set", "def odd(data): return []", "toulmin.datasets", ["odd = odd"])
    with pytest.raises(SettingsError, match="'odd' returned list, not a Dataset"):
        load("odd", ".")


def test_every_module_of_a_data_set_has_its_line_and_ids_of_its_own() -> None:
    from importlib import import_module

    folder = ROOT / "evaluation" / "datasets"
    assert {path.stem for path in folder.glob("*.py") if "\nLOADERS" in path.read_text("utf-8")} == set(MODULES)
    ids = [name for module in MODULES for name in import_module(f"toulmin.evaluation.datasets.{module}").LOADERS]
    assert len(ids) == len(set(ids))
    assert set(ids) <= set(dataset_ids())


def test_our_own_can_all_be_loaded() -> None:
    for name in formats():
        with pytest.raises(InputError, match="no such file"):
            read("/nowhere", format=name)
    assert {"openai", "gguf", "replay"} <= set(MODEL_KINDS.names())


def test_the_documents_list_every_group() -> None:
    page = (DOCS / "packages.md").read_text("utf-8")
    used = {
        group
        for path in ROOT.rglob("*.py")
        for group in re.findall(r'Registry\(\s*"[^"]+",\s*"(toulmin\.[a-z]+)"', path.read_text("utf-8"))
    }
    assert used >= {group for group, *_ in LOOK_UPS}
    assert used | {"toulmin.methods"} == set(re.findall(r"^\| `(toulmin\.[a-z]+)`", page, re.MULTILINE))
