"""A Hugging Face cross-encoder for natural language inference, by folder or name (the extra sentence-transformers)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from toulmin.entailment.calibration import column_of
from toulmin.entailment.protocol import ENTAIL, Pair, Scores, by_length, probabilities
from toulmin.entailment.value_check import corrected
from toulmin.errors import MissingExtraError, SettingsError

__all__ = ["TransformersScorer"]

_EXTRA = "sentence-transformers"  # it brings transformers and torch
_LONGEST = 512  # tokens of a pair


class TransformersScorer:
    """A model of the package transformers that classifies pairs of premise and hypothesis.

    Its classes are mapped by the names in its configuration (``id2label``). A model of two classes (entailment, not
    entailment) gives contradiction no probability of its own: what is not entailed is unknown.

    Args:
        model: a folder, or a name. A folder is read without the network; a name that is not in the hub's cache is
            downloaded by that package (``HF_HUB_OFFLINE=1`` forbids it). Code that comes with a model is never run.
        labels: names of the classes in the model's order, where its configuration has none that say what they mean.
        temperature: the logits are divided by it before the softmax; see ``calibration``.
        threads: of torch, for the whole process. 0: as they are.
        batch_tokens: tokens per run of the model, padding included.
        max_tokens: of a pair; 0: what the model allows, 512 at most. The premise is cut, at its end.
        compare_values: whether code overrules the network where a number or date of the sentence conflicts with the
            evidence's.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        SettingsError: no such model, no classifier of pairs, or classes that say nothing of entailment.
    """

    def __init__(
        self,
        model: str | Path,
        *,
        labels: Sequence[str] | None = None,
        temperature: float = 1.0,
        threads: int = 0,
        batch_tokens: int = 4096,
        max_tokens: int = 0,
        compare_values: bool = True,
    ) -> None:
        if not temperature > 0:
            raise SettingsError(f"a temperature of {temperature}: give one above 0")
        folder = Path(model).expanduser()
        if not folder.is_dir() and (isinstance(model, Path) or str(model).startswith(("/", ".", "~"))):
            raise SettingsError(f"{model}: no folder is there; name one that holds a model, or a model of the hub")
        where = str(folder) if folder.is_dir() else str(model)
        self._tokenizer, self._model = _load(where, local=folder.is_dir())
        classes = sorted(self._model.config.id2label.items(), key=lambda item: int(item[0]))
        named = [str(label) for _, label in classes]
        if labels is not None and len(labels) != len(named):
            raise SettingsError(f"the model {where!r} has {len(named)} classes, labels names {len(labels)}")
        self._columns = _columns(where, labels or named)
        # The positions of RoBERTa and its kin begin at 2.
        positions = int(getattr(self._model.config, "max_position_embeddings", 0) or _LONGEST + 2) - 2
        bound = min(_LONGEST, int(self._tokenizer.model_max_length), positions)
        self._max_tokens = min(max_tokens or bound, bound)
        self._batch_tokens, self._temperature, self._compare_values = batch_tokens, temperature, compare_values
        # A folder's place says nothing to others; of a model of the hub the version is told.
        version = "" if folder.is_dir() else (getattr(self._model.config, "_commit_hash", None) or "")[:8]
        named_as = f"transformers:{folder.resolve().name if folder.is_dir() else model}" + (version and f"@{version}")
        self.name = named_as + ("+values" if compare_values else "")
        self._lock = Lock()
        if threads:
            import torch

            torch.set_num_threads(threads)

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """Probabilities float32[n, 3]: entailment, unknown, contradiction. Several threads may call."""
        scores: Scores = np.zeros((len(pairs), 3), dtype=np.float32)
        if not pairs:
            return scores
        with self._lock:
            logits = self._logits(pairs) / self._temperature
        scores[:, self._columns] = probabilities(logits)
        return corrected(pairs, scores) if self._compare_values else scores

    def _logits(self, pairs: Sequence[Pair]) -> Any:
        """float64[n, classes], in the order of the pairs; pairs are sorted by length so that little is padded."""
        import torch

        encoded = self._encode(pairs)
        out = np.zeros((len(pairs), len(self._columns)))
        for rows in by_length([len(encoding["input_ids"]) for encoding in encoded], self._batch_tokens):
            batch = self._tokenizer.pad([encoded[row] for row in rows], return_tensors="pt")
            with torch.inference_mode():
                out[rows] = self._model(**batch.to(self._model.device)).logits.float().cpu().numpy()
        return out

    def _encode(self, pairs: Sequence[Pair]) -> list[Mapping[str, Any]]:
        """Token ids of each pair; the premise is cut, and the hypothesis too where it alone is too long."""
        room = self._max_tokens - int(self._tokenizer.num_special_tokens_to_add(pair=True))
        alone = self._tokenizer([hypothesis for _, hypothesis in pairs], add_special_tokens=False, verbose=False)
        return [
            self._tokenizer(
                premise,
                hypothesis,
                truncation="only_first" if len(ids) < room else "longest_first",
                max_length=self._max_tokens,
            )
            for (premise, hypothesis), ids in zip(pairs, alone["input_ids"], strict=True)
        ]


def _load(model: str, *, local: bool) -> tuple[Any, Any]:
    """Tokenizer and model, ready to classify."""
    try:
        import torch
        from safetensors import SafetensorError
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
    except ImportError:
        raise MissingExtraError(f"the entailment model {model!r}", _EXTRA) from None
    try:
        with _quiet():
            tokenizer = AutoTokenizer.from_pretrained(model, local_files_only=local)
            loaded, info = AutoModelForSequenceClassification.from_pretrained(
                model, local_files_only=local, output_loading_info=True
            )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise SettingsError(f"the entailment model {model!r} cannot be loaded: {reason}") from None
    missing = sorted(info["missing_keys"])
    if missing:  # transformers would go on with random weights
        raise SettingsError(
            f"the model {model!r} is no trained classifier of pairs: it has no weights for {missing[0]}"
        )
    return tokenizer, loaded.to("cuda" if torch.cuda.is_available() else "cpu").eval()


@contextmanager
def _quiet() -> Iterator[None]:
    """Without transformers' progress bars and reports of loading."""
    from transformers.utils import logging

    bars, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _columns(model: str, labels: Sequence[str]) -> list[int]:
    """The column of each class."""
    columns = [column_of(label) for label in labels]
    known = [column for column in columns if column is not None]
    if len(set(known)) != len(columns) or ENTAIL not in known or len(known) < 2:
        raise SettingsError(
            f"the classes of {model!r} are {', '.join(labels)}: an entailment model has entailment, neutral and "
            "contradiction, or entailment and not_entailment; mend id2label in its config.json, or pass labels"
        )
    return known
