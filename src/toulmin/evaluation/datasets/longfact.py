"""LongFact: prompts that ask for a long text about a thing or a concept; there is no gold.

``longfact-objects_…/longfact-objects_TOPIC.jsonl`` and ``longfact-concepts_…/…`` hold ``{prompt}`` on each line, a file
for each of 38 topics.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import ProblemList, collect, data_folder, json_records, text_field
from toulmin.evaluation.datasets.types import Dataset, Declared, Question

_PARTS = {"longfact": "*", "longfact/objects": "objects", "longfact/concepts": "concepts"}


def _question(part: str, topic: str, number: int, record: Mapping[str, Any]) -> Question:
    return Question(id=f"{part}-{topic}-{number}", question=text_field(record, "prompt"), type=topic)


def _load(name: str, data: Path) -> Dataset:
    folder = data_folder(data, "longfact")
    pattern = f"longfact-{_PARTS[name]}_*/longfact-*.jsonl"
    problems: ProblemList = []
    questions: list[Question] = []
    for path in sorted(folder.glob(pattern)):
        part, _, topic = path.stem.removeprefix("longfact-").partition("_")
        parse, file = partial(_question, part, topic), f"{path.parent.name}/{path.name}"
        questions += collect(path, json_records(path, problems), parse, problems, file)
    if not questions and not problems:
        raise SourceError(f"no file {pattern}; give --data the folder that holds it", folder)
    return Dataset(name, tuple(questions), tuple(problems))


LOADERS = {
    name: Declared(
        id=name,
        title=f"open-ended prompts about {'objects and concepts' if part == '*' else part} of 38 topics",
        source="Wei et al. 2024 (google-deepmind/long-form-factuality)",
        licence="CC BY 4.0",
        files=f"longfact-{part}_*/longfact-{part}_*.jsonl",
        fields=("type",),
        read=partial(_load, name),
        needs="a model, and a graph or passages; there is no gold: answers are judged (FActScore, SAFE, G-Eval)",
    )
    for name, part in _PARTS.items()
}
