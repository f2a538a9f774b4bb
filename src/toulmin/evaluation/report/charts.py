"""What the plots of a report show: only what its runs hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal as Choice
from typing import TypeVar

from toulmin.evaluation.metrics.declared import declared
from toulmin.evaluation.metrics.runs import CONFIDENCE, RIGHT, Levels, is_right, outcome_rows, risk_coverage
from toulmin.evaluation.report.figures import FigureTable, figure, grouped
from toulmin.evaluation.report.read_runs import Run
from toulmin.evaluation.statistics import ConfidenceInterval, bootstrap_interval

__all__ = ["MOST_LINES", "Chart", "Line", "Panel", "Point", "charts"]

X = TypeVar("X")
_ByData = dict[str, list[Run]]  # the runs on each data set
MOST_LINES = 6  #: lines in one plot: as many as can be told apart
_SPOKES = 3  # question types that make a radar
_CURVE = 200  # points of a risk-coverage curve
_ROUNDING = 1e-9  # by which a coverage may fall short of its level
_LOG = 20  # from this ratio of costs on they are drawn on a logarithmic scale
_COSTS = {
    "cost": "cost of a question",
    "tokens": "tokens of a question",
    "model_calls": "model calls of a question",
    "seconds": "seconds for a question, median",
}


@dataclass(frozen=True, slots=True)
class Point:
    """A figure of a plot; without an interval ``low`` and ``high`` are ``y``."""

    x: float
    y: float
    low: float
    high: float

    @classmethod
    def of(cls, x: float, interval: ConfidenceInterval) -> Point:
        """The point of an interval."""
        return cls(x, interval.estimate, interval.low, interval.high)

    @property
    def words(self) -> str:
        """The figure as a table has it."""
        return f"{self.y:.3f}" if self.low == self.high else figure(ConfidenceInterval(self.y, self.low, self.high, 0))


@dataclass(frozen=True, slots=True)
class Line:
    """The points of one system; ``system`` is its place among all, which is its colour, mark and kind of line."""

    system: int
    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One plot.

    Args:
        kind: "rows": a row for each line, its figure along x; "lines" and "steps": over x; "points": marks alone;
            "radar": x is a place in ``names``; "grid": x is a place in ``names``, a line is a row.
        x, y: what the axes are.
        names: of what x counts, where it counts things.
        log: x is drawn on a logarithmic scale.
    """

    kind: Choice["rows", "lines", "steps", "points", "radar", "grid"]
    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    names: tuple[str, ...] = ()
    log: bool = False

    @property
    def table(self) -> FigureTable:
        """The figures that are drawn."""
        if self.kind == "rows":
            return FigureTable(
                self.title, ("", self.x), tuple((line.name, line.points[0].words) for line in self.lines)
            )
        if self.kind == "points":
            marks = [(line.name, f"{line.points[0].x:.4g}", line.points[0].words) for line in self.lines]
            return FigureTable(self.title, ("", self.x, self.y), tuple(marks))
        if self.kind == "steps":
            levels = (0.2, 0.4, 0.6, 0.8, 1.0)
            curves = [(line.name, *(_at(line.points, level) for level in levels)) for line in self.lines]
            return FigureTable(f"{self.y} by {self.x}", ("", *(f"{level:g}" for level in levels)), tuple(curves))
        places = sorted({point.x for line in self.lines for point in line.points})
        by_place = [{point.x: point.words for point in line.points} for line in self.lines]
        names = [self.names[int(place)] if self.names else f"{place:g}" for place in places]
        named = zip(names, places, strict=True)
        body = [(name, *(words.get(place, "–") for words in by_place)) for name, place in named]
        return FigureTable(self.title, (self.x, *(line.name for line in self.lines)), tuple(body))


def _at(curve: Sequence[Point], coverage: float) -> str:
    """The risk where a curve first reaches a coverage; "–" where it never does."""
    return next((f"{point.y:.3f}" for point in curve if point.x >= coverage - _ROUNDING), "–")


@dataclass(frozen=True, slots=True)
class Chart:
    """Plots that belong together."""

    title: str
    note: str
    panels: tuple[Panel, ...]


def charts(runs: Sequence[Run]) -> Iterator[Chart]:
    """The plots of runs, without those for which the runs have no figures."""
    plain = [run for run in runs if run.perturbation is None]
    systems = _Systems(runs)
    by_data: _ByData = {}
    for run in plain:
        by_data.setdefault(run.data, []).append(run)
    every = [
        Chart("The main metric", "Each run with its 95% interval.", tuple(_overall(by_data, systems))),
        Chart(
            "By hops",
            "How many statements the path to the answer has; over all data sets that tell it.",
            tuple(_by_hops(plain, systems)),
        ),
        Chart("By type of question", "From 0 in the middle to 1 outside.", tuple(_by_type(plain, systems))),
        Chart("By settings", "Runs that differ in nothing else.", tuple(_by_settings(plain))),
        Chart(
            "On perturbed graphs",
            "Level 0 is the graph as it is; at level 1 all of it is changed.",
            tuple(_by_perturbation(runs, systems)),
        ),
        Chart(
            "Risk and coverage",
            "Answering the most confident first: the share of the questions answered, and how many of these are "
            "wrong. A line ends where the rest was abstained from.",
            tuple(_risk(by_data, systems)),
        ),
        Chart("Cost against accuracy", "Better is higher, cheaper is further left.", tuple(_costs(by_data, systems))),
    ]
    return (chart for chart in every if chart.panels)


