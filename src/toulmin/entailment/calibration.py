"""Calibration of any scorer by labelled pairs: one temperature, which changes how sure it is but no verdict."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from toulmin.entailment.protocol import CONTRADICT, ENTAIL, UNKNOWN, Pair, Scorer, Scores
from toulmin.errors import SettingsError, SourceError
from toulmin.graph.labels import is_unicode

__all__ = ["Calibrated", "PairRecord", "column_of", "fit_temperature", "log_loss", "read_pairs"]

_COLUMNS: Mapping[str, int] = {
    **dict.fromkeys(("entailment", "entail", "entails", "entailed", "supports", "supported"), ENTAIL),
    **dict.fromkeys(
        ("neutral", "unknown", "leaves open", "not entailment", "not entailed", "not enough info"), UNKNOWN
    ),
    **dict.fromkeys(("contradiction", "contradict", "contradicts", "contradictory", "contradicted"), CONTRADICT),
    **dict.fromkeys(("refutes", "refuted"), CONTRADICT),
}
_LEAST = 1e-6  # of a probability whose logarithm is taken
_BOUNDS = (0.05, 20.0)
_COLDEST, _HOTTEST = 0.01, 100  # beyond these every score is 0 or 1, or all are alike


@dataclass(frozen=True, slots=True)
class PairRecord:
    """A pair of a file; ``label`` is a column of the scores, None where the line has none."""

    pair: Pair
    label: int | None


class Calibrated:
    """A scorer whose probabilities are taken to the power 1 / temperature, and made to sum to 1 again.

    Args:
        scorer: any scorer.
        temperature: above 1 less sure, below 1 more sure; see ``fit_temperature``.

    Raises:
        SettingsError: a temperature out of range.
    """

    def __init__(self, scorer: Scorer, temperature: float) -> None:
        if not _COLDEST <= temperature <= _HOTTEST:
            raise SettingsError(f"a temperature of {temperature}: give one from {_COLDEST} to {_HOTTEST}")
        self._scorer, self._temperature = scorer, temperature
        self.name = f"{scorer.name}/T={temperature:g}"

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """Probabilities float32[n, 3]: entailment, unknown, contradiction. What was 0 stays 0."""
        scores = self._scorer.score(pairs).astype(np.float64) ** (1.0 / self._temperature)
        return np.asarray(scores / np.maximum(scores.sum(axis=1, keepdims=True), 1e-300), dtype=np.float32)


def fit_temperature(scores: Scores, labels: Sequence[int]) -> float:
    """The temperature with the least log loss, between 0.05 and 20.

    Args:
        scores: float[n, 3], of pairs that the scorer was not trained on.
        labels: the column that is right, per pair.

    Raises:
        SettingsError: fewer than 10 pairs, or not one label per pair.
    """
    if len(scores) != len(labels) or len(labels) < 10:
        raise SettingsError(f"{len(labels)} labels for {len(scores)} pairs: a temperature needs 10 labelled pairs")
    logs = np.log(np.maximum(np.asarray(scores, dtype=np.float64), _LEAST))

    def loss(log_temperature: float) -> float:
        return _loss(logs / np.exp(log_temperature), labels)

    minimum = scipy.optimize.minimize_scalar(loss, bounds=tuple(np.log(_BOUNDS)), method="bounded")
    return float(np.exp(minimum.x))


def log_loss(scores: Scores, labels: Sequence[int]) -> float:
    """The mean negative logarithm (natural) of the probability of the right column; at most 13.8 per pair."""
    return _loss(np.log(np.maximum(np.asarray(scores, dtype=np.float64), _LEAST)), labels)


def _loss(logs: Any, labels: Sequence[int]) -> float:
    return float(np.mean(scipy.special.logsumexp(logs, axis=1) - logs[np.arange(len(labels)), list(labels)]))


def column_of(label: str) -> int | None:
    """The column that a class's name means (``entailment``, ``NOT_ENTAILMENT``, ``REFUTES``); None: it is none."""
    return _COLUMNS.get(" ".join(label.replace("_", " ").replace("-", " ").lower().split()))


def read_pairs(path: Path) -> Iterator[PairRecord]:
    """The pairs of a file of JSON lines with ``premise``, ``hypothesis`` and, where there is one, ``label``.

    Args:
        path: the file; ``-`` is stdin.

    Raises:
        SourceError: it cannot be read, or a line is no pair.
    """
    try:
        lines = (sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()).splitlines()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise SourceError("is no JSON: write one object a line", path, number) from None
        if not isinstance(record, dict):
            raise SourceError('is no object: write {"premise": "…", "hypothesis": "…"}', path, number)
        for field in ("premise", "hypothesis"):
            if not isinstance(record.get(field), str) or not record[field].strip():
                raise SourceError("is missing, empty or no text", path, number, field)
            if not is_unicode(record[field]):
                raise SourceError("holds half a character (a lone surrogate): write it in UTF-8", path, number, field)
        label = record.get("label")
        column = column_of(label) if isinstance(label, str) else None
        if label is not None and column is None:
            raise SourceError(
                f"is {json.dumps(label)[:60]}: write entailment, neutral or contradiction", path, number, "label"
            )
        yield PairRecord((record["premise"], record["hypothesis"]), column)
