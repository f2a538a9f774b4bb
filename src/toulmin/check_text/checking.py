"""Checking a text: its sentences, the facts they state, the verdict on each, and the certificate of all that."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from toulmin.check_text.judge.verdicts import FactLink, FactVerdict, JudgeSettings, judge, not_borne_out
from toulmin.check_text.rules import VerdictRule, rule_of_reason
from toulmin.check_text.split.atomic import AtomicFact, SentenceFacts, split_facts
from toulmin.check_text.split.model_facts import ask_facts, prompts
from toulmin.check_text.split.tagged_words import Names
from toulmin.english.sentences import Sentence, split_sentences
from toulmin.entailment.protocol import Scorer
from toulmin.entailment.statement_premise import premise_of
from toulmin.errors import InputError, SettingsError
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Statement
from toulmin.llm.session import Session
from toulmin.program.answer import Answer, Usage
from toulmin.program.builder import Builder
from toulmin.program.nodes import Decision, Judged
from toulmin.retrieval.knowledge.evidence import Knowledge
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.statement_words import statement_words

__all__ = ["METHOD", "REFUSED", "CheckSettings", "TextCheck", "TextChecker", "unstated_numbers"]

#: What answers of kind "text" that are made here name as their method.
METHOD = "check-text"
#: How the judge of a claim begins whose verdict is not given: by the rules, or as it is not sure enough.
REFUSED = "rules: "

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
#: The number of a list item, which belongs to its sentence and states nothing.
_LIST_NUMBER = re.compile(r"^\s*\(?\d{1,3}[.)]\s+")
_DECISIONS: dict[str, Decision] = {"supported": "yes", "contradicted": "no", "not in the graph": "unknown"}
#: Start and end of a sentence, its claims, and why it is not checked.
CheckedSentence = tuple[int, int, list[int], str | None]


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """Settings of the check of a text.

    Args:
        together: sentences that are judged at once; more are quicker, and show progress less often.
        longest: characters of a text; a longer one is refused.
        judge: of the judge of facts.
        explain: name the rule that decided of each claim, and of each sentence without one: the certificate's
            ``trace.rules`` holds a list of names for each sentence (``toulmin.check_text.rules``).
    """

    together: int = 16
    longest: int = 100_000  # what a certificate holds
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    explain: bool = False


class TextChecker:
    """Checks texts against one graph; what it needs is opened once.

    Args:
        scorer: of entailment; None: the one that ships.
        knowledge: passages for what the graph says nothing of.
        settings: None: the defaults.

    Raises:
        SettingsError: a setting that is out of range.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        scorer: Scorer | None = None,
        knowledge: Knowledge | None = None,
        settings: CheckSettings | None = None,
    ) -> None:
        from toulmin.entailment.registry import get_scorer

        self.settings = settings or CheckSettings()
        if self.settings.together < 1 or self.settings.longest < 1:
            raise SettingsError("together and longest of a text's check: give 1 or more")
        if not 0 <= self.settings.judge.sure <= 1:
            raise SettingsError(f"sure of a text's check is {self.settings.judge.sure}: give a number from 0 to 1")
        self.graph, self.knowledge = graph, knowledge
        self.scorer = scorer or get_scorer()
        self.retriever = Retriever(graph)
        # A remote graph would be asked for each run of words; there, names are read by their capitals alone.
        self.names: Names | None = None
        if isinstance(graph, LocalGraph):
            self.names = lambda forms: [bool(matches) for matches in graph.lookup(list(forms))]

    def start(self, text: str, session: Session | None = None) -> TextCheck:
        """The check of one text, not begun.

        Args:
            session: of a language model, which then takes the sentences apart.

        Raises:
            InputError: a text that is empty, too long, or no Unicode text.
        """
        if not isinstance(text, str):
            raise InputError(f"the text is of type {type(text).__name__}: give a str")
        if not text.strip():
            raise InputError("the text is empty: give a text with at least one sentence")
        if len(text) > (longest := self.settings.longest):
            raise InputError(f"the text has {len(text):,} characters: check at most {longest:,} at a time, in parts")
        if "\0" in text:
            raise InputError("the text holds a NUL character: it is no text, or not in UTF-8")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(f"the text is no Unicode text at character {error.start + 1}: give it in UTF-8") from None
        return TextCheck(self, text, session)

    async def check(self, text: str, session: Session | None = None) -> Answer:
        """The answer of kind "text": a verdict on each sentence; see ``start``."""
        begun = self.start(text, session)
        async for _ in begun.run():
            pass
        return begun.answer()


