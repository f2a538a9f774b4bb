"""Systematic tampering with stored answers: every leaf, list and object of the JSON, and consistent attacks.

    assert survivors(answer, graph) == []

says that nothing in the answer can be altered unnoticed, but for what ``HARMLESS`` lists with reasons.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import TypeAdapter

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Node, Statement
from toulmin.proof.answer import Answer, answer_text
from toulmin.proof.checker import check

__all__ = ["HARMLESS", "Mutation", "attacks", "caught", "leaf_mutations", "survivors"]

#: What may be altered without a check noticing, and why that does no harm. Pointers without the step's number.
HARMLESS: tuple[tuple[str, str], ...] = (
    (r"/(version|method|model|prompts_hash)", "how the answer was made, of which the graph knows nothing"),
    (r"/usage(/\w+)?", "what the answer cost, of which the graph knows nothing"),
    (r"/graph_fingerprint", "the check says that the graph has changed, and looks everything up all the same"),
    (r"/proof/steps/(judgement|binding)/(by|score)", "the judge's own word, shown as judged and nothing more"),
    (r"/proof/steps/link/(full text|vector)/(score|how)", "the linker's own word, shown as judged and nothing more"),
    (r"/proof/steps/link/near/how", "it can only become a weaker match, judged where it was recomputed"),
    (r"/abstained/proof/steps/conclusion/rests_on(/\d+)?", "an abstention claims nothing; unused steps are listed"),
    (r"/abstained/proof/steps/judgement/decision", "the judge's own word, on which nothing rests"),
    (r"/proof/steps/fact/seen", "what a judge saw, shown with the judgement; that it is a ground is the judge's word"),
    (r"/proof/steps/link/removed", "an axiom that names the entity itself, whose name this then is"),
    (r"/proof/steps/axiom/relation", "another axiom, shown and assumed as the first was, of which no statement speaks"),
    (r"/proof/steps/passage/source", "the check says that no document of this name is at hand to verify it by"),
    (r"/proof/steps/\w+/id", "the name of a step to which no other refers"),
)

_ENUMS: dict[str, tuple[str, ...]] = {
    "how": ("exact", "near", "full text", "vector"),
    "direction": ("forward", "backward"),
    "rank": ("preferred", "normal", "deprecated"),
    "decision": ("yes", "no", "unknown"),
    "policy": ("open world", "closed world", "complete relation", "no value"),
    "answer_kind": ("values", "verdict", "text"),
    "verdict": ("supported", "contradicted", "not in the graph", "not checked"),
    "prediction": ("yes", "no", "maybe"),
    "function": ("equal", "f1", "f2", "f3"),
    "ties": ("no", "first", "majority"),
    "unknown": ("keep", "drop"),
    "op": ("=", "≠", "<", "≤", ">", "≥"),
    "operator": ("path_ends", "union", "intersection", "difference", "count", "first", "last"),
    "kind": ("values", "verdict", "link", "fact", "path", "computation", "string", "quantity", "time", "no_value"),
}
_STEP_LISTS = {"rests_on", "evidence", "of", "start", "citations"}
_NODE: TypeAdapter[Node] = TypeAdapter(Node)
_STATEMENT = TypeAdapter(Statement)

Json = Any
Documents = Callable[[str], str | None]
Key = str | int


@dataclass(frozen=True)
class Mutation:
    """A stored answer that was tampered with.

    Attributes:
        place: a JSON pointer in which the number of a step is its kind (and, of a link, how it was made).
        what: what was done there.
        text: the JSON; made when asked for, since there are thousands.
    """

    place: str
    what: str
    make: Callable[[], str]

    @property
    def text(self) -> str:
        return self.make()

    @property
    def harmless(self) -> bool:
        """Whether ``HARMLESS`` lists the place."""
        return any(re.fullmatch(f"(/abstained)?{pattern}", self.place) for pattern, _ in HARMLESS)


def caught(mutation: Mutation, answer: Answer, graph: Graph, passages: Documents | None = None) -> bool:
    """Whether the tampered answer is refused as input, fails its check, or is the same answer after all."""
    try:
        read = Answer.from_json(mutation.text)
    except InputError:
        return True
    return read == answer or check(read, graph, passages=passages).exit_code != 0


def survivors(
    answer: Answer, graph: Graph, limit: int | None = None, passages: Documents | None = None
) -> list[tuple[str, str]]:
    """Every tampering that goes unnoticed and is not harmless; of at most ``limit``, spread evenly."""
    every = [*leaf_mutations(answer, graph), *attacks(answer, graph)]
    if limit is not None and len(every) > limit:
        every = every[:: -(-len(every) // limit)]
    return [(one.place, one.what) for one in every if not one.harmless and not caught(one, answer, graph, passages)]


class _Pools:
    """Plausible replacements, taken from the proof and from the graph around it."""

    def __init__(self, stored: Json, graph: Graph) -> None:
        self.steps: list[str] = [step["id"] for step in stored["proof"]["steps"]]
        ids = list(dict.fromkeys(node["id"] for node in _entities(stored)))
        around = [one for some in graph.statements(ids, limit=6) for one in some]
        self.statements = list({one.id: one for one in around}.values())
        ends = [end for one in around for end in (one.subject, one.object)]
        self.entities = list(dict.fromkeys(end for end in ends if isinstance(end, Entity)))
        self.literals = list(dict.fromkeys(end for end in ends if isinstance(end, Literal)))
        self.relations = [relation for relation, _ in graph.relations()][:8]


def _entities(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        if set(value) == {"id", "label"}:
            yield value
        for item in value.values():
            yield from _entities(item)
    elif isinstance(value, list):
        for item in value:
            yield from _entities(item)


def _walk(value: Json, trail: tuple[Key, ...] = ()) -> Iterator[tuple[tuple[Key, ...], Json]]:
    yield trail, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _walk(item, (*trail, key))


def _place(stored: Json, trail: tuple[Key, ...]) -> str:
    parts: list[str] = []
    for depth, key in enumerate(trail):
        if depth == 2 and trail[:2] == ("proof", "steps") and isinstance(key, int):
            step = stored["proof"]["steps"][key]
            parts.append(step["kind"])
            if step["kind"] == "link" and step["how"] != "exact":
                parts.append(step["how"])
        else:
            parts.append(str(key))
    return "/".join(["/abstained" if stored["abstained"] else "", *parts])


def _altered(stored: Json, trail: tuple[Key, ...], change: Callable[[Json, Key], None]) -> Callable[[], str]:
    def make() -> str:
        copied = copy.deepcopy(stored)
        parent = copied
        for key in trail[:-1]:
            parent = parent[key]
        change(parent, trail[-1])
        return json.dumps(copied)

    return make


def _put(value: Json) -> Callable[[Json, Key], None]:
    def change(parent: Json, key: Key) -> None:
        parent[key] = value

    return change


def leaf_mutations(answer: Answer, graph: Graph) -> Iterator[Mutation]:
    """Every leaf replaced by plausible values, every list shortened, lengthened and turned, every object swapped."""
    stored = json.loads(answer.to_json())
    pools = _Pools(stored, graph)
    for trail, value in _walk(stored):
        if not trail:
            continue
        place = _place(stored, trail)
        for other in _others(trail, value, pools):
            if other != value:
                text = _altered(stored, trail, _put(other))
                yield Mutation(place, f"{_short(value)} becomes {_short(other)}", text)
        if isinstance(trail[-1], int):
            yield Mutation(place, "removed", _altered(stored, trail, lambda parent, key: parent.pop(key)))
            yield Mutation(
                place, "repeated", _altered(stored, trail, lambda parent, key: parent.insert(key, parent[key]))
            )
        else:
            yield Mutation(place, "removed", _altered(stored, trail, lambda parent, key: parent.pop(key)))
        if isinstance(value, dict):
            yield Mutation(place, "given an unknown field", _altered(stored, (*trail, "extra"), _put("x")))


def _short(value: Json) -> str:
    text = json.dumps(value)
    return text if len(text) < 60 else f"{text[:57]}…"


def _dumped(node: object) -> Json:
    if isinstance(node, Statement):
        return _STATEMENT.dump_python(node, mode="json")
    return {"id": node.id, "label": node.label} if not isinstance(node, Literal) else _NODE.dump_python(node)  # type: ignore[attr-defined]


def _others(trail: tuple[Key, ...], value: Json, pools: _Pools) -> Iterator[Json]:
    key = next((part for part in reversed(trail) if isinstance(part, str)), "")
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield from (value + 1, value - 1, 0, type(value)(value * 0.5))
    elif value is None:
        yield from ("x", True, 0.5, pools.steps[0])
        yield from (_dumped(node) for node in pools.entities[:1])
    elif isinstance(value, str):
        yield from _other_texts(trail, key, value, pools)
    elif isinstance(value, list):
        yield from _other_lists(trail, key, value, pools)
    elif set(value) == {"id", "label"}:
        relation = key in ("relation", "starts", "ends", "points")
        yield from (_dumped(one) for one in (pools.relations if relation else pools.entities))
        if not relation:
            yield from (_dumped(one) for one in pools.literals[:2])
    elif key == "statement":
        yield from (_dumped(one) for one in pools.statements)
    elif "precision" in value:
        yield from (_dumped(one) for one in (*pools.literals[:4], *pools.entities[:2]))


def _other_texts(trail: tuple[Key, ...], key: str, value: str, pools: _Pools) -> Iterator[str]:
    yield from (f"{value} ", f"{value}x", value[1:], value.swapcase())
    yield from _ENUMS.get(key, ())
    if key in _STEP_LISTS or (key == "entity" and "constraints" in trail) or key in ("left", "right"):
        yield from pools.steps
    if key in ("statement", "statement_id"):
        yield from (one.id for one in pools.statements)
    named = pools.relations if "relation" in trail[-2:-1] else pools.entities
    if key == "id" and trail[-2] != "steps":
        yield from (one.id for one in named[:6])
    if key in ("label", "form", "span", "text"):
        yield from (one.label for one in named[:6] if one.label)
    if key == "value":
        yield from (one.value for one in pools.literals[:4])


def _other_lists(trail: tuple[Key, ...], key: str, value: list[Json], pools: _Pools) -> Iterator[list[Json]]:
    if key not in ("steps", "rests_on", "qualifiers"):  # whose order says nothing
        yield value[::-1]
    yield []
    if key in _STEP_LISTS:
        yield from ([*value, step] for step in pools.steps)
    elif key == "values":
        yield from ([*value, _dumped(node)] for node in (*pools.entities[:6], *pools.literals[:2]))
    elif key == "qualifiers":
        others = (_dumped(one)["qualifiers"] for one in pools.statements[:6])
        yield from (other for other in others if sorted(map(json.dumps, other)) != sorted(map(json.dumps, value)))
        yield value[1:]
    elif key == "sentences":
        yield [{"text": "x", "citations": []}]
    elif key in ("starts", "ends", "points"):
        yield from ([*value, _dumped(one)] for one in pools.relations[:3])


def attacks(answer: Answer, graph: Graph) -> Iterator[Mutation]:
    """Tampering in several places at once, so that the parts still agree with each other."""
    stored = json.loads(answer.to_json())
    pools = _Pools(stored, graph)
    yield from _other_answers(stored, pools)
    if not stored["abstained"]:  # it would be an abstention from another question, as good as the first
        yield from _renamings(stored, pools)
    yield from _fewer_steps(stored)
    yield from _flips(stored)


def _with_answer(stored: Json, values: list[Json]) -> Json:
    """Another answer set, put wherever the proof states the old one, with its text."""
    old = stored["values"]
    changed = copy.deepcopy(stored)
    for trail, value in list(_walk(changed)):
        if trail and trail[-1] == "values" and value == old:
            parent = changed
            for key in trail[:-1]:
                parent = parent[key]
            parent["values"] = values
    said = changed["proof"]["steps"][-1]
    changed["text"] = answer_text(
        values=tuple(_NODE.validate_python(value) for value in values), at_least=said.get("at_least", False)
    )
    return changed


def _other_answers(stored: Json, pools: _Pools) -> Iterator[Mutation]:
    values = stored["values"]
    for value in values:
        fewer = _with_answer(stored, [one for one in values if one != value])
        yield Mutation("/values", f"{_short(value)} removed wherever it is an answer", partial(json.dumps, fewer))
        pathless = copy.deepcopy(fewer)
        for step in list(pathless["proof"]["steps"]):
            if step["kind"] == "path" and step["path"]["steps"][-1:] and step["path"]["steps"][-1]["node"] == value:
                pathless = _without(pathless, step["id"])
        yield Mutation("/values", f"{_short(value)} removed with its paths", partial(json.dumps, pathless))
    for node in pools.entities[:8]:
        if (dumped := _dumped(node)) not in values and stored["kind"] == "values":
            more = _with_answer(stored, sorted([*values, dumped], key=json.dumps))
            yield Mutation("/values", f"{_short(dumped)} added wherever the answers are", partial(json.dumps, more))
            for value in values[:2]:
                swapped = _with_answer(stored, [dumped if one == value else one for one in values])
                yield Mutation("/values", f"{_short(value)} swapped for {_short(dumped)}", partial(json.dumps, swapped))


def _renamings(stored: Json, pools: _Pools) -> Iterator[Mutation]:
    """An entity, relation or statement id swapped for another wherever it stands: in claims and text as well."""
    text = json.dumps(stored)

    def everywhere(*pairs: tuple[str, str]) -> str:
        swapped = text
        for number, (old, _) in enumerate(pairs):
            swapped = swapped.replace(json.dumps(old)[1:-1], f"\0{number}\0")
        for number, (_, new) in enumerate(pairs):
            swapped = swapped.replace(f"\0{number}\0", json.dumps(new)[1:-1])
        return swapped

    shown = list({node["id"]: node for node in _entities(stored)}.values())
    relations = {relation.id for relation in pools.relations}
    for node in shown[:6]:
        for other in (pools.relations if node["id"] in relations else pools.entities)[:4]:
            if other.id == node["id"]:
                continue
            yield Mutation("", f"{node['id']} is {other.id} everywhere", partial(everywhere, (node["id"], other.id)))
            pairs = [(node["id"], other.id), (node["label"] or node["id"], other.label or other.id)]
            place = "/proof/steps/axiom/relation" if _only_searched(stored, node["id"]) else ""
            yield Mutation(place, f"{node['id']} is {other.id} everywhere, and so called", partial(everywhere, *pairs))
    facts = [step for step in stored["proof"]["steps"] if step["kind"] == "fact"]
    for fact in facts[:4]:
        for statement in pools.statements[:6]:
            if _same_triple(fact["statement"], statement):
                continue  # another proof, as good as the first
            changed = json.loads(everywhere((fact["statement_id"], statement.id)))
            for step in changed["proof"]["steps"]:
                if step["id"] == fact["id"]:
                    step["statement"] = _dumped(statement)
            users = [step for step in stored["proof"]["steps"] if fact["id"] in step["rests_on"]]
            seen = all(step["kind"] == "judgement" for step in users)
            place = "/proof/steps/fact/seen" if seen else ""
            yield Mutation(place, f"{fact['id']} is another true statement everywhere", partial(json.dumps, changed))


def _only_searched(stored: Json, relation: str) -> bool:
    """Whether an axiom has a term for the relation, and no step says that the graph has a statement with it."""
    steps = stored["proof"]["steps"]
    bound = any(step["kind"] == "binding" and (step["relation"] or {}).get("id") == relation for step in steps)
    kinds = ("axiom", "binding", "absence", "computation", "judgement", "conclusion")
    return bound and json.dumps(relation) not in json.dumps([one for one in steps if one["kind"] not in kinds])


def _same_triple(fact: Json, statement: Statement) -> bool:
    dumped = _dumped(statement)
    return all(fact[part] == dumped[part] for part in ("subject", "relation", "object"))


def _without(stored: Json, gone: str) -> Json:
    changed = copy.deepcopy(stored)
    changed["proof"]["steps"] = [step for step in changed["proof"]["steps"] if step["id"] != gone]
    for step in changed["proof"]["steps"]:
        for key in ("rests_on", "evidence"):
            if key in step:
                step[key] = [premise for premise in step[key] if premise != gone]
    return changed


def _dump_without(stored: Json, gone: str) -> str:
    return json.dumps(_without(stored, gone))


def _fewer_steps(stored: Json) -> Iterator[Mutation]:
    for step in stored["proof"]["steps"]:
        if stored["abstained"] and step["kind"] != "conclusion":
            continue  # see HARMLESS
        named = any(step["id"] in one["rests_on"] and _by_axiom(one) for one in stored["proof"]["steps"])
        yield Mutation(
            f"/proof/steps/{step['kind']}/removed" if named else "/proof/steps",
            f"{step['id']} ({step['kind']}) removed with every mention",
            partial(_dump_without, stored, step["id"]),
        )


def _by_axiom(step: Json) -> bool:
    return step["kind"] == "binding" or (step["kind"] == "judgement" and str(step["claim"]).startswith("clause "))


def _flips(stored: Json) -> Iterator[Mutation]:
    """The answer and its conclusion altered alike, with the text that then follows."""
    for field, other in (
        ("abstained", not stored["abstained"]),
        ("verdict", not stored["verdict"]),
        ("reason", "the moon is full"),
        ("question", f"{stored['question']} not"),
        ("kind", "verdict" if stored["kind"] == "values" else "values"),
    ):
        changed = copy.deepcopy(stored)
        changed[field] = other
        said = changed["proof"]["steps"][-1]
        said["answer_kind" if field == "kind" else field] = other
        if stored["abstained"] and field in ("reason", "kind", "question"):
            continue  # another abstention, as good as the first
        changed["text"] = answer_text(
            values=tuple(_NODE.validate_python(value) for value in changed["values"]),
            verdict=changed["verdict"],
            at_least=said["at_least"],
            abstained=changed["abstained"],
            reason=changed["reason"],
        )
        yield Mutation(f"/{field}", "altered in the answer and in its conclusion", partial(json.dumps, changed))
