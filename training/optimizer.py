"""AdamW for a network that computes in bfloat16 while its weights are kept, and averaged, in float32."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

__all__ = ["MeanAdamW"]


class MeanAdamW:
    """AdamW on float32 copies of the weights; the model is made bfloat16.

    Args:
        rate: the full learning rate.
        share: of it, by a weight's name; what has 0 is not trained.
        memory: of the mean weights, by step.
    """

    def __init__(self, model: nn.Module, rate: float, share: Callable[[str], float], memory: float) -> None:
        for name, weight in model.named_parameters():
            weight.requires_grad_(requires_grad=share(name) > 0)
        named = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
        self._kept = [weight.detach().clone() for _, weight in named]
        groups = [
            {"params": [copy], "full": rate * share(name)} for (name, _), copy in zip(named, self._kept, strict=True)
        ]
        self._names = [name for name, _ in named]
        self._mean: list[Tensor] = []
        self._memory = memory
        self._adam = torch.optim.AdamW(groups, lr=rate, weight_decay=0.01, fused=True)
        model.bfloat16()
        self._used = [weight for _, weight in named]

    def step(self, loss: Tensor, share: float) -> None:
        """One step with a share of the full learning rates."""
        for weight in self._used:
            weight.grad = None
        loss.backward()
        for copy, weight in zip(self._kept, self._used, strict=True):
            copy.grad = weight.grad.float()
        torch.nn.utils.clip_grad_norm_(self._kept, 1.0)
        for group in self._adam.param_groups:
            group["lr"] = group["full"] * share
        self._adam.step()
        with torch.no_grad():
            torch._foreach_copy_(self._used, self._kept)
            if not self._mean:
                self._mean = [copy.clone() for copy in self._kept]
            torch._foreach_lerp_(self._mean, self._kept, 1 - self._memory)

    def state(self, model: nn.Module) -> dict[str, Tensor]:
        """Mean weights in float32: of the last steps, later ones weigh more."""
        state = {name: value.float() for name, value in model.state_dict().items()}
        return state | dict(zip(self._names, self._mean, strict=True))