class TextCheck:
    """The check of one text. It may be ended at any time: ``answer`` then holds what was checked so far."""

    def __init__(self, checker: TextChecker, text: str, session: Session | None) -> None:
        self._checker, self.text, self._session = checker, text, session
        self._builder = Builder(text, checker.graph)
        self._checked: list[CheckedSentence] = []
        self._rules: dict[int, VerdictRule] = {}  # of claims
        self._began = time.monotonic()
        self._seconds = 0.0
        self.sentences: list[Sentence] = split_sentences(text)
        #: How many sentences are checked.
        self.done = 0
        if not self.sentences:
            raise InputError("the text has no words: give a text with at least one sentence")
        # The number of a list item is part of its sentence here, since no digit may be left out.
        self._spans = {
            one: (next((at for at in range(end, one.start) if text[at].isalnum()), one.start), one.end)
            for end, one in zip([0, *(one.end for one in self.sentences)], self.sentences, strict=False)
        }
        self._folded = text.casefold() if len(text.casefold()) == len(text) else text

    async def run(self) -> AsyncIterator[int]:
        """Check the sentences, some at a time; yields how many are done.

        Raises:
            GraphError: the graph cannot be asked.
            ModelError: the model, or a scorer that is one, cannot be reached, or gave nothing usable.
        """
        of, splits = self._checker, self._split()
        try:
            async for batch in _batches(splits, of.settings.together):
                stated = [fact.text for split in batch for fact in (*split.facts, *split.beside)]
                asked = (of.retriever, of.scorer, of.knowledge, of.settings.judge)
                verdicts = await asyncio.to_thread(judge, self.text, stated, *asked) if stated else []
                self._add(batch, iter(verdicts))
                self.done += len(batch)
                self._seconds = time.monotonic() - self._began
                yield self.done
        finally:
            await splits.aclose()

    async def _split(self) -> AsyncGenerator[SentenceFacts, None]:
        """The facts of each sentence, by rules or by the model."""
        if self._session is None:
            for split in split_facts(self.text, self.sentences, self._checker.names, by_the_way=True):
                yield split
            return
        by_rules = list(split_facts(self.text, self.sentences, self._checker.names))
        async for split in ask_facts(self.text, by_rules, self._session):
            yield split

    def _add(self, sentences: Sequence[SentenceFacts], verdicts: Iterator[FactVerdict]) -> None:
        """Take sentences and the verdicts on their facts into the program."""
        for split in sentences:
            start, end = self._spans[split.sentence]
            if split.unchecked is not None:
                self._checked.append((start, end, [], split.unchecked))
                continue
            claims: list[int] = []
            of_facts = [next(verdicts) for _ in split.facts]
            for fact, verdict in zip(split.facts, of_facts, strict=True):
                if fact.implied and verdict.verdict == "not in the graph":
                    continue  # said by the way: it counts only where the graph knows of it
                claims += self._claim(fact, verdict, end)
                if verdict.despite is not None:  # a passage supports what the graph contradicts: both are told
                    excerpt, score = verdict.despite
                    said = FactVerdict("supported", score, VerdictRule.PASSAGE_SAYS, "", excerpts=(excerpt,))
                    claims.append(self._judged_claim(fact.text, said))
            supported = [verdict for verdict in of_facts if verdict.verdict == "supported"]
            taken = frozenset().union(*(_keys(cited) for verdict in supported for cited in verdict.statements))
            claims += self._further([(part, next(verdicts)) for part in split.beside], taken, end)
            claims += self._unstated(self.text[start:end], claims)
            self._checked.append((start, end, list(dict.fromkeys(claims)), None))

    def _unstated(self, sentence: str, claims: Sequence[int]) -> Iterator[int]:
        """A claim that leaves open what no claim of a supported sentence says: its other numbers."""
        judged = [node for place in claims if isinstance(node := self._builder.program[place], Judged)]
        left = unstated_numbers(sentence, [node.says for node in judged])
        if left and judged and all(node.decision == "yes" for node in judged):
            score = min(node.score for node in judged)
            verdict = FactVerdict("not in the graph", score, VerdictRule.UNSTATED_NUMBER, "no claim says it")
            yield self._judged_claim(", ".join(left), verdict, f"{REFUSED}{verdict.reason}")

    def _further(self, parts: Sequence[tuple[AtomicFact, FactVerdict]], taken: Set[object], end: int) -> Iterable[int]:
        """The claims of the statements that a sentence, or a part of it, states beside those taken already.

        Args:
            taken: keys of what the facts state.
        """
        further: dict[str, int] = {}  # by the statement that each rests on
        for part, verdict in parts:
            links = {link.entity: link for link in verdict.links}
            for statement in verdict.statements if verdict.verdict == "supported" else ():
                ends = _ends(statement)
                known = statement.id in further or not taken.isdisjoint(_keys(statement))
                if known or not all(node in links for node in ends):
                    continue
                named = [link for node in ends if (link := self._named(part, links[node], end)) is not None]
                subject, relation, object_, *_ = statement_words(statement)
                words = premise_of(subject, relation, object_)
                if len(named) == len(ends) and not_borne_out(words, named, [statement]) is None:
                    rests_on = replace(verdict, links=tuple(named), statements=(statement,))
                    further[statement.id] = self._judged_claim(words, rests_on)
        return further.values()

    def _claim(self, fact: AtomicFact, verdict: FactVerdict, end: int) -> Iterator[int]:
        """The claim of a fact, on the entities, statements and passages that its verdict rests on.

        The ends of a statement are what the words were taken for. A verdict that these do not bear out is not given:
        the graph then says nothing, and the judgement tells by which rule. Of what is said by the way there is no claim
        then.
        """
        by = f"{REFUSED}{verdict.unsure}" if verdict.unsure else None
        linked = {link.entity: named for link in verdict.links if (named := self._named(fact, link, end)) is not None}
        needed = any if verdict.verdict == "contradicted" else all  # of a statement that contradicts, one end
        statements = [one for one in verdict.statements if needed(node in linked for node in _ends(one))]
        spoken = {node for statement in statements for node in (statement.subject, statement.object)}
        spoken |= {qualifier.value for statement in statements for qualifier in statement.qualifiers}
        supported = verdict.verdict == "supported"
        links = [link for node, link in linked.items() if not (supported and spoken) or node in spoken]
        if statements or verdict.excerpts or verdict.verdict == "not in the graph":
            refused = not_borne_out(fact.text, links, statements) if supported and statements else None
            if refused is None:
                yield self._judged_claim(
                    fact.text, replace(verdict, links=tuple(links), statements=tuple(statements)), by
                )
                return
            by = f"{REFUSED}{refused}"
        if not fact.implied:
            score, rule = 1 - verdict.score, VerdictRule.NOT_BORNE_OUT
            silent = FactVerdict("not in the graph", score, rule, verdict.reason, tuple(linked.values()))
            yield self._judged_claim(fact.text, silent, by)

    def _judged_claim(self, text: str, verdict: FactVerdict, by: str | None = None) -> int:
        """The place of a claim with a verdict, whose links are to the whole text, on what it rests on."""
        builder, score, decision = self._builder, float(verdict.score), _DECISIONS[verdict.verdict]
        seen = [builder.entity(link.entity, (link.start, link.end), link.form) for link in verdict.links]
        seen += [builder.statement(statement) for statement in verdict.statements]
        seen += [
            builder.passage(piece.source, piece.sha256, piece.start, piece.end, piece.text)
            for piece in verdict.excerpts
        ]
        by = by or self._checker.scorer.name
        place = builder.judged(text, by=by, score=score, decision=decision, seen=dict.fromkeys(seen))
        self._rules.setdefault(place, verdict.rule)
        return place

    def _named(self, fact: AtomicFact, link: FactLink, end: int) -> FactLink | None:
        """The same of the words of the whole text; None where they do not stand in it."""
        words = link.text.casefold() if self._folded is not self.text else link.text
        place = fact.place(link.start, link.end)
        start = self._folded.rfind(words, 0, end) if place is None else place[0]
        last = start + len(link.text) if place is None else place[1]
        return replace(link, start=start, end=last, text=self.text[start:last]) if start >= 0 else None

    def answer(self, *, ended: str | None = None) -> Answer:
        """The answer; sentences that were not reached are "not checked".

        Args:
            ended: why the check ended before its time, in words.
        """
        note = f"not reached: {ended or 'the check has not come so far'}"
        left: list[CheckedSentence] = [(*self._spans[sentence], [], note) for sentence in self.sentences[self.done :]]
        usage, model, digest = Usage(seconds=self._seconds), None, None
        if self._session is not None:
            usage, model, digest = self._session.usage(self._seconds), self._session.model, prompts().digest
        sentences = [*self._checked, *left]
        return self._builder.text(
            sentences,
            by=f"{METHOD} by {self._checker.scorer.name}",
            score=1.0,
            method=METHOD,
            usage=usage,
            model=model,
            prompts_hash=digest,
            trace={"rules": list(map(self._rules_of, sentences))} if self._checker.settings.explain else None,
        )

    def _rules_of(self, sentence: CheckedSentence) -> list[str]:
        """The rules of a sentence's claims; of one without claims, why it has none."""
        _, _, claims, unchecked = sentence
        why = rule_of_reason(unchecked) if unchecked is not None else VerdictRule.NO_CLAIM
        return [str(self._rules[place]) for place in claims] or [str(why)]