class _Systems:
    """The systems of a report: the place of each, and how well it does."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._places = {name: place for place, name in enumerate(dict.fromkeys(run.system for run in runs))}
        estimates: dict[int, list[float]] = {}
        for run in runs:
            mean = run.summary.metrics.get(run.main)
            estimates.setdefault(self._places[run.system], []).append(mean.estimate if mean is not None else 0.0)
        self._means = {place: sum(values) / len(values) for place, values in estimates.items()}

    def line(self, name: str, points: Iterable[Point]) -> Line:
        return Line(self._places[name], name, tuple(points))

    def best(self, lines: Sequence[Line]) -> tuple[Line, ...]:
        """The lines of the systems that do best by the main metric, in their order; all where they are few."""
        ranked = sorted((line.system for line in lines), key=lambda system: -self._means[system])
        return tuple(line for line in lines if line.system in ranked[:MOST_LINES])

    def best_lines(self, means: Mapping[str, Mapping[X, ConfidenceInterval]], x: Mapping[X, float]) -> tuple[Line, ...]:
        """The best lines through the means that systems have, in the order of ``x``, which says where each stands."""
        points = {name: [Point.of(x[key], by[key]) for key in x if key in by] for name, by in means.items()}
        return self.best([self.line(name, of_system) for name, of_system in points.items() if of_system])


def _main(runs: Sequence[Run]) -> str:
    """The main metric of most runs; "" of none."""
    names = [run.main for run in runs]
    return max(dict.fromkeys(names), key=names.count, default="")


def _mean(run: Run, metric: str) -> ConfidenceInterval | None:
    values = run.values(metric)
    return bootstrap_interval(values) if values else None


def _marks(runs: Sequence[Run], systems: _Systems, metric: str, x: Callable[[Run], float]) -> tuple[Line, ...]:
    """A point for each run that has a metric."""
    means = [(run, run.summary.metrics.get(metric)) for run in runs]
    return tuple(systems.line(run.system, [Point.of(x(run), mean)]) for run, mean in means if mean is not None)


def _overall(by_data: _ByData, systems: _Systems) -> Iterator[Panel]:
    for data, runs in by_data.items():
        metric = _main(runs)
        if lines := _marks(runs, systems, metric, lambda _: 0):
            yield Panel("rows", data, metric, "", lines)


def _by_hops(runs: Sequence[Run], systems: _Systems) -> Iterator[Panel]:
    metric = _main(runs)
    intervals = grouped(runs, lambda run: run.system, "hops", metric)
    hops = sorted({int(number) for by_group in intervals.values() for number in by_group})
    if len(hops) > 1:
        lines = systems.best_lines(intervals, {str(number): number for number in hops})
        yield Panel("lines", f"{metric} by hops", "hops", metric, lines)


def _by_type(runs: Sequence[Run], systems: _Systems) -> Iterator[Panel]:
    main = _main(runs)
    have = {name for run in runs for name in run.summary.metrics}
    beside = sorted(name for name in have - {main} if name in declared() and declared()[name].by_type)
    for metric in (main, *beside):
        intervals = grouped(runs, lambda run: run.system, "type", metric)
        types = sorted({type_ for by in intervals.values() for type_ in by})
        are_shares = all(0 <= interval.estimate <= 1 for by in intervals.values() for interval in by.values())
        if len(types) >= _SPOKES and are_shares:
            lines = systems.best_lines(intervals, {type_: place for place, type_ in enumerate(types)})
            yield Panel("radar", f"{metric} by type", "type", metric, lines, tuple(types))


def _by_perturbation(runs: Sequence[Run], systems: _Systems) -> Iterator[Panel]:
    perturbed = [run for run in runs if run.perturbation]
    for data, kind in dict.fromkeys((run.data, run.perturbation[0]) for run in perturbed if run.perturbation):
        among = [run for run in runs if run.data == data and (run.perturbation or (kind,))[0] == kind]
        metric = _main([run for run in among if run.perturbation])
        means: dict[str, dict[float, ConfidenceInterval]] = {}
        for run in among:
            if (interval := _mean(run, metric)) is not None:
                means.setdefault(run.system, {})[run.perturbation[1] if run.perturbation else 0.0] = interval
        means = {name: by for name, by in means.items() if by.keys() - {0.0}}
        if means:
            levels = sorted({level for by in means.values() for level in by})
            lines = systems.best_lines(means, {level: level for level in levels})
            yield Panel("lines", f"{kind}, {data}", "level", metric, lines)


# -- settings --------------------------------------------------------------------------------------------------------


def _by_settings(runs: Sequence[Run]) -> Iterator[Panel]:
    """A grid of each two settings that vary where nothing else does; where there is none, a line of each setting."""
    for data, method in dict.fromkeys((run.data, run.what["method"]) for run in runs):
        among = [run for run in runs if run.data == data and run.what["method"] == method]
        varying = [name for name in _numeric(among[0]) if len({_numeric(run).get(name) for run in among}) > 1]
        grids = [panel for pair in combinations(varying, 2) for panel in _grid(among, *pair)]
        yield from grids or (panel for name in varying for panel in _sweep(among, name))


def _numeric(run: Run) -> dict[str, float]:
    settings = run.what["settings"].items()
    return {name: value for name, value in settings if isinstance(value, int | float) and not isinstance(value, bool)}


def _alike(runs: Sequence[Run], names: Sequence[str]) -> Iterator[list[Run]]:
    """Runs that differ in these settings alone."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        rest = {name: value for name, value in run.what["settings"].items() if name not in names}
        groups.setdefault(repr((sorted(rest.items(), key=str), run.what.get("model"))), []).append(run)
    for group in groups.values():
        if all(names[0] in _numeric(run) and names[-1] in _numeric(run) for run in group):
            yield group


