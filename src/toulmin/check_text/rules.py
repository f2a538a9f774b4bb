"""The rules by which the check of a text decides, by name: what ``check-text --explain`` shows.

A new rule is a line here and the place that applies it.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = ["VerdictRule", "rule_of_reason"]


class VerdictRule(StrEnum):
    """The rule that decided of a claim, or of a sentence without one: its name, and what it says (``meaning``).

    Of a sentence that is not checked also how the reason that is told begins (``begins``), and whether it claims
    something all the same (``claims``): questions, requests, headings and mere praise do not, "perhaps" and "I think"
    do, and what was not reached may.
    """

    meaning: str
    begins: str
    claims: bool

    def __new__(cls, name: str, meaning: str = "", begins: str = "", claims: bool = False) -> VerdictRule:
        """A name that is a text, with its meaning."""
        made = str.__new__(cls, name)
        made._value_, made.meaning, made.begins, made.claims = name, meaning, begins, claims
        return made

    # Supported
    WORDS = "words of the relation", "the graph has the statement, and the text has the words of its relation"
    INVERSE = "words of the inverse", "the graph has the statement, and the text says it from the other end"
    DONE_BY = "only “by”", "the graph says who made it, and the text says “by”"
    ENTAILED = "entailment", "the graph has a statement that entails the text, by the scorer"
    TIME = "time of a statement", "the time said is that of the graph's statement about the subject"
    PASSAGE_SAYS = "passage", "a passage entails the text, by the scorer"
    # Contradicted
    ANOTHER_VALUE = "another value", "the graph has one value, as of most of its kind, and the text says another"
    EXCHANGED = "roles exchanged", "the graph says it the other way round"
    DENIED = "denied", "the text denies what the graph says"
    PASSAGE_DENIES = "passage against", "a passage contradicts the text, by the scorer"
    # Not in the graph
    NO_NAME = "no name", "no name of the graph is in the text"
    NOT_STATED = "no relation stated", "the text states no relation of the graph between its names"
    OTHER_SUBJECT = "another subject", "the text is about a name that the graph does not have"
    NO_VALUE = "no value", "the graph has no value of this relation for the subject"
    PART_MISSING = "part missing", "a number, date or name of the text is not in the graph's statement"
    OUT_OF_BOUNDS = "out of bounds", "the graph's value is not within the bound that the text sets"
    SAID_OTHERWISE = "value said beside", "the graph's value stands in other words of the text"
    MORE_SAID = "more is said", "the text says more than the relation"
    TURNED = "turned round", "the text turns the relation round"
    ONLY_KIND = "only a kind", "the text only says what kind of thing it is"
    LONGER_LABEL = "longer label", "the text has the words of another relation with a longer label"
    NOT_INVERSE = "inverse of another", "the text says the inverse, which other values may have too"
    OTHER_KIND = "other kind of value", "what the text says is not of the kind of the relation's values"
    SEVERAL = "several values", "there may be other values than the graph's"
    JOINED = "places joined", "the graph joins what the text says with its own value"
    ALIKE = "names alike", "what the text says may be another form of the graph's value"
    WITHIN = "place within", "what the text says lies in the graph's value, or around it"
    IN_QUALIFIER = "in a qualifier", "what the text says is in a qualifier of the graph's statement"
    BOUNDED = "only a bound", "the text only bounds the value"
    RIVAL = "another relation", "the text has the words of another relation between the same names"
    DENIAL = "denial", "the text denies something of which the graph has another value"
    UNDONE = "undone", "the text says that it does not hold yet, or no more"
    NOT_SURE = "not sure enough", "the score is lower than --sure"
    NOT_BORNE_OUT = "not borne out", "what the verdict would rest on does not bear it out"
    UNSTATED_NUMBER = "number left over", "no claim of the sentence says a number of it"
    NO_CLAIM = "nothing said by the way", "the graph knows nothing of what is only said by the way"
    # Not checked
    QUESTION = "question", "a question states nothing", "a question"
    NO_WORDS = "no words", "there is nothing to check", "no words"
    TURNED_LETTERS = "turned letters", "characters turn the order of letters round", "holds characters", True
    REQUEST = "request", "a request states nothing", "a request"
    WRITER = "said of the writer", "what one says of oneself is no statement about the world", "said of", True
    HEDGED = "hedged", "it is not stated as a fact", "hedged", True
    ABOUT_STATEMENT = "about a statement", "it denies another statement", "says of another statement", True
    COMPARED = "comparison", "no statement by itself says how two things compare", "compares", True
    OPINION = "opinion", "praise and blame are no facts", "an opinion"
    NO_STATEMENT = "no statement", "no fact is found in it", "no statement"
    TOO_LONG = "too long", "it is longer than a sentence", "longer than", True
    NOT_REACHED = "not reached", "the check ended before", "not reached", True


def rule_of_reason(reason: str) -> VerdictRule:
    """The rule of a sentence that is not checked, by the reason that is told."""
    found = (rule for rule in VerdictRule if rule.begins and reason.startswith(rule.begins))
    return next(found, VerdictRule.NO_STATEMENT)
