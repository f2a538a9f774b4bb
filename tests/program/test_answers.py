"""Answers: what they say, how they are stored, and that the kernel passes what a builder makes."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from random import Random

import pytest
from program_graphs import said, time
from random_programs import random_graph, random_program

from toulmin.errors import InputError, SourceError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity
from toulmin.program.answer import Answer, Usage
from toulmin.program.builder import Builder
from toulmin.program.evidence import attach
from toulmin.program.reasons import Lacks, Nothing, Other, Reason, Stopped, Unnamed, Unread, Unsure

QUESTION = "Where does Ada live, and who is Cyrano?"
READ = {"by": "a reader", "score": 0.9, "method": "test"}


@pytest.fixture
def b(people: MemoryGraph) -> Builder:
    return Builder(QUESTION, people)


def home(b: Builder) -> int:
    return b.follow(b.entity("ada", (11, 14), "Ada"), "lives")


def test_an_answer_says_what_its_node_yields(b: Builder, people: MemoryGraph) -> None:
    usage = Usage(model_calls=2, seconds=1.5)
    answer = b.answer(home(b), by="a reader", score=0.9, method="test", model="m", confidence=0.5, usage=usage)
    assert answer.values == (Entity("oslo", "Oslo"), Entity("rome", "Rome"))
    assert (answer.kind, answer.text, answer.verdict, answer.abstained) == ("nodes", "Oslo, Rome", None, False)
    assert (answer.method, answer.model, answer.confidence, answer.usage) == ("test", "m", 0.5, usage)
    assert answer.graph_fingerprint == people.fingerprint
    report = answer.check(people)
    assert (report.exit_code, report.problems) == (0, [])
    assert "Ada" in report.read_as


def test_truth_numbers_and_rows(b: Builder, people: MemoryGraph) -> None:
    truth = b.compare("=", home(b), b.entity("oslo"))
    count = b.count(home(b))
    table = b.table(home(b), [lambda it: b.follow(it, "lives", "backward")])
    answers = [b.answer(place, **READ) for place in (truth, count, table)]  # type: ignore[arg-type]
    assert [one.text for one in answers] == ["yes", "at least 2", "Oslo | Ada; Rome | Ada, Bob"]
    assert [one.kind for one in answers] == ["truth", "nodes", "rows"]
    assert (answers[0].verdict, answers[1].at_least, len(answers[2].rows)) == (True, True, 2)
    assert [one.check(people).exit_code for one in answers] == [0, 0, 0]


def test_only_what_an_answer_needs_is_kept(b: Builder) -> None:
    b.follow(b.entity("bob"), "manager")
    answer = b.answer(home(b), **READ)  # type: ignore[arg-type]
    assert [node["op"] for node in answer.certificate["program"]] == ["entity", "follow"]


@pytest.mark.parametrize("what", ["named", "nothing", "unknown", "variable"])
def test_what_is_no_answer_is_refused(b: Builder, what: str) -> None:
    empty = b.follow(b.entity("ada"), "nothing")
    places = {
        "named": b.entity("ada"),
        "nothing": empty,
        "unknown": b.exists(empty),
        "variable": b.follow(b.it(home(b)), "lives", "backward"),
    }
    with pytest.raises(InputError):
        b.answer(places[what], **READ)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_answered_passes_the_check(seed: int) -> None:
    rng = Random(seed)
    with random_graph(rng) as graph:  # type: ignore[attr-defined]
        builder, places = random_program(rng, graph)
        for place in places:
            try:
                answer = builder.answer(place, by="somebody", score=0.5, method="test")
            except InputError:
                continue
            report = answer.check(graph)
            assert (report.exit_code, report.problems) == (0, []), str(report)
            assert Answer.from_json(answer.to_json()) == answer


def test_stored_and_read_again(b: Builder, tmp_path: Path) -> None:
    answer = b.answer(home(b), **READ)  # type: ignore[arg-type]
    path = tmp_path / "answer.json"
    path.write_text(answer.to_json(), "utf-8")
    read = Answer.read(path)
    assert read == answer == pickle.loads(pickle.dumps(answer))  # noqa: S301
    assert read.values == answer.values
    assert read != answer.replaced(confidence=0.3)
    assert answer.replaced(confidence=0.3).confidence == 0.3
    with pytest.raises(AttributeError, match="not changed"):
        answer.question = "another"  # type: ignore[misc]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-5],
        lambda text: text.replace('"question"', '"quest"', 1),
        lambda text: text.replace("{", '{"method": "other", ', 1),
        lambda text: text.replace('"of": 1', '"of": 9', 1),
        lambda text: text.replace("toulmin-certificate/1", "toulmin-certificate/2"),
        lambda text: json.dumps(json.loads(text) | {"more": 1}),
        lambda text: text.replace("0.9", "NaN", 1),
        lambda text: "[]",
    ],
)
def test_what_is_no_certificate_is_told_in_one_line_with_its_file(b: Builder, tmp_path: Path, change) -> None:  # type: ignore[no-untyped-def]
    answer = b.answer(home(b), **READ)  # type: ignore[arg-type]
    path = tmp_path / "answer.json"
    path.write_text(change(answer.to_json()), "utf-8")
    with pytest.raises(SourceError) as error:
        Answer.read(path)
    assert "answer.json" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (Unread(words=((0, 5, "a word"),)), "“Where”"),
        (Unnamed(words=(32, 38)), "“Cyrano”"),
        (Lacks(entity="ada", relation="child", direction="forward"), "Ada"),
        (Stopped(what="calls"), "calls"),
        (Other(says="it is late"), "“it is late”"),
    ],
)
def test_an_abstention_says_why_in_words_that_are_made_for_it(
    b: Builder, people: MemoryGraph, reason: Reason, told: str
) -> None:
    answer = b.abstain(reason, method="test")
    assert (answer.kind, answer.abstained, answer.values) == ("none", True, ())
    assert told in answer.text
    assert answer.text.startswith("Not answerable from this graph: ")
    assert answer.check(people).problems == []
    assert Answer.from_json(answer.to_json()).text == answer.text


def test_an_abstention_is_checked(b: Builder, people: MemoryGraph) -> None:
    empty = b.follow(b.entity("ada"), "child")
    assert b.abstain(Nothing(of=empty), tried=[empty], method="test").check(people).problems == []
    false = b.abstain(Nothing(of=home(b)), tried=[home(b)], method="test").check(people)
    assert false.exit_code == 1
    unsure = Unsure(of=home(b), score=0.4, needed=0.6)
    assert b.abstain(unsure, tried=[home(b)], method="test").check(people).problems == []
    with pytest.raises(InputError, match="says why"):
        b.abstain([], method="test")


def test_a_text_is_checked_sentence_by_sentence(people: MemoryGraph) -> None:
    text = "Ada lives in Oslo. She was born in 1960. She sings. Be well."
    b = Builder(text, people)
    lives = b.statement(said("ada", "lives", "oslo", preferred=True))
    born = b.compare("=", b.follow(b.entity("ada"), "born"), b.literal(time("1960")))
    sings = b.exists(b.follow(b.entity("ada"), "sings"))
    answer = b.text(
        [
            (0, 18, [lives], None),
            (19, 40, [born], None),
            (41, 51, [sings], None),
            (52, 60, [], "a wish"),
        ],
        by="somebody",
        score=0.8,
        method="test",
    )
    verdicts = ["supported", "contradicted", "not in the graph", "not checked"]
    assert [one.verdict for one in answer.sentences] == verdicts
    assert [one.text for one in answer.sentences][1] == "She was born in 1960."
    assert answer.sentences[3].reason == "a wish"
    assert Answer.from_json(answer.to_json()) == answer
    report = answer.check(people)
    assert (report.exit_code, report.problems) == (0, [])
    assert [line.partition(":")[0].partition(" (")[0] for line in report.answer] == verdicts


def test_a_text_is_grounded_where_each_sentence_is_supported_by_something_looked_up(people: MemoryGraph) -> None:
    def grounded(*sentences: tuple[str, str | None]) -> bool | None:
        """A text of sentences, each with the decision on its claim, or none where it has no claim."""
        b, at, told = Builder(" ".join(text for text, _ in sentences), people), 0, []
        seen = [b.statement(said("ada", "lives", "oslo", preferred=True))]
        for text, decision in sentences:
            bare, decided = (decision or "").startswith("bare "), (decision or "").removeprefix("bare ")
            claims = [
                b.judged(text, by="m", score=0.9, decision=one, seen=[] if bare else seen)  # type: ignore[arg-type]
                for one in decided.split()
            ]
            told.append((at, at + len(text), claims, None if claims else "uncited"))
            at += len(text) + 1
        answer = b.text(told, by="m", score=0.8, method="test")
        assert ("not every sentence" in str(answer)) is not answer.grounded
        assert "nothing in the graph was cited" not in str(answer)
        return answer.grounded

    assert grounded(("Ada lives in Oslo.", "yes"), ("Oslo is her home.", "yes yes"))
    assert grounded(("Ada lives in Oslo.", "yes"), ("She sails.", "unknown")) is False
    assert grounded(("Ada lives in Oslo.", "yes"), ("She sails.", None)) is False
    assert grounded(("Ada lives in Oslo.", "yes"), ("She lives abroad.", "no")) is False
    assert grounded(("Ada lives in Oslo.", "yes"), ("She sails.", "bare yes")) is False
    assert grounded(("Ada lives in Oslo and sails.", "yes unknown")) is False


def test_evidence_stands_for_the_graph(b: Builder, people: MemoryGraph) -> None:
    empty = b.follow(b.entity("ada"), "child")
    answers = [b.answer(b.count(home(b)), **READ), b.abstain(Nothing(of=empty), method="test")]  # type: ignore[arg-type]
    for answer in answers:
        held = attach(answer, people)
        alone, beside = held.check(root=people.fingerprint), answer.check(people)
        assert (alone.exit_code, alone.status, alone.answer) == (beside.exit_code, beside.status, beside.answer)
        assert answer.check().status == "unverifiable"
        assert held.check(root="0" * 64).exit_code == 1
        ranges = held.certificate["evidence"][0]["out"]["ranges"]
        full = next(one for one in ranges if one["statements"])
        tampered = json.loads(held.to_json())
        place = ranges.index(full)
        tampered["evidence"][0]["out"]["ranges"][place]["statements"].pop()
        assert Answer(tampered).check().exit_code == 2


def test_print_shows_one_line_each(b: Builder) -> None:
    b.question = "Where\ndoes \x1b[31mAda live?"
    shown = str(b.answer(home(b), **READ)).splitlines()  # type: ignore[arg-type]
    assert shown[:2] == ["Where does [31mAda live?", "Oslo, Rome"]
