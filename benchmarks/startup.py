"""How long commands take that do nothing: what is imported before a command starts.

    python benchmarks/startup.py [--repeat 15]

Each runs in a process of its own; wall time, after one run that does not count.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

GOAL = 0.3  # seconds, of `toulmin --help`
SCRIPT = str(Path(sys.executable).with_name("toulmin"))
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "python -c 'import toulmin'": [sys.executable, "-c", "import toulmin"],
    "toulmin --help": [SCRIPT, "--help"],
    "toulmin methods": [SCRIPT, "methods"],
}


def seconds(command: list[str], repeat: int) -> list[float]:
    """Wall seconds of each run."""
    times = []
    for _ in range(repeat + 1):
        began = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - began)
    return times[1:]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=15)
    options = parser.parse_args()
    if not Path(SCRIPT).is_file():
        sys.exit(f"{SCRIPT}: no such file; install Toulmin into this environment first: pip install -e .")
    table = Table("command", "median", "least", "goal", title="Seconds to start")
    for name, command in COMMANDS.items():
        times = seconds(command, options.repeat)
        goal = f"{GOAL} {'met' if median(times) <= GOAL else 'missed'}" if "--help" in command else "-"
        table.add_row(name, f"{median(times):.3f}", f"{min(times):.3f}", goal)
    console = Console()
    console.print(table)
    console.print(f"Machine: {os.cpu_count()} processors; load {os.getloadavg()[0]:.1f} at the end.", highlight=False)


if __name__ == "__main__":
    main()
