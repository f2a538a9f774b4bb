"""Quantization-aware: the network as its int8 file computes it, so that it can be trained as such.

What enters a linear layer has 256 levels in a fixed range, found once on training pairs; dynamic quantization, which
takes the range from each batch anew, lets a score depend on what else is scored with it. A weight has 127 levels, with
a scale for each row. The gradient passes as if nothing were rounded (straight-through, Bengio et al. 2013).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = [
    "WEIGHT_LEVELS",
    "FakeQuantize",
    "QuantizedLinear",
    "find_ranges",
    "has_ranges",
    "row_scales",
    "set_quantized",
]

WEIGHT_LEVELS = 63  # on either side of zero; a seventh bit would saturate where the processor lacks VNNI
_LEVELS = 255
_SHARES = (
    1.0,
    0.95,
    0.9,
    0.85,
    0.8,
    0.7,
    0.6,
    0.5,
    0.4,
    0.3,
)  # of the values' range, among which the bounds are chosen
_SAMPLE = 20_000  # values of a batch


class FakeQuantize(nn.Module):  # type: ignore[misc]
    """Values rounded to multiples of ``scale``, of which there are 256; bfloat16 holds scale and zero point exactly."""

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
            lowest, highest = flat.min()[None], flat.max()[None]
            self.seen.append(torch.cat([lowest, highest, flat[torch.randint(len(flat), (_SAMPLE,))]]))
        if not self.on:
            return values
        low, high = -self.zero_point * self.scale, (_LEVELS - self.zero_point) * self.scale
        kept = values.clamp(low, high)
        return kept + ((kept / self.scale).round() * self.scale - kept).detach()

    def fit(self, values: np.ndarray) -> None:
        """Choose the range, around zero, with the least squared error."""
        least, most = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
        best = np.inf
        for below in _SHARES:
            for above in _SHARES:
                scale = float(torch.tensor((most * above - least * below) / _LEVELS).bfloat16())
                zero = round(-least * below / scale)
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
        scales = row_scales(self.weight.detach())
        rounded = (self.weight.detach() / scales).round() * scales
        return functional.linear(values, self.weight + (rounded - self.weight.detach()), self.bias)


def row_scales(weight: Tensor) -> Tensor:
    """Of each row of weights, [rows, 1]."""
    return weight.abs().amax(1, keepdim=True).clamp(min=1e-8) / WEIGHT_LEVELS


def set_quantized(model: nn.Module, *, on: bool) -> None:
    """Switch the rounding of a whole network."""
    for module in model.modules():
        if isinstance(module, FakeQuantize | QuantizedLinear):
            module.on = on


def has_ranges(model: nn.Module) -> bool:
    """Whether the ranges of what enters the layers were found."""
    return all(float(module.scale) > 0 for module in model.modules() if isinstance(module, FakeQuantize))


def find_ranges(model: nn.Module, inputs: Iterable[tuple[Tensor, ...]]) -> None:
    """Find the ranges of everything that enters a layer, on batches of pairs; nothing is rounded meanwhile."""
    found = [module for module in model.modules() if isinstance(module, FakeQuantize)]
    for module in found:
        module.seen = []
    set_quantized(model, on=False)
    model.eval()
    with torch.no_grad():
        for one in inputs:
            model(*one)
    for module in found:
        module.fit(torch.cat(module.seen or []).numpy())
        module.seen = None
