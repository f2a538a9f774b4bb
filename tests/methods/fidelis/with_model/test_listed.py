"""What stands in the lists that are shown to a model: a harbour town with its boats, masters and cottages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from answer_sets import labels, operations
from guided_models import Guide, Run, lines, run

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, Record
from toulmin.graph.types import Literal
from toulmin.methods.fidelis import GuidedSettings
from toulmin.methods.protocol import Linked, Searched

FRUGAL = GuidedSettings.frugal()


def time(value: str) -> Literal:
    return Literal(value, "time")


def facts() -> list[tuple[str, str, str]]:
    """Statements by names."""
    made = [
        ("Marta", "built by", "Holm Yard"),
        ("Holm Yard", "boats built", "Marta"),
        ("Holm Yard", "boats built", "Svala"),
        ("Svala", "built by", "Holm Yard"),
        ("Marta", "home port", "Sundby"),
        ("Marta", "berth", "Sundby"),
        ("Svala", "home port", "Sundby"),
        ("Sundby", "country", "Norland"),
        ("Holm Yard", "located in", "Sundby"),
        ("Holm Yard", "founder", "Arne Holm"),
        ("Birch", "author", "Ida Brun"),
        ("1974", "follows", "1973"),
        ("1974", "named in", "Birch"),
        ("Marta", "launched", "1974"),
    ]
    made += [(f"cottage {n:02}", "country", "Norland") for n in range(60)]
    made += [(f"cottage {n:02}", "built of", "Birch Tree") for n in range(60)]
    return made


@pytest.fixture(scope="module")
def town() -> Iterator[MemoryGraph]:
    names = sorted({name for fact in facts() for name in fact} | {"Ida Brun", "Olaf Dahl", "Grete Lie", "Per Moe"})
    records: list[Record] = [RawName(f"id:{name}", name) for name in names]
    relations = ("harbour master", "start time", "end time", "pilots", "pilot", "since", "until")
    records += [RawName(f"r:{name}", name) for name in relations]
    records += [RawStatement(f"id:{subject}", f"id:{relation}", f"id:{end}") for subject, relation, end in facts()]
    masters = (("Ida Brun", "1990", "1999"), ("Olaf Dahl", "2000-05-01", None))
    for name, start, end in masters:
        told = [("r:start time", time(start))] + ([("r:end time", time(end))] if end else [])
        records.append(RawStatement("id:Sundby", "r:harbour master", f"id:{name}", tuple(told)))
    pilots = (("Grete Lie", "1981", "1995"), ("Per Moe", "1996", None))
    for number, (name, start, end) in enumerate(pilots):
        service = f"m.0service{number}"
        records += [RawStatement("id:Sundby", "r:pilots", service), RawStatement(service, "r:pilot", f"id:{name}")]
        records.append(RawStatement(service, "r:since", time(start)))
        records += [RawStatement(service, "r:until", time(end))] if end else []
    with MemoryGraph.from_records(records) as graph:
        yield graph


def asked(graph: MemoryGraph, question: str, *, keywords: Sequence[str], **others: object) -> Run:
    return run(question, graph, Guide(plan={"keywords": list(keywords)}, **others), FRUGAL)  # type: ignore[arg-type]


def listed(made: Run) -> list[str]:
    return list(lines(made.model.requests[-1]).values())


def test_a_relation_and_its_inverse_are_listed_once(town: MemoryGraph) -> None:
    shown = listed(asked(town, "Which yard built Marta?", keywords=["built by", "yard"]))
    assert sum(line.endswith(" Holm Yard") for line in shown) == 1
    assert shown[0] == "Marta —built by→ #1 Holm Yard"


def test_what_leads_back_to_the_start_alone_is_not_listed(town: MemoryGraph) -> None:
    shown = listed(asked(town, "Who is the founder of Holm Yard?", keywords=["founder", "founded by"]))
    assert not any(line.endswith(" Holm Yard") for line in shown)


def test_a_twin_says_so_in_few_words(town: MemoryGraph) -> None:
    """A home port and a berth in one town are two things, although they lead to the same."""
    shown = listed(asked(town, "What is the home port of Marta?", keywords=["home port", "berth", "harbour"]))
    assert any(line.startswith("Marta —home port→ #") for line in shown)
    assert any(line.startswith("Marta —berth→") for line in shown)


def test_a_hub_comes_after_what_is_near(town: MemoryGraph) -> None:
    shown = listed(asked(town, "Where is Sundby?", keywords=["country", "located in", "place"]))
    through = [at for at, line in enumerate(shown) if "—country→ ? " in line]
    direct = [at for at, line in enumerate(shown) if " ?" not in line]
    assert not through or min(through) > direct[0]
    assert len(through) <= 3


def test_no_more_paths_than_there_is_to_say(town: MemoryGraph) -> None:
    made = asked(town, "Who is harbour master of Sundby?", keywords=["harbour master"])
    assert len(listed(made)) <= FRUGAL.shown
    assert sum(len(event.paths) for event in made.of(Searched)) == len(listed(made)), "events tell all that is listed"


def test_a_number_is_not_where_paths_start(town: MemoryGraph) -> None:
    made = asked(town, "Who was harbour master of Sundby in 1974?", keywords=["harbour master"])
    assert [one.entity.label for event in made.of(Linked) for one in event.entities] == ["Sundby"]
    alone = asked(town, "What follows 1974?", keywords=["follows"])
    assert [one.entity.label for event in alone.of(Linked) for one in event.entities] == ["1974"]


def test_dates_stand_beside_values_and_choose_among_them(town: MemoryGraph) -> None:
    master = "Sundby —harbour master→"
    made = asked(town, "Who is harbour master of Sundby now?", keywords=["harbour master"])
    assert any("Ida Brun (from 1990 to 1999); #" in line for line in listed(made))
    assert any("Olaf Dahl (from 2000-05-01)" in line for line in listed(made))
    then = asked(
        town,
        "Who was harbour master of Sundby in 1995?",
        keywords=["harbour master"],
        wanted=[master],
        decision={"from": "1995", "to": "1995"},
    )
    assert labels(then.answer) == {"Ida Brun"}
    assert operations(then.answer) == ["follow"], "by qualifiers it is computed"


@pytest.mark.parametrize(("year", "name"), [("1990", "Grete Lie"), ("2004", "Per Moe")])
def test_a_date_on_a_node_in_between(town: MemoryGraph, year: str, name: str) -> None:
    made = asked(
        town,
        f"Who was pilot of Sundby in {year}?",
        keywords=["pilot", "pilots"],
        wanted=["Sundby —pilots→ —pilot→"],
        decision={"from": year, "to": year},
    )
    assert any("Grete Lie (from 1981 to 1995)" in line for line in listed(made))
    assert labels(made.answer) == {name}
    assert made.answer.check(town).exit_code == 0


def test_a_word_for_a_kind_of_thing_and_for_a_title(town: MemoryGraph) -> None:
    """A book called Birch is hardly spoken of in the graph, the tree much."""
    for question in ("What is built of birch?", "Which cottages are built of Birch?"):
        made = asked(town, question, keywords=["built of", "cottage"])
        assert made.of(Linked)[0].entities[0].entity.label == "Birch Tree"
    made = asked(town, "Who is the author of the book Birch?", keywords=["author"])
    assert made.of(Linked)[0].entities[0].entity.label == "Birch"


def test_what_the_first_reply_spells_out_takes_the_place_of_what_was_linked(town: MemoryGraph) -> None:
    made = asked(town, "Who founded the yard of Holm?", keywords=["founder"], names=["Holm Yard"])
    assert {one.entity.label for one in made.of(Linked)[-1].entities} == {"Holm Yard"}


def test_a_name_that_the_question_cannot_mean_is_no_start(town: MemoryGraph) -> None:
    made = asked(town, "Who founded Holm Yard?", keywords=["founder"], names=["Arne Holm", "Olaf Dahl"])
    assert {one.entity.label for event in made.of(Linked) for one in event.entities} == {"Holm Yard"}


def test_a_name_by_which_the_graph_does_not_know_it(town: MemoryGraph) -> None:
    """What is linked by likeness alone gives way to what the model says it is called."""
    made = asked(town, "Who founded the Holms wharf?", keywords=["founder"], names=["Svala"])
    assert {one.entity.label for one in made.of(Linked)[-1].entities} == {"Svala"}
