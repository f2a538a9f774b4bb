"""Small graphs of the reader's tests, in the format of the training worlds, which none of them is one of."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from domains import CLASSES, Domain, read_domain
from toulmin.graph.types import Entity, Literal, Node
from toulmin.methods.reader.forms import Form
from toulmin.methods.reader.programs import place_of
from toulmin.program.builder import Builder
from toulmin.program.value import Nodes, Rows

__all__ = ["PARTS", "WARD", "Value", "forms_of", "value_of", "world"]

Value = bool | Sequence[str] | Sequence[tuple[str, ...]] | None

WARD = """
class nurse, doctor, patient, ward
qualifier since: year
qualifier until: year
qualifier role: text
relation works on: nurse -> ward
relation supervisor: nurse -> nurse
relation salary: nurse -> EUR
relation born: nurse -> date
relation floor: ward -> number
relation beds: ward -> number
relation headed by: ward -> doctor
relation specialty: doctor -> text
relation treated by: patient -> doctor
relation lies on: patient -> ward
relation admitted: patient -> date
relation weight: patient -> kg
relation allergy: patient -> text
relation insured: patient -> yes/no
thing North Ward: ward | floor = 2 | beds = 14 | headed by = Ines Falk
thing South Ward: ward | floor = 3 | beds = 20 | headed by = Marek Dorn
thing Infant Ward: ward | floor = 1 | beds = 8
thing Ines Falk: doctor | specialty = cardiology
thing Marek Dorn: doctor | specialty = surgery; oncology
thing Ole Bratt: nurse | works on = North Ward [since=2011, role=head nurse] | salary = 4200 | born = 1979-05-30
thing Nadia Kesper: nurse | works on = North Ward [since=2014, until=2018]; South Ward [since=2019] | supervisor = Ole Bratt | salary = 3900 | born = 1984-02-11
thing Rui Tomas: nurse | works on = South Ward [since=2020] | supervisor = Ole Bratt | salary = 3500 | born = 1991-10-02
thing Greta Solm: nurse | works on = Infant Ward [since=2016, role=deputy] | supervisor = Nadia Kesper | salary = 3700
thing Piet Anker: patient | treated by = Ines Falk | lies on = North Ward | admitted = 2024-03-05 | weight = 82 | allergy = penicillin | insured = yes
thing Lotte Wiek: patient | treated by = Marek Dorn | lies on = South Ward | admitted = 2024-03-19 | weight = 64 | allergy = penicillin; latex | insured = no
thing Hugo Merz: patient | treated by = Marek Dorn; Ines Falk | lies on = South Ward | admitted = 2024-02-27 | weight = 71 | insured = yes
thing Tilda Roos: patient | treated by = Marek Dorn | lies on = South Ward | admitted = 2023-12-30 | insured = no
"""  # noqa: E501  a row is a thing

PARTS = """
class part, supplier, assembly
relation supplied by: part -> supplier
relation fits: part -> assembly
relation material: part -> text
relation price: part -> EUR
relation weight: part -> gram
relation stock: part -> number
relation discontinued: part -> yes/no
relation country: supplier -> text
relation founded: supplier -> year
relation line of business: supplier -> text
relation consists of: assembly -> part
thing gearbox: assembly | consists of = hex bolt; drive shaft; cover plate
thing pump: assembly | consists of = hex bolt; sealing ring; cover plate
thing Veltmann: supplier | country = Austria | founded = 1961 | line of business = seals and fittings
thing Orsini Metalli: supplier | country = Italy | founded = 1988 | line of business = sheet metal
thing hex bolt: part | supplied by = Veltmann | fits = gearbox; pump | material = steel | price = 0.40 | weight = 12 | stock = 900 | discontinued = no
thing drive shaft: part | supplied by = Orsini Metalli | fits = gearbox | material = steel | price = 38 | weight = 1450 | stock = 6 | discontinued = no
thing cover plate: part | supplied by = Orsini Metalli | fits = gearbox; pump | material = aluminium | price = 7.50 | weight = 310 | stock = 42 | discontinued = yes
thing sealing ring: part | supplied by = Veltmann | fits = pump | material = rubber | price = 1.20 | weight = 5 | stock = 0 | discontinued = no
"""  # noqa: E501


def world(text: str, forms: Sequence[str] = ()) -> Domain:
    """A world, with an example for each form."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.txt"
        path.write_text("\n".join([text, *(f"? {form}" for form in forms)]), "utf-8")
        return read_domain(path)


def forms_of(text: str, forms: Sequence[str]) -> list[Form]:
    """Forms as they are written for a world."""
    return [example.form for example in world(text, forms).examples if example.form is not None]


def value_of(domain: Domain, form: Form, *, assume: bool = False) -> Value:
    """What a form yields over its world: the names and values sorted, or rows, or a truth; None: nothing is known."""
    with domain.graph() as graph:
        builder = Builder("", graph)
        value = builder.value(place_of(form, builder, CLASSES, domain.times, assume=assume))
    match value:
        case Nodes():
            return sorted(map(_shown, value.nodes))
        case Rows():
            return sorted(tuple(", ".join(map(_shown, cell)) for cell in row) for row in value.rows)
    assert value is None or isinstance(value, bool)
    return value


def _shown(node: Node) -> str:
    if isinstance(node, Entity):
        return node.label or node.id
    assert isinstance(node, Literal)
    return f"{node.value} {node.unit}" if node.unit else node.value


#: A table: its heading, then its rows.
DOGS = [
    ["dog", "breed", "weight", "born", "owner", "vaccinated"],
    ["Bruno", "spaniel", "14 kg", "2016-03-09", "Ilse Ahorn", "yes"],
    ["Wolke", "spaniel", "12 kg", "2019-07-30", "Milan Hruby", "no"],
    ["Kuno", "whippet", "11 kg", "2014-11-02", "Ilse Ahorn", "yes"],
    ["Asta", "whippet", "13 kg", "2020-01-15", "Sanna Virta", "yes"],
    ["Lotte", "poodle", "6 kg", "2018-05-21", "Milan Hruby", "no"],
]
