"""Questions made of sentences: the right utterance stands first, and no wrong one says the same."""

from __future__ import annotations

import random

from reader_data import stated
from stated_questions import stated_draws


def test_each_draw_has_its_right_utterance_first_and_others_that_differ() -> None:
    rng = random.Random(4)
    draws = stated_draws(40, 80)
    assert len(draws) == 120
    for draw in draws:
        question, utterances = draw(rng, 12)
        assert question.strip()
        assert len(set(utterances)) == len(utterances) > 4
    assert {group.right for group in (draw(rng, 8) for draw in stated().draws[:20])} == {1}


def test_chains_ask_on_and_share() -> None:
    rng = random.Random(5)
    right = [draw(rng, 8)[1][0] for draw in stated_draws(1, 150)[1:]]
    assert sum(" but not " in text for text in right) > 15
    assert sum(text.count(" of ") + text.count("whose") >= 2 for text in right) > 120
