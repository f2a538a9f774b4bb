"""Passages: pieces of documents, and the check that finds them in their documents again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Literal as Choice

from pydantic import Field, StrictInt

from toulmin.proof.context import Context, Finding
from toulmin.proof.model import Step
from toulmin.proof.registry import Kind

__all__ = ["PASSAGE", "Passage", "digest_of"]

_SHA256 = re.compile(r"[0-9a-f]{64}")


class Passage(Step):
    """A piece of a document.

    Args:
        source: the id of the document in its collection.
        sha256: of the document's whole text in UTF-8, in hexadecimal digits.
        start, end: ``document[start:end]`` is ``text``; offsets in characters (code points).
    """

    kind: Choice["passage"] = "passage"
    source: str = Field(min_length=1)
    sha256: str
    start: StrictInt
    end: StrictInt
    text: str

    def express(self, of: Callable[[str], str]) -> str:
        """The passage by its place and the digest of its text."""
        place = f"{json.dumps(self.source, ensure_ascii=False)} {self.sha256}, {self.start}-{self.end}"
        return f"the passage {place}, {digest_of(self.text)[:16]}"


def digest_of(document: str) -> str:
    """The SHA-256 of a document's text in UTF-8, in hexadecimal digits."""
    return sha256(document.encode("utf-8", "surrogatepass")).hexdigest()


def _check_passage(step: Passage, context: Context) -> Finding:
    if idle := context.unused(step, ()):
        return idle
    if not _SHA256.fullmatch(step.sha256):
        return Finding("fails", f"{step.sha256!r} is no SHA-256 in lower-case hexadecimal digits")
    if not 0 <= step.start < step.end or step.end - step.start != len(step.text):
        return Finding("fails", f"a text of {len(step.text)} characters does not stand at {step.start}-{step.end}")
    if context.passages is None:
        return Finding("unverifiable", f"the source of {step.source!r} is not at hand")
    document = context.passages(step.source)
    if document is None:
        return Finding("unverifiable", f"the sources at hand have no document {step.source!r}")
    if digest_of(document) != step.sha256:
        return Finding("stale", f"the document {step.source!r} is not as it was when the answer was made")
    if document[step.start : step.end] != step.text:
        return Finding("fails", f"the document {step.source!r} has another text at {step.start}-{step.end}")
    return Finding("holds", f"the text stands in {step.source!r}")


PASSAGE = Kind(Passage, _check_passage)
