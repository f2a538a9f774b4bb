"""What a model, or our own scorer, judges of answers: FActScore, SAFE, G-Eval, reasons (papers/okgqa, papers/r3)."""

from toulmin.evaluation.judging.judgements import Judgement, read_judgements, with_judgements

__all__ = ["Judgement", "read_judgements", "with_judgements"]
