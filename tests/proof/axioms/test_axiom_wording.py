"""Axioms as people read them: nothing that is judged or assumed is left unsaid, and no text breaks the page."""

from __future__ import annotations

from axiom_worlds import clause, entity, graph_of, of, program, reason, said
from test_axiom_examples import COUNCIL, SINGLE
from test_axiom_tampering import choice, council, single

from toulmin.cli.axioms import axiom_lines
from toulmin.proof.answer import Answer
from toulmin.proof.axioms.wording import clauses_in_words, licence
from toulmin.proof.html import answer_html


def lines(answer: Answer) -> str:
    return "\n".join(line.plain for line in axiom_lines(answer))


def test_what_follows_is_said() -> None:
    assert licence(COUNCIL).endswith("if it is not met, the answer is no; if it is, nothing follows")
    assert clauses_in_words(SINGLE)[-1] == "it is met if not (married or partnered)"


def test_what_somebody_took_a_term_for_is_said() -> None:
    assert "“council member of Virginia Raggi” is taken for position held, just these statements" in lines(council()[0])


def test_what_is_assumed_of_the_graph_is_said() -> None:
    assert "“spouse of Emily”: the graph is taken to know all of them" in lines(single()[0])


def test_each_option_is_said_with_what_came_of_it() -> None:
    answer, _ = choice()
    assert "the option is “a dish that no graph knows”" in lines(answer)
    page = answer_html(answer)
    assert "“toast”: so the axiom answers: <b>no</b>" in page.replace("</span> ", "</span>").replace("\n", "")
    assert "“curry”: “It is served warm.”, from s" in page
    assert "the options for which it answers yes: <b>curry</b>" in page


def test_hostile_words_stay_words() -> None:
    axiom = program(
        "<script>alert(1)</script>",
        [entity("a", "Ann"), of("x", "<b>bold", "a")],
        [clause("c", "exists", "x", text="</table>\u202e\n<img src=x>")],
    )
    listed = [said("Ann", "named", "Bob")]
    cited = {"groundings": [{"term": "x", "statements": [1]}]}
    answer, _ = reason("Is Ann named?", axiom, graph_of(*listed), listed, cited)
    page = answer_html(answer)
    assert "&lt;script&gt;" in page
    assert not any(raw in page for raw in ("<script", "<img", "</table>\u202e", "<b>bold", "\u202e"))
    assert all("\n" not in line.plain for line in axiom_lines(answer))
