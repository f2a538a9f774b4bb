"""The method: ask once, or sample replies and take the answer that most of them give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from toulmin.methods.answering import Answering, AnsweringMethod, step_of
from toulmin.methods.model_answers import ModelAnswer, reply_schema, request_lines
from toulmin.methods.protocol import Event
from toulmin.methods.setting_checks import check_least, check_range
from toulmin.program import nodes
from toulmin.program.answer import Answer
from toulmin.program.nodes import Vote

__all__ = ["MOST", "ModelOnly", "ModelOnlySettings", "Sampled"]

#: Demonstrations that each prompt has.
MOST = 5
_UNKNOWN = "(does not know)"


@dataclass(frozen=True, slots=True)
class ModelOnlySettings:
    """The model answers from what it has learnt; the graph is not asked.

    Args:
        k: demonstrations in the prompt, 0 to 5 (papers/fidelis table 1: 5; papers/r3 section 4: 2; papers/okgqa table
            2: 4).
        thought: whether the model reasons before it answers: chain of thought (Wei et al. 2022; with k = 0 Kojima et
            al. 2022).
        N: replies that are sampled, whose most frequent answer is taken: self-consistency (Wang et al. 2022; papers/rr
            section 4.4: 9 for commonsense, 10 else). 1: one reply.
        T: temperature (papers/rr section 4.4: 0 for one reply, 0.7 for samples).
        seed: of the samples, where the model takes one.
        max_tokens: of a reply (papers/rr: 256, of text; ours are JSON).

    Raises:
        SettingsError: a setting out of range.
    """

    k: int = 0
    thought: bool = False
    N: int = 1
    T: float = 0.0
    seed: int | None = None
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        check_range(self, "k", most=MOST, of="model-only: ")
        check_least(self, "N", "max_tokens", of="model-only: ")
        check_range(self, "T", most=2, of="model-only: ")


class Sampled(Event):
    """Replies were sampled: what each answers, and how many answer so."""

    event: str = "sampled"
    answers: tuple[str, ...]
    votes: Mapping[str, int]


class ModelOnly(AnsweringMethod):
    """A model alone, for questions, claims and multiple choice."""

    name: ClassVar[str] = "model-only"
    title: ClassVar[str] = "The model's own answer, without the graph"
    source: ClassVar[str] = "Brown et al. 2020; Wei et al. 2022; Kojima et al. 2022; Wang et al. 2022"
    takes = frozenset({"claim", "options"})
    shots = "k"
    settings: ModelOnlySettings

    @classmethod
    def forms(cls) -> Mapping[str, ModelOnlySettings]:
        """The baselines of the papers by their names."""
        return {
            "zero-shot": ModelOnlySettings(),
            "few-shot": ModelOnlySettings(k=5),
            "cot": ModelOnlySettings(thought=True),
            "few-shot-cot": ModelOnlySettings(k=5, thought=True),
            "self-consistency": ModelOnlySettings(k=5, thought=True, N=9, T=0.7),
        }

    def most_calls(self, options: int = 0) -> int:
        """One a sample."""
        return self.settings.N

    async def answered(self, run: Answering) -> Answer:
        """The model's answer, or that of most samples."""
        settings = self.settings
        step = step_of(run.request, thought=settings.thought)
        if settings.N == 1:
            return run.concluded(await run.reply(step, thought=settings.thought, temperature=settings.T))
        replies = await run.prompter.sample(
            step,
            {"asked": request_lines(run.request)},
            n=settings.N,
            schema=reply_schema(run.request, thought=settings.thought),
            temperature=settings.T,
            seed=settings.seed,
        )
        return _elected(run, [ModelAnswer.read(reply, run.request) for reply in replies])


def _elected(run: Answering, samples: Sequence[ModelAnswer]) -> Answer:
    """The answer that most samples give; of equally many the one that came first."""
    counts = Counter(sample.key for sample in samples)
    first = {sample.key: sample for sample in reversed(samples)}
    votes = {_words(first[key]): count for key, count in counts.most_common()}
    run.emit(Sampled(answers=tuple(_words(first[sample.key]) for sample in samples), votes=votes))
    winner = first[max(dict.fromkeys(sample.key for sample in samples), key=counts.__getitem__)]
    score = counts[winner.key] / len(samples)
    if not winner.decided or len(winner.answers) > 1:  # a vote elects one value
        return run.concluded(winner, trace={"votes": votes}, score=score)
    verdict = winner.verdict is not None  # beside which no name can be voted for
    fits = [sample.decided and (not verdict or sample.verdict is not None) for sample in samples]
    predictions = [_words(first[sample.key]) if fit else None for sample, fit in zip(samples, fits, strict=True)]
    ballot = Vote(
        function="equal",
        ties="first",
        yes_or_no=verdict or None,
        chains=tuple(
            nodes.Chain(text=sample.thought, sample=number, prediction=prediction)
            for number, (sample, prediction) in enumerate(zip(samples, predictions, strict=True), 1)
        ),
    )
    # The model's word alone.
    return run.answer_of(run.builder.add(ballot), score=score, trace={"votes": votes, "grounded": False})


def _words(sample: ModelAnswer) -> str:
    """An answer as votes compare it."""
    if sample.verdict is not None:
        return "yes" if sample.verdict else "no"
    return "; ".join(sample.answers) or _UNKNOWN
