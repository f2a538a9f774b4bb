"""The command about entailment: entail."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toulmin.cli.console import busy, counted, harmless, print_json, result_console, shorten
from toulmin.cli.models import NO_MODEL, ModelChoice
from toulmin.cli.options import Json, option, takes_groups
from toulmin.errors import InputError, SettingsError

if TYPE_CHECKING:
    from toulmin.entailment.protocol import Pair, Scorer
    from toulmin.llm.protocol import Model
    from toulmin.llm.session import Budget

__all__ = ["ScorerName", "entail", "opened_scorer"]

ScorerName = Annotated[
    str, option("NAME", "What judges: shipped, transformers:NAME_OR_PATH, onnx:FOLDER, chat (--model).")
]

#: The verdict where a probability is the greatest, in the order of a scorer's columns.
_VERDICTS = {"entailment": "supports", "unknown": "leaves open", "contradiction": "contradicts"}
_AT_ONCE = 512  # pairs of a file
_FEWEST = 10  # labelled pairs that a temperature is fitted to
_VALUES = {
    "same": "each of the sentence's is in the evidence",
    "differ": "one of the sentence's differs from the evidence's",
    "elsewhere": "one of the sentence's is none of the evidence's",
}


@takes_groups
def entail(
    premise: Annotated[str | None, typer.Argument(metavar="EVIDENCE")] = None,
    hypothesis: Annotated[str | None, typer.Argument(metavar="SENTENCE")] = None,
    pairs: Annotated[Path | None, option("FILE", 'JSON lines with "premise", "hypothesis"; - is stdin.')] = None,
    scorer: ScorerName = "shipped",
    temperature: Annotated[float | None, option("T", "Less sure above 1, more sure below 1.")] = None,
    choice: ModelChoice = NO_MODEL,
    json: Json = False,
) -> None:
    """Say whether evidence supports, leaves open or contradicts a sentence.

    Prints three probabilities, and what a comparison of numbers and dates by code found. Of a file, one line per pair;
    where each has a "label" (entailment, neutral, contradiction) then the accuracy, and the temperature that fits best.

    \b
    Example:
      toulmin entail "Ada Lovelace was born in London in 1815." "Ada Lovelace was born in 1816."
    """
    from toulmin.entailment.calibration import Calibrated, PairRecord, read_pairs
    from toulmin.graph.labels import is_unicode

    if (pairs is None) == (hypothesis is None) or (pairs is not None and premise is not None):
        raise SettingsError("give EVIDENCE and SENTENCE, or --pairs FILE")
    if choice.named and scorer.partition(":")[0] in ("shipped", "onnx", "transformers"):
        raise SettingsError(f"--scorer {scorer} asks no language model: leave --model out, or say --scorer chat")
    records = list(read_pairs(pairs)) if pairs is not None else [PairRecord((str(premise), str(hypothesis)), None)]
    if not all(text.strip() for record in records for text in record.pair):
        raise InputError("the evidence or the sentence is empty: give two texts")
    if not all(is_unicode(text) for record in records for text in record.pair):
        raise InputError("the evidence or the sentence is no Unicode text: give it in UTF-8")
    with ExitStack() as stack:
        opened = opened_scorer(scorer, choice.open(), choice.budget(), stack)
        if temperature is not None:
            opened = Calibrated(opened, temperature)
        judgements = []
        for start in range(0, len(records), _AT_ONCE):
            with busy("judging"):
                judged = _judged(opened, [record.pair for record in records[start : start + _AT_ONCE]])
            judgements += judged
            for row in judged if pairs is not None and not json else ():
                numbers = "  ".join(f"{row[key]:.3f}" for key in _VERDICTS)
                typer.echo(f"{row['verdict']:<11}  {numbers}  {harmless(shorten(row['hypothesis']))}")
    if json:
        print_json(judgements if pairs is not None else judgements[0])
    elif pairs is None:
        _print_one(judgements[0])
    elif records and all(record.label is not None for record in records):
        _print_figures(judgements, [record.label for record in records if record.label is not None])


def opened_scorer(name: str, model: Model | None, budget: Budget | None, stack: ExitStack) -> Scorer:
    """The scorer of ``--scorer``, closed with the stack."""
    from toulmin.entailment.registry import get_scorer

    scorer = get_scorer(name, model=model, budget=budget)
    if close := getattr(scorer, "close", None):
        stack.callback(close)
    return scorer


def _judged(scorer: Scorer, pairs: list[Pair]) -> list[dict[str, Any]]:
    from toulmin.entailment.value_check import agreement

    return [
        {
            "premise": premise,
            "hypothesis": hypothesis,
            "verdict": list(_VERDICTS.values())[int(row.argmax())],
            **{name: round(float(probability), 6) for name, probability in zip(_VERDICTS, row, strict=True)},
            "values": agreement(premise, hypothesis),
            "scorer": scorer.name,
        }
        for (premise, hypothesis), row in zip(pairs, scorer.score(pairs), strict=True)
    ]


def _print_one(judged: dict[str, Any]) -> None:
    console = result_console()
    for key, word in _VERDICTS.items():
        console.print(f"{word:<12} {judged[key]:.3f}", style="bold" if word == judged["verdict"] else None)
    if judged["values"] in _VALUES:
        effect = ", so that it is not supported" if judged["values"] != "same" and judged["entailment"] == 0 else ""
        console.print(f"numbers and dates, compared by code: {_VALUES[judged['values']]}{effect}", soft_wrap=True)
    console.print(f"scorer: {judged['scorer']}", soft_wrap=True)


def _print_figures(judged: list[dict[str, Any]], labels: list[int]) -> None:
    import numpy as np

    from toulmin.entailment.calibration import fit_temperature, log_loss
    from toulmin.evaluation.statistics import bootstrap_interval

    scores = np.array([[row[name] for name in _VERDICTS] for row in judged], dtype=np.float32)
    right = bootstrap_interval((scores.argmax(axis=1) == np.array(labels)).astype(float))
    typer.echo(f"accuracy {right.estimate:.3f} [{right.low:.3f}, {right.high:.3f}] of {counted(len(labels), 'pair')}")
    if len(labels) >= _FEWEST:
        best = fit_temperature(scores, labels)
        typer.echo(
            f"log loss {log_loss(scores, labels):.3f}; least with --temperature {best:.2f}, fitted on these pairs"
        )
