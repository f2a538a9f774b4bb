"""Entailment scorers by name, ours and those of other packages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from toulmin.entailment.protocol import Pair
from toulmin.entailment.registry import ScorerOptions, get_scorer
from toulmin.errors import SettingsError
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.session import Budget

PLUGIN = '''
import numpy as np

class Overlap:
    """Supports by the share of words that the evidence has."""

    def __init__(self, argument, options):
        self.name = f"overlap:{argument}:{options.threads}"

    def score(self, pairs):
        rows = []
        for premise, hypothesis in pairs:
            words = hypothesis.lower().split()
            share = sum(word in premise.lower().split() for word in words) / max(1, len(words))
            rows.append([share, 1 - share, 0])
        return np.array(rows, dtype=np.float32).reshape(-1, 3)
'''


def test_a_scorer_of_another_package(distribution: Callable[..., None]) -> None:
    distribution("overlap-scorer", PLUGIN, "toulmin.entailment", ["overlap = Overlap"])
    scorer = get_scorer("overlap:words", threads=3)
    pairs: Sequence[Pair] = [("a man sleeps", "a man eats"), ("a man", "a man")]
    assert scorer.name == "overlap:words:3"
    assert np.allclose(scorer.score(pairs), np.array([[2 / 3, 1 / 3, 0.0], [1.0, 0.0, 0.0]]))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shiped", r"no entailment scorer is called 'shiped'; did you mean 'shipped'\? \(known: shipped, onnx, "),
        ("", r"no entailment scorer is called '' \(known"),
        ("transformer:x", "did you mean 'transformers'"),
        ("onnx", "write onnx:FOLDER"),
        ("transformers:", "write transformers:NAME_OR_PATH"),
        ("shipped:best", "takes nothing after its name: leave 'best' out"),
        ("chat:openai:m", "takes nothing after its name"),
        ("chat", "needs a language model"),
        ("onnx:/nowhere", "no entailment model is there"),
    ],
)
def test_names_that_are_none_are_told_in_one_line(name: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words) as told:
        get_scorer(name)
    assert "\n" not in str(told.value)


def test_a_chat_model_by_name() -> None:
    from toulmin.entailment.chat import ChatScorer
    from toulmin.errors import BudgetError

    scorer = get_scorer("chat", model=ScriptedModel([]), budget=Budget(calls=0))
    assert isinstance(scorer, ChatScorer)
    with scorer, pytest.raises(BudgetError):
        scorer.score([("a", "b")])


def test_options_have_defaults() -> None:
    assert ScorerOptions() == ScorerOptions(None, None, 0)
