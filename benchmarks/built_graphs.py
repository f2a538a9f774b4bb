"""Graphs that the benchmarks build by the command line, and where they are kept from run to run."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from toulmin.errors import SettingsError

__all__ = ["KEPT", "built"]

#: Where graphs and records lie, unless a benchmark is told another folder.
KEPT = Path(tempfile.gettempdir()) / "toulmin-benchmarks"


def built(out: Path, *sources: Path, quiet: bool = False) -> Path:
    """A graph with its vectors, built from its files unless ``out`` is there; the build shows its progress.

    Raises:
        SettingsError: it cannot be built.
    """
    if not out.exists():
        out.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "toulmin.cli.main", "build", *map(str, sources), "--out", str(out)]
        shown = subprocess.DEVNULL if quiet else sys.stderr
        if subprocess.run(command, stdout=shown, check=False).returncode:
            raise SettingsError(f"{out}: the graph could not be built; see above")
    return out
