"""The network that reads a question beside an utterance, and what its reading is weighed with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from toulmin.entailment.onnx_scorer import CrossEncoderSession
from toulmin.errors import SettingsError
from toulmin.methods.reader.scoring import FEATURES

__all__ = ["CHOICE", "CHOICE_COLUMNS", "CONFIDENCE", "READ", "ReadingNetwork", "confidence_features", "shipped_network"]

_READING = (
    "log odds that the network has",
    "names and numbers of the question that are left out",
    "words that restrict or deny and are left unread",
    "words that are a value of the graph and are left unread",
    "denials that no word asks for",
)
#: What is known of each form that is read.
READ = (*_READING, *FEATURES)
#: What the probability of a form is computed from, among the forms that are read (``training/fit_choice.py``). What
#: words speak for chose worse than the network by itself, but for operators; it tells how sure an answer is.
CHOICE = (*_READING, "operators")
CHOICE_COLUMNS = [READ.index(name) for name in CHOICE]
_OF_READ = ("log odds that the network has", "words covered", "parts supported")
#: What the confidence of an answer is computed from, by a logistic function (``training/fit_confidence.py``); what else
#: speaks for an answer adds nothing to these.
CONFIDENCE = ("log odds of the reading", *_OF_READ)
_MODEL, _RECORD = "reader.onnx", "reader.json"
_MAX_TOKENS = 96  # of question and utterance together


class ReadingNetwork:
    """An int8 cross-encoder (``training/train_reader.py``; its card lies beside it).

    Args:
        folder: holds ``reader.onnx`` and ``reader.json``.
        threads: of ONNX Runtime. 0: one per core.

    Raises:
        SettingsError: the folder does not hold them.
    """

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        try:
            record = json.loads((folder / _RECORD).read_text("utf-8"))
            version = str(record["sha256"])[:8]
            self._choice = np.array(record["choice"], dtype=np.float64)
            self._confidence = np.array(record["confidence"], dtype=np.float64)
            if (len(self._choice), len(self._confidence)) != (len(CHOICE) + 1, len(CONFIDENCE) + 1):
                raise ValueError("choice or confidence have other parts")  # noqa: TRY301
        except (OSError, ValueError, KeyError) as error:
            raise SettingsError(
                f"{folder / _RECORD}: no reader is there; export one (training/export_reader.py)"
            ) from error
        self._session = CrossEncoderSession(folder / _MODEL, threads=threads, batch_tokens=1024, max_tokens=_MAX_TOKENS)
        self._lock = Lock()
        self.name = f"toulmin-minilm-reader-int8-{version}"

    def log_odds(self, question: str, utterances: Sequence[str]) -> NDArray[np.float64]:
        """float64[n]: of each utterance the log odds that the question means it. Several threads may call."""
        if not utterances:
            return np.zeros(0)
        with self._lock:
            logits = self._session.logits([(question, utterance) for utterance in utterances])[:, 0]
        return np.asarray(logits, dtype=np.float64)

    def probabilities(self, features: NDArray[np.floating]) -> NDArray[np.float64]:
        """float64[n]: how likely each form is the one that is meant; what is left to 1 is that none of them is.

        Args:
            features: float[n, len(READ)].
        """
        scores = np.append(features[:, CHOICE_COLUMNS] @ self._choice[1:], self._choice[0])
        odds = np.exp(scores - scores.max())
        return np.asarray(odds[:-1] / odds.sum())

    def confidence(self, features: Sequence[float]) -> float:
        """How likely an answer is right; ``features`` are those of ``confidence_features``."""
        return float(expit(self._confidence[0] + self._confidence[1:] @ np.array(features)))


def confidence_features(probability: float, features: Sequence[float]) -> list[float]:
    """What ``CONFIDENCE`` names, of a reading with a probability and the features of ``READ``."""
    return [float(logit(np.clip(probability, 1e-4, 1 - 1e-4))), *(features[READ.index(name)] for name in _OF_READ)]


@lru_cache(maxsize=4)
def shipped_network(threads: int = 0) -> ReadingNetwork:
    """The network of the package, loaded once for each number of threads (0: one per core).

    Raises:
        SettingsError: the package is installed without it.
    """
    with as_file(files("toulmin.methods.reader") / "model") as folder:
        return ReadingNetwork(folder, threads=threads)
