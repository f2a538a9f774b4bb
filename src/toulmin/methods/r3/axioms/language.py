"""The language of axioms: a sentence, and beside it small typed terms, clauses over them, and a formula over these.

Flat on purpose, so that a small language model can fill it: every term and clause is one record, and names the others
it builds on. See docs/axioms.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar
from typing import Literal as Choice

from pydantic import Field, ValidationError, model_validator

from toulmin.errors import InputError
from toulmin.graph.types import Literal
from toulmin.graph.values import literal_from_text
from toulmin.methods.r3.axioms.formula import Formula, names_of, parse
from toulmin.program.json_forms import CertificateModel, one_line

__all__ = ["AxiomClause", "Program", "Take", "Term", "axiom_in_words", "option_schema", "schema", "schema_of"]

TermKind = Choice[
    "entity", "option", "constant", "property", "qualifier", "count", "interval",
    "duration", "sum", "difference", "product", "distance",
    "year", "month", "day", "decade_of_century", "century", "latest", "earliest",
]  # fmt: skip
Operator = Choice["=", "!=", "<", "<=", ">", ">=", "overlaps", "within", "member_of", "exists", "words"]
Direction = Choice["sufficient", "necessary", "both"]
Take = Choice["one", "some", "all"]

_WORDED = ("entity", "constant", "property", "qualifier")
_PARTS = ("year", "month", "day", "decade_of_century", "century")
_ENDS = ("latest", "earliest")
_UNARY = ("property", "qualifier", "count", *_PARTS, *_ENDS)
_BINARY = ("duration", "sum", "difference", "product", "distance")
_NAME = r"^[A-Za-z_][A-Za-z0-9_]{0,30}$"
_LONGEST_NAME = 31  # characters of such a name


class Term(CertificateModel):
    """A small typed term; which fields it has depends on its kind.

    =================== ============ ==================================================================================
    kind                fields       meaning
    =================== ============ ==================================================================================
    entity              text         the entity that these words name
    constant            text         a date, a year, a number with or without a unit, or a text
    option                           the option that is being tried (multiple choice)
    property            text, of     what the words say of the term ``of``: "religion" of the director. Either side of a
                                     statement may be the value. ``to``: only where the value is that term
    qualifier           text, of     a qualifier of the statement of the property ``of``: "start time"
    count               of           how many distinct values the property ``of`` has
    interval            of, to       the time from ``of`` to ``to``; one of them may be left out
    duration            of, to       the years from the time ``of`` to the time ``to``
    sum, difference     of, to       ``of`` plus, minus ``to``; also of a time and a duration
    product             of, to       ``of`` times ``to``
    distance            of, to       kilometres between two coordinates
    year, month, day,   of           the number of the year, the month (1 to 12), the day of the month, the century of a
    century                          time
    decade_of_century   of           1 for the first ten years of a century (1900-1909), 3 for 1920-1929
    latest, earliest    of           of the values of a property or qualifier the greatest, the least: times or numbers.
                                     ``by``: of the values of a property the one with the greatest of this qualifier of
                                     it ("start time": the latest spouse). That no later one is left out is assumed
    =================== ============ ==================================================================================

    ``take`` says of a property how many of its values must fit where it has several: "one": there is only one (the
    birth date, the religion); "some": any of them (a profession); "all": every one. ``complete`` says that where the
    graph lists some values it lists all (the parents, the states of a union), so that "some" can be false, "all" true
    and a count be exact; it is *assumed*, and only where nothing follows without it.
    """

    name: str = Field(pattern=_NAME)
    kind: TermKind
    text: str | None = Field(default=None, max_length=200)
    of: str | None = Field(default=None, max_length=_LONGEST_NAME)
    to: str | None = Field(default=None, max_length=_LONGEST_NAME)
    by: str | None = Field(default=None, max_length=_LONGEST_NAME)
    take: Take = "one"
    complete: bool = False

    @model_validator(mode="after")
    def _has_its_fields(self) -> Term:
        needs = [
            ("text", self.kind in _WORDED, self.text),
            ("of", self.kind in (*_UNARY, *_BINARY), self.of),
            ("to", self.kind in _BINARY, self.to),
        ]
        for field, needed, value in needs:
            if needed and not (value or "").strip():
                raise ValueError(f"term {self.name!r}: a term of kind {self.kind!r} needs the field {field!r}")
        if self.kind == "interval" and not (self.of or self.to):
            raise ValueError(f"term {self.name!r}: an interval needs 'of', 'to' or both")
        return self

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the terms it is built on; a field that its kind does not have says nothing."""
        has = (
            (self.of, self.kind in (*_UNARY, *_BINARY, "interval")),
            (self.to, self.kind in (*_BINARY, "property", "interval")),
            (self.by, self.kind in _ENDS),
        )
        return tuple(name for name, had in has if name and had)

    @property
    def is_end(self) -> bool:
        """Whether it is the latest or the earliest of some values."""
        return self.kind in _ENDS

    @property
    def is_number(self) -> bool:
        """Whether it is a part of a date, or a count: a number without a unit."""
        return self.kind in _PARTS or self.kind == "count"

    def literal(self) -> Literal:
        """The value of a constant: what the text most likely is, else the text itself."""
        text = (self.text or "").strip()
        return literal_from_text(text) or Literal(text)


