"""Plots as SVG that follows the page: its font, its colours in light and in dark, no style and no script of its own.

matplotlib draws; each declaration of style in what it writes becomes a class, so that a page which allows no style but
its own can hold it. Colours are variables of the page (``COLOURS``). One unit is one pixel of a plot ``WIDTH`` wide.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from itertools import count
from math import pi
from textwrap import wrap
from typing import TYPE_CHECKING, Any
from typing import Literal as Choice
from xml.etree import ElementTree as ET

from toulmin.errors import MissingExtraError
from toulmin.evaluation.report.charts import Line, Panel
from toulmin.page.page import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "WIDTH", "Sheet", "SystemStyle"]

WIDTH = 352  # pixels: a plot in a window of 400
_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"

#: Colours as matplotlib is told them (also in ``report.mplstyle``), and the page's variables that take their place.
COLOURS = {
    "#010101": "var(--ink)",
    "#020202": "var(--quiet)",
    "#030303": "var(--rule)",
    "#040404": "var(--raised)",
    "#050505": "var(--accent)",
    **{f"#0600{number:02x}": f"var(--s{number})" for number in range(8)},
}
_ACCENT = list(COLOURS)[4]
_MARKS = "os^Dv*PX<"  # one more than colours, so that both together tell 72 systems apart
_DASHES: Sequence[Any] = ("-", (0, (4, 2)), (0, (1.2, 1.6)), (0, (6, 2, 1.2, 2)))
_LABEL = 10  # characters of a line of a spoke's name
_RADAR = 164  # pixels across


class SystemStyle:
    """How the lines of a system look: colour, mark and, where there are more than eight, the kind of line."""

    def __init__(self, system: int) -> None:
        self.colour = list(COLOURS)[5 + system % 8]
        self.mark = _MARKS[system % len(_MARKS)]
        self.dash = _DASHES[system // 8 % len(_DASHES)]
        self.line = {
            "color": self.colour,
            "marker": self.mark,
            "linestyle": self.dash,
            "markersize": 6,
            "linewidth": 1.6,
        }


class Sheet:
    """Draws the plots of one page, and keeps the classes that they use.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """

    def __init__(self) -> None:
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            raise MissingExtraError("a report with plots", "report") from None
        self._classes: dict[str, str] = {}
        self._numbers = count()

    @property
    def style(self) -> str:
        """The style sheet of all that was drawn."""
        return "\n".join(f".{name}{{{declared}}}" for declared, name in self._classes.items())

    def plot(self, panel: Panel, label: str) -> str:
        """A panel as SVG.

        Args:
            label: what a screen reader says in its place.
        """
        round_ = panel.kind == "radar"  # whose names stand around it, for which no layout makes room
        heights = {"rows": 52 + 38 * len(panel.lines), "radar": _RADAR + 74, "grid": 80 + 40 * len(panel.lines)}
        height = heights.get(panel.kind, 250)
        with _drawn(WIDTH, height, None if round_ else "constrained") as figure:
            place = ((1 - _RADAR / WIDTH) / 2, 37 / height, _RADAR / WIDTH, _RADAR / height)
            _KINDS[panel.kind](figure.add_axes(place, projection="polar") if round_ else figure.add_subplot(), panel)
            return self._written(figure, {"role": "img", "aria-label": label})

    def swatch(self, system: int, *, line: bool) -> str:
        """The mark of a system, for a key."""
        with _drawn(30, 14, None) as figure:
            axes = figure.add_axes((0, 0, 1, 1))
            axes.set_axis_off()
            style = SystemStyle(system)
            if line:
                axes.plot((0, 1), (0, 0), color=style.colour, linestyle=style.dash, linewidth=1.6)
            axes.plot((0.5,), (0,), color=style.colour, marker=style.mark, markersize=6, linestyle="")
            axes.set(xlim=(0, 1), ylim=(-1, 1))
            return self._written(figure, {"aria-hidden": "true", "width": "30", "height": "14"})

    def _written(self, figure: Figure, attributes: Mapping[str, str]) -> str:
        import matplotlib

        number = next(self._numbers)
        out = StringIO()
        with matplotlib.rc_context({"svg.hashsalt": f"plot {number}"}):
            figure.savefig(out, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
        root = ET.fromstring(out.getvalue())  # noqa: S314  written a moment ago by matplotlib
        ET.register_namespace("", _SVG)
        ET.register_namespace("xlink", _LINK[1:-5])
        used = set(re.findall(r"#([\w-]+)", out.getvalue()))
        for element in root.iter():
            element.tail = None
            element.text = element.text if element.tag == f"{{{_SVG}}}text" else None
            for child in [*element]:
                if child.tag.rpartition("}")[2] in ("metadata", "style", "title"):
                    element.remove(child)
            if element.get("id") not in used:
                element.attrib.pop("id", None)
            if link := element.attrib.pop(_LINK, None):
                element.set("href", link)
            if declared := element.attrib.pop("style", ""):
                element.set("class", self._class(declared))
        size = root.get("viewBox", "").split()[2:]
        root.attrib.clear()
        root.attrib |= {"viewBox": f"0 0 {' '.join(size)}", **attributes}
        return ET.tostring(root, encoding="unicode")

    def _class(self, declared: str) -> str:
        for colour, variable in COLOURS.items():
            declared = declared.replace(colour, variable)
        declared = re.sub(r"font-family: [^;]*", "font-family: var(--sans)", declared)
        return self._classes.setdefault(declared, f"p{len(self._classes)}")


@contextmanager
def _drawn(width: int, height: int, layout: Choice["constrained"] | None = "constrained") -> Iterator[Figure]:
    """A figure of so many pixels, in the manner of the page (``report.mplstyle``)."""
    import matplotlib.style
    from matplotlib.figure import Figure

    fonts = logging.getLogger("matplotlib")  # says which characters its own font lacks: the reader's will show them
    level = fonts.level
    fonts.setLevel(logging.ERROR)
    try:
        with matplotlib.style.context("toulmin.evaluation.report.report"), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            yield Figure(figsize=(width / 72, height / 72), layout=layout)
    finally:
        fonts.setLevel(level)


# -- kinds of plots --------------------------------------------------------------------------------------------------


def _bars(axes: Axes, line: Line, **more: Any) -> None:
    """The points of a system with their intervals."""
    style = SystemStyle(line.system).line | more
    x, y = [point.x for point in line.points], [point.y for point in line.points]
    spread = [[point.y - point.low for point in line.points], [point.high - point.y for point in line.points]]
    axes.errorbar(x, y, yerr=spread, elinewidth=1, capsize=2.5, alpha=0.9, **style)


def _unit(axes: Axes, panel: Panel) -> None:
    """The y axis from 0 to 1, where all figures are there."""
    if all(point.low >= 0 and point.high <= 1 for line in panel.lines for point in line.points):
        axes.set_ylim(-0.03, 1.05)
        axes.set_yticks((0, 0.25, 0.5, 0.75, 1))


def _rows(axes: Axes, panel: Panel) -> None:
    above: Any = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    for row, line in enumerate(panel.lines):
        (point,), style = line.points, SystemStyle(line.system)
        spread = [[point.y - point.low], [point.high - point.y]]
        axes.errorbar(
            [point.y], [row], xerr=spread, color=style.colour, marker=style.mark, markersize=7, elinewidth=2, capsize=3
        )
        axes.annotate(one_line(line.name, 44), (0, row), (2, 8), **above)
        axes.annotate(f"{point.y:.3f}", (1, row), (0, 8), ha="right", **above)
    axes.set(xlabel=panel.x, ylim=(len(panel.lines) - 0.5, -0.8))
    if all(line.points[0].low >= 0 and line.points[0].high <= 1 for line in panel.lines):
        axes.set_xlim(-0.02, 1.03)
        axes.set_xticks((0, 0.25, 0.5, 0.75, 1))
    axes.set_yticks(())
    axes.spines["left"].set_visible(False)


def _lines(axes: Axes, panel: Panel) -> None:
    places = sorted({point.x for line in panel.lines for point in line.points})
    apart = 0.012 * (places[-1] - places[0])  # so that one interval does not hide another
    for number, line in enumerate(panel.lines):
        aside = (number - (len(panel.lines) - 1) / 2) * apart
        _bars(axes, replace(line, points=tuple(replace(point, x=point.x + aside) for point in line.points)))
    axes.set(xlabel=one_line(panel.x, 40), ylabel=one_line(panel.y, 28))
    if len(places) <= 11:
        axes.set_xticks(places, [f"{place:g}" for place in places])
    _unit(axes, panel)


def _steps(axes: Axes, panel: Panel) -> None:
    for line in panel.lines:
        style = SystemStyle(line.system)
        x, y = [point.x for point in line.points], [point.y for point in line.points]
        axes.step([0, *x], [y[0], *y], where="pre", color=style.colour, linestyle=style.dash, linewidth=1.6)
        axes.plot(x[-1:], y[-1:], color=style.colour, marker=style.mark, markersize=7, linestyle="", clip_on=False)
    highest = max(point.y for line in panel.lines for point in line.points)
    axes.set(xlabel=panel.x, ylabel=panel.y, xlim=(0, 1.03), ylim=(0, max(0.1, 1.1 * highest)))


def _points(axes: Axes, panel: Panel) -> None:
    for line in panel.lines:
        _bars(axes, line, linestyle="")
    axes.set(xlabel=panel.x, ylabel=one_line(panel.y, 28))
    if panel.log:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
        axes.minorticks_off()
    else:
        highest = max(line.points[0].x for line in panel.lines)
        axes.set_xlim(-0.05 * highest, 1.12 * highest or 1)
        axes.locator_params("x", nbins=5)
    _unit(axes, panel)


def _radar(axes: Any, panel: Panel) -> None:
    angles = [2 * pi * place / len(panel.names) for place in range(len(panel.names))]
    axes.set_theta_offset(pi / 2)
    axes.set_theta_direction(-1)
    axes.set_ylim(0, 1)
    axes.set_yticks((0.25, 0.5, 0.75, 1), ("", "0.5", "", "1"))
    axes.set_rlabel_position(180 / len(panel.names))
    axes.spines["polar"].set_visible(False)
    axes.set_xticks(angles, [_wrapped(name) for name in panel.names])
    for angle, label in zip(angles, axes.get_xticklabels(), strict=True):
        aside = 0.08 < angle / pi < 0.92, 1.08 < angle / pi < 1.92
        label.set_fontsize(10.5)
        label.set_horizontalalignment("left" if aside[0] else "right" if aside[1] else "center")
    for line in panel.lines:
        points = [*line.points, line.points[0]] if len(line.points) == len(angles) else line.points
        style = SystemStyle(line.system)
        axes.plot([angles[int(p.x)] for p in points], [p.y for p in points], clip_on=False, **style.line)


def _wrapped(name: str) -> str:
    """A name in two lines at most."""
    lines = wrap(one_line(name, 4 * _LABEL), _LABEL)
    return "\n".join([*lines[:1], one_line(" ".join(lines[1:]), _LABEL)]).rstrip() or "–"


def _grid(axes: Axes, panel: Panel) -> None:
    from matplotlib.patches import Rectangle

    for row, line in enumerate(panel.lines):
        for point in line.points:
            shade = 0.04 + 0.5 * max(0.0, min(1.0, point.y))
            axes.add_patch(Rectangle((point.x - 0.48, row - 0.46), 0.96, 0.92, facecolor=_ACCENT, alpha=shade))
            axes.text(point.x, row, f"{point.y:.2f}", ha="center", va="center")
    axes.set(
        xlabel=one_line(panel.x, 40), ylabel=one_line(panel.y, 24),
        xlim=(-0.5, len(panel.names) - 0.5), ylim=(-0.5, len(panel.lines) - 0.5),
    )  # fmt: skip
    axes.set_xticks(range(len(panel.names)), panel.names)
    axes.set_yticks(range(len(panel.lines)), [line.name for line in panel.lines])
    axes.grid(visible=False)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)


_KINDS = {"rows": _rows, "lines": _lines, "steps": _steps, "points": _points, "radar": _radar, "grid": _grid}
