"""``python -m kernel answer.json [--root HEX] [--strict] [--json]``: check with the evidence that it holds."""

import argparse
import sys
from pathlib import Path

from . import check
from .format import MOST_BYTES


def main() -> int:
    """Check one file, print the report; the exit code is 0, 1 or 2."""
    parser = argparse.ArgumentParser(prog="python -m kernel", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--root", action="append", help="the graph's root, from somebody you trust; of several repeat")
    parser.add_argument("--strict", action="store_true", help="only what is looked up or recomputed passes")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--seconds", type=float, default=10.0, help="that the check may take")
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # of a terminal that is not UTF-8
    try:
        with options.file.open("rb") as file:
            given = file.read(MOST_BYTES + 1)
    except OSError as error:
        print(f"{options.file}: cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    report = check(given, root=options.root, strict=options.strict, seconds=options.seconds)
    print(report.to_json() if options.json else report)
    return report.exit_code


if __name__ == "__main__":
    sys.exit(main())
