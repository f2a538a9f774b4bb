"""What programs yield: sets, their marks, order, numbers and rows; each told by hand."""

from __future__ import annotations

import pytest
from program_graphs import amount, time

from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Node
from toulmin.program.builder import Builder
from toulmin.program.nodes import Window
from toulmin.program.value import Nodes, Rows

OFFICE = {"start": ("start",), "end": ("end",), "point": ("point",)}


@pytest.fixture
def b(people: MemoryGraph) -> Builder:
    return Builder("Who is it?", people)


def ids(builder: Builder, place: int) -> list[str]:
    return [node.id if isinstance(node, Entity) else node.value for node in builder.nodes(place)]


def marks(builder: Builder, place: int) -> str:
    """The marks of a set, as letters: open, hole, none, at least."""
    found = builder.value(place)
    assert isinstance(found, Nodes)
    pairs = (("o", found.open), ("h", found.hole), ("n", found.none), ("a", found.at_least))
    return "".join(letter for letter, has in pairs if has)


@pytest.mark.parametrize(
    ("subject", "found", "mark"),
    [
        ("ada", ["cy"], "o"),  # the graph may not list all
        ("dee", [], "n"),  # it says that there is none
        ("eve", [], "oh"),  # it says that there is one
        ("fay", [], "oh"),  # there was none in 1990
        ("gus", [], "o"),  # it says nothing
    ],
)
def test_marks_of_what_is_followed(b: Builder, subject: str, found: list[str], mark: str) -> None:
    place = b.follow(b.entity(subject), "manager")
    assert (ids(b, place), marks(b, place)) == (found, mark)


def test_none_is_said_of_every_node_or_not_at_all(b: Builder) -> None:
    two = b.follow(b.union(b.entity("dee"), b.entity("gus")), "manager")
    assert marks(b, two) == "o"


def test_both_directions_and_several_relations(b: Builder) -> None:
    assert ids(b, b.follow(b.entity("cy"), "manager", "backward")) == ["ada", "bob"]
    assert ids(b, b.follow(b.entity("ada"), ["manager", "lives"])) == ["cy", "oslo", "rome"]
    assert ids(b, b.follow(b.literal(time("1950")), "born", "backward")) == ["bob"]
    assert ids(b, b.follow(b.literal(time("1950")), "born")) == []


def test_a_path_does_not_turn_straight_back(films: MemoryGraph) -> None:
    b = Builder("Which films share an actor with One?", films)
    actors = b.follow(b.entity("one"), "starred")
    assert ids(b, b.follow(actors, "starred", "backward")) == ["one", "two"]
    assert ids(b, b.follow(actors, "starred", "backward", not_back=True)) == ["two"]
    both = b.follow(b.union(b.entity("one"), b.entity("two")), "starred")
    assert ids(b, b.follow(both, "starred", "backward", not_back=True)) == ["one", "two"]  # Ann from either
    with pytest.raises(InputError, match="statements that were not followed"):
        b.follow(actors, "directed", "backward", not_back=True)


def test_arrivals_say_from_where_and_by_which_statement(b: Builder) -> None:
    place = b.follow(b.union(b.entity("ada"), b.entity("bob")), "lives")
    found = b.value(place)
    assert isinstance(found, Nodes)
    rome = Entity("rome", "Rome")
    assert [origin.id for origin, _ in found.leading_to(rome) if isinstance(origin, Entity)] == ["ada", "bob"]
    assert {key: len(some) for key, some in found.arrivals.items()} == {"oslo": 1, "rome": 2}
    assert {statement.object for _, statement in found.arrivals["rome"]} == {rome}


