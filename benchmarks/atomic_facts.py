"""How well the rules take sentences apart: FActScore's atomic facts by people, and WebNLG's triples.

    python benchmarks/atomic_facts.py --data PATH

FActScore (Min et al. 2023): sentences of biographies written by two models, with the atomic facts that people made of
them. A fact is covered where some fact of ours shares so many words with it that their F1 is 0.7; ours counts as
matched in the same way. The rules were developed on every second biography; the others were not looked at. WebNLG: for
texts with 1 to 5 triples, how many of the triples whose two ends stand in the text have both in one fact.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

import numpy as np

from toulmin.check_text.split.atomic import AtomicFact, split_facts
from toulmin.english.sentences import split_sentences
from toulmin.evaluation.datasets.factscore import LabelledText, labelled_facts
from toulmin.evaluation.statistics import bootstrap_interval
from toulmin.graph.labels import normalise

_F1 = 0.7
_TEXTS = 400  # of WebNLG for each number of triples


def overlap(first: str, second: str) -> float:
    """F1 of the words of two sentences."""
    a, b = Counter(re.findall(r"\w+", first.lower())), Counter(re.findall(r"\w+", second.lower()))
    return 2 * sum((a & b).values()) / max(1, sum(a.values()) + sum(b.values()))


def wordings(fact: AtomicFact, text: str) -> tuple[str, str]:
    """A fact as it is, and with the pronouns that people left in theirs."""
    told = fact.text
    for first, last, start, end in sorted(fact.stands, reverse=True):
        told = told[:first] + text[start:end] + told[last:]
    return fact.text, told


def biographies(data: Path, *, unseen: bool) -> Iterator[LabelledText]:
    """The labelled texts of two models; of those that were not looked at, or of those that the rules were made with."""
    for _, texts in groupby(labelled_facts(data).texts, key=lambda one: one.model):
        yield from islice(texts, int(unseen), None, 2)


def factscore(data: Path, *, unseen: bool) -> str:
    """One line: how many of people's facts are covered, and of ours are matched."""
    covered: list[float] = []
    matched: list[float] = []
    sentences = 0
    for labelled in biographies(data, unseen=unseen):
        text = labelled.text
        for one in split_facts(text, split_sentences(text), by_the_way=True):
            wanted = [fact.text for fact in labelled.facts or () if fact.sentence == one.sentence.text]
            if not wanted:
                continue
            sentences += 1
            ours = [wordings(fact, text) for fact in one.facts]
            score = np.array([[max(overlap(said, fact) for said in some) for fact in wanted] for some in ours])
            score = score.reshape(len(ours), len(wanted))
            covered += (score.max(axis=0, initial=0) >= _F1).astype(float).tolist()
            matched += (score.max(axis=1) >= _F1).astype(float).tolist()
    told, right = bootstrap_interval(np.array(covered)), bootstrap_interval(np.array(matched))
    return (
        f"{'not looked at' if unseen else 'development':<14} {sentences:,} sentences: "
        f"{told.estimate:.3f} [{told.low:.3f}, {told.high:.3f}] of {len(covered):,} facts of people covered, "
        f"{right.estimate:.3f} [{right.low:.3f}, {right.high:.3f}] of {len(matched):,} of ours matched"
    )


def webnlg(path: Path, seed: int) -> Iterator[str]:
    """A line for each number of triples; the names are those of all texts, as a graph would have them."""
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    labels = {end for record in records for triple in record["triples"] for end in (triple[0], triple[2])}
    known = {form for label in labels for form in (label.lower(), _bare(label).lower())}

    def names(forms: Sequence[str]) -> list[bool]:
        return [form.lower() in known for form in forms]

    chosen = random.Random(seed)
    for count in range(1, 6):
        texts = chosen.sample([one for one in records if len(one["triples"]) == count], _TEXTS)
        facts, both = 0, []
        for one in texts:
            found = split_facts(one["text"], split_sentences(one["text"]), names, by_the_way=True)
            said = [_plain(fact.text) for some in found for fact in some.facts]
            facts += len(said)
            whole = _plain(one["text"])
            for subject, _, object_ in one["triples"]:
                ends = _plain(_bare(subject)), _plain(_bare(object_))
                if all(end in whole for end in ends):
                    both.append(float(any(all(end in fact for end in ends) for fact in said)))
        share = bootstrap_interval(np.array(both))
        yield (
            f"{count} triples: {facts / len(texts):.2f} facts a text; both ends in one fact: "
            f"{share.estimate:.3f} [{share.low:.3f}, {share.high:.3f}] of {len(both):,}"
        )


def _bare(label: str) -> str:
    return re.sub(r" \(.*", "", label)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9 ]", "", normalise(text).lower())


def main() -> int:
    parser = argparse.ArgumentParser(description="How well the rules take sentences apart.")
    parser.add_argument("--data", type=Path, required=True, help="the folder with factscore and webnlg")
    parser.add_argument("--seed", type=int, default=7, help="of the sample of WebNLG")
    given = parser.parse_args()
    for unseen in (False, True):
        print(factscore(given.data, unseen=unseen))
    for line in webnlg(given.data / "webnlg" / "texts.jsonl", given.seed):
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
