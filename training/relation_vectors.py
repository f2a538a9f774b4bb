"""Write the vectors of the table of relations that ship with the package, in eight bits.

    PYTHONPATH=src python training/relation_vectors.py

To be run again whenever ``relations.txt`` is changed: a test compares them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import toulmin.entailment.text.judging as package
from toulmin.entailment.text.judging.wordings import Floats, embedded
from toulmin.retrieval.embedders import get_embedder


def _bytes(vectors: Floats) -> np.ndarray:
    """The directions of the rows, int8: each row's largest number is 127."""
    return np.asarray(np.rint(vectors / np.abs(vectors).max(axis=1, keepdims=True) * 127), dtype=np.int8)


def main() -> None:
    """Embed the table, write it beside its module."""
    made = embedded(get_embedder())
    target = Path(next(iter(package.__path__))) / "relation_vectors.npz"
    np.savez_compressed(
        target, relation=made.relation.astype(np.uint16), labels=_bytes(made.labels), means=_bytes(made.means)
    )
    print(f"{len(made.means)} relations, {len(made.labels)} labels: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
