"""Folders that hold no usable entailment model are refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from toulmin.entailment.onnx_scorer import OnnxScorer
from toulmin.errors import SettingsError


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no entailment model is there"):
        OnnxScorer(tmp_path)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "calibration.json").write_text("[]", "utf-8")
    with pytest.raises(SettingsError, match="no calibration"):
        OnnxScorer(tmp_path)
    (tmp_path / "calibration.json").write_text('{"temperature": 1.5}', "utf-8")
    (tmp_path / "entailment.onnx").write_bytes(b"no model")
    with pytest.raises(SettingsError, match="no ONNX model"):
        OnnxScorer(tmp_path)
