"""Embedding models that do not ship: OpenAI's embeddings from the loopback, and what is said where a model lacks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from threading import Thread
from typing import Any

import numpy as np
import pytest

from toulmin.errors import MissingExtraError, ModelError, SettingsError
from toulmin.retrieval.embedders import OpenAIEmbedder, best, get_embedder
from toulmin.retrieval.scorers import Cosine, get_text_scorer


class _Embeddings(BaseHTTPRequestHandler):
    """Counts letters: three numbers per text, given out of order. "bad" models refuse, "short" ones give too little."""

    asked: list[list[str]] = []  # noqa: RUF012  one list for all requests

    def log_message(self, *_: Any) -> None:
        """Silence."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.asked.append(texts)
        found = [
            {"object": "embedding", "index": place, "embedding": [1 + text.count("a"), text.count("b"), 0.5]}
            for place, text in enumerate(texts)
        ][::-1]
        refused = body["model"] == "bad" or self.headers["Authorization"] != "Bearer sesame"
        reply: dict[str, Any] = {
            "object": "list",
            "model": body["model"],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
        reply |= {"error": {"message": "no such model"}} if refused else {"data": found[body["model"] == "short" :]}
        data = json.dumps(reply).encode()
        self.send_response(400 if refused else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Embeddings]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Embeddings)
    thread = Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("TOULMIN_API_KEY", "sesame")
    _Embeddings.asked.clear()
    yield _Embeddings
    server.shutdown()
    server.server_close()
    thread.join()


def test_vectors_come_in_order_with_unit_length_and_are_asked_for_once(endpoint: type[_Embeddings]) -> None:
    embedder = OpenAIEmbedder("letters")
    vectors = embedder.embed(["bb", "aaa", "bb", ""])
    assert vectors.shape == (4, embedder.dimension) == (4, 3)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.allclose(vectors[0], np.array([1, 2, 0.5]) / np.linalg.norm([1, 2, 0.5]))
    assert np.array_equal(vectors[0], vectors[2])
    embedder.embed(["aaa", "bb"])
    assert endpoint.asked[0] == ["bb", "aaa", " "]
    assert all("aaa" not in texts for texts in endpoint.asked[1:])
    assert embedder.embed([]).shape == (0, 3)


def test_a_scorer_by_the_name_of_its_kind(endpoint: type[_Embeddings]) -> None:
    scorer = get_text_scorer("openai:letters-for-a-scorer")
    assert isinstance(scorer, Cosine)
    places, _ = best(scorer.fit(["bbb", "aaaa"]).scores("aaa"), 1)
    assert places.tolist() == [1]


@pytest.mark.parametrize("model", ["bad", "short"])
def test_an_endpoint_that_refuses_or_gives_too_little(model: str, endpoint: type[_Embeddings]) -> None:
    with pytest.raises(ModelError, match=f"openai:{model}") as told:
        OpenAIEmbedder(model).embed(["a", "b"])
    assert "\n" not in str(told.value)
    assert "sesame" not in str(told.value)


def test_a_key_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TOULMIN_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match="TOULMIN_API_KEY"):
        OpenAIEmbedder("letters")


@pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="the extra sentence-transformers is there")
def test_the_extra_is_named_where_it_lacks() -> None:
    with pytest.raises(MissingExtraError, match=r"toulmin\[sentence-transformers\]"):
        get_embedder("sentence-transformers:a-folder")


def test_an_unknown_embedder() -> None:
    with pytest.raises(SettingsError, match=r"no embedder is called 'magic' \(known: minilm"):
        get_embedder("magic:wand")
