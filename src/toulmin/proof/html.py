"""An answer with its proof as HTML, for notebooks. Every text is escaped: labels of a graph may be anybody's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from toulmin.graph.labels import readable_relation
from toulmin.graph.types import Direction, Node, Relation, Statement
from toulmin.proof.answer import Answer, Sentence, node_text
from toulmin.proof.axioms.steps import Axiom, Binding
from toulmin.proof.axioms.wording import binding_words, clauses_in_words, computed_words, judged_words, licence
from toulmin.proof.chains.steps import Chain
from toulmin.proof.chains.wording import chain_words, chosen_words, sentence_words
from toulmin.proof.model import Computation, Fact, Judgement, Link, Path, Step
from toulmin.proof.passages import Passage
from toulmin.proof.texts.steps import Claim

__all__ = ["answer_html"]

_SHOWN = 20  # of each kind of step
_LONGEST = 300  # characters of a text
_NODE = "padding:1px 7px;border:1px solid #8aa;border-radius:9px;background:#f4f8f8;color:#123"
_FAINT = "color:#667"
_DRAWN = (
    *("link", "path", "fact", "judgement", "conclusion", "axiom", "binding"),
    *("passage", "chain", "entailment", "claim"),
)


def answer_html(answer: Answer) -> str:
    """The question with its links marked, the answer, the paths drawn, the statements and what was judged.

    A fragment without scripts, styles of the page or links.
    """
    steps = answer.proof.steps
    about = [f"method {answer.method}", *([answer.model] if answer.model else [])]
    about += [f"confidence {answer.confidence:.2f}"] if answer.confidence is not None else []
    rows = [
        ("Question", [_question(answer)]),
        ("Answer", [f"<b>{_text(answer.text)}</b>", f'<span style="{_FAINT}">{_text(", ".join(about))}</span>']),
        ("Sentences", _listed([_sentence(one) for one in answer.sentences])),
        ("Axiom", _listed([_axiom(step, line) for step, line in _axioms(answer)])),
        ("Path", _listed([_path(step) for step in steps if isinstance(step, Path)])),
        ("Statements", _listed([_fact(step) for step in steps if isinstance(step, Fact)])),
        ("Passages", _listed([_passage(step) for step in steps if isinstance(step, Passage)])),
        ("Chains", _listed([_chain(step, answer) for step in steps if isinstance(step, Chain)])),
        ("Computed", _listed([_computed(step, words) for step, words in _evaluations(answer)])),
        ("Judged", _listed([_judgement(step, answer) for step in _judged(steps)])),
        ("Other steps", _listed([_other(step) for step in steps if not _is_drawn(step, answer)])),
    ]
    body = "".join(_row(heading, lines) for heading, lines in rows if lines)
    return f'<table style="border-collapse:collapse;text-align:left">{body}</table>'


def _is_drawn(step: Step, answer: Answer) -> bool:
    return step.kind in _DRAWN or any(step is one for one, _ in _evaluations(answer))


def _axioms(answer: Answer) -> list[tuple[Step, str]]:
    """Each axiom with what follows from it, its clauses, and what its terms were taken for where that is not plain."""
    lines: list[tuple[Step, str]] = []
    steps = answer.proof.by_id()
    for step in steps.values():
        if isinstance(step, Axiom):
            said = [step.program.text, licence(step.program), *clauses_in_words(step.program)]
            lines += [(step, line) for line in said]
        elif isinstance(step, Binding) and (words := binding_words(step, steps)):
            lines.append((step, words))
    return lines


def _evaluations(answer: Answer) -> list[tuple[Computation, str]]:
    steps = answer.proof.by_id()
    computed = [
        (step, computed_words(step, steps) or chosen_words(step, steps))
        for step in steps.values()
        if isinstance(step, Computation)
    ]
    return [(step, words) for step, words in computed if words is not None]


def _axiom(step: Step, line: str) -> str:
    return f'<span style="{_FAINT}">[{_text(step.id)}]</span> {_text(line)}'


def _computed(step: Computation, words: str) -> str:
    output = step.output
    said = {True: "yes", False: "no", None: "unknown"}[output.verdict]
    said = ", ".join(map(node_text, output.values)) if output.values else said
    return f"{_axiom(step, words)}: <b>{_text(said)}</b>"


def _sentence(one: Sentence) -> str:
    """A sentence of a text: its verdict, and why."""
    cited = f" [{', '.join(one.statements)}]" if one.statements else ""
    score = "" if one.score is None or one.verdict == "not checked" else f" {one.score:.2f}"
    why = f'<span style="{_FAINT}">({_text((one.reason or "") + cited)})</span>'
    return f"<b>{_text(one.verdict or '')}{score}</b> {_text(one.text)} {why}"


def _passage(step: Passage) -> str:
    return f'<span style="{_FAINT}">[{_text(step.id)}] {_text(step.source)}</span> “{_text(step.text)}”'


def _chain(step: Chain, answer: Answer) -> str:
    """A chain of thought: what it comes to and its weight, and its sentences with their scores."""
    steps = answer.proof.by_id()
    said = sentence_words(step, steps)
    lines = "".join(f'<div style="{_FAINT}">{_text(one)}</div>' for one in said[:_SHOWN])
    return f"{_axiom(step, chain_words(step, steps))}{lines}"


def _judged(steps: Sequence[Step]) -> list[Judgement]:
    """The judgements, but for those of claims, which are said of their sentences."""
    claimed = {step.judgement for step in steps if isinstance(step, Claim)}
    return [step for step in steps if isinstance(step, Judgement) and step.id not in claimed]


def _row(heading: str, lines: Sequence[str]) -> str:
    cell = "vertical-align:top;text-align:left;padding:3px 8px"
    inner = "".join(f"<div>{line}</div>" for line in lines)
    return f'<tr><th style="{cell}">{escape(heading)}</th><td style="{cell}">{inner}</td></tr>'


def _listed(lines: Sequence[str]) -> list[str]:
    left = len(lines) - _SHOWN
    return [*lines[:_SHOWN], *([f'<span style="{_FAINT}">… and {left:,} more</span>'] if left > 0 else [])]


def _text(text: str) -> str:
    """A text in one line, escaped and cut off."""
    line = " ".join(text[: 4 * _LONGEST].split())
    return _safe(line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…")


def _safe(line: str) -> str:
    """A text, escaped; what cannot be seen, and what turns the direction of writing, is shown as a mark."""
    return escape("".join(one if one.isprintable() else "\ufffd" for one in line), quote=True)


def _question(answer: Answer) -> str:
    """The question; the words of each link are marked, and what they were taken for is said when pointed at."""
    question, pieces, at = answer.question, [], 0
    for link in sorted(_links(answer.proof.steps), key=lambda link: link.start):
        if at <= link.start < link.end <= len(question):
            said = _text(f"{link.entity.label or link.entity.id} ({link.entity.id}, {link.how} match)")
            pieces += [
                _safe(question[at : link.start]),
                f'<u title="{said}">{_safe(question[link.start : link.end])}</u>',
            ]
            at = link.end
    return "".join([*pieces, _safe(question[at:])])


def _links(steps: Iterable[Step]) -> list[Link]:
    return [step for step in steps if isinstance(step, Link)]


def _node(node: Node) -> str:
    return f'<span style="{_NODE}">{_text(node_text(node))}</span>'


def _arrow(relation: Relation, direction: Direction) -> str:
    words = _text(relation.label or readable_relation(relation.id))
    return f"── {words} ──▶" if direction == "forward" else f"◀── {words} ──"


def _path(step: Path) -> str:
    pieces = [_node(step.path.start)]
    for hop in step.path.steps:
        pieces += [_arrow(hop.relation, hop.direction), _node(hop.node)]
    return " ".join(pieces)


def _fact(step: Fact) -> str:
    one: Statement = step.statement
    said = [f"{q.relation.label or readable_relation(q.relation.id)}: {node_text(q.value)}" for q in one.qualifiers]
    said += ["preferred"] if one.rank == "preferred" else []
    said += [f"in {one.graph}"] if one.graph else []
    qualifiers = f' <span style="{_FAINT}">({_text("; ".join(said))})</span>' if said else ""
    drawn = f"{_node(one.subject)} {_arrow(one.relation, 'forward')} {_node(one.object)}"
    return f'<span style="{_FAINT}">[{_text(step.id)}]</span> {drawn}{qualifiers}'


def _judgement(step: Judgement, answer: Answer) -> str:
    return (
        f"{_text(judged_words(step, answer.proof.by_id()) or step.claim)}: {_text(step.decision)} "
        f'<span style="{_FAINT}">(by {_text(step.by)}, {step.score:.2f})</span>'
    )


def _other(step: Step) -> str:
    """A step of any other kind: its kind and its fields, as they are stored."""
    fields = step.model_dump_json(exclude={"kind", "id", "rests_on"}, exclude_none=True)
    return f'<span style="{_FAINT}">[{_text(step.id)}] {_text(step.kind)}</span> {_text(fields)}'
