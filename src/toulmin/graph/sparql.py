"""SPARQL text made from terms, terms made from answers, and the check that a query only reads.

Nothing from outside gets into a query but through ``iri``, ``literal`` and ``node``: IRIs are validated, literals are
escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from secrets import token_hex
from typing import Any

import pyoxigraph

from toulmin.errors import QueryError
from toulmin.graph.labels import is_unicode
from toulmin.graph.protocol import QueryResult
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.xsd import XSD, literal_from_rdf, literal_to_rdf

__all__ = [
    "check_read_only",
    "iri",
    "is_iri",
    "literal",
    "node",
    "node_from_json",
    "query_result",
    "tokens",
    "values",
]

_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*", re.ASCII)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
#: A backslash takes a "u" after it along. Engines that expand \uXXXX before they parse (the specification, 19.2) would
#: take an escaped backslash and the "u" for an escape of their own, and the text could end its literal; so the "u" is
#: spelt as an escape itself. In eight digits, since rdflib reads eight wherever there are eight.
_TO_ESCAPE = re.compile(r'\\[uU]?|["\x00-\x1f\x7f]')


def is_iri(text: str) -> bool:
    """Whether ``text`` is an absolute IRI that a query can name."""
    try:
        pyoxigraph.NamedNode(text)
    except (ValueError, UnicodeEncodeError):
        return False
    return True


def iri(text: str) -> str:
    """``<text>``. Raises QueryError if it is no absolute IRI."""
    if not is_iri(text):
        raise QueryError(f"not an absolute IRI, so no SPARQL query can name it: {text[:200]!r}")
    return f"<{text}>"


def literal(value: str, datatype: str = XSD + "string", lang: str | None = None) -> str:
    """A literal in double quotes, escaped. Raises QueryError for a lone surrogate or a malformed tag or datatype."""
    if not is_unicode(value):
        raise QueryError(f"not valid Unicode, so no SPARQL query can hold it: {value[:200]!r}")
    quoted = f'"{_TO_ESCAPE.sub(_escaped, value)}"'
    if lang is not None:
        if not _LANGUAGE.fullmatch(lang):
            raise QueryError(f"not a language tag: {lang[:200]!r}")
        return f"{quoted}@{lang}"
    return quoted if datatype == XSD + "string" else f"{quoted}^^{iri(datatype)}"


def _escaped(match: re.Match[str]) -> str:
    text = match[0]
    if len(text) > 1:
        return _ESCAPES["\\"] + f"\\U{ord(text[1]):08X}"
    return _ESCAPES.get(text) or f"\\U{ord(text):08X}"


def node(value: Node) -> str:
    """The text of an entity or literal."""
    return iri(value.id) if isinstance(value, Entity) else literal(*literal_to_rdf(value))


def values(variables: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A VALUES block. ``rows`` hold texts made by ``iri``, ``literal`` or ``node``; variables have no question mark."""
    if len(variables) == 1:
        return f"VALUES ?{variables[0]} {{ {' '.join(row[0] for row in rows)} }}"
    names = " ".join(f"?{name}" for name in variables)
    tuples = " ".join("(" + " ".join(row) + ")" for row in rows)
    return f"VALUES ({names}) {{ {tuples} }}"


def node_from_json(term: Mapping[str, Any]) -> Node:
    """The node of one binding of ``application/sparql-results+json``.

    A blank node is an entity whose id ("_:b0") holds within that answer only.

    Raises:
        QueryError: a triple term, which is no node of ours.
        KeyError, TypeError: not a term at all.
    """
    kind, value = term["type"], term["value"]
    if kind == "uri":
        return Entity(value)
    if kind in ("literal", "typed-literal"):
        return literal_from_rdf(value, term.get("datatype", XSD + "string"), term.get("xml:lang"))
    if kind == "bnode":
        return Entity(f"_:{value}")
    raise QueryError(f"the answer holds a {kind} term: select its subject, predicate and object instead")


def query_result(
    variables: Sequence[str],
    rows: Iterable[Mapping[str, Mapping[str, Any]]],
    truth: bool | None,
    entities: Callable[[list[str]], Mapping[str, Entity]],
) -> QueryResult:
    """The result of a query from its parts in ``application/sparql-results+json``.

    Args:
        truth: of an ASK.
        entities: gives the entity of each of some IRIs.
    """
    if truth is not None:
        return QueryResult((), ((Literal("true" if truth else "false", "boolean"),),))
    nodes = [[node_from_json(row[name]) if name in row else None for name in variables] for row in rows]
    named = entities(list(dict.fromkeys(node.id for row in nodes for node in row if isinstance(node, Entity))))
    labelled = (tuple(named[node.id] if isinstance(node, Entity) else node for node in row) for row in nodes)
    return QueryResult(tuple(variables), tuple(labelled))


