"""What the network is trained to compute, and what its int8 file computes; both need the extra "training"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra training")
pytest.importorskip("onnx", reason="needs the extra training")

from cross_encoder import CrossEncoder, tokenizer_for  # noqa: E402
from int8_onnx import write_int8  # noqa: E402
from quantization import (  # noqa: E402
    FakeQuantize,
    QuantizedLinear,
    clear_ranges,
    find_ranges,
    set_quantized,
)
from toulmin.entailment.onnx_scorer import CrossEncoderSession  # noqa: E402
from train_entailment import batches, rounded_words  # noqa: E402

PAIRS = [
    ("A man is playing a guitar on a stage.", "A man is playing an instrument."),
    ("Casablanca: directed by (one value): Michael Curtiz.", "Michael Curtiz directed Casablanca."),
    ("It rains.", "The sun shines in Paris, London and Berlin, and has done so for seven days."),
]
ENCODED = tokenizer_for(128).encode_batch(PAIRS)
INPUTS = [inputs for _, inputs in batches(ENCODED, 512, None)]


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_a_range_is_kept_to_by_any_kind_of_number(kind: Any) -> None:
    quantize = FakeQuantize()
    quantize.fit(np.linspace(-3, 5, 10_001))
    quantize.on = True
    scale, zero_point = float(quantize.scale), float(quantize.zero_point)
    rounded = quantize(torch.linspace(-30, 50, 10_001).to(kind)).float().numpy() / scale
    assert rounded.min() == pytest.approx(-zero_point, rel=0.004)
    assert rounded.max() == pytest.approx(255 - zero_point, rel=0.004)
    with pytest.raises(ValueError, match="no range to choose"):
        quantize.fit(np.zeros(5))


def test_values_have_256_levels_and_pass_the_gradient_within_their_range() -> None:
    values = torch.linspace(-3, 5, 10_001, requires_grad=True)
    quantize = FakeQuantize()
    quantize.fit(values.detach().numpy()[1000:-1000])
    quantize.on = True
    rounded = quantize(values)
    assert len(torch.unique((rounded / quantize.scale).round())) == 256
    inside = (values > rounded.min()) & (values < rounded.max())
    assert (rounded - values)[inside].abs().max() <= float(quantize.scale) / 2 + 1e-6
    rounded.sum().backward()
    assert values.grad is not None
    assert values.grad[inside].eq(1).all()
    assert values.grad[values > rounded.max() + quantize.scale].eq(0).all()


def test_weights_have_127_levels_in_each_row() -> None:
    layer = QuantizedLinear(64, 8, bias=False)
    layer.on = True
    used = layer(torch.eye(64)).T
    for row, full in zip(used, layer.weight, strict=True):
        levels = (row / (full.abs().max() / 63)).detach().numpy()
        assert np.abs(levels - levels.round()).max() < 1e-3
        assert np.abs(levels).max() <= 63.001


def test_finding_ranges_leaves_the_training_as_it_was() -> None:
    model = CrossEncoder(dropout=0.5)
    find_ranges(model, INPUTS)
    assert model.training
    one, two = (model(*INPUTS[0]) for _ in range(2))
    assert not torch.equal(one, two)
    clear_ranges(model)
    with pytest.raises(ValueError, match="find_ranges first"):
        set_quantized(model, on=True)


def test_the_file_computes_what_was_trained(tmp_path: Path) -> None:
    model = _rough()
    set_quantized(model, on=True)
    expected = _logits(model)
    set_quantized(model, on=False)
    write_int8(model, tmp_path / "entailment.onnx")
    session = CrossEncoderSession(tmp_path / "entailment.onnx")
    found = session.logits(PAIRS)
    # A value between two levels may fall to either, and moves what comes after it: they are alike, not the same.
    assert np.abs(found - expected).mean() < np.abs(found - _logits(model)).mean() / 3
    alone = np.concatenate([session.logits([pair]) for pair in PAIRS])
    assert np.abs(found - alone).max() < 1e-4


def test_another_range_is_another_file(tmp_path: Path) -> None:
    model = _rough()
    set_quantized(model, on=True)
    expected = _logits(model)
    for layer in model.layers:
        layer.read_range.scale *= 1.5
    write_int8(model, tmp_path / "entailment.onnx")
    found = CrossEncoderSession(tmp_path / "entailment.onnx").logits(PAIRS)
    set_quantized(model, on=False)
    assert np.abs(found - expected).mean() > np.abs(found - _logits(model)).mean() / 3


def _rough() -> Any:
    """A network whose rounding is coarse, with words that int8 holds exactly."""
    torch.manual_seed(0)
    model = CrossEncoder(dropout=0.0).eval()
    model.words.weight.data = rounded_words(model.words.weight.data)
    find_ranges(model, INPUTS)
    for layer in model.layers:
        for each in (layer.read_range, layer.mixed_range, layer.inner_range, layer.outer_range):
            each.scale *= 8
            each.zero_point.copy_((each.zero_point / 8 + 100).round())
    model.classes.weight.data *= 20
    return model


def _logits(model: Any) -> Any:
    out = np.zeros((len(PAIRS), 3))
    with torch.no_grad():
        for rows, inputs in batches(ENCODED, 512, None):
            out[rows] = model(*inputs).numpy()
    return out
