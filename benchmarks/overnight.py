"""The reader's network on Overnight's questions: which of all canonical utterances of a domain one means.

    python benchmarks/overnight.py DOMAIN … --data PATH [--limit N]

Only domains that the network was not trained on say something (its card names them). MiniLM's cosine keeps the nearest
forty utterances, and the network reads the question beside each. Beside it the first by the cosine alone.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np

from toulmin.evaluation.statistics import mean_interval
from toulmin.methods.reader.network import shipped_network
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.schema import unit

KEPT = 40


def ranked(domain: str, folder: Path, limit: int) -> tuple[list[float], list[float], list[float]]:
    """Of each question whether the cosine's first, the network's first, and any of the forty is right."""
    lines = (folder / f"{domain}.tsv").read_text("utf-8").splitlines()
    pairs = [line.split("\t")[:2] for line in lines if line.count("\t") >= 2]
    canonical = list(dict.fromkeys(right for _, right in pairs))
    random.Random(0).shuffle(pairs)
    chosen = pairs[:limit]
    embedder, network = get_embedder(), shipped_network()
    likeness = unit(embedder.embed([question for question, _ in chosen])) @ unit(embedder.embed(canonical)).T
    cosine, read, kept = list[float](), list[float](), list[float]()
    for (question, right), row in zip(chosen, likeness, strict=True):
        order = np.argsort(-row, kind="stable")[:KEPT]
        nearest = [canonical[place] for place in order.tolist()]
        first = nearest[int(network.log_odds(question, nearest).argmax())]
        cosine.append(float(nearest[0] == right))
        read.append(float(first == right))
        kept.append(float(right in nearest))
    return cosine, read, kept


def main() -> None:
    """Rank, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="+", metavar="DOMAIN")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=400, help="questions of each domain")
    options = parser.parse_args()
    for domain in options.domains:
        figures = [mean_interval(one) for one in ranked(domain, options.data / "overnight", options.limit)]
        cosine, read, kept = (f"{one.estimate:.3f} [{one.low:.3f}, {one.high:.3f}]" for one in figures)
        print(f"{domain}: first by the cosine {cosine}, by the network {read}; among the nearest {KEPT} {kept}")


if __name__ == "__main__":
    main()
