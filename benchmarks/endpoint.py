"""Seconds per question at a SPARQL endpoint: the first one, and those after it.

    python benchmarks/endpoint.py --write people.nt [--triples 2400000]
    python benchmarks/endpoint.py URL [--questions 20] [--commands 5] [--server PID]

The first form writes triples to load into a server: people with labels, towns, firms, and 60 rare attributes. The
second asks "What is the … of …?" for statements that the endpoint itself names as examples, without a model, and
checks each answer. Nothing is kept at the start: the first question asks for the schema too. With --server, a process
of this machine, its processor seconds are counted as well.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

import toulmin
from toulmin.graph.endpoint.graph import EndpointGraph, open_endpoint
from toulmin.methods.asker import Asker

E, R, XSD = "http://example.org/e/", "http://example.org/r/", "http://www.w3.org/2001/XMLSchema#"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
TOWNS, FIRMS, PEOPLE, ATTRIBUTES = 3_000, 20_000, 300_000, 60
FIRST = [
    "".join(parts) for parts in product(("Al", "Be", "Co", "Da", "El", "Fa", "Jo", "Ma", "Ti", "Ul"), ("ra", "bin"))
]
LAST = [
    "".join(parts)
    for parts in product(("Bar", "Cal", "Dun", "Fer", "Gil", "Har", "Wil"), "aeio", ("by", "den", "ford"))
]
PERSON = {"born_in": "place of birth", "lives_in": "residence", "works_for": "employer", "knows": "acquaintance"}


def triples() -> Iterator[str]:
    """N-Triples without end."""
    draw = random.Random(7)

    def named(identifier: str, label: str) -> str:
        return f'<{identifier}> {LABEL} "{label}"@en .\n'

    for relation, label in PERSON.items():
        yield named(R + relation, label)
    for number in range(TOWNS):
        yield named(f"{E}town{number}", f"{LAST[number % len(LAST)]} upon {FIRST[number % len(FIRST)]} {number}")
    for number in range(FIRMS):
        yield named(f"{E}firm{number}", f"{LAST[number % len(LAST)]} Works {number}")
        yield f"<{E}firm{number}> <{R}seat> <{E}town{draw.randrange(TOWNS)}> .\n"
    number = 0
    while True:
        person = f"<{E}person{number}>"
        first, last = FIRST[number % len(FIRST)], LAST[number // len(FIRST) % len(LAST)]
        yield f'{person} {LABEL} "{first} {last} {number // len(FIRST) // len(LAST)}"@en .\n'
        ends = [f"town{draw.randrange(TOWNS)}", f"town{draw.randrange(TOWNS)}"]
        ends += [f"firm{draw.randrange(FIRMS)}", f"person{draw.randrange(PEOPLE)}"]
        for relation, end in zip(PERSON, ends, strict=True):
            yield f"{person} <{R}{relation}> <{E}{end}> .\n"
        day = f"{draw.randrange(1900, 2010)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 28):02}"
        yield f'{person} <{R}date_of_birth> "{day}"^^<{XSD}date> .\n'
        attribute = f"{R}attribute_{draw.randrange(ATTRIBUTES)}"
        yield f'{person} <{attribute}> "{draw.randrange(1000)}"^^<{XSD}integer> .\n'
        number += 1


def drawn(graph: EndpointGraph, count: int) -> list[str]:
    """Questions for statements that the endpoint gives as examples of its most frequent relations."""
    relations = [
        relation.id for relation, _ in graph.relations()[:8] if not relation.id.startswith("http://www.w3.org/")
    ]
    examples = graph.examples(relations, max(4, 2 * count // max(1, len(relations))))
    found = [f"What is the {s.relation.label} of {s.subject.label}?" for some in examples for s in some]
    random.Random(1).shuffle(found)
    return list(dict.fromkeys(found))[:count]


def processor(server: int | None) -> float:
    """Processor seconds so far: ours, and those of the server."""
    own = time.process_time()
    if server is None:
        return own
    fields = Path(f"/proc/{server}/stat").read_text("utf-8").rsplit(")", 1)[1].split()
    return own + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(url: str, questions: list[str], server: int | None) -> list[tuple[float, float, bool, bool]]:
    """Wall seconds, processor seconds, whether it was answered and whether that checks, of each question."""
    figures = []
    with open_endpoint(url) as graph:
        asker = Asker(graph)
        for question in questions:
            began, used = time.perf_counter(), processor(server)
            answer = asker.ask(question)
            checks = toulmin.check(answer, graph).exit_code == 0
            answered = not answer.text.startswith("Not answerable")
            figures.append((time.perf_counter() - began, processor(server) - used, answered, checks))
    return figures


def commands(url: str, questions: list[str]) -> list[float]:
    """Wall seconds of ``toulmin ask``, each in a process of its own."""
    times = []
    for question in questions:
        began = time.perf_counter()
        call = [sys.executable, "-m", "toulmin.cli.main", "ask", question, "--kg", url]
        subprocess.run(call, check=False, capture_output=True)
        times.append(time.perf_counter() - began)
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", nargs="?")
    parser.add_argument("--write", type=Path, metavar="FILE")
    parser.add_argument("--triples", type=int, default=2_400_000)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--commands", type=int, default=5)
    parser.add_argument("--server", type=int, metavar="PID")
    options = parser.parse_args()
    if options.write:
        with options.write.open("w", encoding="utf-8") as file:
            file.writelines(line for line, _ in zip(triples(), range(options.triples), strict=False))
        return
    if not options.url:
        parser.error("give the address of an endpoint, or --write FILE")
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        with open_endpoint(options.url) as graph:
            questions = drawn(graph, options.questions)
            size = sum(count for _, count in graph.relations())
        cold = timed(options.url, questions[:1], options.server)
        warm = timed(options.url, questions, options.server)
        alone = commands(options.url, questions[: options.commands])
    table = Table("", "questions", "median s", "longest s", "processor s", title=f"{options.url}: {size:,} statements")
    for name, rows in (("the first one", cold), ("later ones", warm)):
        walls, used = [row[0] for row in rows], [row[1] for row in rows]
        table.add_row(name, str(len(rows)), f"{median(walls):.2f}", f"{max(walls):.2f}", f"{median(used):.2f}")
    if alone:
        table.add_row("`toulmin ask`", str(len(alone)), f"{median(alone):.2f}", f"{max(alone):.2f}", "-")
    console = Console()
    console.print(table)
    answered, checked = sum(row[2] for row in warm), sum(row[3] for row in warm)
    console.print(f"answered {answered}, checked {checked} of {len(warm)}", highlight=False)
    console.print(f"Machine: {os.cpu_count()} processors; load {os.getloadavg()[0]:.1f} at the end.", highlight=False)


if __name__ == "__main__":
    main()
