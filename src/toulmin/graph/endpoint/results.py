"""What an endpoint sent back: SPARQL JSON results, or one of the things that come instead of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toulmin.errors import EndpointError, ToulminError

__all__ = ["SparqlResult", "Term", "broken_off", "first_words", "read_result", "says_too_slow"]

#: A bound variable as the SPARQL JSON format has it: type, value, perhaps datatype or xml:lang.
Term = Mapping[str, Any]

#: Virtuoso 7.2 answers ASK with rows of this variable: a row, or none.
_VIRTUOSO_ASK = "__ASK_RETVAL"
_READ = 20_000  # bytes of an error page that are read
_MARKUP = re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_TOO_SLOW = re.compile(
    r"time(?:d)?[ -]?out|timeoutexception|estimated execution time|exceeds? the limit|cancelled due to|S1TAT|S1T00",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SparqlResult:
    """The rows of a SELECT, or the truth of an ASK. Shared through the cache: do not change it.

    Args:
        capped: the server says that it sends no more rows than these, whether there are more or not.
    """

    variables: tuple[str, ...]
    rows: tuple[Mapping[str, Term], ...]
    boolean: bool | None = None
    capped: bool = False


def first_words(content: bytes, limit: int = 160) -> str:
    """The beginning of an error page as one line without markup and control characters."""
    text = _MARKUP.sub(" ", content[:_READ].decode("utf-8", "replace"))
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= limit else line[:limit].rstrip() + " …"


def says_too_slow(content: bytes) -> bool:
    """Whether an error's text is about a time limit (Blazegraph and Virtuoso answer 500 then)."""
    return _TOO_SLOW.search(content[:_READ].decode("utf-8", "replace")) is not None


def read_result(url: str, status: int, content: bytes, blame: type[ToulminError]) -> SparqlResult:
    """Parse ``application/sparql-results+json``.

    Args:
        blame: the error to raise where the query took too long.

    Raises:
        EndpointError: not SPARQL JSON results.
        ToulminError: ``blame``, if the server stopped in the middle of them.
    """
    text = content.strip()
    if not text.startswith(b"{"):
        what = "an empty answer" if not text else f"this: {first_words(content)}"
        raise EndpointError(
            f"{url}: HTTP {status} with {what}. SPARQL JSON results were asked for: is this a SPARQL endpoint?"
        )
    try:
        document = json.loads(text, strict=False)  # some servers leave control characters in strings
    except (ValueError, RecursionError) as error:
        if b'"head"' in text[:1000]:  # it began as a result; oxigraph breaks it off so, with a word on why or without
            raise broken_off(url, status, len(content), first_words(content[-60:]), blame) from error
        raise EndpointError(f"{url}: HTTP {status} with JSON that cannot be read: {error}") from error
    try:
        head, boolean = document["head"], document.get("boolean")
        if isinstance(boolean, bool):
            return SparqlResult((), (), boolean)
        rows = tuple(document["results"]["bindings"])
        if head["vars"] == [_VIRTUOSO_ASK]:
            return SparqlResult((), (), bool(rows))
        if not all(term["type"] and isinstance(term["value"], str | dict) for row in rows for term in row.values()):
            raise TypeError("a term without a type")  # noqa: TRY301
        return SparqlResult(tuple(head["vars"]), rows)
    except (KeyError, TypeError, AttributeError) as error:
        raise EndpointError(
            f"{url}: HTTP {status} with JSON that is no SPARQL result: {first_words(content)}"
        ) from error


def broken_off(url: str, status: int, size: int, end: str, blame: type[ToulminError]) -> ToulminError:
    """The error for an answer that stops in the middle: a server whose time limit ran out had said HTTP 200 before."""
    return blame(
        f"{url}: HTTP {status}, but the answer breaks off after {size:,} bytes ({end}): "
        "the server's time limit ran out; ask for less, or raise that limit"
    )
