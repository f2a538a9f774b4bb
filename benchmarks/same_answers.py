"""Whether two versions of the code give the same answers, certificate for certificate; no model is asked.

    python benchmarks/same_answers.py record OUT --data PATH [--only RUN,RUN] [--seconds S] [--method NAME]
                                            [--build=OPTION]
    python benchmarks/same_answers.py compare BEFORE AFTER [--show N]

`record` asks the questions of each run below by the command `toulmin` that lies beside the Python it is run with, and
writes OUT/RUN.jsonl: a line for each question, with its certificate but without what differs from one time to the next
(seconds, usage). It uses the command line alone, so that the same program records any version. Graphs are built anew in
OUT, with a further option of `toulmin build` where one is given. The same command goes on where it was stopped, also by
--seconds.

`compare` prints for each run how many lines are the same, and where the first others differ. Exit code 1 if any line
differs or is missing in one of the two.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = Any

TOULMIN = Path(sys.executable).with_name("toulmin")
ROOT = Path(__file__).parents[1]
REPLIES = ROOT / "tests" / "methods" / "replays" / "r3.jsonl"
CHAINS = ROOT / "benchmarks" / "recorded" / "infotabs_chains.jsonl"
UNSTABLE = frozenset({"usage", "seconds"})  # fields that differ although nothing has changed
TEXTS = 150  # of WebNLG as they are, and as many with an object exchanged
AT_ONCE = 25  # texts between two looks at the clock
PEOPLE = ("Isaac Newton", "Albert Einstein", "Mary Shelley")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class OutOfTimeError(Exception):
    """The seconds of this call are used up; what was answered is kept."""


@dataclass(frozen=True, slots=True)
class Recorder:
    """Where runs are recorded, from which data, and until when (time.monotonic).

    Args:
        method: that answers questions over graphs.
        build: a further option of `toulmin build`; "": none.
    """

    out: Path
    data: Path
    until: float
    method: str = "reader"
    build: str = ""

    def toulmin(self, *arguments: object, given: str | None = None) -> str:
        """What the command line prints.

        Raises:
            OutOfTimeError: it was stopped.
            SystemExit: it failed.
        """
        command = [str(TOULMIN), *map(str, arguments)]
        left = self.until - time.monotonic()
        try:
            done = subprocess.run(
                command,
                input=given,
                stdout=subprocess.PIPE,
                text=True,
                check=False,
                timeout=max(left, 0.0) if left != float("inf") else None,
                env={**os.environ, **ONE_THREAD},
            )
        except subprocess.TimeoutExpired:
            raise OutOfTimeError from None
        if done.returncode > 1:  # 1: a check failed, or a text is contradicted
            raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}")
        return done.stdout

    def graph(self, source: str) -> Path:
        """The graph of a file of the data."""
        folder = (self.out / "graphs" / source).with_suffix("")
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            self.toulmin("build", self.data / source, "--out", folder, *filter(None, [self.build]))
        return folder

    def chains(self, source: str) -> Path:
        """A file of the data with recorded chains of thought, in which each question stands once."""
        path = self.out / "chains.jsonl"
        firsts: dict[str, str] = {}
        for line in (self.data / source).read_text("utf-8").splitlines():
            firsts.setdefault(json.loads(line)["question"], line)
        path.write_text("".join(f"{line}\n" for line in firsts.values()), "utf-8")
        return path

    def lines(self, run: str) -> dict[str, Json]:
        """What is recorded of a run, by id."""
        path = self.out / f"{run}.jsonl"
        if not path.exists():
            return {}
        return {line["id"]: line for line in map(json.loads, path.read_text("utf-8").splitlines())}

    def append(self, run: str, lines: Sequence[Mapping[str, Json]]) -> None:
        """Records of a run."""
        with (self.out / f"{run}.jsonl").open("a", encoding="utf-8") as file:
            for line in lines:
                file.write(json.dumps(stable(line), ensure_ascii=False, sort_keys=True) + "\n")


def stable(value: Json) -> Json:
    """What does not differ from one time to the next."""
    if isinstance(value, dict):
        return {name: stable(part) for name, part in value.items() if name not in UNSTABLE}
    return [stable(part) for part in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class DatasetRun:
    """A sample of a data set, asked by `toulmin evaluate`; the metrics of each question are recorded, too."""

    dataset: str
    limit: int
    graph: str | None  # a file of the data; None: the graph that comes with Toulmin
    options: tuple[str, ...] | None = None  # None: by the recorder's method
    chains: str | None = None

    def __call__(self, recorder: Recorder, name: str) -> None:
        if len(recorder.lines(name)) == self.limit:
            return
        folder = recorder.out / "runs" / name
        kg = "bundled" if self.graph is None else recorder.graph(self.graph)
        chains = () if self.chains is None else ("--chains", recorder.chains(self.chains))
        options = ("--method", recorder.method) if self.options is None else self.options
        how = ("--data", recorder.data, "--kg", kg, *options, *chains, "--limit", self.limit, "--out", folder)
        try:
            recorder.toulmin("evaluate", self.dataset, *how)
        finally:
            records = folder / "records.jsonl"
            known = recorder.lines(name)
            whole = records.read_text("utf-8").split("\n")[:-1] if records.exists() else []
            new = [line for line in map(json.loads, whole) if line["id"] not in known]
            keep = ("id", "question", "outcome", "metrics", "check", "error", "answer")
            recorder.append(name, [{field: line[field] for field in keep} for line in new])


@dataclass(frozen=True, slots=True)
class CommandRun:
    """Questions that are asked by `toulmin ask`, one at a time: their arguments."""

    questions: Callable[[Recorder], Sequence[tuple[object, ...]]]

    def __call__(self, recorder: Recorder, name: str) -> None:
        known = recorder.lines(name)
        for number, arguments in enumerate(self.questions(recorder)):
            if str(number) not in known:
                recorder.append(name, [self._asked(recorder, str(number), arguments)])

    def _asked(self, recorder: Recorder, number: str, arguments: tuple[object, ...]) -> dict[str, Json]:
        *arguments_only, given = arguments
        answer = recorder.out / "answer.json"
        recorder.toulmin("ask", *arguments_only, "--out", answer, given=given if isinstance(given, str) else None)
        line = {"id": number, "question": arguments[0], "answer": json.loads(answer.read_text("utf-8"))}
        answer.unlink()
        return line


def r3_questions(_: Recorder) -> list[tuple[object, ...]]:
    """Those that a capable reader's replies to R³'s prompts were recorded for; the last of each is its input."""
    how = ("--kg", "bundled", "--method", "r3", "--set", "pruning=truncation", "--set", "k=30", "--replay", REPLIES)
    words = (*how, "--set", "axiom=words")
    options = tuple(part for name in PEOPLE for part in ("--option", name))
    return [
        ("Did Marie Curie outlive her husband?", *how, None),
        ("Could Isaac Newton have used a telephone?", *how, None),
        ("Would Marie Curie have handled test tubes at work?", *how, None),
        ("Did Mary Shelley own a cat?", *how, None),
        ("Ludwig van Beethoven could have read Frankenstein.", "--claim", *words, None),
        ("Who of them could have met Marie Curie?", *options, *how, None),
        ("Who of them worked on the theory of relativity?", *options, *words, None),
    ]


def infotabs_questions(recorder: Recorder) -> list[tuple[object, ...]]:
    """Claims over tables with chains of thought that were written by hand, which are their input."""
    asked: list[tuple[object, ...]] = []
    for line in CHAINS.read_text("utf-8").splitlines():
        pair = json.loads(line)
        table = recorder.data / "infotabs" / "tables" / f"{pair['table']}.json"
        how = ("--claim", "--kg", "bundled", "--method", "rr", "--knowledge", table, "--chains", "-")
        asked.append((pair["hypothesis"], *how, json.dumps(pair["chains"])))
    return asked


def check_texts(recorder: Recorder, name: str) -> None:
    """Texts of WebNLG through `toulmin check-text`."""
    known, graph = recorder.lines(name), recorder.graph("webnlg/graph.tsv")
    left = [one for one in webnlg_texts(recorder.data) if one["id"] not in known]
    for start in range(0, len(left), AT_ONCE):
        part = recorder.out / "texts.jsonl"
        part.write_text("".join(json.dumps(text) + "\n" for text in left[start : start + AT_ONCE]), "utf-8")
        printed = recorder.toulmin("check-text", part, "--kg", graph, "--json")
        part.unlink()
        recorder.append(name, [json.loads(line) for line in printed.splitlines()])


def webnlg_texts(data: Path) -> list[dict[str, str]]:
    """Some as they are, and some in which the object of a triple is exchanged for another of its relation."""
    records = [json.loads(line) for line in (data / "webnlg" / "texts.jsonl").read_text("utf-8").splitlines()]
    objects: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for _, relation, value in record["triples"]:
            objects[relation].add(value)
    draw = random.Random(20)
    numbers = draw.sample(range(len(records)), len(records))
    texts = [{"id": f"{number}", "text": records[number]["text"]} for number in numbers[:TEXTS]]
    for number in numbers[TEXTS:]:
        text = records[number]["text"]
        _, relation, value = records[number]["triples"][0]
        others = sorted(other for other in objects[relation] if value not in other and other not in value)
        if value in text and others:
            texts.append({"id": f"{number}-exchanged", "text": text.replace(value, draw.choice(others))})
        if len(texts) == 2 * TEXTS:
            break
    return texts


RUNS: Mapping[str, Callable[[Recorder, str], None]] = {
    "metaqa-1": DatasetRun("metaqa/1-hop/dev", 166, "metaqa/kb.txt"),
    "metaqa-2": DatasetRun("metaqa/2-hop/dev", 167, "metaqa/kb.txt"),
    "metaqa-3": DatasetRun("metaqa/3-hop/dev", 167, "metaqa/kb.txt"),
    "pathquestion-2": DatasetRun("pathquestion/2", 250, "pathquestion/2H-kb.txt"),
    "pathquestion-3": DatasetRun("pathquestion/3", 250, "pathquestion/3H-kb.txt"),
    "webqsp": DatasetRun("webqsp", 200, "freebase_union/webqsp_kg.tsv"),
    "r3": CommandRun(r3_questions),
    "rr-infotabs": CommandRun(infotabs_questions),
    "rr-strategyqa": DatasetRun(
        "strategyqa", 40, None, ("--method", "rr", "--knowledge", "own"), "strategyqa/recorded_cot.jsonl"
    ),
    "check-text": check_texts,
}


def differences(before: Json, after: Json, where: str = "") -> Iterator[str]:
    """Where two values differ, in words."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted({*before, *after}):
            yield from differences(before.get(name), after.get(name), f"{where}.{name}" if where else name)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, pair in enumerate(zip(before, after, strict=True)):
            yield from differences(*pair, f"{where}[{number}]")
    elif before != after:
        yield f"{where}: {_short(before)} → {_short(after)}"


