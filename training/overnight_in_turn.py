"""How well the reader's network reads a domain of Overnight that it was not trained on, each of the six in turn.

    python training/overnight_in_turn.py --groups-file groups.npz --resume base/weights.pt --minutes 0.3 --out in_turn

From weights that were trained without Overnight, training goes on six times, with the other five domains. The network
then reads every question of the sixth (``--limit`` of them) beside all of its canonical utterances. Figures by domain
are printed and written to ``in_turn.json``.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from cross_encoder import CrossEncoder
from train_reader import Groups, loaded, logits_of, parsed, train

DOMAINS = ("basketball", "blocks", "calendar", "recipes", "restaurants", "socialnetwork")


def first_is_right(model: CrossEncoder, groups: Groups, domain: str, args: Any) -> NDArray[np.bool_]:
    """Of each question whether the network puts its utterance before all others of the domain."""
    numbers = groups.of("overnight", only=[domain])
    right = np.array([groups.utterances(number)[0][0] for number in numbers], np.int64)
    questions = groups.rows[numbers, 0].astype(np.int64)
    _, once = np.unique(questions, return_index=True)
    once = np.random.default_rng(0).permutation(once)[: args.limit]
    canonical = np.unique(right)
    model.eval()
    scores = logits_of(model, groups, np.repeat(questions[once], len(canonical)), np.tile(canonical, len(once)), 4096)
    model.train()
    first = canonical[scores.reshape(len(once), -1).argmax(1)]
    return np.asarray(first == right[once])


def main() -> None:
    """Train six times, read, print."""
    parser = parsed(__doc__)
    parser.add_argument("--limit", type=int, default=400, help="questions of each domain")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    groups, figures = Groups(args.groups_file, args.device), {}
    for domain in DOMAINS:
        torch.manual_seed(args.seed)
        held = [*args.without, domain, "held out"]
        sources = {name: groups.of(name, without=held) for name in groups.sources}
        model = loaded(args)
        before = first_is_right(model.bfloat16(), groups, domain, args).mean()
        model = loaded(args)
        state = train(model, groups, sources, {}, args)
        model.load_state_dict(state)
        right = first_is_right(model.bfloat16(), groups, domain, args)
        figures[domain] = {"before": round(float(before), 4), "top 1": round(float(right.mean()), 4), "of": len(right)}
        print(domain, figures[domain], flush=True)
    figures["mean"] = {"top 1": round(float(np.mean([one["top 1"] for one in figures.values()])), 4)}
    (args.out / "in_turn.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(figures["mean"])


if __name__ == "__main__":
    main()