def test_qualifiers_restrict_and_are_read(b: Builder) -> None:
    mayors = b.follow(b.entity("mayor"), "office", "backward", qualified=[("role", Entity("deputy"))])
    assert ids(b, mayors) == ["cy"]
    held = b.follow(b.entity("ada"), "office")
    assert ids(b, b.qualifier(held, ["start", "end"])) == ["1980", "1984"]
    assert marks(b, b.qualifier(held, ["start"])) == "o"
    assert marks(b, b.qualifier(held, ["end"])) == "oh"  # one has not ended
    with pytest.raises(InputError, match="statements that were not followed"):
        b.qualifier(b.entity("ada"), "start")


@pytest.mark.parametrize(
    ("first", "last", "unknown", "found"),
    [
        ("1982", "1982", "drop", ["ada"]),  # in office
        ("1983", "1986", "keep", ["ada", "cy"]),  # Cy since 1970, nobody says until when
        ("1990", "1991", "drop", ["bob"]),
        ("1990-05-01", "1990-05-01", "drop", []),  # in 1990, on a day that nobody says
        ("1990-05-01", "1990-05-01", "keep", ["bob", "cy"]),
        ("1960", "1969", "keep", []),
        (None, "1985", "drop", ["ada", "cy"]),  # Cy begins in it
    ],
)
def test_windows(b: Builder, first: str | None, last: str, unknown: str, found: list[str]) -> None:
    bound = time(first) if first else None
    window = Window(from_=bound, to=time(last), unknown=unknown, **OFFICE)  # type: ignore[arg-type]
    assert ids(b, b.follow(b.entity("mayor"), "office", "backward", window=window)) == found


def test_sets(b: Builder) -> None:
    rome, oslo = (b.follow(b.entity(one), "lives", "backward") for one in ("rome", "oslo"))
    dee = b.follow(b.entity("dee"), "manager")
    assert ids(b, b.union(rome, oslo)) == ["ada", "bob"]
    assert ids(b, b.intersection(rome, oslo)) == ["ada"]
    assert ids(b, b.difference(rome, oslo)) == ["bob"]
    assert marks(b, b.intersection(rome, dee)) == "on"
    assert marks(b, b.union(rome, dee)) == "o"
    assert marks(b, b.difference(b.complete(rome), b.follow(b.entity("eve"), "manager"))) == "h"


def test_classes(b: Builder) -> None:
    assert ids(b, b.instances(b.entity("person"), "type", "subclass")) == ["ada", "bob"]
    assert ids(b, b.instances(b.entity("person"), "type")) == []


def test_what_has_only_the_id_of_a_machine_has_no_name(b: Builder) -> None:
    event = b.follow(b.entity("ada"), "event")
    assert ids(b, event) == ["m.0abc"]
    assert ids(b, b.named(event)) == []
    assert ids(b, b.named(b.follow(event, "place"))) == ["rome"]


def test_names_are_statements(b: Builder) -> None:
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    assert ids(b, b.follow(b.entity("ada"), label)) == ["Ada"]
    assert ids(b, b.follow(b.literal("Ada"), label, "backward")) == ["ada"]
    assert ids(b, b.follow(b.entity("m.0abc"), label)) == []


def test_where_leaves_out_what_is_unknown(b: Builder) -> None:
    people = b.follow(b.entity("cy"), "manager", "backward")
    early = b.where(people, lambda it: b.compare("≤", b.follow(it, "born"), b.literal(time("1950-05-01"))))
    assert (ids(b, early), marks(b, early)) == (["ada"], "oh")  # Bob in 1950, before or after May
    late = b.where(people, lambda it: b.compare(">", b.follow(it, "born"), b.literal(time("1940"))))
    assert (ids(b, late), marks(b, late)) == (["ada", "bob"], "o")