# The words of a query, as far as they say what it does. What is inside strings, IRIs, names and comments says nothing.
_TOKEN = re.compile(
    r"""
      (?P<blank>    [ \t\r\n]+ | \#[^\r\n]* )
    | (?P<string>   \"{3}(?:\"{0,2}(?:[^"\\]|\\.))*\"{3} | '{3}(?:'{0,2}(?:[^'\\]|\\.))*'{3}
                  | "(?:[^"\\\r\n]|\\.)*" | '(?:[^'\\\r\n]|\\.)*' )
    | (?P<iri>      <[^<>"{}|^`\\\x00-\x20]*> )
    | (?P<variable> [?$]\w+ )
    | (?P<name>     (?:[^\W\d_](?:[\w.-]*[\w-])?)?:(?:[\w:.%-]|\\[-_~.!$&'()*+,;=/?\#@%])* | _:[\w.-]+ )
    | (?P<lang>     @[A-Za-z][A-Za-z0-9-]* )
    | (?P<number>   (?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)? )
    | (?P<word>     [^\W\d]\w* )
    | (?P<sign>     \|\||&&|\^\^|<<\(?|\)?>>|[<>!]=|\{\||\|\}|. )
    """,
    re.VERBOSE | re.DOTALL,
)
#: pyoxigraph's parser and planner overflow the stack, or take minutes, on queries far beyond these.
_MAX_LENGTH, _MAX_DEPTH, _MAX_PATTERNS, _MAX_OPERATORS = 200_000, 64, 128, 1000
_PATTERN_SIGNS = frozenset("{.;/^|")
_OPERATORS = frozenset({"||", "&&", "+", "-", "*", "!", "=", "!=", "<", ">", "<=", ">="})
#: Words by which an endpoint asks another one, or fetches a graph.
_LEAVING = re.compile("SERVICE|FROM", re.IGNORECASE | re.ASCII)
_ESCAPED_ASCII = re.compile(r"\\(?:u00[0-7]|U000000[0-7])[0-9A-Fa-f]")


def check_read_only(text: str, prefixes: Mapping[str, str] | None = None) -> None:
    """Let a query pass only if it is a SELECT or ASK that stays on its graph. The query is parsed, not run.

    Args:
        text: the query.
        prefixes: names that count as declared (``wd`` and the like on Wikidata's endpoint).

    Raises:
        QueryError: malformed, or CONSTRUCT, DESCRIBE, an update, SERVICE, FROM; too large; says at which line and
            column.
    """
    if len(text) > _MAX_LENGTH:
        raise QueryError(f"the SPARQL query has {len(text):,} characters; at most {_MAX_LENGTH:,} are accepted")
    escaped = _ESCAPED_ASCII.search(text)
    if escaped:  # engines differ in when they expand it: what is checked must be what is run
        raise _refused(text, escaped.start(), f"write the character itself, not {escaped[0]}")
    _check_tokens(text, set(prefixes or ()))
    try:
        # To substitute a variable that the query has not fails after parsing and planning, before anything runs.
        unknown = pyoxigraph.Variable(f"toulmin_{token_hex(8)}")
        pyoxigraph.Store().query(text, prefixes=dict(prefixes or {}), substitutions={unknown: pyoxigraph.Literal("")})
    except UnicodeEncodeError as error:
        raise _refused(text, error.start, "not valid Unicode") from error
    except (SyntaxError, RuntimeError) as error:
        if isinstance(error, SyntaxError) or unknown.value not in str(error):
            raise QueryError(f"SPARQL query: {' '.join(str(error).split())}") from error


def tokens(text: str) -> list[tuple[str, str]]:
    """The tokens of a query, each with its kind (a group of the expression above), without blanks and comments."""
    return [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(text) if match.lastgroup != "blank"]


def _check_tokens(text: str, declared: set[str]) -> None:
    first: str | None = None
    declares = False
    depth = patterns = operators = 0
    brackets: list[str] = []
    for token in _TOKEN.finditer(text):
        kind, content = token.lastgroup, token[0]
        leaving = _LEAVING.search(content.split(":")[0]) if kind in ("word", "name") else None
        if leaving:
            # Also within a longer word: parsers take SERVICEwd:x for SERVICE wd:x, and trueSERVICE for two words.
            why = f"{leaving[0].upper()} is not accepted: a query must stay on its graph"
            raise _refused(text, token.start(), why)
        if kind == "name":
            prefix = content.split(":")[0]
            if declares:
                declared.add(prefix)
            elif prefix != "_" and prefix not in declared:
                raise _refused(text, token.start(), f"the prefix {prefix}: is not declared (PREFIX {prefix}: <...>)")
            declares = False
        elif kind == "word":
            word = content.upper()
            declares = word == "PREFIX"
            if first is None and word not in ("PREFIX", "BASE", "VERSION"):
                first = word
                if word not in ("SELECT", "ASK"):
                    raise _refused(text, token.start(), f"{content[:40]}: only SELECT and ASK are accepted")
        elif kind == "sign":
            if content[0] in "({[":
                brackets.append(content)
                depth = len(brackets)
            elif content[-1] in ")}]" and brackets:
                brackets.pop()
            patterns += content in _PATTERN_SIGNS or (content == "," and brackets[-1:] != ["("])
            operators += content in _OPERATORS
            if depth > _MAX_DEPTH:
                raise _refused(text, token.start(), f"brackets are nested deeper than {_MAX_DEPTH}")
            if patterns > _MAX_PATTERNS or operators > _MAX_OPERATORS:
                raise _refused(text, token.start(), f"more than {_MAX_PATTERNS} patterns or {_MAX_OPERATORS} operators")


def _refused(text: str, position: int, why: str) -> QueryError:
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return QueryError(f"SPARQL query: error at {line}:{column}: {why}")
