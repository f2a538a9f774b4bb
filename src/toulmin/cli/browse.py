"""The commands that look into a graph: info, find, show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from toulmin.cli.console import counted, error_console, print_beside, print_json, result_console, shorten
from toulmin.cli.graphs import NO_GRAPH, Dialect, GraphChoice, KgTimeout
from toulmin.cli.options import Everything, Json, argument, flag, option, takes_groups
from toulmin.errors import InputError, SettingsError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from toulmin.graph.endpoint.graph import EndpointGraph
    from toulmin.graph.protocol import Graph, LabelMatch, Side
    from toulmin.graph.readers.tables.provenance import Place
    from toulmin.graph.relation_forms import RelationForms
    from toulmin.graph.types import EntityInfo, Statement

__all__ = ["find", "info", "show"]

_ONLY_IN_JSON = ("kind", "format", "preferred_languages", "leaves", "hashes")
_CALLED = {"aliases": "also called", "backward": "backward"}
_RELATIONS = 20  # listed by info, unless all are asked for
_NAMESAKES = 5  # other entities of the same name that show lists

Limit = Annotated[int, option("N", "How many to list.", "--limit", min=1)]


def info(
    graph: Annotated[str, argument("GRAPH", "Directory, URL of an endpoint, or `bundled`.")],
    dialect: Dialect = None,
    kg_timeout: KgTimeout = None,
    refresh: Annotated[
        bool, flag("--refresh", "Forget the schema that is kept of an endpoint: it is asked again.")
    ] = False,
    everything: Everything = False,
    json: Json = False,
) -> None:
    """Say what a graph holds: its root (for `check --root`), counts, sources, relations.

    An endpoint tells its relations and when it was asked: it has no root, and may change at any time.

    \b
    Example:
      toulmin info films
    """
    from toulmin.cli.drawing import relation_words
    from toulmin.graph.endpoint.graph import EndpointGraph
    from toulmin.graph.relation_forms import relation_forms
    from toulmin.graph.store import EmbeddedGraph
    from toulmin.opening import is_url

    if refresh and not is_url(graph):
        raise SettingsError(f"{graph}: --refresh is of an endpoint: build a graph of your own again")
    with GraphChoice([graph], dialect, kg_timeout).opened() as source:
        relations = source.relations()
        about: dict[str, Any] = {"name": source.name, "fingerprint": source.fingerprint}
        forms = {} if isinstance(source, EndpointGraph) else relation_forms(source)  # an endpoint is asked for no more
        if isinstance(source, EndpointGraph):
            about = _endpoint(source, refresh=refresh)
        if isinstance(source, EmbeddedGraph):
            about |= {
                "directory": str(source.path),
                "bytes": sum(path.stat().st_size for path in source.path.rglob("*") if path.is_file()),
                **source.manifest.model_dump(mode="json"),
            }
    if json:
        listed = [
            {"id": relation.id, "label": relation.label, "statements": number, **_other_names(forms.get(relation.id))}
            for relation, number in relations
        ]
        print_json({**about, "relations": listed})
        return
    console = result_console()
    for key, value in about.items():
        if key not in _ONLY_IN_JSON:
            console.print(f"{'root' if key == 'fingerprint' else key:<12} {_listed(value)}", soft_wrap=True)
    console.print(f"\n{counted(len(relations), 'relation')}, by number of statements")
    shown = relations if everything else relations[:_RELATIONS]
    for relation, number in shown:
        others = _other_names(forms.get(relation.id)).items()
        called = [shorten(f"{_CALLED[kind]} {', '.join(names)}") for kind, names in others if names]
        console.print("; ".join([f"{number:>11,}  {relation_words(relation)}", *called]), soft_wrap=True)
    if len(shown) < len(relations):
        console.print(f"{'…':>11}  and {len(relations) - len(shown):,} more (--all lists them)")


def _other_names(forms: RelationForms | None) -> dict[str, tuple[str, ...]]:
    """What a relation is called beside its label, and from the other end, as far as the graph was asked for it."""
    return {"aliases": forms.forward[1:], "backward": forms.backward} if forms else {}


def _endpoint(graph: EndpointGraph, *, refresh: bool) -> dict[str, Any]:
    """What can be said of an endpoint."""
    from toulmin.retrieval.schema import kept_file

    if refresh:
        kept_file(graph).forget()
    kept = kept_file(graph)
    asked = f"{counted(len(kept.rows), 'relation')}, asked {kept.asked:%Y-%m-%d %H:%M} UTC" if kept.asked else ""
    return {
        "name": graph.name,
        "address": graph.fingerprint,
        "dialect": graph.dialect.name,
        "asked": datetime.now(UTC).isoformat(timespec="seconds"),
        "schema": f"{asked} (kept in {kept.path}; --refresh forgets it)" if kept.asked else "not asked for yet",
    }


def _listed(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key or 'none'}: {_listed(item)}" for key, item in value.items()) or "-"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else str(value)


@takes_groups
def find(
    text: Annotated[str, argument("TEXT", "A name, or part of one; also misspelt, but for endpoints.")],
    graph_choice: GraphChoice = NO_GRAPH,
    limit: Limit = 10,
    json: Json = False,
) -> None:
    """Find entities by their labels and aliases, best match first.

    \b
    Example:
      toulmin find "ada lovelace" --kg bundled
    """
    from rich.text import Text

    with graph_choice.opened() as graph:
        matches, missed = _searched(graph, text, limit)
        infos = graph.describe([match.id for match in matches])
    for line in missed:
        error_console().print(f"toulmin: {line}", soft_wrap=True)
    if json:
        found = [
            {
                "id": match.id,
                "label": about.entity.label if about else None,
                "matched": match.form,
                "score": match.score,
                "description": about.description if about else None,
            }
            for match, about in zip(matches, infos, strict=True)
        ]
        print_json(found)
        return
    console = result_console()
    for match, about in zip(matches, infos, strict=True):
        words = _headline(match.id, about)
        if about and match.form != about.entity.label:
            words.append(f", also called {shorten(match.form)}")
        if about and about.description:
            words.append(f": {shorten(about.description)}")
        print_beside(console, Text(f"{match.score:.2f}  "), words)
    if not matches:
        console.print(f"nothing is called {text!r}" if missed else f"nothing is called {text!r} or nearly so")


def _searched(graph: Graph, text: str, limit: int) -> tuple[list[LabelMatch], list[str]]:
    """What is called so, and what could not be looked for at endpoints."""
    from toulmin.graph.endpoint.graph import EndpointGraph
    from toulmin.graph.union import UnionGraph

    whole_names = "an endpoint is searched for whole names and for names with all these words, not for misspelt ones"
    if isinstance(graph, EndpointGraph):
        result = graph.search_names(text, limit)
        if result.why_not is not None:
            return result.matches, [f"only whole names were looked for, not parts of them: {result.why_not}"]
        return result.matches, [] if result.matches else [whole_names]
    matches = graph.search(text, limit)
    remote = isinstance(graph, UnionGraph) and any(isinstance(g, EndpointGraph) for g in graph.graphs.values())
    return matches, [whole_names] if remote and not matches else []


def _headline(identifier: str, about: EntityInfo | None) -> Text:
    from rich.text import Text

    label = about.entity.label if about else None
    text = Text(shorten(label or identifier), "bold")
    return Text.assemble(text, (f"  ⟨{identifier}⟩", "dim")) if label and label != identifier else text


@takes_groups
def show(
    entity: Annotated[str, argument("ENTITY", "An id, label or alias of an entity or relation.")],
    graph_choice: GraphChoice = NO_GRAPH,
    relation: Annotated[
        list[str] | None, option("NAME", "Only statements of this relation, by id or label; repeat.")
    ] = None,
    limit: Limit = 20,
    everything: Everything = False,
    json: Json = False,
) -> None:
    """Show the statements of an entity, in both directions, of tables with their rows; of a relation what it is called.

    \b
    Example:
      toulmin show "Ada Lovelace" --kg bundled
    """
    from rich.text import Text

    from toulmin.graph.relation_forms import relation_forms

    with graph_choice.opened() as graph:
        identifier, namesakes = _resolve(entity, graph)
        about, *others = graph.describe([identifier, *namesakes[:_NAMESAKES]])
        forms = relation_forms(graph, [identifier]).get(identifier) if about else None
        wanted = _relation_ids(relation, graph) if relation else None
        most = None if everything else limit + 1
        sides: dict[Side, list[Statement]] = {}
        for side in ("outgoing", "incoming"):
            sides[side] = graph.statements([identifier], side=side, relations=wanted, limit=most)[0]
        more = {side: not everything and len(statements) > limit for side, statements in sides.items()}
        shown = {side: statements[:limit] if more[side] else statements for side, statements in sides.items()}
        places = {side: _places(graph, statements) for side, statements in shown.items()}
    if json:
        backward = {"backward": forms.backward} if forms and forms.backward else {}
        print_json(_entity_json(identifier, about, shown, places, more) | backward)
        return
    console = result_console()
    console.print(_headline(identifier, about))
    if about and about.aliases:
        console.print(f"also called {', '.join(about.aliases)}")
    rows = dict.fromkeys(replace(place, column=None) for of in places["outgoing"] for place in of)
    if rows:
        console.print(f"from {'; '.join(map(str, rows))}", soft_wrap=True)
    if forms and forms.backward:
        console.print(f"backward {', '.join(forms.backward)}")
    for side, statements in shown.items():
        _print_side(console, side, statements, more=more[side])
    if namesakes:
        console.print(f"\n{len(namesakes):,} more of this name; show one by its id:")
        for namesake, of in zip(namesakes, others, strict=False):
            console.print(Text("  ") + _headline(namesake, of))


def _places(graph: Graph, statements: Sequence[Statement]) -> list[list[Place]]:
    """The cells of tables that each statement comes from."""
    from toulmin.graph.readers.tables.provenance import places_of
    from toulmin.graph.store import EmbeddedGraph
    from toulmin.graph.union import UnionGraph

    places: list[list[Place]] = []
    for statement in statements:
        of = graph.graphs.get(statement.graph or "") if isinstance(graph, UnionGraph) else graph
        pair = (statement.subject.id, statement.relation.id)
        places += places_of(of.path, [pair]) if isinstance(of, EmbeddedGraph) else [[]]
    return places


def _resolve(text: str, graph: Graph) -> tuple[str, list[str]]:
    """The entity (else the relation) of an id or a name, and others of the same name.

    Raises:
        InputError: there is none.
    """
    if graph.describe([text])[0] is not None:
        return text, []
    matches = sorted(graph.lookup([text])[0], key=lambda match: match.form != text)  # the same case first
    ids = list(dict.fromkeys(match.id for match in matches))
    if ids:
        return ids[0], ids[1:]
    if relations := _relations_called(text, graph):
        return relations[0], relations[1:]
    near = dict.fromkeys(match.form for match in graph.search(text, 5))
    hint = f"; the nearest are {', '.join(map(repr, near))}" if near else ""
    raise InputError(f"no entity has the id or name {text!r}{hint}")


def _relation_ids(names: Sequence[str], graph: Graph) -> list[str]:
    from toulmin.graph.labels import normalise
    from toulmin.registry import closest

    relations = [relation for relation, _ in graph.relations()]
    ids: list[str] = []
    for name in names:
        same = [r.id for r in relations if name == r.id or normalise(name) == normalise(r.label or r.id)]
        if not (same := same or _relations_called(name, graph)):
            near = closest(name, [r.label or r.id for r in relations])
            raise InputError(f"no relation has the id or name {name!r}{near}; `toulmin info` lists them")
        ids.extend(same)
    return ids


def _relations_called(name: str, graph: Graph) -> list[str]:
    """The relations with a name; of an endpoint none, since it is not asked for all of its relations' names."""
    from toulmin.graph.endpoint.graph import EndpointGraph
    from toulmin.graph.labels import normalise
    from toulmin.graph.relation_forms import relation_forms

    if isinstance(graph, EndpointGraph):
        return []
    wanted = normalise(name)
    return [relation for relation, forms in relation_forms(graph).items() if wanted in map(normalise, forms.forward)]


