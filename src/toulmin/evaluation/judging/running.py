"""Judges the answers of runs by some metrics, and keeps each judgement as it is made."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

from toulmin.entailment.protocol import Scorer
from toulmin.errors import GraphError, ModelError, NothingUsableError, ReplyError, SettingsError
from toulmin.evaluation.calls import CallLog, LoggedModel, read_calls
from toulmin.evaluation.judging.facts import FActScore, Safe
from toulmin.evaluation.judging.judgements import Judgement, JudgingFolder, read_judgements
from toulmin.evaluation.judging.material import Library, Response, response_of
from toulmin.evaluation.judging.metric import JudgedMetric, JudgedScore, JudgingSettings, criteria, prompts
from toulmin.evaluation.judging.ratings import AccuracyOfReasons, Endpoint, GEval, ReasoningScore
from toulmin.evaluation.outcomes import OUTAGES, lasting
from toulmin.evaluation.records import read_records, read_run
from toulmin.evaluation.statistics import ConfidenceInterval, bootstrap_interval
from toulmin.graph.build import Progress
from toulmin.llm.protocol import Model, gathered
from toulmin.llm.session import Budget, Session
from toulmin.registry import known

__all__ = ["CALLS", "METRICS", "Judge", "JudgedRun", "judged", "metrics_named"]

#: The folder in that of a run where every reply of a judge is kept, until its judgement is made and after.
CALLS = "judging"
#: The metrics that are asked for by name.
METRICS = ("factscore", "safe", "g-eval", "reasons")


def metrics_named(
    names: Sequence[str], library: Library, settings: JudgingSettings, *, scorer: Scorer | None, model: bool
) -> list[JudgedMetric]:
    """The metrics of some names: "g-eval" is four, "reasons" two.

    Args:
        scorer: of entailment, for ``factscore`` without a model.
        model: whether there is a language model.

    Raises:
        SettingsError: no such metric, or one that needs what is not there.
    """
    endpoint = Endpoint()
    makers: dict[str, Callable[[], list[JudgedMetric]]] = {
        "factscore": lambda: [FActScore(library, settings, None if model else scorer)],
        "safe": lambda: [Safe(library, settings)],
        "g-eval": lambda: [GEval(criterion, library, settings, endpoint) for criterion in criteria()],
        "reasons": lambda: [ReasoningScore(), AccuracyOfReasons(library, settings)],
    }
    metrics: list[JudgedMetric] = []
    for name in dict.fromkeys(names):
        if name not in makers:
            raise SettingsError(f"no metric that is judged is called {name!r}{known(name, METRICS)}")
        if name != "factscore" and not model:
            raise SettingsError(f"{name} needs a language model: name one with --model")
        if name != "reasons" and library.empty:
            raise SettingsError(f"{name} needs something to judge by: a graph (--kg), passages (--knowledge), or both")
        metrics += makers[name]()
    if not metrics:
        raise SettingsError(f"name a metric to judge by: {', '.join(METRICS)}")
    return metrics


class Judge:
    """Judges runs.

    Args:
        metrics: of ``metrics_named``.
        library: what answers are judged by, and where the programs of answers are looked up.
        model: None: our own scorer judges.
        budget: of one judgement.
        sources: what of ``library`` is beside the graph, by name.
        concurrency: judgements at a time.
    """

    def __init__(
        self,
        metrics: Sequence[JudgedMetric],
        library: Library,
        *,
        model: Model | None = None,
        budget: Budget | None = None,
        sources: Sequence[str] = (),
        concurrency: int = 4,
    ) -> None:
        if concurrency < 1:
            raise SettingsError(f"the concurrency must be at least 1 judgement, not {concurrency}")
        self._metrics, self._library = metrics, library
        self._model = None if model is None else LoggedModel(model)
        self._budget, self._concurrency = budget, concurrency
        self._sources = list(sources)
        self._outages: list[ModelError | GraphError] = []
        self._reached = False

    async def run(self, folder: Path, tell: Progress, *, again: bool = False) -> None:
        """Judge the answers of a run that have no judgement yet, or whose judgement failed.

        Args:
            tell: called with how many judgements of how many are there, and with what is done.
            again: whether metrics that were judged in another way are judged anew.

        Raises:
            SettingsError: a metric was judged in another way.
            SourceError: no folder of a run, or a damaged one.
            ModelError, GraphError: the model or the graph is not to be had.
        """
        read_run(folder)
        manners = {metric.name: self._manner(metric) for metric in self._metrics}
        opened = JudgingFolder(folder, manners, again=again)
        for metric in self._metrics:  # what was made for this run before, else what was made for the one before it
            metric.kept = dict(opened.what[metric.name].get("kept") or metric.kept)
        records = [str(record.get("id")) for record in read_records(folder)]
        total, finished = len(records) * len(manners), 0

        def tell_one(number: int = 1) -> None:
            nonlocal finished
            finished += number
            tell(finished, total, f"judging {folder}")

        waiting = self._waiting(folder, opened)
        begun = {_key(*pair) for pair in product(records, manners) if pair not in opened.done | opened.failed}
        paid = read_calls(folder / CALLS, begun)  # but of what failed, whose replies were of no use
        tell_one(sum(pair in opened.done for pair in product(records, manners)))

        async def work(log: CallLog) -> None:
            for metric, response in waiting:
                key = _key(response.id, metric.name)
                with log.asking(key, paid.get(key, {})):
                    judgement = await self._judgement(metric, response)
                if judgement is not None:
                    opened.append(judgement)
                    if metric.kept and opened.what[metric.name].get("kept") != metric.kept:
                        opened.what[metric.name]["kept"] = metric.kept
                        opened.keep()
                    tell_one()

        with CallLog(_folder(folder / CALLS)) as log:
            await gathered(work(log) for _ in range(self._concurrency))
        if self._outages and not self._reached:
            raise lasting(self._outages[-1], len(self._outages), "judgement")

    def _manner(self, metric: JudgedMetric) -> dict[str, Any]:
        """All that a judgement depends on beside the answer."""
        return {
            "judge": self._model.name if self._model is not None else "rules",
            **metric.how,
            "prompts": prompts().digest if self._model is not None else None,
            "graph": self._library.graph.fingerprint,
            "knowledge": self._sources,
            "version": version("toulmin"),
        }

    def _waiting(self, folder: Path, opened: JudgingFolder) -> Iterator[tuple[JudgedMetric, Response]]:
        for record in read_records(folder):
            missing = [metric for metric in self._metrics if (str(record.get("id")), metric.name) not in opened.done]
            if missing:
                response = response_of(record, None if self._library.empty else self._library.graph)
                yield from ((metric, response) for metric in missing)

    async def _judgement(self, metric: JudgedMetric, response: Response) -> Judgement | None:
        """A judgement; None where the model or the graph was not to be had: it is judged when judging goes on."""
        session = Session(self._model, self._budget) if self._model is not None else None
        began, error = time.perf_counter(), None
        try:
            scored = await metric.judge(response, session)
        except SettingsError:
            raise
        except Exception as failed:  # noqa: BLE001  one judgement that fails is recorded, and the others go on
            if isinstance(failed, ModelError | GraphError) and not isinstance(failed, NothingUsableError | ReplyError):
                self._outages.append(failed)
                if len(self._outages) >= OUTAGES:
                    raise lasting(self._outages[-1], len(self._outages), "judgement") from None
                return None
            error = {"type": type(failed).__name__, "message": str(failed)}
            scored = JudgedScore(None)
        if session is None or session.meter.calls:
            self._reached = True
            self._outages.clear()
        seconds = time.perf_counter() - began
        usage = {"seconds": seconds} if session is None else session.usage(seconds).model_dump(mode="json")
        by = metric.how.get("by", "") if session is None else session.model
        return Judgement(response.id, metric.name, scored.score, scored.details, str(by), usage, error)


def _key(name: str, metric: str) -> str:
    return f"{metric} {name}"


def _folder(folder: Path) -> Path:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise SettingsError(f"{folder} cannot be made: {error.strerror}") from None
    return folder


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """The judgements of a run by one metric.

    Args:
        n: answers; of ``unscored`` there was nothing to judge, ``failed`` could not be judged, ``left`` is to be done.
        measures: means with their intervals, of the score and of what was measured beside it.
        usage: sums.
        errors: the first lines of what failed.
    """

    metric: str
    n: int
    unscored: int
    failed: int
    left: int
    measures: Mapping[str, ConfidenceInterval] = field(default_factory=dict)
    usage: Mapping[str, float] = field(default_factory=dict)
    errors: Sequence[str] = ()


def judged(folder: Path, metrics: Sequence[str]) -> list[JudgedRun]:
    """What is judged of a run by some metrics."""
    count = sum(1 for _ in read_records(folder))
    last = {(judgement.id, judgement.metric): judgement for judgement in read_judgements(folder)}
    runs = []
    for name in metrics:
        judgements = [judgement for judgement in last.values() if judgement.metric == name]
        values: dict[str, list[float]] = {}
        usage: dict[str, float] = {}
        for judgement in judgements:
            for measure, value in judgement.numbers.items():
                values.setdefault(measure, []).append(value)
            for key, number in judgement.usage.items():
                if isinstance(number, int | float):
                    usage[key] = usage.get(key, 0.0) + number
        failed = [f"{one.id}: {one.error.get('message', '')}" for one in judgements if one.error is not None]
        unscored = sum(judgement.score is None and judgement.error is None for judgement in judgements)
        measures = {measure: bootstrap_interval(scores) for measure, scores in values.items()}
        left = count - len(judgements)
        runs.append(JudgedRun(name, count, unscored, len(failed), left, measures, usage, failed[:5]))
    return runs
