"""``python -m kernel answer.json [--root HEX] [--strict] [--json]``: check with the evidence that it holds."""

import argparse
import sys
from pathlib import Path

from . import check


def main() -> int:
    """Check one file, print the report; the exit code is 0, 1 or 2."""
    parser = argparse.ArgumentParser(prog="python -m kernel", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--root", help="the graph's root, from somebody you trust (64 hexadecimal digits)")
    parser.add_argument("--strict", action="store_true", help="only what is looked up or recomputed passes")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--seconds", type=float, default=10.0, help="that the check may take")
    options = parser.parse_args()
    try:
        given = options.file.read_bytes()
    except OSError as error:
        print(f"{options.file}: cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    report = check(given, root=options.root, strict=options.strict, seconds=options.seconds)
    print(report.to_json() if options.json else report)
    return report.exit_code


if __name__ == "__main__":
    sys.exit(main())
