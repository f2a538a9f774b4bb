"""RDF in every common syntax, through pyoxigraph's parsers.

Line formats (N-Triples, N-Quads) go on after a bad line; in the others the first error ends the reading. Graph names
are not kept. Blank nodes keep their labels (``_:x``); those without one are numbered in the order of appearance,
under a prefix made from the file's name, so that the same file gives the same ids.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import cast
from urllib.parse import quote

import pyoxigraph

from toulmin.errors import SourceError
from toulmin.graph.readers.minting import clean_value
from toulmin.graph.readers.raw_statements import Record, Rejected
from toulmin.graph.readers.rdf_statements import ReifiedTriple, Triple, find_structures, statements
from toulmin.graph.readers.stream import ReadOptions, SourceStream, not_utf8
from toulmin.graph.types import Literal
from toulmin.graph.xsd import literal_from_rdf

__all__ = ["read_jsonld", "read_nquads", "read_ntriples", "read_rdfxml", "read_trig", "read_turtle"]

_Format = pyoxigraph.RdfFormat
_Quads = Iterator[pyoxigraph.Quad | Rejected]
_Parser = Callable[[SourceStream, pyoxigraph.RdfFormat], _Quads]

#: What relative IRIs are resolved against, followed by the file's name; ``invalid`` is reserved for this (RFC 2606).
_BASE = "http://toulmin.invalid/"
_ANONYMOUS = re.compile(r"[a-f][0-9a-f]{23,31}\Z")  # how pyoxigraph labels a blank node that has no label
_PLACE = re.compile(r"Parser error at line \d+(?: between columns? \d+ and \d+| column \d+)?: ")
_BLOCK = 1 << 20
_DECLARED = re.compile(rb"\A(\s*<\?xml\b[^>]*?)\s+encoding\s*=\s*(?:\"[^\">]*\"|'[^'>]*')")
_ENTITY_STARTS = b"<!ENTITY"
_ENTITY = re.compile(rb"<!ENTITY[^\"<]*(?:\"(.*?)(\"|\Z)|\Z)", re.DOTALL)  # single quotes are an error of the parser's
_LONGEST_ENTITY = 1_000  # bytes: more than any namespace, and too little for a short file to become a huge one
_DECLARATION = 2 * _LONGEST_ENTITY
_ADVICE = {
    "remote context": "; contexts on the web are not fetched, put it into the file",
    "Only UTF-8": "; name the file's encoding, such as --encoding latin-1",
}

# Bytes without which a file annotates no triple, holds no quantity of QUDT, and neither statement nodes nor pages of a
# Wikibase; with one of them it is read twice.
_WIKIBASE = (b"entity/statement/", b"wikiba.se/ontology#")
_LINE_MARKERS = (
    *(b"22-rdf-syntax-ns#reifies>", b"22-rdf-syntax-ns#subject>", b"<<(", b"/qudt/numericValue>"),
    *_WIKIBASE,
)
_MARKERS = (
    *(b"reifies", b"rdf:subject", b"22-rdf-syntax-ns#subject", b"<<", b"{|", b"~", b"numericValue"),
    *_WIKIBASE,
)


def read_rdfxml(source: SourceStream, options: ReadOptions) -> Iterator[Record]:
    """RDF/XML. Raises SourceError with the line of the first error, where the parser knows it.

    An entity whose value holds a reference, or is long, is an error too: few of them stand for more text than any
    memory holds, and the parser would write it all out.
    """
    if bad := _bad_entity(source):
        raise SourceError(bad[1], source.path, bad[0])
    return _read(_Format.RDF_XML, _document, source, options)


def _read(
    rdf_format: pyoxigraph.RdfFormat, parser: _Parser, source: SourceStream, options: ReadOptions
) -> Iterator[Record]:
    labelled_only = parser is _lines

    def triples(stream: SourceStream) -> Iterator[Triple | Rejected]:
        node = _RdfTerms(stream.path.name, labelled_only).node
        for quad in parser(stream, rdf_format):
            if isinstance(quad, Rejected):
                yield quad
            else:
                yield node(quad.subject), quad.predicate.value, node(quad.object)  # type: ignore[misc]

    structures = find_structures(())
    if _has_any(source, _LINE_MARKERS if labelled_only else _MARKERS):
        with source.again() as again:
            structures = find_structures(triple for triple in triples(again) if not isinstance(triple, Rejected))
    yield from statements(triples(source), structures, options)


def _has_any(source: SourceStream, markers: tuple[bytes, ...]) -> bool:
    longest = max(map(len, markers))
    tail = b""
    with suppress(SourceError), source.again() as stream:  # damage is met again, after what comes before it
        while block := stream.read(_BLOCK):
            window = tail + block
            if any(marker in window for marker in markers):
                return True
            tail = block[-longest:]
    return False


def _bad_entity(source: SourceStream) -> tuple[int, str] | None:
    """The line of the first entity that must not be expanded, and what is wrong with it."""
    tail, line = b"", 1
    with suppress(SourceError), source.again() as stream:  # damage is met again, after what comes before it
        block = b"."
        while block:
            block = stream.read(_BLOCK)
            window, looked = tail + block, 0
            while (start := window.find(_ENTITY_STARTS, looked)) >= 0:
                if block and len(window) - start < _DECLARATION:
                    break  # looked at with what comes after it
                if problem := _entity_problem(window[start : start + _DECLARATION]):
                    return line + window.count(b"\n", 0, start), problem
                looked = start + 1
            kept = start if start >= 0 else max(looked, len(window) - len(_ENTITY_STARTS))
            line += window.count(b"\n", 0, kept)
            tail = window[kept:]
    return None


def _entity_problem(declaration: bytes) -> str | None:
    match = _ENTITY.match(declaration)
    if match is None:
        return None  # no value, and the parser's to judge
    if b"&" in match[0]:
        return "an entity is defined by a reference to another: write its value out"
    if not match[2] or len(match[1]) > _LONGEST_ENTITY:
        return f"an entity has a value of more than {_LONGEST_ENTITY:,} bytes: write it where it is used"
    return None


def _lines(source: SourceStream, rdf_format: pyoxigraph.RdfFormat) -> _Quads:
    for first, block in source.byte_blocks():
        try:
            quads = list(pyoxigraph.parse(block, rdf_format))
        except (SyntaxError, MemoryError):
            yield from _single_lines(first, block, rdf_format)
        else:
            yield from quads


def _single_lines(first: int, block: bytes, rdf_format: pyoxigraph.RdfFormat) -> _Quads:
    for number, line in enumerate(block.split(b"\n"), first):
        try:
            quads = list(pyoxigraph.parse(line, rdf_format))
        except SyntaxError as error:
            yield Rejected(number, not_utf8(line) or _PLACE.sub("", error.msg))
        except MemoryError as error:
            yield Rejected(number, f"too long: {error}")
        else:
            yield from quads


def _document(source: SourceStream, rdf_format: pyoxigraph.RdfFormat) -> _Quads:
    start = b""
    while not start.strip():
        block = source.read(_BLOCK)
        if not block:
            return
        start += block
    if source.encoding is not None:  # what is read is UTF-8, whatever an XML declaration says
        start = _DECLARED.sub(rb"\1", start, count=1)
    base = _BASE + quote(source.path.name)
    source.put_back(start)
    try:
        yield from pyoxigraph.parse(source, rdf_format, base_iri=base)  # type: ignore[arg-type]
    except SyntaxError as error:
        wrong = _not_utf8(source) if "UTF-8" in error.msg and source.encoding is None else None
        if wrong is not None:
            raise SourceError(wrong[1], source.path, wrong[0]) from error
        advice = next((advice for phrase, advice in _ADVICE.items() if phrase in error.msg), "")
        raise SourceError(_PLACE.sub("", error.msg) + advice, source.path, error.lineno) from error
    except MemoryError as error:
        raise SourceError(f"a single value is too long: {error}", source.path) from error


def _not_utf8(source: SourceStream) -> tuple[int, str] | None:
    """The first line that is not UTF-8, and what of it."""
    with source.again() as again:
        return next(((number, again.undecodable(number)) for number, line in again.lines() if line is None), None)


#: N-Triples and N-Quads, line by line.
read_ntriples, read_nquads = partial(_read, _Format.N_TRIPLES, _lines), partial(_read, _Format.N_QUADS, _lines)
#: Turtle and TriG. Raise SourceError with the line of the first error.
read_turtle, read_trig = partial(_read, _Format.TURTLE, _document), partial(_read, _Format.TRIG, _document)
#: JSON-LD whose contexts are in the file. Raises SourceError with the line of the first error.
read_jsonld = partial(_read, _Format.JSON_LD, _document)


class _RdfTerms:
    """From RDF terms to ids and literals."""

    def __init__(self, file_name: str, labelled_only: bool) -> None:
        self._prefix = "_:" + blake2b(file_name.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest() + "_"
        self._labelled_only = labelled_only
        self._anonymous: dict[str, str] = {}

    def node(self, term: object) -> str | Literal | ReifiedTriple:
        """A term as id or literal; a triple term as its three nodes."""
        if isinstance(term, pyoxigraph.NamedNode):
            return term.value
        if isinstance(term, pyoxigraph.Literal):
            return literal_from_rdf(clean_value(term.value), term.datatype.value, term.language)
        if isinstance(term, pyoxigraph.BlankNode):
            label = term.value
            if self._labelled_only or not _ANONYMOUS.match(label):
                return f"_:{label}"
            return self._anonymous.setdefault(label, f"{self._prefix}{len(self._anonymous) + 1}")
        triple = cast(pyoxigraph.Triple, term)
        return ReifiedTriple(self.node(triple.subject), triple.predicate.value, self.node(triple.object))
