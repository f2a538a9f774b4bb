"""A scorer from a folder that ``training/export_onnx.py`` wrote: an int8 cross-encoder on the CPU, calibrated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from threading import Lock

import numpy as np
from pydantic import BaseModel, ValidationError

from toulmin.entailment.protocol import Pair, Scores, by_length, probabilities
from toulmin.entailment.statement_premise import ends_marked, is_marked_statement
from toulmin.entailment.value_check import corrected
from toulmin.errors import SettingsError
from toulmin.retrieval.embedders import onnx_session, wordpiece_tokenizer

__all__ = ["CrossEncoderSession", "OnnxScorer", "shipped_scorer"]

_MODEL, _CALIBRATION = "entailment.onnx", "calibration.json"


class CrossEncoderSession:
    """An ONNX cross-encoder (``input_ids``, ``attention_mask``, ``token_type_ids`` to ``logits``) and its tokenizer.

    Args:
        model: the ONNX file.
        threads: of ONNX Runtime. 0: one per core.
        batch_tokens: tokens per run of the model, padding included; pairs are sorted by length, so that it stays small.
        max_tokens: a longer pair is cut, at its longer side.

    Raises:
        SettingsError: there is no such file, or it is no ONNX model.
    """

    def __init__(self, model: Path, *, threads: int = 0, batch_tokens: int = 2048, max_tokens: int = 128) -> None:
        self._session = onnx_session(model, threads)
        self._inputs = [entry.name for entry in self._session.get_inputs()]
        self._outputs = int(self._session.get_outputs()[0].shape[1])
        self._tokenizer = wordpiece_tokenizer(max_tokens)
        self._batch_tokens = batch_tokens

    def logits(self, pairs: Sequence[Pair]) -> Scores:
        """float32[n, outputs of the network], in the order of the pairs."""
        out = np.zeros((len(pairs), self._outputs), dtype=np.float32)
        encoded = self._tokenizer.encode_batch(list(pairs))
        lengths = [len(encoding.ids) for encoding in encoded]
        for rows in by_length(lengths, self._batch_tokens):
            width = lengths[rows[0]]
            feed = {name: np.zeros((len(rows), width), dtype=np.int64) for name in self._inputs}
            for place, row in enumerate(rows):
                encoding, length = encoded[row], lengths[row]
                feed["input_ids"][place, :length] = encoding.ids
                feed["attention_mask"][place, :length] = 1
                feed["token_type_ids"][place, :length] = encoding.type_ids
            out[rows] = self._session.run(None, feed)[0]
        return out


class OnnxScorer:
    """A cross-encoder with its calibration; numbers and dates that both sides give are compared by code.

    Args:
        folder: holds ``entailment.onnx`` and ``calibration.json``.
        threads: of ONNX Runtime. 0: one per core.
        compare_values: whether code overrules the network where a number or date of the sentence conflicts with the
            evidence's.

    Raises:
        SettingsError: the folder does not hold them.
    """

    def __init__(self, folder: Path, *, threads: int = 0, compare_values: bool = True) -> None:
        self._of_texts = _Calibrations.read(folder / _CALIBRATION)
        self._of_statements = self._of_texts.statements or self._of_texts
        version = f"-{self._of_texts.sha256[:8]}" if self._of_texts.sha256 else ""
        self.name = f"toulmin-minilm-entailment-int8{version}" + ("+values" if compare_values else "")
        self._model = CrossEncoderSession(folder / _MODEL, threads=threads)
        self._compare_values = compare_values
        self._lock = Lock()

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """Calibrated probabilities float32[n, 3]: entailment, unknown, contradiction. Several threads may call."""
        if not pairs:
            return np.zeros((0, 3), dtype=np.float32)
        texts = [ends_marked(*pair) for pair in pairs] if self._of_texts.ends_marked else pairs
        with self._lock:
            logits = self._model.logits(texts)
        statements = np.array([is_marked_statement(premise) for premise, _ in pairs])[:, None]
        logits = np.where(statements, self._of_statements.applied(logits), self._of_texts.applied(logits))
        scores = probabilities(logits)
        if self._compare_values:
            scores = corrected(pairs, scores)
        return np.asarray(scores, dtype=np.float32)


@lru_cache(maxsize=4)
def shipped_scorer(threads: int = 0) -> OnnxScorer:
    """The scorer of the package, loaded once for each number of threads (0: one per core); its model card lies beside.

    Raises:
        SettingsError: the package is installed without its model.
    """
    with as_file(files("toulmin.entailment") / "model") as folder:
        return OnnxScorer(folder, threads=threads)


class _Calibration(BaseModel):
    """Logits / temperature + offsets of the classes."""

    temperature: float
    offsets: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def applied(self, logits: Scores) -> Scores:
        return np.asarray(logits / self.temperature + np.array(self.offsets), dtype=np.float32)


class _Calibrations(_Calibration):
    """What ``calibration.json`` says: of texts, and of marked statements where these have one of their own."""

    statements: _Calibration | None = None
    ends_marked: bool = False
    sha256: str = ""

    @classmethod
    def read(cls, path: Path) -> _Calibrations:
        if not path.is_file():
            raise SettingsError(f"{path}: no entailment model is there; export one there (training/export_onnx.py)")
        try:
            return cls.model_validate_json(path.read_bytes())
        except ValidationError as error:
            raise SettingsError(f"{path}: is no calibration of an entailment model; export it again") from error
