"""Votes and selections follow from the recorded chains and scores, and from nothing else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from evidence_worlds import COMPLETIONS, LAPTOP, chains, concluded, documents, selection, voted
from hypothesis import given
from hypothesis import strategies as st
from producers import entity, small_world

from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal
from toulmin.proof.answer import Answer
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.chains.completions import parse
from toulmin.proof.chains.faithfulness import Scores, Thresholds, faithfulness
from toulmin.proof.chains.steps import Chain
from toulmin.proof.chains.wording import chain_words, chosen_words, sentence_words
from toulmin.proof.chains.words import Shares
from toulmin.proof.checker import check
from toulmin.proof.model import Computation, Output
from toulmin.proof.operators.chosen import EntityNamed
from toulmin.proof.operators.selection import FactSelection
from toulmin.proof.operators.votes import WeightedVote, WordWeights, ballots, outcome

AT = Thresholds(0.5, 0.6, 0.99)


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with small_world() as world:
        yield world


@pytest.mark.parametrize(
    ("function", "scores", "value"),
    [
        ("f1", (0.3, 0.1, 0.5), 0.5 - 0.1),  # similar enough: M counts
        ("f1", (0.3, 0.1, 0.49), 0.3 - 0.1),  # else E does
        ("f2", (0.3, 0.1, 0.49), 0.49 + 0.3),
        ("f3", (0.6, 0.99, 0.0), 0.6 - 0.99),
        ("f3", (0.59, 0.98, 0.9), 0.0),
        ("equal", (0.3, 0.1, 0.5), 1.0),
    ],
)
def test_the_faithfulness_functions_of_the_paper(function: Any, scores: tuple[float, ...], value: float) -> None:
    assert faithfulness(function, [Scores(*scores)], AT) == pytest.approx(value)
    twice = faithfulness(function, [Scores(*scores)] * 2, AT)
    assert twice == pytest.approx(1.0 if function == "equal" else 2 * value)
    assert faithfulness(function, [], AT) == (1.0 if function == "equal" else 0.0)


def test_the_papers_example(graph: MemoryGraph) -> None:
    answer = voted(graph)
    assert (answer.text, answer.verdict, answer.kind) == ("no", False, "verdict")
    report = check(answer, graph, passages=documents)
    assert (report.status, report.exit_code, report.unused) == ("judged", 0, ())
    assert Answer.from_json(answer.to_json()) == answer
    assert voted(graph, voting=False).verdict is False  # the third chain


def _voted(graph: MemoryGraph, completions: Sequence[str], weights: Sequence[float], **arguments: Any) -> Output:
    """The vote of completions, each with a sentence of so much entailment."""
    builder = ProofBuilder("Which?", graph)
    cast = []
    seen = builder.add_passage("d", "0" * 64, 0, 1, "x")
    for sample, (text, weight) in enumerate(zip(completions, weights, strict=True)):
        read = parse(text)
        scored = [
            builder.add_entailment(one, "s", [seen], weight, 1 - weight, 0.0, similarity=0.0) for one in read.sentences
        ]
        cast.append((builder.add_chain(text, read.sentences, read.prediction, "m", sample=sample), tuple(scored)))
    return builder.evaluate("weighted_vote", WeightedVote(chains=tuple(cast), **{"function": "f2", **arguments}))


def _says(prediction: str) -> str:
    return f"It is so as it is. So the answer is {prediction}."


@given(
    st.lists(st.tuples(st.sampled_from(["yes", "no", "Tim Pawlenty"]), st.integers(0, 8)), min_size=1, max_size=7),
    st.sampled_from(["no", "first", "majority"]),
    st.booleans(),
)
def test_equation_1(cast: list[tuple[str, int]], ties: str, voting: bool) -> None:
    with MemoryGraph.from_statements([]) as graph:
        output = _voted(graph, [_says(said) for said, _ in cast], [n / 8 for _, n in cast], ties=ties, voting=voting)
    behind: dict[str, list[int]] = {}
    for said, weight in cast:
        behind.setdefault(said, []).append(weight)
    totals = {said: sum(some) if voting else max(some) for said, some in behind.items()}
    best = [said for said, total in totals.items() if total == max(totals.values())]
    if ties == "majority":
        best = [said for said in best if len(behind[said]) == max(len(behind[one]) for one in best)]
    winner = "no" if "no" in best and ties != "first" else best[0]
    expected = Output(values=(Literal(winner),)) if winner not in ("yes", "no") else Output(verdict=winner == "yes")
    assert output == expected


@given(st.lists(st.sampled_from(["yes", "no"]), min_size=1, max_size=9))
def test_equal_weights_are_the_majority(said: list[str]) -> None:
    with MemoryGraph.from_statements([]) as graph:
        output = _voted(graph, list(map(_says, said)), [0.5] * len(said), function="equal")
    counts = Counter(said)
    assert output.verdict is (counts["yes"] > counts["no"])


def test_what_is_no_prediction_does_not_vote(graph: MemoryGraph) -> None:
    unsure = "It is so. So the answer is unclear."
    assert _voted(graph, [unsure, unsure, _says("yes")], [1.0, 1.0, 0.1]).verdict is True
    assert _voted(graph, [unsure], [1.0]) == Output()
    other = [_says("Tim Pawlenty"), _says("yes")]
    assert _voted(graph, other, [1.0, 0.5]).values == (Literal("Tim Pawlenty"),)
    assert _voted(graph, other, [1.0, 0.5], yes_or_no=True).verdict is True


def test_equal_predictions_of_other_spelling_are_one(graph: MemoryGraph) -> None:
    said = [_says("the Tim Pawlenty"), _says("Mark Dayton"), _says("tim  pawlenty")]
    assert _voted(graph, said, [0.25, 0.375, 0.25]).values == (Literal("the Tim Pawlenty"),)


def test_an_abstention_where_no_chain_answers(graph: MemoryGraph) -> None:
    builder = ProofBuilder(LAPTOP, graph)
    chain = builder.add_chain("Who knows.", (), None, "m")
    vote = builder.add_computation("weighted_vote", WeightedVote(chains=((chain, ()),), function="equal"))
    judged = builder.add_reading(vote, by="a method", score=1.0)
    proof = builder.abstain("no chain comes to an answer", vote, judged, kind="verdict")
    assert check(builder.answer(proof, method="by hand"), graph).exit_code == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda cast: (cast[0], cast[0]), "votes twice"),
        (lambda cast: ((cast[0][0], cast[0][1][:-1]), *cast[1:]), "are not those of its sentences"),
        (lambda cast: ((cast[0][0], cast[0][1][::-1]), *cast[1:]), "are not those of its sentences"),
        (lambda cast: ((cast[0][0], cast[1][1]), *cast[1:]), "are not those of its sentences"),
        (lambda cast: ((cast[0][0], ()), *cast[1:]), "are not those of its sentences"),
        (lambda cast: ((cast[0][1][0], cast[0][1]), *cast[1:]), "is no chain"),
        (lambda cast: ((cast[0][0], (cast[0][0],)), *cast[1:]), "is no entailment"),
    ],
)
def test_what_is_no_vote(graph: MemoryGraph, change: Any, said: str) -> None:
    builder = ProofBuilder(LAPTOP, graph)
    cast = change(chains(builder))
    with pytest.raises(InputError, match=said):
        builder.add_computation("weighted_vote", WeightedVote(chains=cast, function="f1", weighed="all"))


def test_no_chain_is_left_out_of_a_vote(graph: MemoryGraph) -> None:
    builder = ProofBuilder(LAPTOP, graph)
    cast = chains(builder)
    for some in (cast[:2], cast[1:], cast[::2]):
        with pytest.raises(InputError, match="not of all chains that were given the same"):
            builder.add_computation("weighted_vote", WeightedVote(chains=some, function="f1", weighed="all"))
    other = ProofBuilder(LAPTOP, graph)
    two = [other.add_chain(COMPLETIONS[0], (), "yes", "m", sample=sample) for sample in (1, 3)]
    with pytest.raises(InputError, match="a sample before number 3 has no vote"):
        other.add_computation("weighted_vote", WeightedVote(chains=tuple((one, ()) for one in two), function="equal"))


def test_no_sentence_is_left_out_of_a_chain(graph: MemoryGraph) -> None:
    read = parse(COMPLETIONS[0])
    assert read.facts == read.sentences[:2]
    for sentences, weighed, good in (
        (read.sentences, "all", True),
        (read.facts, "facts", True),
        (read.facts, "all", False),
        (read.sentences, "facts", False),
        (read.facts[:1], "facts", False),
        ((), "facts", False),
    ):
        builder = ProofBuilder(LAPTOP, graph)
        scored = tuple(builder.add_entailment(one, "s", [], 0.0, 1.0, 0.0) for one in sentences)
        chain = builder.add_chain(COMPLETIONS[0], sentences, "yes", "m")
        vote = WeightedVote(chains=((chain, scored),), function="f1", weighed=weighed)  # type: ignore[arg-type]
        if good:
            assert check(concluded(builder, builder.add_computation("weighted_vote", vote)), graph).exit_code == 0
        else:
            with pytest.raises(InputError, match="of its explanation"):
                builder.add_computation("weighted_vote", vote)


def test_a_weight_by_mean_entailment_is_1_and_the_mean() -> None:
    scores = [Scores(0.5, 0.25, 0.75), Scores(1.0, 0.0, 0.25)]
    assert faithfulness("mean-entailment", scores) == 1.75
    assert faithfulness("mean-entailment", scores, Thresholds(1.0, 1.0, 1.0, (9.0, 9.0, 9.0))) == 1.75
    assert faithfulness("mean-entailment", []) == 1.0


def test_no_base_of_a_vote_by_mean_entailment_counts(graph: MemoryGraph) -> None:
    plain, other = (voted(graph, function="mean-entailment", base=base) for base in ((), (9.0, 0.0, 0.0)))
    assert plain.verdict is other.verdict is False
    assert check(plain, graph, passages=documents).exit_code == 0


def test_a_calibrated_weight_is_a_base_and_means() -> None:
    scores = [Scores(0.5, 0.25, 0.75), Scores(1.0, 0.0, 0.25)]
    at = Thresholds(weights=(2.0, 1.0, -1.0))
    assert faithfulness("calibrated", scores, at, 0.5) == pytest.approx(0.5 + 2 * 0.75 + 0.5 - 0.125)
    assert faithfulness("calibrated", [], at, 0.5) == 0.5
    assert faithfulness("calibrated", scores) == pytest.approx(1 + 0.75)
    told = Thresholds(weights=(0.0, 0.0, 0.0), words=(1.0, -2.0))
    assert faithfulness("calibrated", scores, told, 0.5, Shares(0.5, 0.25)) == pytest.approx(0.5 + 0.5 - 0.5)


WORDS = WordWeights(grounded=1.0, disputed=-1.0, question=LAPTOP)


def test_words_that_the_evidence_has_and_words_that_both_sides_have(graph: MemoryGraph) -> None:
    builder = ProofBuilder(LAPTOP, graph)
    vote = WeightedVote(chains=chains(builder), function="calibrated", weighed="all", w=(0.0, 0.0, 0.0), words=WORDS)
    first, second, third = ballots(vote, builder.steps)
    # "Aristotle" and "laptop" are the question's. The evidence has "first", "322" and "BC", the others all of the first
    # chain's died, 2000, first, invented, 1980, and the first chain all but "322" and "BC" of theirs.
    assert first.shares == Shares(grounded=1 / 3, disputed=1.0)
    assert (second.shares, third.shares) == (Shares(2 / 3, 2 / 3), Shares(2 / 3, 2 / 3))
    assert first.weight == pytest.approx(1 + 1 / 3 - 1)
    step = builder.add_computation("weighted_vote", vote)
    assert "grounded 0.33, disputed 1.00" in chain_words(first.chain, builder.steps)
    assert check(concluded(builder, step), graph, passages=documents).exit_code == 0


def test_the_question_whose_words_are_left_out_is_the_one_answered(graph: MemoryGraph) -> None:
    other = WORDS.model_copy(update={"question": "Was the first laptop invented in 1980?"})
    report = check(voted(graph, function="calibrated", words=other), graph, passages=documents)
    assert report.exit_code == 1
    assert any("which is not the question" in step.reason for step in report.steps)


def test_word_weights_are_written_only_where_they_weigh(graph: MemoryGraph) -> None:
    assert '"words"' not in voted(graph).to_json()
    answer = voted(graph, function="calibrated", words=WORDS)
    assert '"disputed": -1.0' in answer.to_json()
    assert Answer.from_json(answer.to_json()) == answer


def test_other_evidence_than_was_scored_is_noticed(graph: MemoryGraph) -> None:
    stored = json.loads(voted(graph).to_json())
    step = next(one for one in stored["proof"]["steps"] if one["kind"] == "entailment")
    step["rests_on"] = step["evidence"] = ["s2" if step["evidence"] == ["s1"] else "s1"]
    assert check(Answer.from_json(json.dumps(stored)), graph, passages=documents).exit_code == 1


def test_a_function_that_takes_similarities_needs_them(graph: MemoryGraph) -> None:
    builder = ProofBuilder(LAPTOP, graph)
    seen = builder.add_passage("d", "0" * 64, 0, 1, "x")
    text = _says("yes")
    scored = builder.add_entailment("It is so as it is.", "s", [seen], 1.0, 0.0, 0.0)
    chain = builder.add_chain(text, parse(text).sentences, "yes", "m")
    with pytest.raises(InputError, match="no similarity, which f1 takes"):
        builder.add_computation("weighted_vote", WeightedVote(chains=((chain, (scored,)),), function="f1"))
    builder.add_computation("weighted_vote", WeightedVote(chains=((chain, (scored,)),), function="f3"))


@pytest.mark.parametrize(
    ("text", "sentences", "prediction"),
    [
        (COMPLETIONS[0], (), "no"),
        (COMPLETIONS[0], (), None),
        (COMPLETIONS[0], ("Aristotle died in 2001.",), "yes"),
        (COMPLETIONS[0], ("Aristotle died",), "yes"),
        (COMPLETIONS[0], parse(COMPLETIONS[0]).sentences[::-1], "yes"),
        (COMPLETIONS[0], parse(COMPLETIONS[0]).sentences[:1] * 2, "yes"),
    ],
)
def test_a_chain_says_what_its_text_says(
    graph: MemoryGraph, text: str, sentences: tuple[str, ...], prediction: str | None
) -> None:
    builder = ProofBuilder(LAPTOP, graph)
    builder.add_chain(text, sentences, prediction, "m")
    answer = builder.answer(builder.abstain("no reason"), method="by hand")
    assert check(answer, graph).steps[0].status == "fails"


@pytest.mark.parametrize(
    ("evidence", "scored", "similarity", "status"),
    [
        (True, (0.5, 0.25, 0.25), 0.5, "judged"),
        (True, (0.5, 0.25, 0.5), 0.5, "fails"),
        (False, (0.0, 1.0, 0.0), None, "judged"),
        (False, (0.0, 1.0, 0.0), 0.0, "judged"),
        (False, (0.0, 1.0, 0.0), 0.5, "fails"),
        (False, (1.0, 0.0, 0.0), None, "fails"),
    ],
)
def test_entailments(
    graph: MemoryGraph, evidence: bool, scored: tuple[float, float, float], similarity: float | None, status: str
) -> None:
    builder = ProofBuilder(LAPTOP, graph)
    seen = [builder.add_passage("d", "0" * 64, 0, 1, "x")] if evidence else []
    step = builder.add_entailment("It is so.", "s", seen, *scored, similarity=similarity)
    report = check(builder.answer(builder.abstain("no reason"), method="by hand"), graph)
    assert next(one.status for one in report.steps if one.id == step) == status


def test_only_passages_and_facts_are_evidence(graph: MemoryGraph) -> None:
    builder = ProofBuilder("What of Ruth Negga?", graph)
    linked = builder.add_link(8, 18, entity("Ruth Negga"), "Ruth Negga", 1.0, "exact")
    builder.add_entailment("It is so.", "s", [linked], 1.0, 0.0, 0.0)
    report = check(builder.answer(builder.abstain("no reason"), method="by hand"), graph)
    assert report.steps[1].status == "fails"


@given(st.data())
def test_any_other_score_is_noticed(data: st.DataObject) -> None:
    with MemoryGraph.from_statements([]) as graph:
        stored = json.loads(voted(graph).to_json())
        scored = [step for step in stored["proof"]["steps"] if step["kind"] == "entailment"]
        step = data.draw(st.sampled_from(scored))
        e, c = data.draw(st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda two: sum(two) <= 8))
        similarity = data.draw(st.sampled_from([step["similarity"], 0.0, 0.25, 1.0]))
        other = {"entailment": e / 8, "unknown": 1 - (e + c) / 8, "contradiction": c / 8, "similarity": similarity}
        same = all(step[key] == value for key, value in other.items())
        step.update(other)
        assert (check(Answer.from_json(json.dumps(stored)), graph).exit_code == 0) is same


def test_facts_are_selected_by_their_topic(graph: MemoryGraph) -> None:
    answer = selection(graph)
    step = next(one for one in answer.proof.steps if getattr(one, "operator", "") == "fact_selection")
    assert isinstance(step, Computation)
    said = [getattr(value, "value", "") for value in step.output.values]
    # Each of the first two chains has one fact wrong; the best of each topic are the right ones.
    assert said[:2] == ["Aristotle died in 322BC.", "The first laptop was invented in 1980."]
    assert check(answer, graph, passages=documents).exit_code == 0
    assert answer.verdict is False


def test_every_sentence_has_its_topic(graph: MemoryGraph) -> None:
    builder = ProofBuilder(LAPTOP, graph)
    cast = chains(builder)
    vote = builder.add_computation("weighted_vote", WeightedVote(chains=cast, function="f3", weighed="all"))
    every = list(dict.fromkeys(one for _, scored in cast for one in scored))
    for groups in ([every[1:]], [every, every[:1]], [[*every, vote]]):
        with pytest.raises(InputError, match="each once"):
            builder.add_computation("fact_selection", FactSelection(of=vote, groups=tuple(map(tuple, groups))))
    with pytest.raises(InputError, match="is no vote"):
        builder.add_computation("fact_selection", FactSelection(of=cast[0][0], groups=(tuple(every),)))


def test_a_generated_fact_may_replace_another(graph: MemoryGraph) -> None:
    builder = ProofBuilder(LAPTOP, graph)
    cast = chains(builder, COMPLETIONS[:1])
    vote = builder.add_computation("weighted_vote", WeightedVote(chains=cast, function="f3", weighed="all"))
    seen = builder.add_passage("d", "0" * 64, 0, 1, "x")
    words = "Aristotle died in 322 BC."
    made = builder.add_chain(words, parse(words).sentences, None, "a generator", given=(seen,))
    scored = builder.add_entailment(words, "a scorer", [seen], 1.0, 0.0, 0.0)
    first, *others = cast[0][1]
    arguments = FactSelection(
        of=vote, groups=((first, scored), *((one,) for one in others)), generated=((made, (scored,)),)
    )
    step = builder.add_computation("fact_selection", arguments)
    answer = concluded(builder, step)
    assert answer.text.startswith(words)
    assert check(answer, graph, passages=documents).exit_code == 0
    assert check(answer, graph).status == "unverifiable"


def test_the_entity_that_a_short_answer_names(graph: MemoryGraph) -> None:
    for said, found in (("Rebecca Hall", entity("Rebecca Hall")), ("Loving", None), ("Nobody", None)):
        builder = ProofBuilder("Who?", graph)
        text = f"It was so. So the answer is {said}."
        chain = builder.add_chain(text, (), said, "m")
        vote = builder.add_computation("weighted_vote", WeightedVote(chains=((chain, ()),), function="equal"))
        output = builder.evaluate("entity_named", EntityNamed(of=vote))
        assert output.values == ((found,) if isinstance(found, Entity) else ())
        if found:
            assert (
                check(
                    concluded(builder, builder.add_computation("entity_named", EntityNamed(of=vote))), graph
                ).exit_code
                == 0
            )


def test_votes_in_words(graph: MemoryGraph) -> None:
    steps = voted(graph).proof.by_id()
    vote = next(one for one in steps.values() if isinstance(one, Computation))
    assert isinstance(vote.arguments, WeightedVote)
    assert chosen_words(vote, steps) == "the vote of 3 chains, each weighed by f1 (yes 0.56, no 1.94)"
    counted = outcome(vote.arguments, ballots(vote.arguments, steps))
    assert counted is not None
    assert counted.scores == {"yes": 0.5625, "no": 1.9375}
    chain = next(one for one in steps.values() if isinstance(one, Chain))
    assert chain_words(chain, steps) == "yes, weight 0.56 (by a model, sample 0)"
    assert sentence_words(chain, steps)[2] == "no evidence: Thus, Aristotle used a laptop."


def test_what_was_concluded_from_selected_facts_is_told_in_full(graph: MemoryGraph) -> None:
    steps = selection(graph).proof.by_id()
    chosen = next(one.id for one in steps.values() if getattr(one, "operator", "") == "fact_selection")
    reader = next(one for one in steps.values() if isinstance(one, Chain) and one.given == (chosen,))
    assert chain_words(reader, steps) == f"no, concluded from {chosen} (by a reader)"
    assert sentence_words(reader, steps) == [reader.text]
    vote = steps[next(id_ for id_, one in steps.items() if isinstance(one, Computation) and reader.id in one.rests_on)]
    assert isinstance(vote, Computation)
    assert chosen_words(vote, steps) == f"what the one chain {reader.id} answers"