def _short(value: Json, width: int = 300) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= width else f"{text[:width]}…"


def compare(before: Path, after: Path, show: int) -> int:
    """Print what differs; the exit code."""
    same_everywhere = True
    for run in RUNS:
        first, second = (Recorder(folder, folder, 0.0).lines(run) for folder in (before, after))
        both = first.keys() & second.keys()
        others = [name for name in first if name in both and first[name] != second[name]]
        alone = [f"{len(one.keys() - both)} only {when}" for one, when in ((first, "before"), (second, "after"))]
        print(f"{run:<16} {len(both) - len(others)} of {len(both)} the same; {', '.join(alone)}")
        same_everywhere = same_everywhere and not others and len(first) == len(second) == len(both)
        for name in others[:show]:
            print(f"  {name}: {first[name].get('question') or first[name]['answer']['question']}")
            for line in list(differences(first[name], second[name]))[:show]:
                print(f"    {line}")
    return 0 if same_everywhere else 1


def record(out: Path, data: Path, only: Sequence[str], seconds: float, method: str, build: str) -> int:
    """Record the runs; the exit code: 3 if there was no time for all."""
    out.mkdir(parents=True, exist_ok=True)
    recorder = Recorder(out, data, time.monotonic() + seconds, method, build)
    for name in only or RUNS:
        began = time.monotonic()
        try:
            RUNS[name](recorder, name)
        except OutOfTimeError:
            print(f"{name}: {len(recorder.lines(name))} lines, to be gone on with by the same command")
            return 3
        print(f"{name}: {len(recorder.lines(name))} lines, {time.monotonic() - began:.0f} s", flush=True)
    return 0


def main() -> int:
    """Read the options, and do what is asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("out", type=Path)
    recording.add_argument("--data", type=Path, required=True)
    recording.add_argument("--only", default="", help=", ".join(RUNS))
    recording.add_argument("--seconds", type=float, default=float("inf"), help="after which to stop")
    recording.add_argument("--method", default="reader", help="of the runs over graphs (default: reader)")
    recording.add_argument("--build", default="", help="an option of `toulmin build`, such as --build=--no-literals")
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--show", type=int, default=3, help="so many questions of a run, and places of each")
    options = parser.parse_args()
    if options.command == "compare":
        return compare(options.before, options.after, options.show)
    only = [name for name in options.only.split(",") if name]
    if unknown := [name for name in only if name not in RUNS]:
        parser.error(f"no such run: {', '.join(unknown)}; there are {', '.join(RUNS)}")
    return record(options.out, options.data, only, options.seconds, options.method, options.build)


if __name__ == "__main__":
    raise SystemExit(main())
