"""Canonical sentences: what a program says in English, made from its nodes by fixed templates.

Nothing in them is taken from the file but names that the graph has and texts in quotation marks, each made one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .certificate import Op
from .encoding import Statement, statement_id
from .shapes import one_line
from .values import Literal, Node, text_of

Label = Callable[[str], str | None]
_LONGEST = 600
_SIGNS = {
    "add": "{} plus {}", "subtract": "{} minus {}", "multiply": "{} times {}", "divide": "{} divided by {}",
    "round": "{} rounded to {} digits", "duration": "the years from {} to {}", "distance": "the distance from {} to {}",
    "convert": "{} in the unit of {}",
}  # fmt: skip


def name(identifier: str, label: Label) -> str:
    """What is shown for an entity or relation: its label, else the end of its id."""
    found = label(identifier)
    return one_line(found if found else identifier.rstrip("/#").replace("#", "/").rpartition("/")[2] or identifier, 100)


def node_text(node: Node | None, label: Label) -> str:
    """What is shown for a node."""
    if isinstance(node, Literal):
        return one_line(text_of(node, label), 100)
    return "anything" if node is None else name(node, label)


def statement_text(statement: Statement, label: Label) -> str:
    """A statement with its qualifiers and its id, in one line."""
    said = (
        f"{name(statement.subject, label)} — {name(statement.relation, label)} → {node_text(statement.object, label)}"
    )
    pairs = ", ".join(f"{name(relation, label)}: {node_text(value, label)}" for relation, value in statement.qualifiers)
    return f"{said}{f' ({pairs})' if pairs else ''} [{statement_id(statement)[:12]}]"


def sentences(program: Sequence[Op], label: Label) -> list[str]:
    """What each node says."""
    variables = [place for place, node in enumerate(program) if node.op == "it"]
    said: list[str] = []
    for place, node in enumerate(program):
        if node.op == "it":
            text = "it" if len(variables) == 1 else f"X{variables.index(place) + 1}"
        else:
            text = _sentence(node, said, label)
        said.append(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
    return said


def _sentence(node: Op, said: Sequence[str], label: Label) -> str:
    def of(field: str, absent: str = "any time") -> str:
        return absent if node[field] is None else said[node[field]]

    def all_of(field: str, between: str) -> str:
        return between.join(said[part] for part in node[field])

    def names(ids: Iterable[str]) -> str:
        return " or ".join(name(one, label) for one in ids)

    op = node.op
    if op == "entity":
        return name(node["id"], label)
    if op == "literal":
        return node_text(node["value"], label)
    if op == "follow":
        relations, start = names(node["relations"]), of("of")
        text = (
            f"the {relations} of {start}"
            if node["direction"] == "forward"
            else f"everything whose {relations} is {start}"
        )
        return text + "".join(_restrictions(node, names, label))
    if op == "instances":
        return f"every {of('of')} (by {names(node['relations'])}{', or ' + names(node['sub']) if node['sub'] else ''})"
    if op in ("named", "complete"):
        return f"{of('of')} ({'what has a name' if op == 'named' else 'all there are'})"
    if op == "qualifier":
        return f"the {names(node['relations'])} noted with ({of('of')})"
    if op in ("union", "intersection", "difference", "and", "or"):
        words = {"union": " or ", "intersection": " that is also ", "difference": " but not "}.get(op, f" {op} ")
        return f"({all_of('of', words)})"
    if op == "where":
        return f"{of('of')}, only {of('it')} for which {of('test')}"
    if op in ("first", "last"):
        start = node["from"] or 1
        end = node["to"] or start
        places = op if end == 1 else f"{op} {end}" if start == 1 else f"{start}. to {end}. from the {op}"
        return f"the {places} of ({of('of')}) by {of('by', 'value')}"
    if op == "among":
        return f"of ({of('of')}) {', '.join(node_text(one, label) for one in node['keep'])}, as {_quoted(node['by'])} chose"
    if op == "count":
        return f"the number of ({of('of')})"
    if op in ("sum", "mean", "min", "max"):
        return f"the {op} of {of('by')}, for each {of('it')} of ({of('of')})"
    if op == "arithmetic":
        return _SIGNS.get(node["do"], f"the {node['do'].replace('_', ' ')} of {{}}").format(
            f"({of('left')})", f"({of('right', 'nothing')})"
        )
    if op == "table":
        return f"for each {of('it')} of ({of('of')}): {all_of('columns', '; ')}"
    if op == "group":
        kept = f", only where {of('having')}" if node["having"] is not None else ""
        return (
            f"({of('of')}) by {of('by')} of {of('it')}, of each group {of('members')}: {all_of('measures', '; ')}{kept}"
        )
    if op == "compare":
        return f"{of('left')} {node['do']} {of('right')}"
    if op == "period":
        return f"the time from {of('left')} to {of('right')}"
    if op == "exists":
        return f"there is {of('of')}"
    if op == "is_a":
        ways = names([*node["relations"], *(node["sub"] or ())])
        return f"{of('left')} is of the class {of('right')} (by {ways}{'; no other classes' if node['closed'] else ''})"
    if op in ("some", "every", "one"):
        word = {"some": "for some", "every": "for every", "one": "for the one"}[op]
        return f"{word} {of('it')} of ({of('of')}): {of('test')}"
    if op == "not":
        return f"not ({of('of')})"
    if op == "statement":
        return f"that {statement_text(node['statement'], label)}"
    if op == "passage":
        return f"that {_quoted(node['source'])} says {_quoted(node['text'])}"
    if op == "judged":
        return f"what {_quoted(node['by'])} judged: {_quoted(node['says'])}"
    if op == "rule":
        return f"by the rule {_quoted(node['says'])} ({node['direction']}): {of('of')}"
    if op == "choice":
        return f"of {', '.join(node_text(option, label) for option, _ in node['options'])} those for which {' or '.join(said[t] for _, t in node['options'])}"
    if op == "vote":
        return f"the vote of {len(node['chains'])} outputs, weighed by {node['function']}"
    return f"what SPARQL gives for {_quoted(node['text'])}"


def _restrictions(node: Op, names: Callable[[Iterable[str]], str], label: Label) -> Iterable[str]:
    for part in node["qualified"] or ():
        yield f", only with {names(part['relations'])} {node_text(part['is'], label)}"
    if window := node["window"]:
        yield f", at some time from {node_text(window['from'], label)} to {node_text(window['to'], label)}"
        roles = "; ".join(f"{role}: {names(window[role])}" for role in ("start", "end", "point") if window[role])
        yield f" ({roles}{'; or of unknown time' if window['unknown'] == 'keep' else ''})"
    if node["not_back"]:
        yield " (not straight back)"


def _quoted(text: str) -> str:
    return f"“{one_line(text, 200)}”"


def reason_text(reason: dict[str, Any], question: str, said: Sequence[str], label: Label) -> str:
    """Why there is no answer."""
    code, words = reason["code"], reason.get("words", ())
    if code == "unread":
        return "not read: " + ", ".join(
            f"{_quoted(question[start:end])} ({one_line(what, 40)})" for start, end, what in words
        )
    if code == "unnamed":
        return f"the graph has no {_quoted(question[slice(*words)])}"
    if code == "lacks":
        wanted = f"{name(reason['relation'], label)} of {name(reason['entity'], label)}"
        return (
            f"no statement says the {wanted}"
            if reason["direction"] == "forward"
            else f"nothing has as {wanted.replace(' of ', ' ', 1)}"
        )
    if code == "direction":
        first, second = (said[place] for place in reason["of"])
        return f"it may ask for {first}, or for {second}: say which"
    if code == "unusable":
        return f"the model gave nothing usable, {reason['times']} times"
    if code == "stopped":
        return f"stopped early: no {reason['what']} left"
    if code == "other":
        return f"as the method says: {_quoted(reason['says'])}"
    about = said[reason["of"]]
    return {
        "nothing": f"nothing is listed for: {about}",
        "unknown": f"it is not known whether {about}",
        "unsure": f"the nearest reading is: {about}, and it is not near enough ({reason.get('score', 0):.2f})",
        "opposite": f"the nearest reading says the opposite: {about}",
        "split": "the outputs do not agree on anything",
    }[code]