def _grid(runs: Sequence[Run], across: str, down: str) -> Iterator[Panel]:
    for group in _alike(runs, (across, down)):
        cells = {(_numeric(run)[across], _numeric(run)[down]): run for run in group}
        columns, lines = (sorted({key[i] for key in cells}) for i in (0, 1))
        if len(columns) < 2 or len(lines) < 2 or len(cells) < 4:
            continue
        metric, title = _main(group), f"{group[0].what['method']}, {group[0].data}"
        means = {key: mean for key, run in cells.items() if (mean := _mean(run, metric)) is not None}
        body = [
            Line(0, f"{y:g}", tuple(Point.of(place, means[x, y]) for place, x in enumerate(columns) if (x, y) in means))
            for y in lines
        ]
        yield Panel("grid", f"{metric}: {title}", across, down, tuple(body), tuple(f"{column:g}" for column in columns))


def _sweep(runs: Sequence[Run], name: str) -> Iterator[Panel]:
    for group in _alike(runs, (name,)):
        metric = _main(group)
        points = [(_numeric(run)[name], _mean(run, metric)) for run in group]
        drawn = sorted((Point.of(x, mean) for x, mean in points if mean is not None), key=lambda point: point.x)
        if len({point.x for point in drawn}) > 1:
            method = group[0].what["method"]
            line = Line(0, method, tuple(drawn))
            yield Panel("lines", f"{metric} by {name}: {method}, {group[0].data}", name, metric, (line,))


# -- confidence and cost ---------------------------------------------------------------------------------------------


def _risk(by_data: _ByData, systems: _Systems) -> Iterator[Panel]:
    for data, runs in by_data.items():
        lines = []
        for run in runs:
            scores = (score.score for score in run.asked.values())
            answered = [score for score in scores if score.outcome == "answered" and score.confidence is not None]
            rows = outcome_rows(score for score in answered if is_right(score) is not None)
            curve = risk_coverage(Levels.of(rows[:, CONFIDENCE], rows[:, RIGHT]), len(run.asked))
            if len(curve) > 1:
                thinned = [*curve[:: max(1, len(curve) // _CURVE)], curve[-1]]
                points = [Point(point.coverage, point.risk, point.risk, point.risk) for point in thinned]
                lines.append(systems.line(run.system, points))
        if lines:
            yield Panel("steps", data, "coverage", "risk", systems.best(lines))


def _costs(by_data: _ByData, systems: _Systems) -> Iterator[Panel]:
    """All data sets on one scale: what a question costs in money, else in tokens, else in calls, else in seconds."""
    runs = [run for among in by_data.values() for run in among]
    kind = next((kind for kind in _COSTS if kind != "seconds" and any(_cost(run, kind) for run in runs)), "seconds")
    spent = [cost for run in runs if (cost := _cost(run, kind)) > 0]
    log = bool(spent) and len(spent) == len(runs) and max(spent) / min(spent) >= _LOG
    for data, among in by_data.items():
        metric = _main(among)
        lines = _marks(among, systems, metric, lambda run: _cost(run, kind))
        if len(lines) > 1:
            yield Panel("points", data, _COSTS[kind], metric, lines, log=log)


def _cost(run: Run, kind: str) -> float:
    if kind == "seconds":
        return run.summary.median_seconds
    keys = ("prompt_tokens", "completion_tokens") if kind == "tokens" else (kind,)
    means = [run.summary.usage_per_question.get(key) for key in keys]
    return sum(mean.estimate for mean in means if mean is not None)
