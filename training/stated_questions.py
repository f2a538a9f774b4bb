"""Questions made of sentences that state a relation (``relations.txt``), each asking for one of its two ends.

"S taught O" is asked as "who taught O?" and "whom did S teach?": which way a question goes is learned from many
relations and wordings. Some go on from there by one or two relations more ("which city is the teacher of O from?").
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice, permutations

from lemminflect import getInflection, getLemma

from near_forms import Surroundings, followed, near_forms, turned_forms
from relations import Relation, broad, label_wordings, relation_table
from toulmin.graph.types import Entity, Literal
from toulmin.methods.reader.forms import Constant, Form, Hop, Join, Kind, Sets
from toulmin.methods.reader.utterances import utterance

__all__ = ["stated_draws"]

_FIRST = (
    "Ada Ben Cleo Dora Emil Faye Gus Hana Ivo Jana Kurt Lena Mika Nora Otto Petra Quinn Rosa Sven Tilda Uwe Vera Wim "
    "Yara Zeno"
).split()
_LAST = (
    "Abel Brook Calder Dorn Ekman Falk Grau Holm Imhof Jarvis Klein Lund Moss Noll Orth Pike Quast Reed Stahl Thorne "
    "Ulm Vance Weir Zorn"
).split()
_TITLE = "Letters Garden Road Night Machine Bridge Winter Game".split()
_HEAD = "Bar Cal Dor El Fen Gar Hol Iver Kel Lan Mor Nor Os Pen Quar Ros Sel Tor Ul Ver Wes Yar Zel".split()
_TAIL = (
    "by dale den field gate ham holt ia ingen ley mere mont more ness ock ona ridge stead stow ton ville wick".split()
)
_MEASURES = frozenset(
    "length mass money minutes number area speed volume temperature count percent price duration".split()
)
_PEOPLE = ("person", "man", "woman")
_PLACES = ("place", "city", "country", "region", "building")
_PREPOSITION = re.compile(r" (in|at|by|from|to|for|of|on|with|under|into|as) \{o\}\.$")
_PAST = re.compile(
    r"^\{s\} (\w+ed|wrote|won|led|made|built|sang|taught|fought|drew|bore|held|gave|ran|wed|left|took|became|sold|"
    r"bought) (.*)\{o\}\.$"
)
_PRESENT = re.compile(r"^\{s\} (\w+s) (.*)\{o\}\.$")
_ACTIVE = re.compile(
    r"^\{(s|o)\} (\w+ed|wrote|won|led|made|built|sang|taught|fought|drew|bore|held|gave|ran|left|took|sold|bought)"
    r"((?: in| at| for| with| on| under| over)?) \{[so]\}\.$"
)
_PASSIVE = re.compile(
    r"^\{(s|o)\} (?:is|was|are|were) (\w+ed|\w+en|built|taught|led|won|sung|drawn|made|run|sold) by \{[so]\}\.$"
)
_BE = re.compile(r"^\{s\} (is|was|are|were) (.+) (in|at|by|from|to|for|of|on|with|under) \{o\}\.$")
_LISTED = 0.25  # of the questions
_WHOM = 0.4  # of those for people to whom something is done
_LONGER = 0.55  # of the chains: by two relations more
_ATTEMPTS = 12
_SHARED = 0.2  # of what chains begin with
_WORD_S = "is was has his hers its as".split()

_OF_SUBJECT = (
    "the {r} of {s}", "{s}'s {r}", "{r} of {s}", "who is the {r} of {s}", "what is {s}'s {r}", "{s}'s {r} is who",
    "what is the {r} of {s}", "tell me the {r} of {s}", "who does {s} have as {r}", "{s} {r}", "name {s}'s {r}",
)  # fmt: skip
_OF_OBJECT = (
    "whose {r} is {o}", "who has {o} as {r}", "of whom is {o} the {r}", "{o} is the {r} of whom",
    "who is {o} the {r} of", "{o} is whose {r}", "what has {o} as its {r}", "everything whose {r} is {o}",
    "all with {o} as their {r}", "for whom is {o} the {r}", "which ones have {o} as {r}", "who calls {o} their {r}",
    "{o} is the {r} of what",
)  # fmt: skip

#: What a name leads to: how it is called, its kind, its form, the hop, the name.
_Begun = tuple[str, str, Form, list[Hop], Constant]

Draw = Callable[[random.Random, int], tuple[str, tuple[str, ...]]]


def _name(kind: str, rng: random.Random) -> Constant:
    if kind in _PEOPLE:
        text = f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"
    elif kind in ("year", "day", "time"):
        text = (
            str(rng.randint(1700, 2020)) if kind == "year" else f"{rng.randint(1, 28)} March {rng.randint(1800, 2020)}"
        )
        return Constant(text, Literal(text))
    elif kind in ("work", "book", "film", "song", "album", "show", "game"):
        text = f"The {rng.choice(_HEAD)}{rng.choice(_TAIL)} {rng.choice(_TITLE)}"
    else:
        text = f"{rng.choice(_HEAD)}{rng.choice(_TAIL)}"
    return Constant(text, Entity(text, text))


def _who(kind: str, rng: random.Random) -> str:
    plain = {"person": "who", "man": "who", "woman": "who"}.get(kind, "what")
    return rng.choice([plain, plain, f"which {kind}", f"what {kind}"])


def _whom(kind: str, rng: random.Random) -> str:
    return "whom" if kind in _PEOPLE and rng.random() < _WHOM else _who(kind, rng)


def _asked(relation: Relation, rng: random.Random) -> tuple[str, bool]:
    """A question as a template with one end left, and whether it asks for the object."""
    subject, object_ = rng.choice(relation.subjects), relation.object
    if rng.random() < _LISTED and (listed := _listed(relation, subject, rng)):
        return listed
    template = rng.choice(relation.wordings)
    noun = [label for label in relation.labels if label_wordings(label) and not label.endswith(" of")]
    if noun and rng.random() < 0.35:
        label = rng.choice(noun)
        if rng.random() < 0.5:
            return rng.choice(_OF_SUBJECT).replace("{r}", label), True
        return rng.choice(_OF_OBJECT).replace("{r}", label), False
    body = template.rstrip(".")
    if template.startswith("{s}") and rng.random() < 0.5 and template.count("{s}") == 1:
        return body.replace("{s}", _who(subject, rng), 1), False
    if template.startswith("{o}") and template.count("{o}") == 1 and rng.random() < 0.6:
        return body.replace("{o}", _who(object_, rng), 1), True
    if found := _BE.match(template):
        be, middle, preposition = found.groups()
        place = "where" if object_ in _PLACES and preposition in ("in", "at") and rng.random() < 0.5 else None
        if place:
            return f"where {be} {{s}} {middle}", True
        wh = rng.choice([f"which {object_}", "whom" if object_ in _PEOPLE else "what"])
        return rng.choice(
            [f"{preposition} {wh} {be} {{s}} {middle}", f"{_who(object_, rng)} {be} {{s}} {middle} {preposition}"]
        ), True
    for pattern, auxiliary in ((_PAST, "did"), (_PRESENT, "does")):
        if (found := pattern.match(template)) and found[1] not in _WORD_S:
            lemma = (getLemma(found[1], upos="VERB") or (found[1],))[0]
            return f"{_whom(object_, rng)} {auxiliary} {{s}} {lemma} {found[2]}".rstrip(), True
    if template.count("{o}") == 1:
        wh = rng.choice(["who" if object_ in _PEOPLE else "what", f"which {object_}"])
        return body.replace("{o}", wh), True
    return body.replace("{s}", _who(subject, rng), 1), False


def _listed(relation: Relation, subject: str, rng: random.Random) -> tuple[str, bool] | None:
    """A noun phrase for one end, by the verb that states the relation: "pupils S taught", "pupils taught by S"."""
    subjects, objects = _plural(subject), _plural(relation.object)
    phrases = list[tuple[str, bool]]()
    for template in relation.wordings:
        if active := _ACTIVE.match(template):
            of_subject, verb, rest = active[1] == "s", active[2], active[3]
            doer, done = (subjects, objects) if of_subject else (objects, subjects)
            name, other = ("{s}", "{o}") if of_subject else ("{o}", "{s}")
            phrases.append((f"{done} {rng.choice(['', 'that '])}{name} {verb}{rest}", of_subject))
            phrases.append((f"{doer} that {verb}{rest} {other}", not of_subject))
        elif passive := _PASSIVE.match(template):
            of_subject, participle = passive[1] == "s", passive[2]
            done, name = (subjects, "{o}") if of_subject else (objects, "{s}")
            phrases.append((f"{done} {participle} by {name}", not of_subject))
    if not phrases:
        return None
    phrase, to_object = rng.choice(phrases)
    return rng.choice(["", "", "the ", "all ", "which ", "what are the ", "list the "]) + phrase, to_object


def stated_draws(count: int = 12_000, chains: int = 16_000) -> Sequence[Draw]:
    """Draws of one relation and of chains, each of a question with the right utterance first, then wrong ones."""
    table = [relation for relation in relation_table() if not relation.symmetric and relation.object not in _MEASURES]
    # which way a question goes is hardest to tell where both ends are of one kind
    alike = [relation for relation in table if any(broad(kind) == broad(relation.object) for kind in relation.subjects)]
    asked = [*table, *alike, *alike]
    drawn = [_draw_of(asked[number % len(asked)], table) for number in range(count)]
    return [*drawn, *(_chain_of(table[number % len(table)], table) for number in range(chains))]


def _hop(relation: Relation, label: str, subject: str) -> Hop:
    far = relation.object if relation.object not in ("year", "day", "number") else ""
    return Hop(label, False, (relation.labels[0],), subject, far)


def _draw_of(relation: Relation, table: Sequence[Relation]) -> Draw:
    def draw(rng: random.Random, size: int) -> tuple[str, tuple[str, ...]]:
        template, to_object = _asked(relation, rng)
        subject = rng.choice(relation.subjects)
        start, end = _name(subject, rng), _name(relation.object, rng)
        hop = _hop(relation, rng.choice(relation.labels), subject)
        form: Form = Join(start, hop) if to_object else Join(end, hop.turned())
        others = [
            one for one in rng.sample(list(table), 60) if not one.may_entail(relation) and not relation.may_entail(one)
        ]
        kinds = (broad(subject), broad(relation.object))
        alike = sorted(others, key=lambda one: -sum(broad(kind) in kinds for kind in (one.subjects[0], one.object)))[:8]
        hops = [_hop(one, rng.choice(one.labels), one.subjects[0]) for one in alike]
        around = Surroundings(
            [hop, hop.turned(), *hops, *(one.turned() for one in hops)], [Kind(subject)], [start, end]
        )
        bare = rng.random() < 0.5
        worded = [_worded(one, bare) for one in _wrong(form, hop, to_object, start, end, around, rng, size)]
        right = _worded(form, bare)
        wrong = list(dict.fromkeys(text for text in worded if text != right))[: size - 1]
        question = template.replace("{s}", start.text).replace("{o}", end.text)
        return _typed(question, rng), (right, *wrong)

    return draw


def _described(relation: Relation, label: str, subject: str, rng: random.Random) -> tuple[str, bool, str] | None:
    """What one end of a relation is called by the other, as a template; whether it is the object; its kind."""
    noun = label_wordings(label) and not label.endswith(" of")
    many = rng.random() < 0.4
    if noun and rng.random() < 0.55:
        called = (
            getInflection(label, tag="NNS")[0]
            if many and " " not in label and getInflection(label, tag="NNS")
            else label
        )
        of_subject = ("the {r} of {s}", "{s}'s {r}", "the {r} of {s}", "the {r} that {s} has")
        return rng.choice(of_subject).replace("{r}", called), True, relation.object
    starts = [one for one in relation.wordings if one.startswith("{s} ") and one.count("{s}") == one.count("{o}") == 1]
    if starts and rng.random() < 0.75:
        who = rng.choice(["that", "who" if subject in _PEOPLE else "which"])
        plural = getInflection(subject, tag="NNS") if many else ()
        noun_phrase = (
            f"the {plural[0]}"
            if plural
            else rng.choice([f"the {subject}", f"a {subject}", "whoever" if subject in _PEOPLE else "what"])
        )
        joined = "" if noun_phrase in ("whoever", "what") else f"{who} "
        return noun_phrase + " " + joined + rng.choice(starts).rstrip(".")[4:], False, subject
    if noun:
        return f"{rng.choice(['the one', f'the {subject}', f'a {subject}'])} whose {label} is {{o}}", False, subject
    return None


def _chain_of(relation: Relation, table: Sequence[Relation]) -> Draw:
    """Questions that begin with a relation and go on by one or two others."""

    def draw(rng: random.Random, size: int) -> tuple[str, tuple[str, ...]]:
        begun = _begun(relation, rng)
        while begun is None:
            begun = _begun(rng.choice(list(table)), rng)
        named, kind, form, hops, start = begun
        if isinstance(form, Sets) and rng.random() < 0.4:
            named = rng.choice(["{x}", "which are {x}", "what are {x}", "list {x}", "{x}"]).replace("{x}", named)
            return draw_of(named, form, hops, start, rng, size)
        for last in (False, True) if rng.random() < _LONGER else (True,):
            template, to_object, far, hop = _onward(kind, table, last=last, rng=rng)
            hops.append(hop)
            named, kind = template.replace("{s}", named).replace("{o}", named), far
            form = Join(form, hop if to_object else hop.turned())
        return draw_of(named, form, hops, start, rng, size)

    def draw_of(
        named: str, form: Form, hops: list[Hop], start: Constant, rng: random.Random, size: int
    ) -> tuple[str, tuple[str, ...]]:
        others = rng.sample(list(table), 8)
        around_hops = [*hops, *(_hop(one, rng.choice(one.labels), one.subjects[0]) for one in others)]
        around = Surroundings([*around_hops, *(one.turned() for one in around_hops)], [Kind(relation.object)], [start])
        bare = rng.random() < 0.6
        assert isinstance(form, Join | Sets)
        nearest = [*turned_forms(form), form.of[0] if isinstance(form, Sets) else form.of]
        nearest += [*_shortened(form), *_reordered(form)]
        nearest += [Join(start, hop) for hop in hops] + [Join(start, hop.turned()) for hop in hops]
        nearest += [Join(form, rng.choice(around_hops)), Join(form, rng.choice(hops).turned())]
        near = [*nearest, *islice(near_forms(form, around, rng), 4 * size)]
        right = _worded(form, bare)
        wrong = list(dict.fromkeys(text for text in (_worded(one, bare) for one in near) if text != right))[: size - 1]
        return _typed(named, rng), (right, *wrong)

    return draw


def _onward(kind: str, table: Sequence[Relation], *, last: bool, rng: random.Random) -> tuple[str, bool, str, Hop]:
    """What leads on from a kind of things: a template, whether it asks for the object, what kind that is, its hop."""
    near = [one for one in table if broad(kind) in (*map(broad, one.subjects), broad(one.object))] or list(table)
    for attempt in range(_ATTEMPTS):
        step = rng.choice(near)
        subject = rng.choice(step.subjects)
        hop = _hop(step, rng.choice(step.labels), subject)
        if last:
            template, to_object = _asked(step, rng)
            far = step.object if to_object else subject
        elif described := _described(step, hop.label, subject, rng):
            template, to_object, far = described
        else:
            continue
        from_kinds = map(broad, step.subjects) if to_object else (broad(step.object),)
        if broad(kind) in from_kinds or attempt > _ATTEMPTS // 2:
            return template, to_object, far, hop
    return _onward(kind, table, last=True, rng=rng)


def _taken_apart(form: Form) -> tuple[Form, list[Hop]]:
    """What a chain starts from, and its hops."""
    hops = list[Hop]()
    while isinstance(form, Join):
        hops.insert(0, form.hop)
        form = form.of
    return form, hops


def _reordered(form: Form) -> list[Form]:
    """A chain with its hops in every other order."""
    start, hops = _taken_apart(form)
    return [followed(start, order) for order in permutations(hops)][1:]


def _shortened(form: Form) -> list[Form]:
    """A chain without each of its hops."""
    start, hops = _taken_apart(form)
    return [followed(start, rest) for rest in combinations(hops, len(hops) - 1)] if len(hops) > 1 else []


def _shared(relation: Relation, rng: random.Random) -> _Begun | None:
    """The others that share an end of a relation with a name, as a noun phrase."""
    nouns = _nouns(relation)
    if not nouns:
        return None
    label, subject = rng.choice(nouns), rng.choice(relation.subjects)
    many, labels, others = _plural(subject), _plural(label), _plural(relation.object)
    starts = [one for one in relation.wordings if one.startswith("{s} ") and one.count("{s}") == one.count("{o}") == 1]
    verb_phrase = rng.choice(starts).rstrip(".")[4:] if starts else f"have {{o}} as {label}"
    who = rng.choice(["that", "who" if subject in _PEOPLE else "which"])
    same_object = relation.single or rng.random() < 0.5
    same = rng.choice(["the {l} of {x}", "the same {l} as {x}", "{x}'s {l}"])
    if same_object:
        wordings: tuple[str, ...] = (
            f"{rng.choice(['the ', 'the other ', 'all other '])}{many} with the {label} that {{x}} has",
            f"the {many} that have the same {label} as {{x}}",
            f"the {many} {who} {verb_phrase.replace('{o}', same)}",
            f"the {many} whose {label} is the same as {{x}}'s",
            f"the other {many} of {same}",
        )
    else:
        wordings = (
            f"{{x}}'s fellow {labels}",
            f"the other {labels} of the {many} whose {label} is {{x}}",
            f"the {others} that are {label} of the same {subject} as {{x}}",
            f"whoever else is {label} of a {subject} {who} {verb_phrase.replace('{o}', '{x}')}",
            f"the other {labels} of {{x}}'s {many}",
        )
    return _with_others(rng.choice(wordings), relation, label, subject, same_object, rng)


def _with_others(
    wording: str, relation: Relation, label: str, subject: str, same_object: bool, rng: random.Random
) -> _Begun:
    """What a wording of things that share an end with a name means: there and straight back, but not the name."""
    start = _name(subject if same_object else relation.object, rng)
    hop = _hop(relation, rng.choice([label or relation.labels[0], rng.choice(relation.labels)]), subject)
    steps = (hop, hop.turned()) if same_object else (hop.turned(), hop)
    form = Sets("difference", (Join(Join(start, steps[0]), steps[1]), start))
    text = " ".join(wording.replace("{l}", label).replace("{x}", start.text).split())
    return text, subject if same_object else relation.object, form, [hop], start


def _nouns(relation: Relation) -> list[str]:
    """The labels that are nouns for the object."""
    return [label for label in relation.labels if label_wordings(label) and not label.endswith(" of")]


def _plural(noun: str) -> str:
    if noun == "person":
        return "people"
    return getInflection(noun, tag="NNS")[0] if noun.isalpha() and not noun.endswith("s") else noun


def _begun(relation: Relation, rng: random.Random) -> _Begun | None:
    """What a name leads to by a relation: how it is called, its kind, its form, the hop, the name."""
    if rng.random() < _SHARED:
        return _shared(relation, rng)
    label, subject = rng.choice(relation.labels), rng.choice(relation.subjects)
    described = _described(relation, label, subject, rng)
    if described is None:
        return None
    template, to_object, kind = described
    start, hop = _name(subject if to_object else relation.object, rng), _hop(relation, label, subject)
    form = Join(start, hop if to_object else hop.turned())
    return template.replace("{s}", start.text).replace("{o}", start.text), kind, form, [hop], start


def _wrong(
    form: Form,
    hop: Hop,
    to_object: bool,
    start: Constant,
    end: Constant,
    around: Surroundings,
    rng: random.Random,
    size: int,
) -> Iterator[Form]:
    of = start if to_object else end
    turned = Join(of, hop.turned() if to_object else hop)
    yield turned
    assert isinstance(form, Join)
    yield Join(form, form.hop.turned())
    for near, _ in zip(near_forms(form, around, rng), range(4 * size), strict=False):
        yield near


def _worded(form: Form, bare: bool) -> str:
    if not bare:
        return utterance(form)
    from reader_data import without_classes

    return utterance(without_classes(form))


def _typed(question: str, rng: random.Random) -> str:
    """As people type: with and without a capital and a question mark, sometimes in small letters throughout."""
    question = re.sub(r"\b(?:a|the) (?=(?:a|an|the|whoever|what|one) )", "", " ".join(question.split()))
    style = rng.random()
    if style < 0.15:
        return question.lower()
    if style < 0.5:
        return question
    question = question[0].upper() + question[1:]
    return question + "?" if style < 0.9 else question
