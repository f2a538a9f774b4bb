"""What programs yield that are true, false or unknown; each told by hand."""

from __future__ import annotations

from itertools import product

import pytest
from program_graphs import amount, said, time

from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.program.builder import Builder


@pytest.fixture
def b(people: MemoryGraph) -> Builder:
    return Builder("Is it so?", people)


def judged(b: Builder, decision: str) -> int:
    return b.judged(f"says {decision}", by="somebody", score=0.9, decision=decision)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("subject", "relation", "do", "value", "truth"),
    [
        ("ada", "born", "<", time("1951"), True),
        ("bob", "born", "<", time("1950-06"), None),  # in 1950
        ("bob", "born", "=", time("1950"), None),  # two years are no two points
        ("ada", "born", "=", time("1950-05-01"), True),
        ("ada", "salary", ">", amount("2500", "gram"), True),
        ("ada", "salary", ">", amount("2", "metre"), None),
        ("dee", "born", "<", time("2000"), None),  # unknown
        ("dee", "manager", "=", amount("1"), False),  # there is none
        ("dee", "manager", "≠", amount("1"), True),
        ("dee", "manager", "<", amount("1"), None),
        ("gus", "born", "<", time("2000"), None),  # nothing is said
    ],
)
def test_comparisons(b: Builder, subject: str, relation: str, do: str, value: object, truth: bool | None) -> None:
    left, right = b.follow(b.entity(subject), relation), b.literal(value)  # type: ignore[arg-type]
    assert b.truth(b.compare(do, left, right)) is truth


def test_all_combinations_must_agree_and_preferred_ranks_decide(b: Builder) -> None:
    both = b.follow(b.union(b.entity("ada"), b.entity("cy")), "born")
    assert b.truth(b.compare("<", both, b.literal(time("1960")))) is True
    assert b.truth(b.compare("<", both, b.literal(time("1940")))) is None
    home = b.follow(b.entity("ada"), "lives")
    assert b.truth(b.compare("=", home, b.entity("oslo"))) is True
    assert b.truth(b.compare("=", b.complete(b.named(home)), b.entity("rome"))) is False


@pytest.mark.parametrize(
    ("do", "number", "truth"),
    [
        *((">", "1", True), (">", "2", None), ("≥", "2", True), ("<", "2", False), ("≤", "2", None), ("≤", "1", False)),
        *(("=", "1", False), ("=", "2", None), ("≠", "1", True), ("≠", "5", None), ("<", "9", None)),
    ],
)
def test_of_a_lower_bound_only_what_holds_of_more_is_known(
    b: Builder, do: str, number: str, truth: bool | None
) -> None:
    count = b.count(b.follow(b.entity("cy"), "manager", "backward"))  # at least 2
    other = b.literal(amount(number))
    assert b.truth(b.compare(do, count, other)) is truth
    turned = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}.get(do, do)
    assert b.truth(b.compare(turned, other, count)) is truth


def test_texts(b: Builder) -> None:
    home = b.follow(b.entity("bob"), "lives")
    assert b.truth(b.compare("contains", home, b.literal("OM"))) is True
    assert b.truth(b.compare("starts", home, b.literal("om"))) is False


def test_periods(b: Builder) -> None:
    held = b.follow(b.entity("ada"), "office", qualified=[("start", time("1980"))])
    term = b.period(b.qualifier(held, "start"), b.qualifier(held, "end"))
    assert b.truth(b.compare("overlaps", term, b.literal(time("1982")))) is True
    assert b.truth(b.compare("overlaps", term, b.literal(time("1990")))) is False
    since = b.period(b.qualifier(held, "start"), None)
    assert b.truth(b.compare("overlaps", since, b.literal(time("1990")))) is None
    assert b.truth(b.compare("<", term, b.literal(time("1990")))) is None
    with pytest.raises(InputError, match="yields period"):
        b.exists(term)


def test_existence_in_an_open_world(b: Builder) -> None:
    found = [b.truth(b.exists(b.follow(b.entity(one), "manager"))) for one in ("ada", "dee", "eve", "fay", "gus")]
    assert found == [True, False, None, None, None]
    assert b.truth(b.exists(b.complete(b.follow(b.entity("gus"), "manager")))) is False
    assert b.truth(b.exists(b.complete(b.follow(b.entity("eve"), "manager")))) is None


@pytest.mark.parametrize(
    ("one", "cls", "truth"),
    [
        ("ada", "engineer", True),
        ("ada", "person", True),
        ("ada", "ada", True),
        ("ada", "cook", None),
        ("engineer", "person", True),
        ("stone", "person", False),
        ("ada", "mineral", False),
        ("cook", "mineral", False),
    ],
)
def test_membership(b: Builder, one: str, cls: str, truth: bool | None) -> None:
    pair = b.entity(one), b.entity(cls)
    assert b.truth(b.is_a(*pair, "type", "subclass", "disjoint")) is truth
    closed = b.is_a(*pair, "type", "subclass", "disjoint", closed=True)
    assert b.truth(closed) is (truth or False)


