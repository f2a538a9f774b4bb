"""Embedding models that do not ship: sentence-transformers (an extra), and endpoints that speak OpenAI's embeddings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from toulmin.errors import MissingExtraError, ModelError, SettingsError
from toulmin.registry import with_argument, without_argument
from toulmin.retrieval.embedders import Vectors

__all__ = ["OpenAIEmbedder", "SentenceTransformer", "e5", "openai_embedder", "sentence_bert", "sentence_transformers"]

SENTENCE_BERT = "sentence-transformers/all-mpnet-base-v2"
E5 = "intfloat/e5-base-v2"
OPENAI = "text-embedding-3-small"  # papers/fidelis, table 3

_BATCH = 256  # texts of one request
_KEYS = ("TOULMIN_API_KEY", "OPENAI_API_KEY")


class SentenceTransformer:
    """A model of the package sentence-transformers, by its folder or by its name on its hub.

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

    def __init__(self, model: str = OPENAI) -> None:
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


def _known(name: str, model: str, prefix: str, argument: str) -> SentenceTransformer:
    without_argument(name, argument)
    return SentenceTransformer(model, prefix=prefix)


#: The embedders "sentence-bert" and "e5", which take no argument.
sentence_bert = partial(_known, "sentence-bert", SENTENCE_BERT, "")
e5 = partial(_known, "e5", E5, "query: ")


def sentence_transformers(argument: str) -> SentenceTransformer:
    """The embedder "sentence-transformers:FOLDER"."""
    return SentenceTransformer(with_argument("sentence-transformers", "FOLDER", argument))


def openai_embedder(argument: str) -> OpenAIEmbedder:
    """The embedder "openai", by default with the model of papers/fidelis, table 3, or "openai:MODEL"."""
    return OpenAIEmbedder(argument or OPENAI)
