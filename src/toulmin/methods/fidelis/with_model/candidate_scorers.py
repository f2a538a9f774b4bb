"""What the candidates of a question are scored by: Path-RAG, the plain retriever, or nothing at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SettingsError
from toulmin.graph.subgraph import Subgraph
from toulmin.methods.fidelis.outward_words import read
from toulmin.methods.fidelis.search import search
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.methods.fidelis.with_model.trails import StepScorer, Trail
from toulmin.retrieval.path_rag import GraphIndex, PathRag, PathRagSettings
from toulmin.retrieval.plain_vectors import VanillaRetriever
from toulmin.retrieval.ranking import Scores
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.schema import GraphSchema
from toulmin.retrieval.scorers import Cosine, TextIndex, get_text_scorer
from toulmin.retrieval.steps import Steps
from toulmin.retrieval.vectors import VectorIndex

__all__ = ["CandidateScorers", "aligned"]


class _Unscored:
    """No preference: every step that leads on is as good as any (Think-on-Graph explores without a retriever)."""

    def step_scores(self, nodes: NDArray[np.integer], steps: Steps) -> tuple[Scores, Scores]:
        """Zeros, float32[len(steps)] each."""
        return np.zeros(len(steps), dtype=np.float32), np.zeros(len(steps), dtype=np.float32)


class CandidateScorers:
    """Scorers of one setting; what they index of a graph is kept for the next question on it.

    Raises:
        MissingExtraError: a model of table 3 that is not installed.
        SettingsError: no scorer has the name.
    """

    def __init__(self, settings: GuidedSettings) -> None:
        self._settings = settings
        self._kept: tuple[Subgraph, GraphIndex | VanillaRetriever] | None = None
        name = settings.embedder
        self._scorer = None if name is None else get_text_scorer(name)
        if settings.candidates == "vanilla" and self._scorer is not None and not isinstance(self._scorer, Cosine):
            raise SettingsError(f"fidelis: the vanilla retriever needs an embedding model, not {name!r}")

    def step_scorer(
        self, keywords: Sequence[str], question: str, subgraph: Subgraph, retriever: Retriever
    ) -> StepScorer:
        """What scores the steps of a question: by its keywords with Path-RAG, by itself with the plain retriever."""
        settings = self._settings
        if settings.candidates == "explore":
            return _Unscored()
        if self._kept is None or self._kept[0] is not subgraph:
            self._kept = subgraph, self._index(subgraph, retriever)
        index = self._kept[1]
        if isinstance(index, VanillaRetriever):
            return index.query(question)
        scored = PathRagSettings(alpha=settings.alpha, looks_back=settings.ranking == "steps")
        if settings.retrieved is not None:
            scored = replace(scored, m=settings.retrieved, outside="zero")
        return PathRag(subgraph, index, scored).query(keywords)

    def _index(self, subgraph: Subgraph, retriever: Retriever) -> GraphIndex | VanillaRetriever:
        scorer = self._scorer
        embedder = scorer.embedder if isinstance(scorer, Cosine) else retriever.embedder
        if self._settings.candidates == "vanilla":
            return VanillaRetriever(subgraph, embedder)
        if scorer is not None and not isinstance(scorer, Cosine):
            return TextIndex(subgraph, scorer)
        stored = retriever.vectors if embedder.name == retriever.embedder.name else None
        return stored or VectorIndex.of(subgraph, embedder)


def aligned(
    question: str, roots: Sequence[Trail], subgraph: Subgraph, schema: GraphSchema, retriever: Retriever, depth: int
) -> list[Trail]:
    """The relation paths with which the words of the question align, from each root, best first."""
    settings = FidelisSettings(depth=min(depth, 3))
    found: list[Trail] = []
    for root in roots:
        start = root.start
        words = read(question, start.mention.start, start.mention.end, retriever.lexicon)
        for path in search(subgraph, schema, retriever.lexicon, words, root.origin, settings):
            hops = tuple((hop[0], hop[1] if len(hop) > 1 else -1) for hop in path.hops)
            found.append(Trail(start, root.origin, hops, np.empty(0, dtype=np.int32), score=path.score - start.doubt))
    return sorted(found, key=lambda trail: -trail.score)
