"""Recipe-MPR, personalised: which of six recipes fits a wish and the person who has it (papers/r3, section 4).

``queries.jsonl`` holds the wish, the options and the right one by id, the ingredients of each recipe, a personal graph
of the user as texts ``(user, relation, value)``, and in ``correctness_explanation`` sometimes the triple that decides.
The right option stands first in every record: the options are shuffled here, before anything else sees them. What a
question brings to the graph are two graphs: ``personal`` says of the user, ``recipes`` names the ingredients of each
option, which is an entity with the option's text as label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import read_json, text_field
from toulmin.evaluation.datasets.types import Declared, Question
from toulmin.graph.readers.minting import mint_entity, mint_relation
from toulmin.graph.types import Entity, Literal, Relation, Statement

_TRIPLE = re.compile(r"\(?([^(,]+),([^,]+),(.+?)\)?")  # a few lack their parentheses
_EXPLAINING = "relevant triple"
_INGREDIENT = Relation(mint_relation("ingredient"), "ingredient")


def _entity(text: str) -> Entity:
    return Entity(mint_entity(text), text)


def _triple(text: object, field: str) -> Statement:
    match = _TRIPLE.fullmatch(text.strip()) if isinstance(text, str) else None
    parts = [part.strip() for part in match.groups()] if match else []
    if not all(parts) or not parts:
        raise SourceError(f"{text!r} is not of the form (subject, relation, object)", field=field)
    subject, relation, value = parts
    node = Literal(value, "quantity") if value.isascii() and value.isdigit() else _entity(value)
    return Statement(_entity(subject), Relation(mint_relation(relation), relation), node, graph="personal")


def _ingredients(text: str) -> Iterator[str]:
    """The entries of a list with commas; what begins with no amount goes on with the entry before it."""
    entry = ""
    for piece in filter(None, map(str.strip, text.split(","))):
        if entry and not piece[0].isdigit():
            entry += f", {piece}"
            continue
        if entry:
            yield entry
        entry = piece
    if entry:
        yield entry


def _recipes(record: Mapping[str, Any], options: Mapping[str, str]) -> Iterator[Statement]:
    recipes = record.get("recipes")
    if not isinstance(recipes, dict):
        raise SourceError("is missing or is not an object of recipes by id", field="recipes")
    for name, label in options.items():
        recipe = recipes.get(name)
        if not isinstance(recipe, dict) or not isinstance(recipe.get("ingredients"), str):
            raise SourceError(f"holds no ingredients of the option {name!r}", field="recipes")
        for entry in _ingredients(recipe["ingredients"]):
            yield Statement(Entity(mint_entity(f"recipe {name}"), label), _INGREDIENT, Literal(entry), graph="recipes")


def _question(number: int, record: Mapping[str, Any]) -> Question:
    options, right, triples = record.get("options"), text_field(record, "answer"), record.get("triples")
    if not isinstance(options, dict) or not all(isinstance(text, str) and text.strip() for text in options.values()):
        raise SourceError("is missing or is not an object of texts by id", field="options")
    if right not in options or len(set(options.values())) < max(len(options), 2):
        raise SourceError("there are not two different options, or the answer is none of them", field="options")
    if not isinstance(triples, list):
        raise SourceError("is missing or is not a list of triples", field="triples")
    why = record.get("correctness_explanation")
    deciding = why.get(_EXPLAINING) if isinstance(why, dict) else None
    personal = tuple(_triple(text, "triples") for text in triples)
    stated = [] if deciding is None else deciding if isinstance(deciding, list) else [deciding]
    gold = tuple(_triple(text, "correctness_explanation") for text in stated)
    return Question(
        id=f"recipe-{number}",
        question=text_field(record, "query"),
        answers=(options[right],),
        options=tuple(options.values()),
        statements=(*personal, *_recipes(record, options)),
        gold_statements=tuple(triple for triple in gold if triple in personal),
    ).shuffled(0)


LOADERS = {
    "recipe_mpr_personal": Declared(
        id="recipe_mpr_personal",
        title="which of six recipes fits a wish and the person who has it",
        source="Zhang et al. 2023 (Recipe-MPR); personal graphs: papers/r3 (atoroghi/RRR-release)",
        licence="no licence file there",
        files="queries.jsonl",
        fields=("answers", "options", "statements", "gold_statements"),
        read=partial(read_json, "recipe_mpr_personal", ["queries.jsonl"], _question),
        needs="a model (r3); no graph: each question brings its own",
    )
}