def unstated_numbers(sentence: str, claims: Iterable[str]) -> list[str]:
    """The numbers of a sentence, in figures, that no claim of it says; the number of a list item is none."""
    stated = {_ungrouped(number) for claim in claims for number in _NUMBER.findall(claim)}
    numbers = dict.fromkeys(_NUMBER.findall(_LIST_NUMBER.sub("", sentence)))
    return [number for number in numbers if _ungrouped(number) not in stated]


def _ungrouped(number: str) -> str:
    """A number without the commas between its thousands."""
    return number.replace(",", "") if _GROUPED.fullmatch(number) else number


def _ends(statement: Statement) -> list[Entity]:
    return [end for end in (statement.subject, statement.object) if isinstance(end, Entity)]


def _keys(statement: Statement) -> frozenset[object]:
    """Keys of a statement, its relation and object, and its two ends: one that shares a key with another adds nothing.

    Of "X, a physicist, married Y", read as a whole, that Y is a physicist is not said.
    """
    return frozenset(((statement.relation, statement.object), frozenset((statement.subject, statement.object))))


async def _batches(splits: AsyncIterator[SentenceFacts], together: int) -> AsyncIterator[list[SentenceFacts]]:
    batch: list[SentenceFacts] = []
    async for split in splits:
        batch.append(split)
        if len(batch) == together:
            yield batch
            batch = []
    if batch:
        yield batch
