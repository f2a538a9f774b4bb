"""The relation paths that the method chooses among, in the direction that the question's wording asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from toulmin.check_text.judge.relation_labels import holds_both_ways
from toulmin.english.lexicon import Lexicon
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.methods.fidelis.search import RelationPath
from toulmin.methods.fidelis.starts import Start
from toulmin.methods.fidelis.without_model.direction import Wording
from toulmin.methods.fidelis.without_model.entity_types import one_kind, share_of_kind
from toulmin.retrieval.linking import Mention
from toulmin.retrieval.schema import GraphSchema

__all__ = ["Option", "Unclear", "directed", "ends_of", "labels_of"]

_CLEAR = 0.25  # by so much must one direction be the better one where the wording leaves it open
_OTHERWISE = 0.5  # so much worse may another relation be that answers in the direction asked for
_MOSTLY, _NOBODY = 0.5, 0.4  # where people are asked for: a share of people; what ends without any cost


@dataclass(frozen=True, slots=True)
class Option:
    """A relation path from a start, with the score of both.

    Args:
        joined: a second mention, and where it constrains the path (``joining.meeting``).
        open: whether its direction is not sure.
    """

    start: Start
    path: RelationPath
    score: float
    joined: tuple[Start, tuple[int, int, bool]] | None = None
    open: bool = False


@dataclass(frozen=True, slots=True)
class Unclear:
    """Two directions of one path, of which none can be answered.

    Args:
        open: whether the wording leaves the direction open; else the graph lacks the one that is asked for.
    """

    asked: Option
    reverse: Option
    open: bool


def directed(
    options: list[Option], question: str, subgraph: Subgraph, schema: GraphSchema, lexicon: Lexicon
) -> tuple[list[Option], Unclear | None]:
    """The options in the direction that the question's wording asks for (``direction``), best first.

    A path that it asks for the other way round is turned. Where the graph has nothing that way, or where the wording
    leaves the direction open and nothing else decides, the two readings are returned beside the options.
    """
    wordings = {
        option.start.mention: Wording(question, option.start.mention.start, option.start.mention.end, schema, lexicon)
        for option in options
    }
    options = _for_people(options, wordings, subgraph, schema, lexicon)
    short = [wordings[option.start.mention].repeats(labels_of(option, subgraph)) for option in options]
    options = [replace(o, score=o.score - _OTHERWISE * less) for o, less in zip(options, short, strict=True)]
    options.sort(key=lambda option: -option.score)
    kept: list[Option] = []
    missing: Unclear | None = None
    scores = {(option.start, option.path.hops): option.score for option in reversed(options) if not option.joined}
    for option in options:
        relations = option.path.relations
        judged = [
            at
            for at, (label, (relation, _)) in enumerate(zip(labels_of(option, subgraph), relations, strict=True))
            if one_kind(subgraph, schema, relation) and not holds_both_ways(label)
        ]
        if len(relations) > len(option.path.hops):
            if missing is None:
                kept.append(option)
            continue
        mention = option.start.mention
        asked = wordings[mention].asked([relation for relation, _ in relations], labels_of(option, subgraph))
        if any(hop.last and hop.sure for hop in asked[:-1]):
            continue  # goes on after all that is asked for
        if not judged:
            if missing is None:
                kept.append(option)
            continue
        against = [at for at in judged if asked[at].backward not in (None, relations[at][1])]
        doubtful = [at for at in judged if asked[at].backward is None]
        option = replace(option, open=not all(asked[at].sure for at in judged))
        turned = _turned(option, against)
        if missing is not None and (
            doubtful
            or len(judged) != len(relations)
            or len(relations) > len(missing.asked.path.hops)
            or option.score < missing.reverse.score - _OTHERWISE
        ):
            continue
        if against:
            if option.joined is None and len(ends_of(turned, subgraph)):
                kept.append(turned)
            elif not kept and missing is None:
                missing = Unclear(turned, option, open=False)
            continue
        if doubtful and not kept:
            reverse = _turned(option, doubtful)
            others = ends_of(reverse, subgraph)
            rival = scores.get((option.start, reverse.path.hops), -np.inf)
            named = all(asked[at].named for at in doubtful)
            found, noun = ends_of(option, subgraph), wordings[mention].noun
            if not len(others) and not (named and any(relations[at][1] for at in doubtful)):
                option = replace(option, open=named)  # the only direction that leads anywhere
            elif (named or rival > option.score - _CLEAR) and not np.array_equal(others, found):
                fit, otherwise = (
                    share_of_kind(subgraph, schema, ends, noun, lexicon) if noun else 0.0 for ends in (found, others)
                )
                if fit == otherwise:
                    return [], Unclear(option, reverse, open=True)
                if otherwise > fit:
                    option = replace(option, path=reverse.path)
        kept.append(option)
    return kept, None if kept else missing


def _for_people(
    options: list[Option],
    wordings: dict[Mention, Wording],
    subgraph: Subgraph,
    schema: GraphSchema,
    lexicon: Lexicon,
) -> list[Option]:
    """Where people are asked for and some option leads to people, those that lead to none pay for it.

    What the graph does not say of ends, their names may (``GraphSchema.types``).
    """
    people = []
    for option in options:
        noun = wordings[option.start.mention].noun
        if noun is None or lexicon.coarse_type(noun) != "person":
            return options
        known = share_of_kind(subgraph, schema, ends_of(option, subgraph), "person", lexicon)
        people.append(known or float(schema.types[option.path.hops[-1][-1], 0] >= _MOSTLY))
    if max(people, default=0.0) < _MOSTLY:
        return options
    scored = [replace(o, score=o.score - _NOBODY * (not share)) for o, share in zip(options, people, strict=True)]
    return sorted(scored, key=lambda option: -option.score)


def _turned(option: Option, places: Sequence[int]) -> Option:
    """An option with the hops at some places walked the other way round; its words, and so its score, are the same."""
    hops = tuple((hop[0] ^ 1,) if at in places else hop for at, hop in enumerate(option.path.hops))
    return replace(option, path=replace(option.path, hops=hops)) if places else option


def labels_of(option: Option, subgraph: Subgraph) -> list[str]:
    """The label of each relation of an option's path, its id where it has none."""
    relations = [subgraph.relations[relation] for relation, _ in option.path.relations]
    return [relation.label or relation.id for relation in relations]


def ends_of(option: Option, subgraph: Subgraph) -> Ints:
    """The nodes at the end of an option's path, its constraint and detours apart."""
    start = subgraph.index(option.start.entity.id)
    nodes = np.array([] if start is None else [start], dtype=np.int32)
    for relation, backward in option.path.relations:
        nodes = subgraph.follow(nodes[nodes < subgraph.n_entities], relation, backward=backward)
    return nodes
