"""Quantization-aware: the network as its int8 file computes it, so that it can be trained as such.

What enters a linear layer has 256 levels in a fixed range, found once on training pairs; dynamic quantization, which
takes the range from each batch anew, lets a score depend on what else is scored with it. A weight has 127 levels, with
a scale for each row, and so has a word's embedding, with 255. The gradient passes as if nothing were rounded
(straight-through, Bengio et al. 2013).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = [
    "WEIGHT_LEVELS",
    "WORD_LEVELS",
    "FakeQuantize",
    "QuantizedLinear",
    "clear_ranges",
    "find_ranges",
    "has_ranges",
    "row_scales",
    "set_quantized",
]

WEIGHT_LEVELS = 63  # on either side of zero: two products with 255 must fit 16 bits where the processor lacks VNNI
WORD_LEVELS = 127
_LEVELS = 255
_SAMPLE = 20_000  # values of a batch
#: Of the values' range, among which the bounds are chosen.
_SHARES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)


class FakeQuantize(nn.Module):  # type: ignore[misc]
    """Values rounded to multiples of ``scale``, from ``-zero_point`` to ``255 - zero_point`` of them.

    Both are kept as bfloat16 holds them, for a network that is trained in it.
    """

    scale: Tensor
    zero_point: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("scale", torch.zeros(()))
        self.register_buffer("zero_point", torch.zeros(()))
        self.on = False
        self.seen: list[Tensor] | None = None

    def forward(self, values: Tensor) -> Tensor:
        """The values; rounded where this is switched on."""
        if self.seen is not None:
            flat = values.detach().float().flatten()
            chosen = torch.randint(len(flat), (_SAMPLE,), generator=torch.Generator().manual_seed(len(self.seen)))
            self.seen.append(flat[chosen])
        if not self.on:
            return values
        scale, zero_point = self.scale.float(), self.zero_point.float()
        low, high = -zero_point, _LEVELS - zero_point
        kept = values.clamp(low * scale, high * scale)
        levels = (values.detach().float() / scale).round().clamp(low, high)
        return kept + ((levels * scale).to(values.dtype) - kept).detach()

    def fit(self, values: np.ndarray) -> None:
        """Choose the range, around zero, with the least squared error.

        Raises:
            ValueError: there is nothing but zeros.
        """
        least, most = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
        if least == most:
            raise ValueError("all values that enter a layer are zero: there is no range to choose")
        best = np.inf
        for below in _SHARES:
            for above in _SHARES:
                scale = float(torch.tensor((most * above - least * below) / _LEVELS).bfloat16())
                zero = min(_LEVELS, round(-least * below / scale))
                rounded = np.clip(np.round(values / scale), -zero, _LEVELS - zero) * scale
                error = float(np.mean((rounded - values) ** 2))
                if error < best:
                    best = error
                    self.scale.fill_(scale)
                    self.zero_point.fill_(zero)


class QuantizedLinear(nn.Linear):  # type: ignore[misc]
    """A linear layer whose weights are rounded where this is switched on."""

    on = False

    def forward(self, values: Tensor) -> Tensor:
        """As ``nn.Linear``."""
        if not self.on:
            return functional.linear(values, self.weight, self.bias)
        weight = self.weight.detach().float()
        scales = row_scales(weight, WEIGHT_LEVELS)
        rounded = ((weight / scales).round() * scales).to(self.weight.dtype)
        return functional.linear(values, self.weight + (rounded - self.weight.detach()), self.bias)


def row_scales(weight: Tensor, levels: int) -> Tensor:
    """Of each row of weights, [rows, 1], with so many levels on either side of zero."""
    return weight.abs().amax(1, keepdim=True).clamp(min=1e-8) / levels


def set_quantized(model: nn.Module, *, on: bool) -> None:
    """Switch the rounding of a whole network.

    Raises:
        ValueError: it is switched on and has no ranges.
    """
    if on and not has_ranges(model):
        raise ValueError("the ranges of what enters the layers were not found: call find_ranges first")
    for module in model.modules():
        if isinstance(module, FakeQuantize | QuantizedLinear):
            module.on = on


def has_ranges(model: nn.Module) -> bool:
    """Whether the ranges of what enters the layers were found."""
    return all(float(module.scale) > 0 for module in _ranges(model))


def clear_ranges(model: nn.Module) -> None:
    """Forget the ranges: weights that are trained without them no longer fit them."""
    for module in _ranges(model):
        module.scale.zero_()
        module.zero_point.zero_()


def find_ranges(model: nn.Module, inputs: Iterable[tuple[Tensor, ...]]) -> None:
    """Find the ranges of everything that enters a layer, on batches of pairs; nothing is rounded meanwhile."""
    found, was_training = _ranges(model), model.training
    for module in found:
        module.seen = []
    set_quantized(model, on=False)
    model.eval()
    with torch.no_grad():
        for one in inputs:
            model(*one)
    for module in found:
        module.fit(torch.cat(module.seen or [torch.zeros(1)]).numpy())
        module.seen = None
    model.train(was_training)


def _ranges(model: nn.Module) -> list[FakeQuantize]:
    return [module for module in model.modules() if isinstance(module, FakeQuantize)]
