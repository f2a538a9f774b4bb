"""FActScore's biographies: prompts, and what two models wrote, with atomic facts that people labelled.

``ChatGPT.jsonl`` and ``InstructGPT.jsonl`` (``PerplexityAI.jsonl`` in the published set) hold ``{input, output, topic,
cat, annotations}`` on each line: the same 183 prompts. ``factscore/bios`` are the prompts, without gold;
``labelled_facts`` reads the texts with their facts, for measuring what judges facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast
from typing import Literal as Choice

from toulmin.errors import SourceError
from toulmin.evaluation.datasets.files import (
    ProblemList,
    data_folder,
    json_records,
    read_json,
    required,
    text_field,
    text_list,
    usable,
)
from toulmin.evaluation.datasets.types import Declared, Problem, Question

__all__ = ["LOADERS", "FactLabel", "LabelledFact", "LabelledText", "LabelledTexts", "labelled_facts"]

_MODELS = ("ChatGPT", "InstructGPT", "PerplexityAI")
_FILES = [f"{model}.jsonl" for model in _MODELS]
_PROMPT = "Question: "

#: S: supported by Wikipedia; NS: not supported; IR: irrelevant to the prompt.
FactLabel = Choice["S", "NS", "IR"]


@dataclass(frozen=True, slots=True)
class LabelledFact:
    """An atomic fact that a person made of a sentence."""

    text: str
    label: FactLabel
    sentence: str


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A biography that a model wrote.

    Args:
        id: of the question in ``factscore/bios``.
        model: that wrote it.
        topic: whom it is about.
        text: what it wrote.
        facts: in the order of the text; None where the model refused, and nothing was labelled.
    """

    id: str
    model: str
    topic: str
    text: str
    facts: tuple[LabelledFact, ...] | None


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """The texts of all models, and the records that could not be read."""

    texts: tuple[LabelledText, ...]
    problems: tuple[Problem, ...]


def _facts(record: Mapping[str, Any]) -> Iterator[LabelledFact]:
    sentences = record["annotations"]
    if not isinstance(sentences, list) or not all(isinstance(sentence, dict) for sentence in sentences):
        raise SourceError("is not a list of sentences", field="annotations")
    for sentence in sentences:
        facts = sentence.get("human-atomic-facts") or []  # null where the sentence is irrelevant
        if not isinstance(facts, list) or not all(isinstance(fact, dict) for fact in facts):
            raise SourceError("is not a list of facts", field="human-atomic-facts")
        for fact in facts:
            if fact.get("label") not in ("S", "NS", "IR"):
                raise SourceError(f"is not S, NS or IR but {fact.get('label')!r}", field="label")
            yield LabelledFact(text_field(fact, "text"), cast(FactLabel, fact["label"]), text_field(sentence, "text"))


def _labelled(model: str, _: int, record: Mapping[str, Any]) -> LabelledText:
    text, topic = record.get("output"), text_field(record, "topic")
    if not isinstance(text, str):
        raise SourceError("is missing or is not a text", field="output")
    if "annotations" not in record:
        raise SourceError("is missing", field="annotations")
    facts = None if record["annotations"] is None else tuple(_facts(record))
    return LabelledText(topic, model, topic, text, facts)


def labelled_facts(data: Path) -> LabelledTexts:
    """The texts of those models whose files are there, with the facts that people labelled.

    Raises:
        SourceError: no such file is there.
    """
    folder = data_folder(data, "factscore")
    required(folder, *_FILES)
    problems: ProblemList = []
    texts: list[LabelledText] = []
    for model, file in zip(_MODELS, _FILES, strict=True):
        if (path := folder / file).is_file():
            parsed = usable(path, json_records(path, problems), partial(_labelled, model), problems)
            texts += [text for _, text in parsed]
    return LabelledTexts(tuple(texts), tuple(problems))


def _question(_: int, record: Mapping[str, Any]) -> Question:
    topic, frequency = text_field(record, "topic"), text_list(record, "cat")
    return Question(
        id=topic,
        question=text_field(record, "input").removeprefix(_PROMPT),
        type=frequency[0] if frequency else "",
        gold_entities=(topic,),
    )


LOADERS = {
    "factscore/bios": Declared(
        id="factscore/bios",
        title="prompts for biographies, of people from very rare to very frequent in Wikipedia",
        source="Min et al. 2023 (in google-deepmind/long-form-factuality)",
        licence="MIT",
        files="ChatGPT.jsonl, InstructGPT.jsonl",
        fields=("type", "gold_entities"),
        read=partial(read_json, "factscore/bios", _FILES, _question),
        needs="a model, and a graph or passages; there is no gold: answers are judged (FActScore, SAFE)",
    )
}
