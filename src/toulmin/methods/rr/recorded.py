"""Recorded chains of thought from a file: JSON lines, a JSON list, or blocks of text."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from toulmin.errors import InputError, SourceError

__all__ = ["RecordedChains", "read_chains"]

_TEXTS = ("text", "completion", "chain")  # names under which an object has the text of a chain
_LISTS = ("chains", "completions")  # … several chains: a list, or an object by the names of their models
_HINT = 'give texts, or objects with "text"; or {"question": …, "chains": [texts]} for several questions'


def read_chains(path: Path, question: str, content: bytes | None = None) -> tuple[str, ...]:
    """The chains of a question.

    A JSON list or JSON lines of texts (or objects with a field "text"); JSON lines of {"question", "chains"}, of which
    those of this question are taken; or plain text, in which blank lines separate chains.

    Args:
        content: what was read from standard input ("-"); None: what stands in the file.

    Raises:
        SourceError: the file cannot be read, is no such file, or has no chain of this question; with the line.
    """
    chains = _of(_decoded(_content(path) if content is None else content, path), path, question)
    if not chains:
        raise SourceError("has no chain of thought: give one a line, or blocks with blank lines between them", path)
    return tuple(chains)


@dataclass(frozen=True, slots=True)
class RecordedChains:
    """The chains of many questions.

    Args:
        path: the file they are from.
        digest: of its content.
    """

    path: Path
    digest: str
    _chains: dict[tuple[str, str], tuple[str, ...]] = field(repr=False)

    @classmethod
    def read(cls, path: Path) -> RecordedChains:
        """JSON lines of {"id" or "question", "chains"}.

        Raises:
            SourceError: the file cannot be read, or is no such file; with the line.
        """
        content = _content(path)
        chains: dict[tuple[str, str], tuple[str, ...]] = {}
        for number, line in enumerate(_decoded(content, path).split("\n"), 1):
            if not line.strip():
                continue
            item = _json(line, path, number)
            keys = [key for key in ("id", "question") if isinstance(item, dict) and isinstance(item.get(key), str)]
            if not keys:
                raise SourceError('has no text "id" or "question"', path, number)
            for key in keys:
                if chains.setdefault((key, _key(item[key])), texts := tuple(_several(item, path, number))) != texts:
                    raise SourceError(f"has other chains than a line before of the {key} {item[key]!r}", path, number)
        if not chains:
            raise SourceError("has no chain of thought: give a question with its chains a line", path)
        return cls(path, sha256(content).hexdigest()[:16], chains)

    def of(self, id_: str, question: str) -> tuple[str, ...]:
        """The chains of a question: those of its id, else of its text.

        Raises:
            InputError: there are none.
        """
        chains = self._chains.get(("id", _key(id_))) or self._chains.get(("question", _key(question)))
        if not chains:
            raise InputError(f"{self.path} has no chains of the question {id_!r}")
        return chains


def _of(content: str, path: Path, question: str) -> list[str]:
    opening = content.lstrip()[:1]
    if opening == "[":
        items = _json(content, path)
        if isinstance(items, list):
            return [_text(item, path, f"item {number}") for number, item in enumerate(items, 1)]
    if opening not in ('"', "{"):
        blocks = content.replace("\r\n", "\n").split("\n\n")
        return [block.strip() for block in blocks if block.strip()]
    lines = [(number, line) for number, line in enumerate(content.split("\n"), 1) if line.strip()]
    items = [(number, _json(line, path, number)) for number, line in lines]
    if not any(isinstance(item, dict) and "question" in item for _, item in items):
        return [_text(item, path, number) for number, item in items]
    asked = _key(question)
    for number, item in items:
        if not isinstance(item, dict) or not isinstance(item.get("question"), str):
            raise SourceError('has no text "question", as other lines have', path, number)
        if _key(item["question"]) == asked:
            return _several(item, path, number)
    raise SourceError(f"has no chains of the question {question!r}: ask one of its {len(items)} questions", path)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path) from None


def _decoded(content: bytes, path: Path) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SourceError("is not UTF-8: convert it to UTF-8 first", path) from None


def _several(item: dict[str, Any], path: Path, number: int) -> list[str]:
    listed = next((item[name] for name in _LISTS if name in item), None)
    texts = list(listed.values()) if isinstance(listed, dict) else listed
    if not isinstance(texts, list):
        raise SourceError(f"has no list {' or '.join(repr(name) for name in _LISTS)}: {_HINT}", path, number)
    return [_text(text, path, number) for text in texts]


def _text(item: Any, path: Path, where: int | str) -> str:
    if isinstance(item, dict):
        item = next((item[name] for name in _TEXTS if name in item), None)
    if not isinstance(item, str):
        line, field = (where, None) if isinstance(where, int) else (None, where)
        raise SourceError(f"is no chain of thought: {_HINT}", path, line, field=field)
    return item


def _json(content: str, path: Path, line: int | None = None) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        place = getattr(error, "lineno", None)
        raise SourceError(f"is not JSON ({getattr(error, 'msg', error)}): {_HINT}", path, line or place) from None


def _key(question: str) -> str:
    return " ".join(question.split()).casefold()