def _entity_json(
    identifier: str,
    about: EntityInfo | None,
    shown: dict[Side, list[Statement]],
    places: dict[Side, list[list[Place]]],
    more: dict[Side, bool],
) -> dict[str, Any]:
    from pydantic import TypeAdapter

    from toulmin.graph.types import Statement

    adapter = TypeAdapter(Statement)
    return {
        "id": identifier,
        "label": about.entity.label if about else None,
        "aliases": about.aliases if about else (),
        "description": about.description if about else None,
        **{
            side: [
                {"id": statement.id, **adapter.dump_python(statement, mode="json")}
                | ({"cells": list(map(asdict, of))} if of else {})
                for statement, of in zip(statements, places[side], strict=True)
            ]
            for side, statements in shown.items()
        },
        "more": more,
    }


def _print_side(console: Console, side: Side, statements: Sequence[Statement], *, more: bool) -> None:
    from rich.text import Text

    from toulmin.cli.drawing import Pen, node_words

    if not statements:
        return
    pen = Pen(console)
    console.print()
    for statement in statements:
        outgoing = side == "outgoing"
        arrow = pen.arrow(statement.relation, "forward" if outgoing else "backward")
        other = node_words(statement.object if outgoing else statement.subject)
        lines = [Text.assemble(arrow, " ", (other, "bold"))]
        for line in pen.append(lines, pen.qualifiers(statement), indent=2):
            print_beside(console, Text("  "), line)
    if more:
        console.print("  … and more (--limit N, or --all)", style="dim")
