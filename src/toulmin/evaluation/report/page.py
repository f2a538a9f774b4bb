"""The report as one HTML file: figures and plots as they are, the questions packed, the proof page once for all."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from toulmin.errors import InputError, SettingsError
from toulmin.evaluation.report.charts import MOST_LINES, Chart, Panel, charts
from toulmin.evaluation.report.drawing import Sheet
from toulmin.evaluation.report.figures import FigureTable, group_tables, tables
from toulmin.evaluation.report.read_runs import ReportedQuestion, Run
from toulmin.graph.build import Progress
from toulmin.graph.protocol import Graph
from toulmin.page.page import assets, blank, embedded, one_line, own_file, policy
from toulmin.program.answer import Answer
from toulmin.program.evidence import attach

__all__ = ["Certificates", "packed", "report_page"]

_FIELD = re.compile(r"\{\{(\w+)\}\}")
_MOST = 5_000_000  # characters of a report, evidence included
_LONGEST = 400  # characters of a cell
_WIDE = 40  # characters of a cell from which on it is broken into lines


def report_page(runs: Sequence[Run], graphs: Mapping[str, Graph] | None = None, tell: Progress | None = None) -> str:
    """Runs as one HTML file that needs nothing else: figures, plots, every question with its certificates.

    Args:
        graphs: that the answers were made on, by their fingerprints: their statements make proofs of the certificates,
            as many as fit into 5 MB, what is not right first.
        tell: of the progress: how much is done, of how much, what.

    Raises:
        MissingExtraError: the extra ``report`` is not installed.
        SettingsError: no answer was made on one of the graphs.
    """
    sheet = Sheet()
    plots = "".join(_chart(chart, sheet, runs) for chart in charts(runs))
    first, *more = tables(runs)
    sections = [
        ("outcomes", "Outcomes", _table(first)),
        ("plots", "Plots", plots),
        ("figures", "Figures", "".join(map(_lone, (*more[:-1], *group_tables(runs), more[-1])))),
    ]
    certificates = Certificates()
    questions = _questions(runs, certificates)
    style = own_file("look.css") + _file("report.css") + sheet.style
    script = own_file("dom.js") + _file("report.js")
    proof_style, proof_scripts = assets()
    names = [*((name, title) for name, title, body in sections if body), ("questions", "Questions"), ("runs", "Runs")]
    fields = {
        "policy": policy([style, proof_style], [script, *proof_scripts]),
        "title": _safe(_title(runs)),
        "about": _safe(_about(runs)),
        "style": style,
        "contents": "".join(f'<a href="#{name}">{title}</a>' for name, title in names),
        "sections": "".join(_section(*section) for section in sections if section[2]),
        "waiting": "Unpacking …",
        "runs": "".join(map(_run_description, runs)),
        "asked": embedded(packed(questions)),
        "certificates": embedded(certificates.packed),
        "evidence": embedded({"packs": [], "of": {}}),
        "blank": embedded(packed(blank("A proof"))),
        "script": script,
    }
    if graphs:
        fields["evidence"] = embedded(certificates.evidence(graphs, _MOST - sum(map(len, fields.values())), tell))
    return _FIELD.sub(lambda match: fields[match[1]], _file("report.html"))


def _file(name: str) -> str:
    return (files("toulmin.evaluation.report") / name).read_text("utf-8")


def _safe(text: str) -> str:
    return escape(one_line(text, _LONGEST), quote=True)


def _title(runs: Sequence[Run]) -> str:
    systems, data = (list(dict.fromkeys(names)) for names in ((r.system for r in runs), (r.data for r in runs)))
    shown = [systems[0] if len(systems) == 1 else f"{len(systems)} systems"]
    shown.append(data[0] if len(data) == 1 else f"{len(data)} data sets")
    return " on ".join(shown)


def _about(runs: Sequence[Run]) -> str:
    questions = len({(run.data, name) for run in runs for name in run.asked})
    versions = ", ".join(sorted({str(run.what.get("version", "?")) for run in runs}))
    runs_said = "1 run" if len(runs) == 1 else f"{len(runs):,} runs"
    return f"{runs_said}, {questions:,} questions, {sum(len(r.asked) for r in runs):,} answers; Toulmin {versions}."


# -- figures and plots -----------------------------------------------------------------------------------------------


def _section(name: str, title: str, body: str) -> str:
    return f'<section id="{name}" aria-labelledby="{name}-head"><h2 id="{name}-head">{title}</h2>{body}</section>'


def _lone(table: FigureTable) -> str:
    return f'<div class="lone"><h3>{_safe(table.title)}</h3>{_table(table)}</div>'


def _table(table: FigureTable) -> str:
    note = f'<p class="note">{_safe(table.note)}</p>' if table.note else ""
    head = "".join(f'<th scope="col">{_safe(name)}</th>' for name in table.head)
    return (
        f'{note}<div class="scroll" role="region" tabindex="0" aria-label="{_safe(table.title)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(map(_row, table.rows))}</tbody></table></div>"
    )


def _row(cells: Sequence[str]) -> str:
    first, *others = cells
    body = "".join(f"<td{' class=long' if len(cell) > _WIDE else ''}>{_safe(cell)}</td>" for cell in others)
    return f'<tr><th scope="row">{_safe(first)}</th>{body}</tr>'


def _chart(chart: Chart, sheet: Sheet, runs: Sequence[Run]) -> str:
    """The plots of a chart and the key to their marks; in rows and in a grid the names stand where the figures do."""
    lined = [panel for panel in chart.panels if panel.kind not in ("rows", "grid")]
    systems = {line.system: line.name for panel in lined for line in panel.lines}
    line = any(panel.kind != "points" for panel in lined)
    key = "".join(
        f"<li>{sheet.swatch(system, line=line)}<span>{_safe(name)}</span></li>"
        for system, name in sorted(systems.items())
    )
    cut = any(len(panel.lines) == MOST_LINES for panel in lined) and len({run.system for run in runs}) > MOST_LINES
    best = f" Of more than {MOST_LINES} systems in a plot the best by the main metric." if cut else ""
    return (
        f'<div class="lone"><h3>{_safe(chart.title)}</h3><p class="note">{_safe(chart.note)}{best}</p>'
        f"<div class=plots>{''.join(_figure(panel, sheet) for panel in chart.panels)}</div>"
        f"{f'<ul class=key aria-label=Key>{key}</ul>' if key else ''}</div>"
    )


def _figure(panel: Panel, sheet: Sheet) -> str:
    drawn = sheet.plot(panel, f"{one_line(panel.title, 200)}: a plot; its figures are in the table that follows")
    table = _table(panel.table)
    return (
        f"<figure><figcaption>{_safe(panel.title)}</figcaption>{drawn}"
        f"<details><summary>Figures</summary>{table}</details></figure>"
    )


# -- runs and questions ----------------------------------------------------------------------------------------------


def _run_description(run: Run) -> str:
    """All that run.json says of a run."""
    rows = {"folder": run.path.name, **dict(_flat(run.what))}
    body = "".join(f"<dt>{_safe(key)}</dt><dd>{_safe(str(value))}</dd>" for key, value in rows.items())
    return f'<details class="what"><summary>{_safe(f"{run.name} · {run.data}")}</summary><dl>{body}</dl></details>'


def _flat(what: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in what.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", "none" if value in (None, {}, "") else value


def _questions(runs: Sequence[Run], certificates: Certificates) -> dict[str, Any]:
    """The questions with what each run made of them."""
    data = list(dict.fromkeys(run.data for run in runs))
    questions = []
    for number, name in enumerate(data):
        for identifier in dict.fromkeys(key for run in runs if run.data == name for key in run.asked):
            by_run = [run.asked.get(identifier) if run.data == name else None for run in runs]
            first = next(question for question in by_run if question is not None)
            about = {"question": first.question, "gold": first.gold, "type": first.type, "hops": first.hops}
            cells = [None if question is None else _cell(question, certificates.add(question)) for question in by_run]
            questions.append({**about, "data": number, "runs": cells})
    return {"runs": [[run.name, data.index(run.data)] for run in runs], "data": data, "questions": questions}


def _cell(question: ReportedQuestion, place: list[int] | None) -> dict[str, Any]:
    score = question.score
    outcome = {True: "right", False: "wrong", None: "answered"}[question.right]
    if score.outcome != "answered" and not question.right:
        outcome = score.outcome
    passed = {True: "passes", False: "does not pass", None: ""}[score.checks]
    return {
        "outcome": outcome,
        "right": question.right,
        "answer": question.answer,
        "confidence": score.confidence,
        "check": f"{passed}: {score.status}" if passed and score.status else passed,
        "problem": question.problem,
        "metrics": dict(score.metrics),
        "seconds": score.seconds,
        "place": place,
    }


_CHUNK = 128_000  # characters of certificates that are packed and unpacked together


def packed(value: object) -> str:
    """A value as JSON, by gzip and base64."""
    text = json.dumps(value, separators=(",", ":"))
    return b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


class Certificates:
    """Certificates in chunks, of which a page unpacks only those that somebody opens."""

    def __init__(self) -> None:
        self._chunks: list[list[Any]] = []
        self._size = 0
        self._answers: list[tuple[ReportedQuestion, list[int]]] = []

    def add(self, question: ReportedQuestion) -> list[int] | None:
        """Add the certificate of an answer, and give its place: chunk, and number in it; None where there is none."""
        if question.certificate is None:
            return None
        text = zlib.decompress(question.certificate)
        if not self._chunks or self._size + len(text) > _CHUNK:
            self._chunks.append([])
            self._size = 0
        self._chunks[-1].append(json.loads(text))
        self._size += len(text)
        place = [len(self._chunks) - 1, len(self._chunks[-1]) - 1]
        self._answers.append((question, place))
        return place

    @property
    def packed(self) -> list[str]:
        """The chunks."""
        return [packed(chunk) for chunk in self._chunks]

    def evidence(self, graphs: Mapping[str, Graph], room: int, tell: Progress | None = None) -> dict[str, Any]:
        """Evidence for as many answers as there is room for: what is not right first, then in order.

        Args:
            graphs: by their fingerprints; those that the answers were made on.
            room: characters at most.
            tell: called with how many answers were looked at, of how many, and a message.

        Returns:
            ``packs``, each the evidence of one answer or of several that have the same, and ``of``: by the place of a
            certificate ("chunk.number") the number of its pack.

        Raises:
            SettingsError: no answer was made on one of the graphs.
            GraphError, QueryError: a graph cannot be asked.
        """
        packs: dict[str, int] = {}
        of: dict[str, int] = {}
        met = False
        ordered = sorted(self._answers, key=lambda pair: pair[0].right is True)
        for number, (_, (chunk, place)) in enumerate(ordered):
            if tell is not None:
                tell(number, len(ordered), "taking statements from the graph")
            try:
                answer = Answer.from_json(json.dumps(self._chunks[chunk][place]))
            except InputError:  # what is no certificate has no evidence: its proof says so
                continue
            graph = graphs.get(answer.graph_fingerprint)
            if graph is None:
                continue
            met = True
            pack = packed(attach(answer, graph).certificate["evidence"])
            if pack not in packs:
                if len(pack) > room:
                    continue
                room -= len(pack)
                packs[pack] = len(packs)
            of[f"{chunk}.{place}"] = packs[pack]
        if not met:
            raise SettingsError("no answer of these runs was made on the graph that --kg names")
        return {"packs": list(packs), "of": of}
