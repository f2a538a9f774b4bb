"""An ONNX file of the trained network in which linear layers and words are int8, as ``quantization.py`` rounds them.

What enters a layer has a fixed range, so that what a pair scores does not depend on what is scored beside it. ONNX
Runtime's own static quantization also rounds what the layers give and the products of attention: slower, less exact.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from cross_encoder import CrossEncoder
from quantization import WEIGHT_LEVELS, WORD_LEVELS, has_ranges, row_scales, set_quantized

__all__ = ["read_int8", "write_int8"]

_OPSET = 17
#: What enters each linear layer of a layer.
_ENTERS = {
    "query": "read_range",
    "key": "read_range",
    "value": "read_range",
    "mixed": "mixed_range",
    "inner": "inner_range",
    "outer": "outer_range",
}


def write_int8(model: CrossEncoder, target: Path) -> None:
    """Write the network: ids, mask and sides of the word pieces to ``logits``.

    Raises:
        ValueError: its ranges are not known.
    """
    import onnx

    if not has_ranges(model):
        raise ValueError("the ranges of what enters the layers are not known: call find_ranges first")
    set_quantized(model, on=False)  # the file rounds by its own operators
    model.eval()
    buffer = io.BytesIO()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    ids = torch.arange(24).reshape(2, 12) + 1000
    sides = (torch.arange(12) > 5).long().expand(2, 12).contiguous()
    axes = {name: {0: "batch", 1: "tokens"} for name in names}
    torch.onnx.export(
        model,
        (ids, torch.ones_like(ids), sides),
        buffer,
        input_names=names,
        output_names=["logits"],
        dynamic_axes={**axes, "logits": {0: "batch"}},
        opset_version=_OPSET,
        dynamo=False,
    )
    proto = onnx.load_model_from_string(buffer.getvalue())
    _Rewriting(proto.graph, model.state_dict()).run()
    proto.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    target.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(proto, str(target))


def read_int8(source: Path, model: CrossEncoder) -> None:
    """Load the weights of a file that ``write_int8`` wrote, as it rounds them: training can go on from what ships."""
    import onnx
    from onnx import numpy_helper

    kept = {one.name: numpy_helper.to_array(one) for one in onnx.load(str(source)).graph.initializer}
    state = model.state_dict()
    for name in state:
        if name == "words.weight":
            value = kept["words.int8"] * kept["words.scale"]
        elif f"{name}.int8" in kept:
            value = (kept[f"{name}.int8"] * kept[f"{name}.scale"]).T
        else:
            value = kept[name.replace(".bias", ".weight.bias") if name not in kept else name]
        state[name] = torch.from_numpy(np.array(value, dtype=np.float32))
    model.load_state_dict(state)


class _Rewriting:
    """Replaces the linear layers and the words of an exported graph."""

    def __init__(self, graph: Any, state: dict[str, Tensor]) -> None:
        self._graph, self._state = graph, state
        self._added: set[str] = set()

    def run(self) -> None:
        """In place; weights that nothing reads any more go."""
        nodes, out = list(self._graph.node), []
        biased = {node.input[1]: node for node in nodes if node.op_type == "Add"}
        gone = set()
        for node in nodes:
            parts = node.name.strip("/").split("/")
            if node.name in gone:
                continue
            if node.op_type == "MatMul" and len(parts) > 2 and parts[-2] in _ENTERS and node.output[0] in biased:
                layer, name = parts[-3:-1]
                addition = biased[node.output[0]]
                gone.add(addition.name)
                out += self._linear(f"{layer}.{name}", f"{layer}.{_ENTERS[name]}", node.input[0], addition.output[0])
            elif node.op_type == "Gather" and node.input[0] == "words.weight":
                out += self._words(node.input[1], node.output[0])
            else:
                out.append(node)
        del self._graph.node[:]
        self._graph.node.extend(out)
        read = {name for node in out for name in node.input}
        kept = [one for one in self._graph.initializer if one.name in read]
        del self._graph.initializer[:]
        self._graph.initializer.extend(kept)
        done = sum(node.op_type == "MatMulIntegerToFloat" for node in out)
        wanted = sum(name.endswith("_range.scale") for name in self._state) // len(set(_ENTERS.values())) * len(_ENTERS)
        if done != wanted or "words.int8" not in self._added:
            raise RuntimeError(
                "linear layers or words were not found: torch names the nodes that it exports otherwise now"
            )

    def _add(self, name: str, values: np.ndarray) -> str:
        from onnx import numpy_helper

        if name not in self._added:
            self._added.add(name)
            self._graph.initializer.append(numpy_helper.from_array(np.asarray(values, order="C"), name))
        return name

    def _linear(self, name: str, range_: str, entering: str, leaving: str) -> list[Any]:
        from onnx import helper

        weight = self._state[f"{name}.weight"]
        scales = row_scales(weight, WEIGHT_LEVELS)
        rounded = (weight / scales).round().clamp(-WEIGHT_LEVELS, WEIGHT_LEVELS)
        scale = self._add(f"{range_}.scale", self._state[f"{range_}.scale"].numpy().astype(np.float32))
        zero = self._add(f"{range_}.zero_point", self._state[f"{range_}.zero_point"].numpy().astype(np.uint8))
        seen = f"{range_}.rounded"
        out = []
        if seen not in self._added:
            self._added.add(seen)
            out.append(helper.make_node("QuantizeLinear", [entering, scale, zero], [seen], name=f"{range_}.round"))
        inputs = [
            seen,
            self._add(f"{name}.weight.int8", rounded.numpy().astype(np.int8).T),
            scale,
            self._add(f"{name}.weight.scale", scales[:, 0].numpy().astype(np.float32)),
            zero,
            "",
            self._add(f"{name}.weight.bias", self._state[f"{name}.bias"].numpy().astype(np.float32)),
        ]
        product = helper.make_node("MatMulIntegerToFloat", inputs, [leaving], name=name, domain="com.microsoft")
        return [*out, product]

    def _words(self, ids: str, leaving: str) -> list[Any]:
        from onnx import TensorProto, helper

        words = self._state["words.weight"]
        scale = row_scales(words, WORD_LEVELS)
        rounded = (words / scale).round().numpy().astype(np.int8)
        table = self._add("words.int8", rounded)
        scales = self._add("words.scale", scale.numpy().astype(np.float32))
        return [
            helper.make_node("Gather", [table, ids], ["words.found"], name="words.find"),
            helper.make_node("Cast", ["words.found"], ["words.float"], name="words.cast", to=TensorProto.FLOAT),
            helper.make_node("Gather", [scales, ids], ["words.own_scale"], name="words.find_scale"),
            helper.make_node("Mul", ["words.float", "words.own_scale"], [leaving], name="words.unround"),
        ]
