"""The process that runs SPARQL queries, so that one that takes too long can be killed. Run as a script, by path.

Requests are JSON lines on standard input: {"query", "prefixes", "timeout", "limit"}. A reply is a line on standard
output: one letter ("R": a result in SPARQL JSON, "E" and "S": what is wrong with the query, with the store), and JSON.
Imports nothing of Toulmin: it has to start quickly.
"""

from __future__ import annotations

import json
import signal
import sys
from itertools import islice

import pyoxigraph

__all__ = ["main"]


def main(store_path: str) -> None:
    """Answer requests until standard input closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which stops this process itself
    try:
        store = pyoxigraph.Store.read_only(store_path)
    except (OSError, RuntimeError) as error:
        _reply(b"S", json.dumps(str(error)).encode())
        return
    for line in sys.stdin.buffer:
        request = json.loads(line)
        # Should the parent die meanwhile, the system ends this process: the default action of the alarm.
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, request["timeout"] + 1)
        try:
            results = store.query(request["query"], prefixes=request["prefixes"])
            if isinstance(results, pyoxigraph.QueryTriples):
                raise ValueError("only SELECT and ASK queries are answered")  # noqa: TRY004, TRY301
            if request["limit"] is not None and isinstance(results, pyoxigraph.QuerySolutions):
                _reply(b"R", _first_rows(results, request["limit"]))
            else:
                _reply(b"R", results.serialize(format=pyoxigraph.QueryResultsFormat.JSON))
        except (SyntaxError, ValueError, OSError, RuntimeError) as error:
            _reply(b"E", json.dumps(str(error)).encode())
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def _first_rows(results: pyoxigraph.QuerySolutions, limit: int) -> bytes:
    """The first rows in SPARQL JSON; no more are made."""
    names = [variable.value for variable in results.variables]
    rows = islice(results, limit)
    given = ({name: _term(row[name]) for name in names if row[name] is not None} for row in rows)
    return json.dumps({"head": {"vars": names}, "results": {"bindings": list(given)}}).encode()


def _term(term: object) -> dict[str, str]:
    if isinstance(term, pyoxigraph.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, pyoxigraph.BlankNode):
        return {"type": "bnode", "value": term.value}
    if not isinstance(term, pyoxigraph.Literal):
        return {"type": "triple", "value": str(term)}
    plain = {"type": "literal", "value": term.value, "datatype": term.datatype.value}
    return plain if term.language is None else {**plain, "xml:lang": term.language}


def _reply(status: bytes, content: bytes | None) -> None:
    sys.stdout.buffer.write(status + (content or b"") + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1])
