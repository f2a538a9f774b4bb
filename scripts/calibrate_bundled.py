"""Prints the constant ``BUNDLED`` of ``toulmin.methods.fidelis.calibration``, and how good it is.

    python scripts/calibrate_bundled.py

To be run, and its output copied, after a change to how fidelis scores paths, to the generated questions or to the
bundled graph; a test fails where the constant and what is computed differ.
"""

from __future__ import annotations

from toulmin.graph.bundled import bundled_path
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import read
from toulmin.methods.fidelis.calibration import calibrate
from toulmin.methods.fidelis.method import Fidelis
from toulmin.retrieval.retriever import Retriever


def main() -> None:
    method = Fidelis()
    with MemoryGraph.from_records(read(bundled_path(), strict=True), name="world") as graph:
        found = calibrate(Retriever(graph), method.settings, method.observe)
    print("BUNDLED = Calibration(")
    print(f"    weights={tuple(round(weight, 3) for weight in found.weights)},")
    print(f"    offset={round(found.offset, 3)},")
    print(f"    unanswerable={tuple(round(decile, 3) for decile in found.unanswerable)},")
    print(")")
    print(f"# {found.quality}")


if __name__ == "__main__":
    main()
