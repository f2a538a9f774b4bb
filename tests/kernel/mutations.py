"""Random mutations of certificates: whatever a file holds, the check ends with a report, in time.

python tests/kernel/mutations.py [10000]   # PYTHONPATH=src:tests/kernel
"""

from __future__ import annotations

import copy
import json
import sys
from random import Random
from time import perf_counter
from typing import Any

from false_corpus import lines
from small_graphs import small_graphs

from toulmin.kernel import check

_VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 7, 10**14, 0.5, -0.0, 1e300, 1e-300, "", " ", "yes", "no", "f:carl", "f:child"),
    *("é", "\u202e", "\x00", "\ud800", "\U0001f600", "x" * 3000, "9" * 999, "1e999", "-1e-999", "0000", "1903-00-00"),
    *("9999999999999999", "-9999999999999999-12-31", "NaN", "0..1", "1..0", "{of}", "[x:y]", [], [0], [[]], [0, 1], {}),
    {"value": "1903", "kind": "time", "precision": "century", "calendar": "julian"},
    {"value": "5", "kind": "quantity", "unit": "km/h"},
    {"value": "1e999", "kind": "quantity", "precision": "1e-999..1e999"},
    {"value": "90,180", "kind": "coordinate"},
    *({"value": "", "kind": kind} for kind in ("string", "no_value", "unknown_value")),
    *({"op": "it", "of": 0}, {"op": "entity", "id": "f:carl"}),
]


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where every value of a JSON value stands."""
    found = [path]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in pairs:
        found += _paths(part, (*path, name))
    return found


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def mutated(certificate: Any, rng: Random) -> Any:
    """A copy with one to four changes: a value replaced, taken away, doubled, exchanged or altered a little."""
    made = copy.deepcopy(certificate)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        paths = _paths(made)[1:]
        if not paths:
            break
        path = rng.choice(paths)
        holder, last = _at(made, path[:-1]), path[-1]
        old = holder[last]
        do = rng.randrange(7)
        if do == 0:
            holder[last] = copy.deepcopy(rng.choice(_VALUES))
        elif do == 1:
            del holder[last]
        elif do == 2 and isinstance(holder, list):
            holder.insert(rng.randrange(len(holder) + 1), copy.deepcopy(old))
        elif do == 3:
            holder[last] = copy.deepcopy(_at(made, rng.choice(paths)))
        elif do == 4 and isinstance(old, int):
            holder[last] = old + rng.choice([-2, -1, 1, 2])
        elif do == 5 and isinstance(old, str):
            place = rng.randrange(len(old) + 1)
            holder[last] = old[:place] + rng.choice(["", " ", "0", "-", "é", "\n", old]) + old[place + 1 :]
        elif isinstance(holder, dict):
            holder[rng.choice(["of", "by", "graph", "it", "left", "words", "at", "note"])] = old
        else:
            rng.shuffle(holder)
    return made


def mutants(count: int, seed: int = 1) -> list[tuple[str, list[str] | None]]:
    """So many mutated certificates as JSON, each with the names of the graphs it is about."""
    rng = Random(seed)
    twins = [line for line in lines() if line["rule"] == "true" and len(json.dumps(line)) < 20_000]
    made = [(rng.choice(twins)) for _ in range(count)]
    return [(json.dumps(mutated(line["certificate"], rng)), line.get("graph")) for line in made]


def main() -> None:
    """Check so many; print how many passed, did not pass, were refused, and the slowest."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    exits, slowest = [0, 0, 0], 0.0
    for given, names in mutants(count):
        begun = perf_counter()
        report = check(given, small_graphs(names) if names else None)
        text = str(report)
        slowest = max(slowest, perf_counter() - begun)
        exits[report.exit_code] += 1
        if any(not (c.isprintable() or c in "\n\u200c\u200d") for c in text):
            print("unprintable:", given[:300])
        report.to_json().encode()
    told = f"{exits[0]} pass, {exits[1]} do not, {exits[2]} are no certificates; slowest {slowest:.2f} s"
    print(f"{count} mutations: {told}")


if __name__ == "__main__":
    main()
