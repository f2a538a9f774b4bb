"""The passages of an index folder, mapped: texts, ids and titles, and the manifest that says what the folder is."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from toulmin.errors import GraphError
from toulmin.graph.tables import Strings, hash_keys
from toulmin.retrieval.passages.excerpts import IndexedPassage

__all__ = [
    "FORMAT",
    "KIND",
    "MANIFEST",
    "VECTORS",
    "PassageManifest",
    "PassageStore",
    "is_passages",
    "read_manifest",
    "save_ids",
]

FORMAT = 1
KIND = "toulmin passages"
MANIFEST, VECTORS = "manifest.json", "vectors.npy"
_ID_HASHES, _ID_ROWS = "id_hashes.npy", "id_rows.npy"


class PassageManifest(BaseModel):
    """What ``manifest.json`` says of an index. ``embedder``: of the stored vectors; None: there are none."""

    model_config = ConfigDict(frozen=True, extra="allow")

    kind: str
    format: int
    wording: str
    passages: int
    words: int
    fingerprint: str
    sources: tuple[str, ...]
    embedder: str | None = None


def is_passages(path: Path) -> bool:
    """Whether a folder holds a manifest of an index of passages, of whatever format version."""
    return _manifest(path) is not None


def _manifest(path: Path) -> dict[str, Any] | None:
    try:
        manifest = json.loads((path / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return manifest if isinstance(manifest, dict) and manifest.get("kind") == KIND else None


def read_manifest(path: Path) -> PassageManifest:
    """The manifest of an index.

    Raises:
        GraphError: there is no index, or one of another format version.
    """
    manifest = _manifest(path)
    if manifest is None:
        what = "not an index of passages" if path.exists() else "no such folder"
        raise GraphError(f"{path}: {what}; build one with: toulmin passages build SOURCE --out {path}")
    if manifest.get("format") != FORMAT:
        raise GraphError(
            f"{path}: index of format {manifest.get('format')}, this Toulmin reads format {FORMAT}: build it again"
        )
    try:
        return PassageManifest.model_validate(manifest)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise GraphError(f"{path}: the index is damaged ({MANIFEST}, field {where!r}: {first['msg']})") from None


def save_ids(folder: Path, ids: Iterable[str]) -> None:
    """Write what finds the number of a passage by its id."""
    hashes = hash_keys(ids)
    order = np.argsort(hashes, kind="stable")
    np.save(folder / _ID_HASHES, hashes[order])
    np.save(folder / _ID_ROWS, order.astype(np.int32))


class PassageStore:
    """The passages of a folder by their number, and their numbers by their ids; its files are mapped.

    Raises:
        OSError, ValueError, EOFError: a file is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._texts, self._ids, self._titles = (_strings(folder, name) for name in ("texts", "ids", "titles"))
        self._hashes, self._rows = (np.load(folder / name, mmap_mode="r") for name in (_ID_HASHES, _ID_ROWS))
        arrays = (self._texts, self._ids, self._titles, self._hashes, self._rows)
        if len({len(array) for array in arrays}) > 1:
            raise ValueError("its files are of different lengths")

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, number: int) -> IndexedPassage:
        return IndexedPassage(self._ids[number], self._texts[number], self._titles[number])

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Bytes of each text."""
        return np.diff(self._texts.offsets)

    def find(self, source: str) -> int | None:
        """The number of the passage with this id."""
        wanted = hash_keys([source])[0]
        first, last = (int(np.searchsorted(self._hashes, wanted, side=side)) for side in ("left", "right"))
        return next((row for row in self._rows[first:last].tolist() if self._ids[row] == source), None)


def _strings(folder: Path, name: str) -> Strings:
    offsets = np.load(folder / f"{name}_offsets.npy", mmap_mode="r")
    path = folder / f"{name}.bin"
    size = path.stat().st_size
    if not len(offsets) or offsets[-1] != size:
        raise ValueError(f"{path.name} is not as long as it was written")
    blob = np.memmap(path, dtype=np.uint8, mode="r") if size else np.zeros(0, dtype=np.uint8)
    return Strings(blob, offsets)
