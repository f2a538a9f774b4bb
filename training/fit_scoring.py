"""Fit the weights by which drafts are kept before the network reads them (``scoring.Weights``).

    python training/fit_scoring.py features.npz

Reads what ``reader_candidates.py --features`` wrote: of each question the right drafts, the best wrong ones, and
others. Of each question the right one is drawn to the top (softmax). Prints weights and how often a right one is among
the first 1, 10 and 40 of what was kept.
"""

from __future__ import annotations

import sys

import numpy as np
import torch

from toulmin.methods.reader.scoring import FEATURES, Weights


def main() -> None:
    """Fit and print."""
    held = np.load(sys.argv[1])
    features, labels, groups = (torch.from_numpy(held[name]) for name in ("features", "labels", "groups"))
    weights = torch.tensor(Weights().values, requires_grad=True)
    adam = torch.optim.Adam([weights], lr=0.05)
    count = int(groups.max()) + 1
    starts = torch.searchsorted(groups, torch.arange(count + 1))
    kept = [(features[a:b], labels[a:b]) for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]

    def report(name: str) -> None:
        with torch.no_grad():
            ranks = []
            for rows, right in kept:
                scores = rows @ weights
                ranks.append(int((scores > scores[right].max()).sum()))
        found = np.array(ranks)
        print(name, [round(v, 3) for v in weights.tolist()], *(f"{k}: {(found < k).mean():.3f}" for k in (1, 10, 40)))

    report("before")
    for _ in range(120):
        adam.zero_grad()
        loss = torch.stack(
            [(rows @ weights).logsumexp(0) - (rows @ weights)[right].logsumexp(0) for rows, right in kept]
        ).mean()
        loss.backward()
        adam.step()
    report("after")
    print(FEATURES)


if __name__ == "__main__":
    main()