def test_quantifiers(b: Builder) -> None:
    people = b.follow(b.entity("cy"), "manager", "backward")  # Ada and Bob, and perhaps others

    def before(year: str):  # type: ignore[no-untyped-def]
        return lambda it: b.compare("<", b.follow(it, "born"), b.literal(time(year)))

    all_, nobody = b.complete(people), b.complete(b.follow(b.entity("gus"), "manager"))
    assert b.truth(b.some(people, before("1960"))) is True
    assert b.truth(b.every(people, before("1960"))) is None
    assert b.truth(b.every(all_, before("1960"))) is True
    assert b.truth(b.some(people, before("1900"))) is None
    assert b.truth(b.some(all_, before("1900"))) is False
    assert b.truth(b.every(people, before("1900"))) is False
    assert b.truth(b.one(people, before("1960"))) is True
    assert b.truth(b.every(nobody, before("1900"))) is True
    assert b.truth(b.some(b.follow(b.entity("dee"), "manager"), before("1900"))) is False
    assert b.truth(b.one(b.follow(b.entity("dee"), "manager"), lambda it: b.not_(b.exists(it)))) is True
    assert b.truth(b.one(people, lambda it: b.compare("=", it, b.entity("ada")))) is None


def test_a_variable_belongs_to_one_binder(b: Builder) -> None:
    people = b.follow(b.entity("cy"), "manager", "backward")
    it = b.it(people)
    test = b.exists(b.follow(it, "born"))
    place = b.add({"op": "where", "of": people, "it": it, "test": test})
    assert len(b.nodes(place)) == 2
    with pytest.raises(InputError, match="belongs to another node"):
        b.add({"op": "some", "of": people, "it": it, "test": test})
    with pytest.raises(InputError, match=f"belongs to node {place} alone"):
        b.not_(test)
    with pytest.raises(InputError, match="depends on a variable"):
        b.value(test)
    other = b.follow(b.entity("dee"), "manager", "backward")
    with pytest.raises(InputError, match="another set"):
        b.add({"op": "where", "of": other, "it": b.it(people), "test": test})


def test_binders_within_each_other(b: Builder) -> None:
    people = b.follow(b.entity("cy"), "manager", "backward")

    def neighbour(it: int) -> int:
        others = b.follow(b.follow(it, "lives"), "lives", "backward")
        return b.some(others, lambda other: b.compare("≠", other, it))

    assert [node.id for node in b.nodes(b.where(people, neighbour)) if hasattr(node, "id")] == ["ada", "bob"]


def test_kleene(b: Builder) -> None:
    truth = {"yes": True, "no": False, "unknown": None}
    for first, second in product(truth, truth):
        places = judged(b, first), judged(b, second)
        values = truth[first], truth[second]
        expected = False if False in values else None if None in values else True
        assert b.truth(b.and_(*places)) is expected
        expected = True if True in values else None if None in values else False
        assert b.truth(b.or_(*places)) is expected
    assert [b.truth(b.not_(judged(b, one))) for one in truth] == [False, True, None]


@pytest.mark.parametrize(
    ("direction", "condition", "truth"),
    [
        *(("sufficient", "yes", False), ("sufficient", "no", None), ("necessary", "yes", None)),
        *(("necessary", "no", True), ("both", "yes", False), ("both", "no", True), ("both", "unknown", None)),
    ],
)
def test_a_rule_concludes_only_what_its_direction_licenses(
    b: Builder, direction: str, condition: str, truth: bool | None
) -> None:
    of = judged(b, condition)
    place = b.rule("no if so", of, by="x", direction=direction, if_true="no", if_false="yes")  # type: ignore[arg-type]
    assert b.truth(place) is truth


def test_statements_and_choices(b: Builder) -> None:
    fact = b.statement(said("ada", "manager", "cy"))
    assert b.truth(fact) is True
    with pytest.raises(InputError, match="has no statement"):
        b.truth(b.statement(said("ada", "manager", "bob")))
    chosen = b.choice([("tea", fact), ("milk", judged(b, "no")), ("beer", judged(b, "unknown"))])
    assert [node.value for node in b.nodes(chosen) if hasattr(node, "value")] == ["tea"]


def _chain(sample: int, prediction: str, entailment: float, contradiction: float = 0.0) -> dict[str, object]:
    sentence = {"text": "It is so.", "by": "scorer", "entailment": entailment, "unknown": 0.0, "similarity": 0.9}
    sentences = [sentence | {"contradiction": contradiction}]
    return {"text": "It is so. Hence.", "sample": sample, "prediction": prediction, "sentences": sentences}


@pytest.mark.parametrize(
    ("function", "more", "truth"),
    [
        ("equal", {}, False),  # two against one
        ("f2", {}, False),  # 1.0 + 1.0 against 1.8
        ("f3", {}, True),  # below 0.6 nothing counts
        ("f3", {"T_e": 0.05}, True),
        ("equal", {"voting": False, "ties": "first"}, True),
        ("mean-entailment", {"voting": False}, True),
    ],
)
def test_votes(b: Builder, function: str, more: dict[str, object], truth: bool) -> None:
    chains = [_chain(0, "yes", 0.9), _chain(1, "no", 0.1), _chain(2, "no", 0.1)]
    place = b.add({"op": "vote", "function": function, "chains": chains, "yes_or_no": True, **more})
    assert b.truth(place) is truth


def test_a_vote_counts_each_sample_once_and_only_its_own_sentences(b: Builder) -> None:
    twice = b.add({"op": "vote", "function": "equal", "chains": [_chain(0, "yes", 1.0)] * 2, "yes_or_no": True})
    with pytest.raises(InputError, match="votes twice"):
        b.value(twice)
    strange = _chain(0, "yes", 1.0) | {"text": "Something else."}
    with pytest.raises(InputError, match="does not stand"):
        b.value(b.add({"op": "vote", "function": "equal", "chains": [strange], "yes_or_no": True}))
