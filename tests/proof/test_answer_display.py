"""An answer in a notebook, and the check of the proof that it holds."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from producers import follow, hop, small_world

from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Qualifier, Relation, Statement
from toulmin.proof.answer import Answer
from toulmin.proof.checker import check
from toulmin.proof.html import answer_html
from toulmin.proof.model import Proof

QUESTION = "Who directed the films that Ruth Negga acted in?"


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with small_world() as world:
        yield world


@pytest.fixture
def answer(graph: MemoryGraph) -> Answer:
    return follow(QUESTION, "Ruth Negga", hop("acted in"), hop("directed by"), graph=graph)


def copies(answer: Answer) -> list[Answer]:
    stored = Answer.from_json(answer.to_json())
    return [stored, copy.copy(answer), copy.deepcopy(answer), answer.model_copy(), pickle.loads(pickle.dumps(answer))]  # noqa: S301


def test_the_proof_of_an_answer_checks_that_answer(answer: Answer, graph: MemoryGraph) -> None:
    assert answer.proof.check(graph) == check(answer, graph)
    assert answer.proof.check(graph, strict=True).exit_code == 1
    for one in copies(answer):
        assert one == answer
        assert one.proof == answer.proof
        assert one.proof.check(graph) == check(answer, graph)


def test_an_altered_answer_is_what_its_own_proof_checks(answer: Answer, graph: MemoryGraph) -> None:
    for one in [answer, *copies(answer)]:
        altered = one.model_copy(update={"text": "Nobody"})
        assert altered.proof.check(graph) == check(altered, graph)
        assert altered.proof.check(graph).exit_code == 1
        assert one.proof.check(graph).exit_code == 0


def test_a_graph_that_changed_is_told_by_the_proof_too(answer: Answer) -> None:
    with MemoryGraph.from_statements([]) as other:
        assert answer.proof.check(other).status == "stale"


def test_a_proof_of_no_answer_cannot_be_checked(answer: Answer, graph: MemoryGraph) -> None:
    with pytest.raises(InputError, match=r"take the one in answer\.proof"):
        Proof(steps=answer.proof.steps).check(graph)


class Reader(HTMLParser):
    """Collects tags, attributes and text, and fails where tags do not nest."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


TAGS, ATTRIBUTES = {"table", "tr", "th", "td", "div", "span", "b", "u"}, {"style", "title"}


def test_a_notebook_shows_question_answer_paths_and_statements(answer: Answer) -> None:
    shown = Reader(answer._repr_html_())
    assert shown.tags == TAGS
    for words in (QUESTION, "Rebecca Hall", "── acted in ──▶", "Path", "Statements", "Judged"):
        assert words in shown.text
    assert '<u title="Ruth Negga (' in answer._repr_html_()


HOSTILE = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "</td></table><h1>",
    "&lt;b&gt; &amp; <!-- ",
    "\u202egnihton\x1b[2J",
]


@given(label=st.sampled_from(HOSTILE) | st.text(min_size=1, max_size=40).filter(lambda text: bool(text.strip())))
def test_no_label_becomes_markup(label: str) -> None:
    try:
        label.encode()
    except UnicodeEncodeError:
        return
    start, end = Entity("e:start", label), Entity(f"e:{label}", label)
    relation = Relation(f"r:{label}", label)
    said = Statement(start, relation, end, (Qualifier(relation, Literal(label)),))
    answer = shown_answer(said, label)
    shown = Reader(answer_html(answer))
    assert shown.tags <= TAGS
    assert shown.attributes <= ATTRIBUTES
    assert not any(not one.isprintable() for one in shown.text)


def shown_answer(said: Statement, label: str) -> Answer:
    """An answer, sound or not, whose every text is the label; of names what may stand in one line."""
    from toulmin.graph.types import PathStep, ReasoningPath
    from toulmin.proof.model import Absence, Fact, Judgement, Link, Path

    assert isinstance(said.object, Entity)
    line = "".join(filter(str.isprintable, label))
    walked = ReasoningPath(said.subject, (PathStep(said.relation, "backward", said.object, said.id),))
    steps = (
        Link(id="l", span=label, start=0, end=len(label), entity=said.subject, form=label, score=1.0, how="exact"),
        Fact(id="f", statement=said, statement_id=said.id),
        Path(id="p", rests_on=("l", "f"), path=walked),
        Judgement(id="j", claim=label, by=line, evidence=(), score=1.0, decision="yes"),
        Absence(id="a", subject=said.subject, relation=said.relation, object=None, scope=label),
    )
    return Answer(
        version="0",
        question=label,
        kind="values",
        values=(said.object,),
        text=label,
        proof=Proof(steps=steps),
        method=line,
        model=line,
        graph_fingerprint=label,
    )
