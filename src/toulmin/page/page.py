"""The proof page: a certificate, the kernel that a browser runs and what draws it, in one file that needs nothing else.

What the certificate holds stands in the page as JSON, in ASCII and without a character that HTML knows; the page's own
script shows it through ``textContent``. By the policy of the page only what it names by a hash runs, and nothing is
fetched.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from toulmin.kernel.report import Report

__all__ = ["assets", "blank", "embedded", "fragment", "one_line", "own_file", "page", "policy"]

_SHOWN = 20  # statements, nodes and lines of the short form
_LONGEST = 800  # characters of a text there
_FIELD = re.compile(r"\{\{(\w+)\}\}")
_SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)
_WEAK = ("judged", "assumed", "unverifiable", "stale", "fails")


def page(certificate: Mapping[str, Any], *, title: str | None = None) -> str:
    """A certificate as one HTML file that checks itself when it is opened, also from a disk and without a network.

    Args:
        certificate: as read from JSON (docs/certificate.md); what is none makes a page that says so.
        title: of the window until the page has read the question.

    Raises:
        ValueError: it holds what JSON cannot (NaN).
    """
    before, after = blank(title)
    return before + embedded(certificate) + after


def blank(title: str | None = None) -> tuple[str, str]:
    """The page of any certificate: what stands before and after the certificate, ``embedded``."""
    style, scripts = assets()
    fields = {
        "policy": policy([style], scripts),
        "title": _safe(title or "A certificate"),
        "style": style,
        "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
    }
    before, _, after = own_file("page.html").partition("{{certificate}}")
    filled = [_FIELD.sub(lambda match: fields[match[1]], part) for part in (before, after)]
    return filled[0], filled[1]


def own_file(name: str) -> str:
    """A file of this package: "look.css", which other pages share, "dom.js"."""
    return (files("toulmin.page") / name).read_text("utf-8")


@cache
def assets() -> tuple[str, tuple[str, ...]]:
    """The style, and the scripts: the kernel with its table, the layout library with its licence, the page's own."""
    kernel = files("toulmin.kernel")
    table = embedded(json.loads((kernel / "format.json").read_text("utf-8")))
    checks = (
        f"globalThis.TOULMIN_FORMAT = {table};\n{(kernel / 'kernel.js').read_text('utf-8')}\n{own_file('explore.js')}"
    )
    layout = f"/*\n{own_file('vendor/dagre.LICENSE')}*/\n{_SOURCE_MAP.sub('', own_file('vendor/dagre.min.js'))}"
    return own_file("look.css") + own_file("page.css"), (checks, layout, own_file("dom.js") + own_file("page.js"))


def embedded(value: object) -> str:
    """JSON in ASCII that no HTML can begin or end in."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """The policy of a page that has these: nothing from anywhere; of the page itself what has their hashes."""
    return (
        f"default-src 'none'; script-src {' '.join(map(_hash, scripts))}; "
        f"style-src {' '.join(map(_hash, styles))}; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def fragment(certificate: Mapping[str, Any], report: Report) -> str:
    """The short form for notebooks: what was found, without scripts, links or styles of a page.

    Args:
        certificate: only its question is taken from it.
        report: the kernel's, of this certificate.
    """
    weak = [node for node in report.nodes if node["used"] and node["status"] in _WEAK]
    facts = [node for node in report.nodes if node["used"] and node["op"] != "entity"]  # whose statements are names
    statements = dict.fromkeys(line for node in facts for line in node["statements"])
    counted = [node["status"] for node in report.nodes if node["used"]]
    counts = ", ".join(f"{counted.count(status)} {status}" for status in dict.fromkeys(counted))
    passes = ("passes", "does not pass", "not checked")[report.exit_code]
    rows = [
        ("Question", [_safe(str(certificate.get("question", "")))]),
        ("Read as", [_safe(f"{report.read_as}; {report.judge}")] if report.read_as else []),
        ("Answer", [f"<b>{_safe(line)}</b>" for line in report.answer]),
        (
            "Check",
            [_safe(f"{passes}: {report.status}{f' ({counts})' if counts else ''}"), *map(_safe, report.problems)],
        ),
        ("On trust", [_safe(f"{node['status']}: {node['sentence']} ({node['reason']})") for node in weak]),
        ("Statements", [_safe(line) for line in statements]),
        ("Graphs", [_safe(line) for line in report.graphs]),
    ]
    body = "".join(_row(heading, lines) for heading, lines in rows if lines)
    return f'<table style="border-collapse:collapse;text-align:left">{body}</table>'


def _row(heading: str, lines: Sequence[str]) -> str:
    cell = "vertical-align:top;text-align:left;padding:3px 8px"
    hidden = len(lines) - _SHOWN
    shown = [*lines[:_SHOWN], *([f"… and {hidden:,} more"] if hidden > 0 else [])]
    inner = "".join(f"<div>{line}</div>" for line in shown)
    return f'<tr><th scope="row" style="{cell}">{escape(heading)}</th><td style="{cell}">{inner}</td></tr>'


def one_line(text: str, longest: int = _LONGEST) -> str:
    """A text in one line, cut off; what cannot be seen, or turns the direction of writing, is a mark."""
    line = " ".join(text[: 4 * longest].split())
    line = line if len(line) <= longest else f"{line[: longest - 1]}…"
    return "".join(
        character if character.isprintable() or character in "\u200c\u200d" else "\ufffd" for character in line
    )


def _safe(text: str) -> str:
    return escape(one_line(text), quote=True)
