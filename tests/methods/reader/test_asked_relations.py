"""Questions along relations: the right utterance goes the way that is asked, and the wrong ones do not."""

from __future__ import annotations

import random
from pathlib import Path

from asked_relations import asked_draws

FERRIES = """
group ferry crews
things sailor: Ada Quill
things ferry: MV Heron
relation relieves: sailor -> sailor
> whose watch does {s} take
< who takes the wheel when {o} is done
relation ship: sailor -> ferry
> what does {s} sail on
"""


def test_each_question_goes_along_its_relation_in_its_direction(tmp_path: Path) -> None:
    (tmp_path / "ferries.txt").write_text(FERRIES, "utf-8")
    found = [draw(random.Random(1), 12) for draw in asked_draws(tmp_path)]
    assert [question for question, _, _ in found] == [
        "whose watch does Ada Quill take",
        "who takes the wheel when Ada Quill is done",
        "what does Ada Quill sail on",
    ]
    assert [utterances[0] for _, utterances, _ in found] == [
        "relieves of Ada Quill",
        "sailor whose relieves is Ada Quill",
        "ship of Ada Quill",
    ]
    assert all(len(set(utterances)) == len(utterances) > 2 and right == 1 for _, utterances, right in found)


def test_a_draw_may_lack_what_is_asked(tmp_path: Path) -> None:
    (tmp_path / "ferries.txt").write_text(FERRIES, "utf-8")
    draw = next(asked_draws(tmp_path))
    lacking = [found for seed in range(60) if (found := draw(random.Random(seed), 12))[2] == 0]
    assert lacking
    assert all("relieves of Ada Quill" not in texts for _, texts, _ in lacking)


def test_the_groups_ask_both_ways() -> None:
    folder = Path(__file__).parents[3] / "training" / "asked_relations"
    assert sum(1 for _ in asked_draws(folder)) > 9_000