def test_places_in_an_order(b: Builder) -> None:
    people = b.follow(b.entity("mayor"), "office", "backward")

    def born(it: int) -> int:
        return b.follow(it, "born")

    assert ids(b, b.first(people, born)) == ["cy"]
    assert ids(b, b.last(people, born)) == ["ada", "bob"]  # of neither it is known that the other is later
    assert ids(b, b.first(people, born, from_=2)) == ["ada", "bob"]
    assert ids(b, b.first(people, born, from_=1, to=2)) == ["ada", "bob", "cy"]
    assert ids(b, b.first(people, born, from_=3)) == []
    assert ids(b, b.last(people, lambda it: b.follow(it, "salary"))) == ["cy"]  # 5 kg, 3 kg, 2000 g
    assert ids(b, b.first(people, lambda it: b.follow(it, "salary"))) == ["bob"]
    assert ids(b, b.first(b.follow(people, "born"))) == ["1920-02-03"]
    mixed = b.first(people, lambda it: b.follow(it, ["salary", "born"]))
    assert ids(b, mixed) == []  # there is a first one, not known which
    assert b.truth(b.exists(b.complete(mixed))) is None


def test_numbers(b: Builder) -> None:
    people = b.follow(b.entity("mayor"), "office", "backward")

    def of(relation: str) -> int:
        return b.aggregate("sum", people, lambda it: b.follow(it, relation))

    assert b.nodes(of("salary")) == (amount("10", "kilogram"),)
    assert b.nodes(b.aggregate("mean", people, lambda it: b.follow(it, "height"))) == (
        amount("175", "centimetre"),
    )  # Bob left out
    assert b.nodes(of("born")) == ()
    assert b.nodes(of("office")) == ()  # several each
    assert b.nodes(b.count(people)) == (amount("3"),)
    assert marks(b, b.count(people)) == "a"
    assert marks(b, b.count(b.complete(people))) == ""
    assert b.nodes(b.count(b.follow(b.entity("dee"), "manager"))) == (amount("0"),)


def test_arithmetic(b: Builder) -> None:
    ada, bob = b.entity("ada"), b.entity("bob")
    salary = b.arithmetic("subtract", b.follow(ada, "salary"), b.follow(bob, "salary"))
    assert b.nodes(salary) == (amount("1000", "gram"),)
    apart = b.arithmetic("distance", b.follow(ada, "at"), b.follow(bob, "at"))
    assert b.nodes(apart) == (amount("111.195", "kilometre"),)
    assert b.nodes(b.arithmetic("year", b.follow(ada, "born"))) == (amount("1950"),)
    assert b.nodes(b.arithmetic("add", b.follow(ada, "office"), b.follow(bob, "salary"))) == ()


def test_rows(b: Builder) -> None:
    people = b.follow(b.entity("cy"), "manager", "backward")
    table = b.value(b.table(people, [lambda it: b.follow(it, "lives"), lambda it: b.follow(it, "height")]))
    assert isinstance(table, Rows)
    shown = [[[_text(node) for node in cell] for cell in row] for row in table.rows]
    assert shown == [[["ada"], ["oslo", "rome"], ["150"]], [["bob"], ["rome"], []]]
    homes = b.value(b.group(people, lambda it: b.follow(it, "lives"), [b.count]))
    assert isinstance(homes, Rows)
    assert [[[_text(node) for node in cell] for cell in row] for row in homes.rows] == [
        [["oslo"], ["1"]],
        [["rome"], ["2"]],
    ]
    two = b.literal(amount("2"))
    many = b.group(people, lambda it: b.follow(it, "lives"), [b.count], lambda all_: b.compare("≥", b.count(all_), two))
    found = b.value(many)
    assert isinstance(found, Rows)
    assert [[_text(node) for node in row[0]] for row in found.rows] == [["rome"]]


def _text(node: Node) -> str:
    return node.value if isinstance(node, Literal) else node.id


def test_what_was_chosen_must_be_there(b: Builder) -> None:
    people = b.follow(b.entity("cy"), "manager", "backward")
    kept = b.among(people, [Entity("ada")], by="somebody", score=0.7)
    assert ids(b, kept) == ["ada"]
    with pytest.raises(InputError, match="nothing is computed"):
        b.count(kept)
    with pytest.raises(InputError, match="'dee' is no node"):
        b.nodes(b.among(people, [Entity("dee")], by="somebody", score=0.7))
