"""The answer to a question: a certificate, as it is stored, sent and checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import cached_property
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Any
from typing import Literal as Choice

from pydantic import Field, StrictFloat, StrictInt
from pydantic_core import core_schema

from toulmin.errors import InputError, SourceError
from toulmin.graph.merkle import ALIAS, LABEL
from toulmin.graph.protocol import Graph, check_opened
from toulmin.graph.types import Entity, Node
from toulmin.kernel import KernelError, Report, check
from toulmin.kernel.certificate import OpNode, beneath, read_certificate
from toulmin.kernel.format import FORMAT as TEMPLATES
from toulmin.kernel.format import read
from toulmin.kernel.sentence import filled, sentences
from toulmin.program.checked_sentences import (
    CheckedSentence,
    Verdict,
    checked_sentences,
    counted,
    footnoted,
    node_text,
    shown,
)
from toulmin.program.json_forms import CertificateModel, value_of

__all__ = ["FORMAT", "STATED", "Answer", "CheckedSentence", "Usage", "Verdict", "caution", "node_text", "shown"]

FORMAT = "toulmin-certificate/1"
AnswerKind = Choice["nodes", "truth", "rows", "text", "none"]

#: Nodes of a program that say what the graph states.
STATED = frozenset({"statement", "follow", "instances", "is_a", "query"})
_LOOKED_UP = STATED | {"passage"}
_VALUES = 10  # values, and sentences, that ``print`` shows


class Usage(CertificateModel):
    """What an answer cost: model calls, tokens, wall-clock seconds, and money where a price is known.

    Args:
        failures: how often each step got no usable reply from the model, even after a repair.
    """

    model_calls: StrictInt = Field(default=0, ge=0)
    prompt_tokens: StrictInt = Field(default=0, ge=0)
    completion_tokens: StrictInt = Field(default=0, ge=0)
    seconds: StrictFloat = Field(default=0.0, ge=0)
    cost: StrictFloat | None = Field(default=None, ge=0)
    failures: dict[str, StrictInt] = Field(default_factory=dict)


class Answer:
    """An answer, or an abstention: a certificate, with what it says at hand. Immutable.

    Made by a ``Builder``, or read; ``to_json`` writes the certificate.

    Attributes:
        certificate: as docs/certificate.md has it; not to be changed.
    """

    certificate: dict[str, Any]

    def __init__(self, certificate: Mapping[str, Any]) -> None:
        object.__setattr__(self, "certificate", dict(certificate))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an answer is not changed: {name!r} cannot be set")

    def __reduce__(self) -> tuple[Callable[..., Answer], tuple[dict[str, Any]]]:
        return Answer, (self.certificate,)

    def __eq__(self, other: object) -> bool:
        return self.certificate == other.certificate if isinstance(other, Answer) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.question, self.kind, self.values))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """As a field of a model it is its certificate."""

        def read(value: object) -> Answer:
            if isinstance(value, Answer):
                return value
            if isinstance(value, dict):
                return cls.from_json(json.dumps(value))
            raise ValueError("must be an answer")

        written = core_schema.plain_serializer_function_ser_schema(lambda answer: answer.certificate)
        return core_schema.no_info_plain_validator_function(read, serialization=written)

    def replaced(
        self, *, usage: Usage | None = None, confidence: float | None = None, model: str | None = None
    ) -> Answer:
        """A copy in which something is told otherwise; what is None stays."""
        changes = {"usage": usage and usage.model_dump(exclude_none=True), "confidence": confidence, "model": model}
        return Answer(self.certificate | {name: value for name, value in changes.items() if value is not None})

    # -- what it says ------------------------------------------------------------------------------------------------

    @property
    def _trace(self) -> Mapping[str, Any]:
        trace = self.certificate.get("trace")
        return trace if isinstance(trace, dict) else {}

    @property
    def _answer_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = self.certificate["answer"]
        return answer

    @property
    def question(self) -> str:
        """The question; of a text that was checked, the text."""
        return str(self.certificate["question"])

    @property
    def asked(self) -> str | None:
        """Of a text that was written to answer a question: that question, as it is told."""
        question = self._trace.get("asked") if self.kind == "text" else None
        return question if isinstance(question, str) else None

    @property
    def kind(self) -> AnswerKind:
        """Nodes, truth, rows, text, or none: an abstention."""
        kind: AnswerKind = self._answer_json["kind"]
        return kind

    @property
    def abstained(self) -> bool:
        """Whether it is an abstention."""
        return self.kind == "none"

    def _node(self, value: object) -> Node:
        node = value_of(value)
        return Entity(node.id, self._labels.get(node.id)) if isinstance(node, Entity) else node

    @property
    def _labels(self) -> dict[str, str]:
        labels = self._trace.get("labels")
        return labels if isinstance(labels, dict) else {}

    @cached_property
    def values(self) -> tuple[Node, ...]:
        """The answer set in canonical order, with the labels that the graph had when it was made."""
        return tuple(map(self._node, self._answer_json.get("values", ())))

    @property
    def at_least(self) -> bool:
        """Whether the value is a number that may be higher."""
        return bool(self._answer_json.get("at_least", False))

    @property
    def verdict(self) -> bool | None:
        """Yes (True) or no; None of another kind of answer."""
        return self._answer_json["value"] == "yes" if self.kind == "truth" else None

    @property
    def rows(self) -> tuple[tuple[tuple[Node, ...], ...], ...]:
        """The rows, each a tuple of cells, each a tuple of nodes."""
        rows = self._answer_json.get("rows", ())
        return tuple(tuple(tuple(map(self._node, cell)) for cell in row) for row in rows)

    @cached_property
    def sentences(self) -> tuple[CheckedSentence, ...]:
        """The sentences of a text that was checked."""
        return checked_sentences(self.certificate, self._labels)

    @cached_property
    def reason(self) -> str | None:
        """Of an abstention: what is missing, in words that are made from its reasons."""
        if not self.abstained:
            return None
        checked = read_certificate(self.certificate)
        label = self._labels.get
        texts = sentences(checked.program, label)
        reasons = checked.answer["reasons"]
        return "; ".join(
            filled(TEMPLATES["reasons"][reason["code"]], reason, texts, label, self.question) for reason in reasons
        )

    @property
    def readings(self) -> tuple[Mapping[str, Any], ...]:
        """What the question may mean, the likeliest first, as the method tells it, unchecked (docs/reader.md)."""
        return tuple(self._trace.get("readings", ()))

    @cached_property
    def grounded(self) -> bool | None:
        """Whether it rests on statements or documents, and no part on a model's word alone; None of an abstention.

        Of a text every sentence must have claims, all of them yes and each by something looked up. An answer whose
        method marks it as not grounded (``trace.grounded``) is not. This is read off the certificate as it stands;
        ``evaluation.metrics.passes_grounded`` asks more: that the check passes, and no premise is assumed.
        """
        if self.abstained:
            return None
        if self._trace.get("grounded") is False:
            return False
        if self.kind != "text":
            return self._rests(self._answer_json["of"])
        borne_out = (
            sentence.verdict == "supported" and all(map(self._rests, sentence.claims)) for sentence in self.sentences
        )
        return bool(self.sentences) and all(borne_out)

    @cached_property
    def _program(self) -> list[OpNode]:
        return read_certificate(deepcopy(self.certificate)).program

    def _needed(self, place: int) -> list[OpNode]:
        return [self._program[number] for number in beneath(self._program, [place])]

    def _rests(self, place: int) -> bool:
        """Whether a node rests on something looked up, and on no judgement that has seen nothing."""
        needed = self._needed(place)
        bare = (node.op == "judged" and node["decision"] != "unknown" and not node["seen"] for node in needed)
        return any(map(_is_looked_up, needed)) and not any(bare)

    @property
    def text(self) -> str:
        """The answer as a person reads it; all of it follows from what it says."""
        if self.abstained:
            return f"Not answerable from this graph: {self.reason}"
        if self.kind == "text":
            return counted(self.sentences) if self.asked is None else " ".join(footnoted(self.sentences))
        if self.kind == "truth":
            return "yes" if self.verdict else "no"
        if self.kind == "rows":
            return "; ".join(" | ".join(", ".join(map(node_text, cell)) for cell in row) for row in self.rows)
        text = ", ".join(map(node_text, self.values))
        return f"at least {text}" if self.at_least else text

    # -- what is told of it ------------------------------------------------------------------------------------------

    @property
    def confidence(self) -> float | None:
        """The method's calibrated probability of being right; None where it has none."""
        return self.certificate.get("confidence")

    @property
    def usage(self) -> Usage:
        """What it cost."""
        return Usage.model_validate(self.certificate.get("usage") or {})

    @property
    def method(self) -> str:
        """The method that made it."""
        return self.certificate.get("method") or ""

    @property
    def model(self) -> str | None:
        """The language model, where one was used."""
        return self.certificate.get("model")

    @property
    def prompts_hash(self) -> str | None:
        """The digest of its prompts."""
        return self.certificate.get("prompts")

    @property
    def score(self) -> float | None:
        """How surely the question was judged to mean this."""
        reading = self.certificate.get("reading")
        return reading["score"] if reading else None

    @property
    def graph_fingerprint(self) -> str:
        """The fingerprint of the graph that it was made on."""
        graphs = self.certificate["graphs"]
        prints = {graph["name"]: graph.get("root") or graph.get("endpoint") or "" for graph in graphs}
        if len(prints) == 1:
            return str(*prints.values())
        lines = sorted(f"{name}\x1f{value}" for name, value in prints.items())  # as a union of graphs has it
        return blake2b("\x1e".join(lines).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def check(
        self,
        graph: Graph | None = None,
        *,
        root: str | Iterable[str] | None = None,
        strict: bool = False,
        seconds: float = 10.0,
        passages: Callable[[str], str | None] | None = None,
        shown: int = 20,
    ) -> Report:
        """Check it with the kernel: against a graph, or against the evidence that it holds.

        Args:
            graph: of the graphs that the answer was made on one or several (a union), in any order; the statements of
                the others are those of its evidence.
            root: the root that the graph must have; of several all of them.
            strict: what is weaker than recomputed does not pass.
            seconds: that the check may take.
            passages: the text of a source; None where it is not at hand.
            shown: statements of each node, and values of the answer, that the report lists.
        """
        from toulmin.program.ranges import GraphRanges

        if graph is not None:
            check_opened(graph)
        graphs = self.certificate["graphs"]
        source: Any = None if graph is None else GraphRanges(graph, passages, graphs, seconds / 2)
        return check(self.certificate, source, root=root, strict=strict, seconds=seconds, shown=shown)

    def to_json(self, *, indent: int | None = 1) -> str:
        """The certificate as JSON."""
        return json.dumps(self.certificate, ensure_ascii=False, indent=indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> Answer:
        """Read what ``to_json`` wrote.

        Raises:
            InputError: it is no certificate: not JSON, another format, a missing, unknown or ill-typed field, a field
                that is given twice.
        """
        try:
            certificate = read(text)
            if isinstance(certificate, dict) and "schema_version" in certificate:
                raise InputError("it was made by an older version, whose answers are no certificates: ask again")
            read_certificate(deepcopy(certificate))
        except KernelError as error:
            raise InputError(f"not a stored answer: {error}") from None
        return cls(certificate)

    @classmethod
    def read(cls, path: Path | str) -> Answer:
        """Read a stored answer from a file.

        Raises:
            SourceError: the file cannot be read, or does not hold an answer.
        """
        try:
            return cls.from_json(Path(path).read_bytes())
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror or error}", path) from None
        except InputError as error:
            raise SourceError(str(error), path) from None

    def __str__(self) -> str:
        """What ``print`` shows: the question, the answer, how sure it is, and how it is checked."""
        text = self.text
        if len(self.values) > _VALUES:
            text = f"{', '.join(map(node_text, self.values[:_VALUES]))} … ({len(self.values):,} values)"
        lines = [shown(self.question if self.asked is None else self.asked)]
        lines += [shown(text)] if self.asked is None else [f"  {shown(counted(self.sentences))}"]
        lines += [f"  {sentence.verdict}: {shown(sentence.text)}" for sentence in self.sentences[:_VALUES]]
        if len(self.sentences) > _VALUES:
            lines.append(f"  … and {len(self.sentences) - _VALUES:,} more sentences")
        about = [warning] if (warning := caution(self)) else []
        about += [f"confidence {self.confidence:.2f}"] if self.confidence is not None else []
        about += [f"method {shown(self.method)}", *([f"model {shown(self.model)}"] if self.model else [])]
        count = len(self.certificate["program"])
        nodes = f"{count:,} node{'' if count == 1 else 's'}"
        return "\n".join([*lines, f"{', '.join(about)}; program of {nodes}, not checked here: answer.check(graph)"])

    def __repr__(self) -> str:
        return f"Answer(question={shown(self.question)!r}, text={shown(self.text)!r})"

    def _repr_html_(self) -> str:
        """How a notebook shows it: with its evidence as the kernel finds it, else what ``print`` shows."""
        if not self.certificate.get("evidence"):
            return f"<pre>{escape(str(self))}</pre>"
        from toulmin.page.page import fragment

        return fragment(self.certificate, self.check())


def caution(answer: Answer) -> str | None:
    """What a reader is told of an answer that is not grounded; None of others."""
    if answer.grounded is not False:
        return None
    if answer.kind == "text":
        return "not every sentence is supported by what was looked up"
    if any(map(_is_looked_up, answer._needed(answer.certificate["answer"]["of"]))):
        return "the model's own word; it is not in the statements cited"
    return "the model's own word; nothing in the graph was cited"


def _is_looked_up(node: OpNode) -> bool:
    """Whether a node says what the graph or a document does; whom a name belongs to does not count."""
    return node.op in _LOOKED_UP and not {LABEL, ALIAS}.issuperset(node.data.get("relations", ("",)))
