"""An answer with its proof, and the report of a check, as a person reads them in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from toulmin.cli.axioms import axiom_lines
from toulmin.cli.console import print_beside
from toulmin.cli.drawing import Pen
from toulmin.cli.evidence import VERDICT_STYLES, chain_lines, passage_lines, sentence_lines
from toulmin.cli.wording import counted, literal_words, node_words, relation_words, shorten
from toulmin.graph.readers.minting import ENTITY_PREFIX
from toulmin.graph.types import Entity, Literal, ReasoningPath, Relation
from toulmin.proof.answer import Answer, Usage
from toulmin.proof.axioms.wording import computed_words, judged_words
from toulmin.proof.chains.steps import Chain
from toulmin.proof.chains.wording import chosen_words, concludes
from toulmin.proof.checker import CheckReport
from toulmin.proof.context import Status
from toulmin.proof.model import Absence, Computation, Fact, Judgement, Link, Path, Query, Step
from toulmin.proof.operators.paths import PathEnds
from toulmin.proof.operators.selection import FactSelection
from toulmin.proof.operators.times import RestrictTime
from toulmin.proof.operators.values import Compare
from toulmin.proof.passages import Passage
from toulmin.proof.texts.steps import Claim

__all__ = ["AnswerPrinter", "print_report"]

T = TypeVar("T", bound=Step)
_MARGIN = 12  # columns of the headings at the left
_HEADING = "bold blue"
# Shown of each, unless all are asked for.
_VALUES, _PATHS, _STATEMENTS, _STEPS, _FAILURES, _LINKS, _SENTENCES, _EVIDENCE = 10, 5, 10, 20, 3, 10, 100, 5
_PLURAL: Mapping[Status, str] = {"holds": "hold", "fails": "fail"}
_STYLES: Mapping[Status, str] = {
    "holds": "green",
    "recomputed": "green",
    "judged": "yellow",
    "assumed": "yellow",
    "unverifiable": "magenta",
    "stale": "red",
    "fails": "bold red",
}


class AnswerPrinter:
    """Prints one answer.

    Args:
        everything: leave nothing out of long lists.
        bearers: how many entities bear the name that each linking step took, by its id.
    """

    def __init__(
        self, console: Console, answer: Answer, *, everything: bool = False, bearers: Mapping[str, int] | None = None
    ) -> None:
        self._console, self._answer, self._everything, self._bearers = console, answer, everything, bearers or {}
        self._pen = Pen(console)
        self._steps = answer.proof.by_id()
        needed = answer.proof.reachable()  # what the answer does not rest on is not shown as if it counted
        self._needed = [step for step in answer.proof.steps if step.id in needed]

    def print(self, report: CheckReport | None = None) -> None:
        """The question with its links, the answer, the reasoning, and what a check found."""
        self._block("Question", [self._question(), *self._links()])
        self._block("Answer", self._said(), gap=True)
        sentences = self._answer.sentences if self._everything else self._answer.sentences[:_SENTENCES]
        lines = sentence_lines(sentences)
        self._block("Sentences", [*lines, *_left_out(self._answer.sentences, sentences)], gap=True)
        paths = self._of(Path)
        drawn = paths if self._everything else paths[:_PATHS]
        lines = [line for step in drawn for line in self._pen.path(step.path, _MARGIN)]
        self._block("Paths" if len(paths) > 1 else "Path", [*lines, *_left_out(paths, drawn)], gap=True)
        self._block("Axiom", axiom_lines(self._answer), gap=True)
        self._block("Computed", self._computations(plain=len(paths) == 1), gap=True)
        self._block("Statements", self._statements([step.path for step in drawn]), gap=True)
        self._shown("Passages", self._of(Passage), passage_lines)
        chains = sorted(self._of(Chain), key=lambda one: not concludes(one, self._steps))
        self._shown("Chains", chains, lambda some: chain_lines(some, self._answer))
        claimed = {step.judgement for step in self._of(Claim)}  # what these decide is said of the sentences
        judged = [step for step in self._of(Judgement) if step.id not in claimed]
        self._block("Judged", [line for step in judged for line in self._judgement(step)], gap=True)
        if report is not None:
            self._block("Checked", [*_counts(report), *_failures(report), _verdict(report)], gap=True)

    def _shown(self, heading: str, steps: Sequence[T], lines: Callable[[Sequence[T]], list[Text]]) -> None:
        """A block of steps, of many the first."""
        shown = steps if self._everything else steps[:_EVIDENCE]
        self._block(heading, [*lines(shown), *_left_out(steps, shown)], gap=True)

    def _of(self, kind: type[T]) -> list[T]:
        return [step for step in self._needed if isinstance(step, kind)]

    def _block(self, heading: str, lines: Sequence[Text], *, gap: bool = False) -> None:
        _print_block(self._console, heading, lines, gap=gap)

    def _question(self) -> Text:
        question = Text(self._answer.question)
        for link in self._of(Link):
            question.stylize("bold underline", link.start, link.end)
        return question

    def _links(self) -> list[Text]:
        lines = []
        links = self._of(Link)
        shown = links if self._everything else links[:_LINKS]
        for link in shown:
            how = "its name" if link.how == "exact" else f"{link.how} match of {link.form!r}, {link.score:.2f}"
            if (bearers := self._bearers.get(link.id, 1)) > 1:
                how += f", one of {bearers:,} that bear this name"
            label = shorten(link.entity.label or "")
            minted = link.entity.id.startswith(ENTITY_PREFIX) or label == link.entity.id
            identifier = "" if minted else f" ⟨{link.entity.id}⟩"
            lines.append(
                Text.assemble((f"“{shorten(link.span)}” is {label}", ""), (identifier, "dim"), (f" ({how})", "dim"))
            )
        return [*lines, *_left_out(links, shown)]

    def _said(self) -> list[Text]:
        answer = self._answer
        lines = [Text(shorten(answer.text), "yellow" if answer.abstained else "bold green")]
        if answer.values:
            shown = answer.values if self._everything else answer.values[:_VALUES]
            concluded = answer.proof.conclusion()
            at_least = "at least " if concluded and concluded.at_least else ""
            lines = self._pen.row([f"{at_least}{node_words(value)}" for value in shown], "bold green", _MARGIN)
            lines += _left_out(answer.values, shown)
        about = [f"{len(answer.values):,} answers"] if len(answer.values) > 1 else []
        about += [f"confidence {answer.confidence:.2f}"] if answer.confidence is not None else []
        about += [f"method {shorten(answer.method)}"]
        about += [f"model {shorten(answer.model)}"] if answer.model else []
        about += [f"{answer.usage.seconds:.2f} s"] if answer.usage.seconds else []
        about += _cost(answer.usage) if answer.usage.model_calls else []
        return [*lines, Text(", ".join(about), "dim")]

    def _computations(self, *, plain: bool) -> list[Text]:
        """What was computed and searched; a single path that says it all is not said again as a pattern."""
        steps = [step for step in self._needed if isinstance(step, (Computation, Absence, Query))]
        if plain and len(steps) == 1 and isinstance(steps[0], Computation) and isinstance(steps[0].arguments, PathEnds):
            return []
        return [line for step in steps for line in self._computation(step)]

    def _computation(self, step: Computation | Absence | Query) -> list[Text]:
        label = f"[{step.id}] "
        if isinstance(step, Query):
            return [Text(f"{label}the query {' '.join(step.text.split())}")]  # whole: no part of it goes unread
        if isinstance(step, Absence):
            subject, object_ = (node_words(end) if end else "anything" for end in (step.subject, step.object))
            relation = relation_words(step.relation)
            return [Text(f"{label}nothing found: {subject} — {relation} — {object_} ({step.policy})")]
        if isinstance(step.arguments, PathEnds):
            return self._pattern(label, step.arguments)
        about = computed_words(step, self._steps) or chosen_words(step, self._steps)
        if isinstance(step.arguments, RestrictTime):
            about = f"restrict time of {step.arguments.of} to {_window(step.arguments)}"
        if isinstance(step.arguments, Compare):
            about = f"{step.arguments.left} {step.arguments.op} {step.arguments.right}"
        words = label + shorten(about or _every_argument(step))
        if isinstance(step.arguments, FactSelection) and step.output.values:
            return [Text(words), *(Text(f"  {shorten(node_words(fact))}", "dim") for fact in step.output.values)]
        return [Text(f"{words}: {_output(step)}")]

    def _pattern(self, label: str, arguments: PathEnds) -> list[Text]:
        start = " or ".join(self._entity(of) for of in arguments.start)
        hops = [(hop.relation, hop.direction, f"?{n}") for n, hop in enumerate(arguments.pattern, 1)]
        lines = self._pen.chain(f"{label}every ?{len(hops)} of {start}", hops, _MARGIN)
        if arguments.exclude_start:
            lines.append(Text("     but not the start itself"))
        for one in arguments.constraints:
            hop = (one.relation, one.direction, self._entity(one.entity))
            lines += self._pen.chain(f"     where ?{one.position}", [hop], _MARGIN)
        return lines

    def _entity(self, of: str) -> str:
        step = self._steps[of]
        return node_words(step.entity) if isinstance(step, Link) else of

    def _statements(self, drawn: Iterable[ReasoningPath]) -> list[Text]:
        """The statements, those of the drawn paths first."""
        first = {hop.statement for path in drawn for hop in path.steps}
        facts = sorted(self._of(Fact), key=lambda fact: fact.statement_id not in first)
        shown = facts if self._everything else facts[:_STATEMENTS]
        lines: list[Text] = []
        for fact in shown:
            label = Text(f"[{fact.id}] ", "dim")
            head, *rest = self._pen.statement(fact.statement, _MARGIN + len(label))
            lines += [label + head, *rest]
        return [*lines, *_left_out(facts, shown)]

    def _judgement(self, step: Judgement) -> list[Text]:
        claim = shorten(judged_words(step, self._steps) or f"that {step.claim}")
        if step.claim.startswith(f"«{self._answer.question}» asks for "):
            concluded = self._answer.proof.conclusion()
            of = "this" if concluded and concluded.of in step.evidence else ", ".join(step.evidence)
            claim = f"that {of} is what the question asks for"
        decision = "" if step.decision == "yes" else f": {step.decision}"
        return [Text.assemble(f"{claim}{decision}", (f" (by {shorten(step.by)}, {step.score:.2f})", "dim"))]


def _cost(usage: Usage) -> list[str]:
    said = [f"{counted(usage.model_calls, 'call')} of the model"]
    said += [f"{usage.prompt_tokens + usage.completion_tokens:,} tokens"]
    said += [f"cost {usage.cost:.4g}"] if usage.cost is not None else []
    failed = sum(usage.failures.values())
    return [*said, *([f"{counted(failed, 'reply')} not usable"] if failed else [])]


def print_report(console: Console, report: CheckReport, *, everything: bool = False) -> None:
    """Print the steps of a proof with their status and why, and the outcome.

    Args:
        everything: all steps; else, of many, only those that are neither looked up nor recomputed.
    """
    _print_sentences(console, report, everything=everything)
    console.print(Text("\nSteps", _HEADING))
    steps = report.steps
    if not everything and len(steps) > _STEPS:
        steps = tuple(step for step in steps if step.status not in ("holds", "recomputed"))[:_STEPS]
    for step in steps:
        idle = "" if step.used else " (the answer does not rest on it)"
        margin = Text.assemble(f"  {step.id:<5}{step.kind:<12} ", (f"{step.status:<13}", _STYLES[step.status]))
        print_beside(console, margin, Text(shorten(step.reason) + idle))
    for line in _left_out(report.steps, steps, "  "):
        console.print(line)
    _print_block(console, "Checked", [*_counts(report), _verdict(report)], gap=True)


def _print_sentences(console: Console, report: CheckReport, *, everything: bool) -> None:
    """A line for each sentence of a text: its status, its verdict and the sentence."""
    if not report.sentences:
        return
    console.print(Text("\nSentences", _HEADING))
    shown = report.sentences if everything else report.sentences[:_SENTENCES]
    for number, one in enumerate(shown, 1):
        verdict = one.verdict or "not checked"
        margin = Text.assemble(
            f"  {number:<5}", (f"{verdict:<17}", VERDICT_STYLES[verdict]), (f"{one.status:<13}", _STYLES[one.status])
        )
        print_beside(console, margin, Text(shorten(one.text)))
    for line in _left_out(report.sentences, shown, "  "):
        console.print(line)


def _print_block(console: Console, heading: str, lines: Sequence[Text], *, gap: bool = False) -> None:
    """Print lines beside a heading; nothing where there are no lines."""
    if not lines:
        return
    if gap:
        console.print()
    for number, line in enumerate(lines):
        head = heading if number == 0 else ""
        print_beside(console, Text.assemble((head, _HEADING), " " * (_MARGIN - len(head))), line)


def _left_out(all_: Sequence[object], shown: Sequence[object], indent: str = "") -> list[Text]:
    left = len(all_) - len(shown)
    return [Text(f"{indent}… and {left:,} more (--all shows them)", "dim")] if left else []


def _counts(report: CheckReport) -> list[Text]:
    total = sum(report.counts.values())
    by_status = [Text(f"{n} {_PLURAL.get(s, s) if n > 1 else s}", _STYLES[s]) for s, n in report.counts.items()]
    lines = [Text.assemble(f"{counted(total, 'step')}: ", Text(", ").join(by_status))] if total else []
    lines += [Text(problem, _STYLES["fails"]) for problem in report.problems]
    if report.unused:
        lines.append(Text(f"the answer does not rest on {', '.join(report.unused)}", "yellow"))
    if report.graph_changed:
        lines.append(Text("the graph is not as it was when the answer was made", "yellow"))
    return lines


def _failures(report: CheckReport) -> list[Text]:
    bad = [step for step in report.steps if step.status in ("fails", "stale")]
    return [Text(f"{s.id} ({s.kind}) {s.status}: {shorten(s.reason)}", _STYLES[s.status]) for s in bad[:_FAILURES]]


def _verdict(report: CheckReport) -> Text:
    if report.exit_code:
        return Text(f"does not pass{' (strict)' if report.strict else ''}", _STYLES["fails"])
    rests: Mapping[Status, str] = {
        "judged": ", and rests on what was judged",
        "assumed": ", and rests on what is assumed",
        "unverifiable": ", but not all of it can be verified here",
    }
    return Text(f"passes: nothing fails{rests.get(report.status, '')}", _STYLES["holds"])


def _every_argument(step: Computation) -> str:
    """An operator with all its arguments: each of them decides the result."""
    inputs = step.arguments.inputs()
    said = [f"{step.operator.replace('_', ' ')} of {', '.join(inputs)}"]
    for name, value in step.arguments:
        parts = value if isinstance(value, tuple) else () if value in (None, False) else (value,)
        if parts and not set(map(str, parts)) <= set(inputs):
            said.append(f"{name.replace('_', ' ')} {', '.join(map(_argument, parts))}")
    return "; ".join(said)


def _argument(value: object) -> str:
    if isinstance(value, Entity | Literal):
        return node_words(value)
    return relation_words(value) if isinstance(value, Relation) else str(value)


def _window(arguments: RestrictTime) -> str:
    """The window, and which qualifiers say when a statement holds."""
    first, last = (literal_words(bound) if bound else "" for bound in (arguments.first, arguments.last))
    window = first if first == last else f"{first} – {last}".strip()
    roles = (("since", arguments.starts), ("until", arguments.ends), ("at", arguments.points))
    told = [f"{role} {', '.join(map(relation_words, some))}" for role, some in roles if some]
    told += ["kept where unknown"] if arguments.unknown == "keep" else []
    return f"{window} ({'; '.join(told)})"


def _output(step: Computation) -> str:
    output = step.output
    if output.verdict is not None:
        return "yes" if output.verdict else "no"
    if not output.values:
        unknown = ("compare", "axiom_part", "axiom_verdict", "weighted_vote")
        return "unknown" if step.operator in unknown else "nothing"
    if len(output.values) > 1:
        return f"{len(output.values):,} values"
    return f"{'at least ' if output.at_least else ''}{node_words(output.values[0])}"