class AxiomClause(CertificateModel):
    """Something true or false: ``left op right``, in words too; ``exists`` has no right side.

    Of an operator ``words`` only the words say it, and a model or a person must judge it by statements; its sides may
    name the terms that it turns on, which are then looked up for it.
    """

    name: str = Field(pattern=_NAME)
    text: str = Field(min_length=1, max_length=400)
    op: Operator
    left: str | None = Field(default=None, max_length=_LONGEST_NAME)
    right: str | None = Field(default=None, max_length=_LONGEST_NAME)

    @model_validator(mode="after")
    def _has_its_sides(self) -> AxiomClause:
        for side, value, needed in (("left", self.left, True), ("right", self.right, self.op != "exists")):
            if self.op != "words" and needed != bool(value):
                raise ValueError(f"clause {self.name!r}: {self.op!r} {'needs' if needed else 'has no'} {side!r} side")
        return self

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of its terms."""
        return tuple(name for name in (self.left, self.right) if name)


class Program(CertificateModel):
    """A commonsense axiom: the sentence, and what it says in clauses.

    Args:
        text: the axiom as a sentence.
        terms: each after those it builds on.
        formula: of clause names with and, or, not; empty: all clauses joined by "and". A property's ``take`` ranges
            over the smallest part of it that holds every clause which mentions it, itself or through other terms.
        direction: "sufficient": true implies ``if_true``, false implies nothing. "necessary": false implies
            ``if_false``, true implies nothing. "both".
        if_true, if_false: the answer to the question; where one is given, the other is its contrary.
    """

    text: str = Field(min_length=1, max_length=1000)
    terms: tuple[Term, ...] = Field(default=(), max_length=30)
    clauses: tuple[AxiomClause, ...] = Field(min_length=1, max_length=16)
    formula: str = Field(default="", max_length=400)
    direction: Direction = "both"
    if_true: Choice["yes", "no"] = "yes"
    if_false: Choice["yes", "no"] = "no"

    @model_validator(mode="before")
    @classmethod
    def _answers_both(cls, value: Any) -> Any:
        """That true clauses mean no says that false ones mean yes, and the other way round."""
        contrary = {"yes": "no", "no": "yes"}
        if isinstance(value, Mapping):
            for field, contrary_field in (("if_true", "if_false"), ("if_false", "if_true")):
                answer = value.get(field)
                if isinstance(answer, str) and answer in contrary and value.get(contrary_field) is None:
                    return {**value, contrary_field: contrary[answer]}
        return value

    @model_validator(mode="after")
    def _is_sound(self) -> Program:
        known: dict[str, Term] = {}
        for term in self.terms:
            _check_term(term, known)
            known[term.name] = term
        for clause in self.clauses:
            if clause.name.lower() in ("and", "or", "not"):
                raise ValueError(f"clause {clause.name!r} has a name that is a word of formulas")
            if clause.name in known:
                raise ValueError(f"clause {clause.name!r} has the name of a term")
            for part in clause.parts:
                if part not in known:
                    raise ValueError(f"clause {clause.name!r} names the term {part!r}, which is not defined")
            if clause.op == "exists" and known[clause.parts[0]].kind not in ("property", "qualifier"):
                raise ValueError(f"clause {clause.name!r}: only a property or a qualifier can be asked to exist")
        names = [clause.name for clause in self.clauses]
        if len(set(names)) < len(names):
            raise ValueError("two clauses have the same name")
        try:
            used = names_of(self.tree)
        except InputError as error:
            raise ValueError(str(error)) from None
        if strange := sorted(used - set(names)):
            raise ValueError(f"the formula names {strange[0]!r}, which is no clause")
        if idle := [name for name in names if name not in used]:
            raise ValueError(f"the formula does not use the clause {idle[0]!r}")
        if self.has_option and not self.tries_option:
            raise ValueError("no clause depends on the term of kind 'option'")
        if self.if_true == self.if_false:
            raise ValueError("the answer is the same whether the clauses are true or false")
        return self

    @cached_property
    def tree(self) -> Formula:
        """The formula."""
        return parse(self.formula or " and ".join(clause.name for clause in self.clauses))

    def term(self, name: str) -> Term:
        """The term of a name.

        Raises:
            InputError: there is none.
        """
        return _named(self.terms, name, "term")

    def clause(self, name: str) -> AxiomClause:
        """The clause of a name.

        Raises:
            InputError: there is none.
        """
        return _named(self.clauses, name, "clause")

    def beneath(self, *names: str) -> set[str]:
        """The terms that some terms or clauses are built on, themselves (if terms) included."""
        names_used: set[str] = set()
        clauses = {clause.name: clause.parts for clause in self.clauses}
        queue = [part for name in names for part in clauses.get(name, (name,))]
        while queue:
            name = queue.pop()
            if name not in names_used:
                names_used.add(name)
                queue.extend(self.term(name).parts)
        return names_used

    def terms_beneath(self, name: str) -> list[Term]:
        """The terms that a term or clause is built on, in their order."""
        names_used = self.beneath(name)
        return [term for term in self.terms if term.name in names_used]

    @property
    def states_completeness(self) -> bool:
        """Whether it says of a property that where the graph lists some values it lists all."""
        return any(term.complete for term in self.terms)

    @property
    def has_option(self) -> bool:
        """Whether it speaks of an option: then it is tried for each."""
        return any(term.kind == "option" for term in self.terms)

    @property
    def tries_option(self) -> bool:
        """Whether a clause depends on the option: through a term, or by its words, which are judged of each option."""
        used = self.beneath(*(clause.name for clause in self.clauses))
        in_words = any(clause.op == "words" for clause in self.clauses)
        return in_words or any(term.kind == "option" and term.name in used for term in self.terms)

    @classmethod
    def read(cls, value: Any) -> Program:
        """A program from what a model replied (parsed JSON).

        Raises:
            InputError: it is none; the message says in one line what to mend.
        """
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise InputError(f"not an axiom: {one_line(error)}") from None


T = TypeVar("T", Term, AxiomClause)


def _named(parts: Sequence[T], name: str, kind: str) -> T:
    named = next((part for part in parts if part.name == name), None)
    if named is None:
        raise InputError(f"the axiom has no {kind} {name!r}")
    return named


def _check_term(term: Term, known: dict[str, Term]) -> None:
    if term.name in known:
        raise ValueError(f"two terms are named {term.name!r}")
    for part in term.parts:
        if part not in known:
            raise ValueError(f"term {term.name!r} builds on {part!r}, which is not defined before it")
    if term.kind in ("qualifier", "count") and known[str(term.of)].kind != "property":
        raise ValueError(f"term {term.name!r}: a {term.kind} is of a property, and {term.of!r} is none")
    if term.is_end and known[str(term.of)].kind not in ("property", "qualifier"):
        raise ValueError(f"term {term.name!r}: {term.kind} is of a property or a qualifier, and {term.of!r} is neither")
    if term.is_end and term.by and (known[term.by].kind, known[term.by].of) != ("qualifier", term.of):
        raise ValueError(
            f"term {term.name!r}: {term.by!r} is no qualifier of {term.of!r}, by which it could be ordered"
        )


def axiom_in_words(text: str, premises: tuple[str, ...] = (), *, join: Choice["and", "or"] = "and") -> Program:
    """The paper's own form: a sentence and its premises in words, all to be judged (papers/r3, section 3.2.2).

    Args:
        join: "and": all of them must be true (eq. 3); "or": the disjunctive form, of which any is enough (3.2.4).
    """
    clauses = tuple(
        AxiomClause(name=f"c{n}", text=premise, op="words") for n, premise in enumerate(premises or (text,), 1)
    )
    formula = " or ".join(clause.name for clause in clauses) if join == "or" and len(clauses) > 1 else ""
    return Program(text=text, clauses=clauses, formula=formula)


#: What axioms about options are made of: with more, nothing that the prompt tells of could be said.
_ABOUT_OPTIONS = ("option", "entity", "constant", "property", "count")


def schema(*, option: bool = True, qualifiers: bool = True) -> dict[str, Any]:
    """The JSON schema of programs, for a language model to fill.

    Args:
        option: of axioms that are tried on options, else without the term for them; the default allows both.
        qualifiers: whether any statement has some, so that terms can ask for them.
    """
    program_schema = schema_of(Program)
    kinds = program_schema["properties"]["terms"]["items"]["properties"]["kind"]["enum"]
    program_schema["properties"]["terms"]["items"]["properties"]["kind"]["enum"] = [
        kind for kind in kinds if (option or kind != "option") and (qualifiers or kind != "qualifier")
    ]
    return program_schema


def option_schema() -> dict[str, Any]:
    """The JSON schema of axioms that are tried on each option: what ``axiom_option.md`` tells of, and nothing else."""
    program_schema = schema_of(Program)
    del program_schema["properties"]["if_true"], program_schema["properties"]["if_false"]
    program_schema["properties"]["direction"]["enum"] = ["both"]  # an option fits or does not
    term = program_schema["properties"]["terms"]["items"]["properties"]
    term["kind"]["enum"] = [kind for kind in term["kind"]["enum"] if kind in _ABOUT_OPTIONS]
    del term["to"], term["by"]
    return program_schema


def schema_of(model: type[CertificateModel]) -> dict[str, Any]:
    """The JSON schema of a model with nothing to resolve in it: no references, no titles."""
    raw = model.model_json_schema()
    definitions = raw.pop("$defs", {})

    def inlined(value: Any) -> Any:
        if isinstance(value, dict):
            if "$ref" in value:
                return inlined(definitions[value["$ref"].rpartition("/")[2]])
            dropped = ("title", "description")
            return {key: inlined(item) for key, item in value.items() if key not in dropped or isinstance(item, dict)}
        return [inlined(item) for item in value] if isinstance(value, list) else value

    result: dict[str, Any] = inlined(raw)
    return result
