"""Texts: what a claim may rest on, what follows for its sentence, and that nothing of it can be left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from evidence_worlds import TEXT, TextWriter, checked_text, documents, passage, passage_text
from hypothesis import given
from hypothesis import strategies as st
from producers import END, START, entity, said, small_world, time

from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Literal, Qualifier, Statement
from toulmin.proof.answer import Answer, answer_text
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.checker import CheckReport, check
from toulmin.proof.html import answer_html
from toulmin.proof.model import Conclusion, Proof, Step
from toulmin.proof.texts.steps import Claim
from toulmin.proof.texts.values import denies, value_not_given

BORN = said("Ruth Negga", "born", time("1981-05"))
ACTED = said("Ruth Negga", "acted in", "Loving")
PARTNER = said("Ruth Negga", "partner", "Dominic Cooper", (START, "2010"), (END, "2018"))


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with small_world() as world:
        yield world


def test_a_text_with_every_verdict(graph: MemoryGraph) -> None:
    answer = checked_text(graph)
    assert (answer.kind, answer.question, answer.values, answer.verdict) == ("text", TEXT, (), None)
    assert answer.text == "2 sentences supported, 1 contradicted, 1 not in the graph, 1 not checked"
    shown = [(one.verdict, one.score, one.reason, len(one.statements)) for one in answer.sentences]
    assert shown == [
        ("supported", 0.875, "the graph says: Ruth Negga — acted in → Loving", 1),
        ("supported", 0.875, "the graph says: Ruth Negga — born → 1981-05", 1),
        ("contradicted", 0.75, "the graph says otherwise: Rebecca Hall — born → 1982-05-03", 1),
        ("not checked", 1.0, "a question", 0),
        ("not in the graph", 0.5, "the graph does not say this of Jeff Nichols", 0),
    ]
    assert [TEXT[one.start : one.end] for one in answer.sentences] == [one.text for one in answer.sentences]
    report = check(answer, graph)
    assert (report.status, report.exit_code, report.unused) == ("judged", 0, ())
    assert [one.status for one in report.sentences] == ["judged"] * 5
    assert Answer.from_json(answer.to_json()) == answer
    assert CheckReport.model_validate_json(report.model_dump_json()) == report


def test_each_sentence_is_as_strong_as_its_own_claims(graph: MemoryGraph) -> None:
    answer = passage_text(graph)
    report = check(answer, graph)
    assert [one.status for one in report.sentences] == ["unverifiable", "assumed"]
    assert [one.status for one in check(answer, graph, passages=documents).sentences] == ["judged", "assumed"]
    assert answer.sentences[0].reason == "Aristotle#1 says: “Aristotle (384–322 BC) was a Greek philo”"
    assert "closed world" in (answer.sentences[1].reason or "")
    with small_world(leave_out=(ACTED,)) as shrunk:
        report = check(checked_text(graph), shrunk)
    assert [one.status for one in report.sentences] == ["stale", *["judged"] * 4]
    assert report.exit_code == 1


def _writer(text: str, graph: MemoryGraph) -> TextWriter:
    return TextWriter(text, graph)


def test_a_claim_needs_links_of_what_its_fact_is_about(graph: MemoryGraph) -> None:
    text = "Beside Rebecca Hall, Ruth Negga acted in Loving."
    writer = _writer(text, graph)
    negga, loving, fact = writer.link("Ruth Negga"), writer.link("Loving"), writer.fact(ACTED)
    idle = writer.link("Rebecca Hall")
    vague = writer.builder.add_link(0, 6, entity("Rebecca Hall"), "Rebecca Hall", 0.3, "vector")
    for premises, wrong in (
        ([negga, fact], "no link that it rests on says"),
        ([loving, fact], "no link that it rests on says"),
        ([fact], "no link that it rests on says"),
        ([negga, loving], "is supported by nothing"),
        ([negga, loving, fact, idle], "of which no fact speaks"),
        ([negga, loving, fact, vague], "do not say its name"),
    ):
        with pytest.raises(InputError, match=wrong):
            writer.claim(text, premises, "yes")
    writer.claim(text, [negga, loving, fact], "yes")
    assert check(writer.answer(), graph).exit_code == 0


def test_words_after_the_sentence_are_not_its_own(graph: MemoryGraph) -> None:
    writer = _writer("She acted. It was Ruth Negga.", graph)
    with pytest.raises(InputError, match="come after its sentence"):
        writer.claim("She acted.", [writer.link("Ruth Negga")], "unknown")


def test_a_contradiction_needs_a_fact_about_what_is_named(graph: MemoryGraph) -> None:
    text = "Rebecca Hall was born in 1990."
    writer = _writer(text, graph)
    other = writer.fact(BORN)
    hers = writer.fact(said("Rebecca Hall", "born", time("1982-05-03")))
    hall = writer.link("Rebecca Hall")
    for premises, wrong in (([hall], "is contradicted by nothing"), ([hall, other], "no link that it rests on says")):
        with pytest.raises(InputError, match=wrong):
            writer.claim(text, premises, "no")
    writer.claim(text, [hall, hers], "no")
    assert writer.answer().text == "1 sentence contradicted"


def test_what_is_not_in_the_graph_rests_on_no_statement(graph: MemoryGraph) -> None:
    text = "Ruth Negga has a spouse."
    writer = _writer(text, graph)
    negga = writer.link("Ruth Negga")
    absent = writer.absence(entity("Ruth Negga"), "spouse")
    closed = writer.absence(entity("Ruth Negga"), "spouse", policy="closed world")
    for premises, decision, wrong in (
        ([negga, writer.fact(ACTED)], "unknown", "is yet not in the graph"),
        ([passage(writer.builder, "Laptop#1")], "unknown", "is yet not in the graph"),
        ([negga, closed], "unknown", "would refute it"),
        ([negga, absent], "no", "in an open world proves nothing"),
        ([negga, absent], "yes", "a search that found nothing"),
        ([absent], "unknown", "which no link that it rests on says"),
    ):
        with pytest.raises(InputError, match=wrong):
            writer.claim(text, premises, decision)  # type: ignore[arg-type]
    writer.claim(text, [negga, absent], "unknown")
    answer = writer.answer()
    assert answer.sentences[0].reason == "the graph has nothing for Ruth Negga — spouse → anything"
    assert check(answer, graph).exit_code == 0


def test_a_fact_between_two_others_needs_no_name(graph: MemoryGraph) -> None:
    text = "Ruth Negga acted in a film by Rebecca Hall."
    writer = _writer(text, graph)
    links = [writer.link("Ruth Negga"), writer.link("Rebecca Hall")]
    facts = [
        writer.fact(said("Ruth Negga", "acted in", "Passing")),
        writer.fact(said("Passing", "directed by", "Rebecca Hall")),
    ]
    with pytest.raises(InputError, match="no link that it rests on says"):
        writer.claim(text, [*links, facts[0]], "yes")
    writer.claim(text, [*links, *facts], "yes")
    assert check(writer.answer(), graph).exit_code == 0


_POPULATION = said("Cork", "population", Literal("5000", "quantity"))
_HEIGHT = said("Cork", "height", Literal("1.83", "quantity", unit="metre"))


@pytest.mark.parametrize(
    ("text", "fact", "value"),
    [
        ("Ruth Negga was born in May 1981.", BORN, None),
        ("Ruth Negga was born in 1981.", BORN, None),
        ("Ruth Negga was born in the 1980s.", BORN, None),
        ("Ruth Negga was born in 1982.", BORN, "1982"),
        ("Ruth Negga, the first actress taught by two others, was born in 1982.", BORN, "1982"),
        ("Ruth Negga was born in 1982 and had two brothers.", BORN, "1982"),
        ("Ruth Negga was born before 1982.", BORN, None),
        ("Ruth Negga was with Dominic Cooper from 2010.", PARTNER, None),
        ("Ruth Negga met Dominic Cooper in 2010.", PARTNER, None),
        ("Ruth Negga met Dominic Cooper in 2011.", PARTNER, "2011"),
        ("Ruth Negga acted in Loving in 2016.", ACTED, "2016"),
        ("Cork has 5,000 inhabitants.", _POPULATION, None),
        ("Cork has 5 thousand inhabitants.", _POPULATION, None),
        ("Cork has about 4,000 inhabitants.", _POPULATION, None),
        ("Cork has 4,000 inhabitants.", _POPULATION, "4,000"),
        ("Cork is 6 feet high.", _HEIGHT, None),
        ("Cork is 7 feet high.", _HEIGHT, "7 feet"),
        ("Apollo 11 is in Cork.", said("Apollo 11", "in", "Cork"), None),
    ],
)
def test_numbers_and_dates_are_compared_by_code(text: str, fact: Statement, value: str | None) -> None:
    names = ["Ruth Negga", "Dominic Cooper", "Loving", "Cork", "Apollo 11"]
    assert value_not_given(text, [fact], names) == value


def test_another_date_is_no_support(graph: MemoryGraph) -> None:
    text = "Ruth Negga was born in 1982."
    writer = _writer(text, graph)
    premises = [writer.link("Ruth Negga"), writer.fact(BORN)]
    with pytest.raises(InputError, match="no fact that it rests on gives '1982'"):
        writer.claim(text, premises, "yes")
    with pytest.raises(InputError, match="no fact that it rests on gives '1982'"):
        writer.claim(text, premises, "yes", text="Ruth Negga was born, in 1982")


def test_what_is_denied_is_not_supported(graph: MemoryGraph) -> None:
    for denial in ("did not act", "never acted", "didn't act"):
        text = f"Ruth Negga {denial} in Loving."
        writer = _writer(text, graph)
        with pytest.raises(InputError, match="its words deny something"):
            writer.claim(text, [writer.link("Ruth Negga"), writer.link("Loving"), writer.fact(ACTED)], "yes")
    assert not denies("Never Let Me Go is here.", [ACTED], ["Never Let Me Go"])
    childless = said("Ruth Negga", "child", Literal("", "no_value"))
    text = "Ruth Negga does not have a child."
    writer = _writer(text, graph)
    writer.claim(text, [writer.link("Ruth Negga"), writer.fact(childless)], "yes")
    assert check(writer.answer(), graph).exit_code == 0


def test_a_passage_about_something_else_lifts_no_comparison(graph: MemoryGraph) -> None:
    for text, fact, names in (
        ("Ruth Negga never acted in Loving.", ACTED, ["Ruth Negga", "Loving"]),
        ("Ruth Negga was born in 1982.", BORN, ["Ruth Negga"]),
    ):
        writer = _writer(text, graph)
        premises = [*map(writer.link, names), writer.fact(fact), passage(writer.builder, "Laptop#1")]
        with pytest.raises(InputError, match=r"deny something|gives '1982'"):
            writer.claim(text, premises, "yes")
    text = "Ruth Negga acted in Loving in 1980."
    writer = _writer(text, graph)
    seen = passage(writer.builder, "Laptop#1", 0, 64)  # which says 1980
    writer.claim(text, [writer.link("Ruth Negga"), writer.link("Loving"), writer.fact(ACTED), seen], "yes")
    assert check(writer.answer(), graph, passages=documents).exit_code == 0


def test_a_number_that_no_claim_states_is_not_supported(graph: MemoryGraph) -> None:
    text = "Ruth Negga acted in Loving in 1816."
    writer = _writer(text, graph)
    premises = [writer.link("Ruth Negga"), writer.link("Loving"), writer.fact(ACTED)]
    writer.claim(text, premises, "yes", text="Ruth Negga acted in Loving.")
    answer = writer.answer()
    assert answer.sentences[0].verdict == "not in the graph"
    assert (answer.sentences[0].reason, answer.sentences[0].statements) == ("no claim of it says 1816", ())
    assert check(answer, graph).exit_code == 0


def test_every_part_of_a_text_is_in_a_sentence(graph: MemoryGraph) -> None:
    text = "It is false that Ruth Negga acted in Loving. Yes."
    for sentences, wrong in (
        (["Yes."], "no claim is about the text from 0 to"),
        (["It is false that Ruth Negga acted in Loving."], "no claim is about the text from 44 to 49"),
        (["It is false that Ruth Negga acted in Loving.", "Loving. Yes."], "two sentences share"),
        (["It is false that ", "Ruth Negga acted in Loving.", "Yes."], "a sentence is cut in two at 17"),
        (["It is false that", "Ruth Negga acted in Loving.", "Yes."], "a sentence is cut in two at 16"),
    ):
        writer = _writer(text, graph)
        for one in sentences:
            writer.unchecked(one, "no reason")
        with pytest.raises(InputError, match=wrong):
            writer.answer()
    with pytest.raises(InputError, match="at least one"):
        _writer(text, graph).answer()


def test_lines_need_no_full_stop(graph: MemoryGraph) -> None:
    writer = _writer("A heading\n\n* an item\n* another", graph)
    for one in ("A heading", "an item", "another"):
        writer.unchecked(one, "no sentence")
    assert writer.answer().text == "3 sentences not checked"


def _with(answer: Answer, change: Callable[[Step], Step | None], **fields: object) -> Answer:
    steps = [changed for step in answer.proof.steps if (changed := change(step)) is not None]
    return answer.model_copy(update={"proof": Proof(steps=tuple(steps)), **fields})


def test_a_claim_cannot_be_left_out(graph: MemoryGraph) -> None:
    answer = checked_text(graph)
    bad = next(one for one in answer.proof.steps if isinstance(one, Claim) and one.verdict == "contradicted")

    def unused(step: Step) -> Step:
        kept = tuple(one for one in step.rests_on if one != bad.id)
        return step.model_copy(update={"rests_on": kept}) if isinstance(step, Conclusion) else step

    def gone(step: Step) -> Step | None:
        return None if step.id == bad.id else unused(step)

    sentences = tuple(one for one in answer.sentences if one.verdict != "contradicted")
    for change in (unused, gone):
        other = _with(answer, change, sentences=sentences, text=answer_text(sentences=sentences))
        assert check(other, graph).exit_code == 1


def test_sentences_belong_to_answers_about_texts(graph: MemoryGraph) -> None:
    made = ProofBuilder("Who?", graph)
    plain = made.answer(made.abstain("nobody is named"), method="by hand")
    report = check(plain.model_copy(update={"sentences": checked_text(graph).sentences}), graph)
    assert report.exit_code == 1
    assert "has no sentences" in report.problems[-1]
    assert [one.status for one in report.sentences] == ["fails"] * 5


def test_a_notebook_shows_the_sentences(graph: MemoryGraph) -> None:
    shown = answer_html(checked_text(graph))
    assert "<b>contradicted 0.75</b> Rebecca Hall was born in 1990." in shown
    assert shown.count("Judged") == 0  # what a claim's judgement says is told of its sentence


_DECISIONS = st.lists(st.sampled_from(["yes", "no", "unknown", None]), min_size=1, max_size=4)


@given(st.lists(_DECISIONS, min_size=1, max_size=4))
def test_the_verdict_on_a_sentence_follows_from_its_claims(decided: list[list[str | None]]) -> None:
    text = " ".join(f"Ada likes tea as {'a' * n}." for n in range(1, len(decided) + 1))
    likes = said("Ada", "likes", "tea")
    with MemoryGraph.from_statements([likes]) as graph:
        writer = TextWriter(text, graph)
        links = [writer.link("Ada"), writer.link("tea")]
        expected: list[str] = []
        for number, some in enumerate(decided, 1):
            sentence = f"Ada likes tea as {'a' * number}."
            expected.append(_decide(writer, sentence, links, likes, some))
        answer = writer.answer()
        assert [one.verdict for one in answer.sentences] == expected
        assert check(answer, graph).exit_code == 0
        assert Answer.from_json(answer.to_json()) == answer


def _decide(
    writer: TextWriter, sentence: str, links: Sequence[str], likes: Statement, some: Sequence[str | None]
) -> str:
    for place, decision in enumerate(some):
        words = f"{sentence} ({'i' * (place + 1)})"
        if decision is None:
            writer.unchecked(sentence, "i" * (place + 1))
        else:
            premises = [*links, *([] if decision == "unknown" else [writer.fact(likes)])]
            writer.claim(sentence, premises, decision, text=words)  # type: ignore[arg-type]
    verdicts = {"no": "contradicted", "unknown": "not in the graph", "yes": "supported", None: "not checked"}
    return next(verdict for decision, verdict in verdicts.items() if decision in some)


def test_the_values_of_qualifiers_are_named_too(graph: MemoryGraph) -> None:
    text = "Ruth Negga was the partner of Dominic Cooper in 2010."
    writer = _writer(text, graph)
    fact = writer.fact(PARTNER)
    writer.claim(text, [writer.link("Ruth Negga"), writer.link("Dominic Cooper"), fact], "yes")
    answer = writer.answer()
    assert "(start time: 2010, end time: 2018)" in (answer.sentences[0].reason or "")
    assert check(answer, graph).exit_code == 0
    assert PARTNER.qualifiers == (Qualifier(START, time("2010")), Qualifier(END, time("2018")))
