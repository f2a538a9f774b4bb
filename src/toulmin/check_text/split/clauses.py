"""A sentence taken apart: a clause for each finite verb, with its subject, verb and what follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from toulmin.check_text.split.appositions import Owned, has_names, listing
from toulmin.check_text.split.asides import denied_subject, lifetime, next_part, tells, verbs_together, without_asides
from toulmin.check_text.split.tagged_words import FLOATING, TaggedWord, Words, listed, word_at
from toulmin.check_text.split.verbs import (
    AUXILIARY,
    IMPLIED,
    Phrase,
    denied,
    glue,
    is_copula,
    is_date_comma,
    is_finite,
    is_name,
    main_verb,
    run_end,
    trimmed,
    verb_end,
)
from toulmin.english.inflection import finite, singular

__all__ = ["Clause", "clauses_of"]

_YEAR = re.compile(r"1\d{3}|20\d\d")
_ENDED = listed("ended")
# No participle without "has": "(born in Ulm; died in Princeton)".
_ACTIVE = frozenset("died lived became remained graduated retired emigrated resigned".split())
_DEEPEST = 8  # clauses within clauses that are followed


@dataclass(frozen=True, slots=True)
class Clause:
    """A subject, its verb with auxiliaries, and what follows it.

    Args:
        lead: a phrase that stood before the subject ("in 1990").
    """

    subject: Phrase
    verb: Phrase
    rest: Phrase
    lead: Phrase = ()


def clauses_of(words: Words, depth: int = 0) -> Iterator[Clause]:
    """The clauses of a sentence, main clause first; none where it has no finite verb."""
    words = trimmed(words)
    if depth >= _DEEPEST:
        return
    opened = _lead(words)
    lead, words = trimmed(words[:opened]), trimmed(words[opened:])
    lead = lead[run_end(lead, 0, ("adverb",)) :]  # originally from Ulm, later in 1990
    apart = denied_subject(words)
    if apart is not None:  # "Ada, not Mary, wrote the notes"
        rest, other = apart
        for number, clause in enumerate(clauses_of((*lead, *rest), depth + 1)):
            yield clause
            if number == 0:
                yield replace(clause, subject=other, verb=denied(clause.verb))
        return
    verb = main_verb(words)
    if verb is None:
        return
    begin = verb
    while begin > 1 and (words[begin - 1].tag in ("adverb", "not") or words[begin - 1].lower in FLOATING):
        begin -= 1  # "she never married", "they both won"
    before = tuple(word for word in words[begin:verb] if word.lower not in FLOATING)
    subject, asides = without_asides(words[:begin], keep=True)
    if not subject:
        return
    whence = [word.lower for word in lead[:1]] == ["from"] and is_name(lead[1:])
    kept = lead if lead and lead[0].tag == "preposition" and tells(lead) and not whence else ()
    # "His wife, Mileva Marić, was born in Titel" is said of her by her name.
    named = (aside for antecedent, aside in asides if antecedent == subject and is_name(aside))
    about = next(named, subject)
    yield from _predicates(about, (*before, *words[verb:]), len(before), kept, depth)
    if lead:
        yield from _opened(subject, lead, words[verb], depth)
    for antecedent, aside in asides:
        yield from _aside(antecedent or subject, aside, words[verb], depth)


def _opened(subject: Phrase, lead: Phrase, verb: TaggedWord, depth: int) -> Iterator[Clause]:
    """What stands before a subject and is said of it: "although born in Ulm", "after marrying Mileva", "from Ulm"."""
    first, inner = lead[0], lead[1:]
    if first.tag in ("past", "participle", "gerund"):
        yield from _participle(subject, lead, verb, depth)
    elif not inner or first.lower in ("if", "unless", "whether", "without"):
        return
    elif inner[0].tag in ("past", "participle", "gerund") and first.tag in ("subordinator", "preposition"):
        yield from _participle(subject, inner, verb, depth)
    elif first.tag == "subordinator":
        yield from clauses_of(inner, depth + 1)
    elif first.lower == "from" and is_name(inner):
        yield Clause(subject, (_be(subject, verb),), lead)
    elif first.lower == "as" and any(word.tag == "name" for word in inner):
        yield Clause(subject, (_be(subject, verb),), inner)


def _lead(words: Words) -> int:
    """How many words stand before the subject and its comma: "In 1990, ", "Born in Ulm, ", "While he was ill, "."""
    if not words or words[0].tag not in ("preposition", "adverb", "past", "participle", "gerund", "subordinator"):
        return 0
    for place, word in enumerate(words):
        if word.text == "," and main_verb(words[place + 1 :]) is not None and not is_date_comma(words, place):
            after = word_at(words, place + 1)
            if after.tag in ("coordinator", "relative", "past", "be"):
                return 0
            behind = words[place + 2 : place + 4]
            outer = words[place - 1].tag == "name" and after.tag == "name" and len(behind) > 1
            named = outer and place + 4 < len(words) and behind[1].tag == "name" and is_finite(words, place + 4)
            if outer and behind[0].text == "," and (named or behind[1].tag in ("preposition", "pronoun", "number")):
                continue  # "Born in Ulm, Germany, in 1879, he …"
            return place + 1
    # "In 1990 he moved to Paris": no comma, but a pronoun or article shows where the subject begins.
    begins = pairwise(words[:4]) if words[0].tag == "preposition" else ()
    subject = ("pronoun", "name", "determiner")
    return next((at for at, (a, b) in enumerate(begins, 1) if a.tag == "number" and b.tag in subject), 0)


def _predicates(subject: Phrase, words: Phrase, place: int, lead: Phrase, depth: int) -> Iterator[Clause]:
    """The clauses of a subject: one for each of the verbs that it has together, and those inside of them.

    Args:
        words: behind the subject.
        place: of the first verb among them.
    """
    end, verb = verb_end(words, place), words[place]
    group = tuple(word for word in words[:end] if word.lower not in FLOATING)
    rest = words[end:]
    only = next((i for i, word in enumerate(group[:-1]) if word.tag == "not" and group[i + 1].lower == "only"), None)
    if only is not None:  # "did not only write but also directed"
        group = (*group[:only], *group[only + 2 :])
    if len(rest) > 1 and rest[0].lower in FLOATING and is_copula(group) and rest[1].tag != "common":
        rest = rest[1:]  # are both in Rome
    included = listing(subject, rest) if group[-1].lower in ("include", "includes", "included") else []
    for fact in included:
        yield from clauses_of(fact, depth + 1)
    if included:
        return
    listed = verbs_together(rest, group)
    if listed is not None and depth < _DEEPEST:
        others, last = listed
        auxiliary = tuple(word for word in group if word.tag in AUXILIARY) if len(group) > 1 else ()
        for number, clause in enumerate(_predicates(subject, (*auxiliary, *rest[last:]), 0, lead, depth + 1)):
            if number == 0:
                yield from (replace(clause, verb=verbs) for verbs in (group, *((*auxiliary, word) for word in others)))
            yield clause
        return
    cut, kind = next_part(rest, group)
    head, tail = rest[:cut], rest[cut:]
    about = subject if is_copula(group) else ()
    owned = has_names(subject, head) if all(word.tag in ("have", "adverb") for word in group) else None
    if owned is not None:
        yield from _owned(owned, subject, group, verb, depth)
        head = ()
    core, asides = without_asides(head, about)
    cleft = [aside for _, aside in asides if aside[0].lower in ("who", "which", "that")]
    cleft = cleft if is_copula(group) and subject[0].lower == "it" and subject[0].tag == "pronoun" else []
    if cleft and core and core[0].tag == "preposition":  # "it was in Vienna that he died"
        yield from (replace(clause, rest=(*clause.rest, *core)) for clause in clauses_of(cleft[0][1:], depth + 1))
        return
    if owned is None and not cleft:
        yield Clause(subject, group, core, lead)
    for antecedent, aside in asides:
        if lifetime(aside) is None:  # not the years of an office, of a work
            yield from _aside((core if cleft else antecedent) or subject, aside, verb, depth)
    if not tail or depth >= _DEEPEST:
        return
    joined = trimmed(tail)
    if kind == "verb":
        places = [i for i, word in enumerate(joined) if word.tag != "adverb"]
        at = next((i for i in places if is_finite((*subject, *joined[i:]), len(subject))), places[0])
        between = joined[:at] if at and joined[0].tag == "preposition" and tells(joined[:at]) else ()
        before = tuple(word for word in joined[:at] if word.tag == "not")  # "and never married"
        yield from _predicates(subject, (*before, *joined[at:]), len(before), between, depth + 1)
    elif kind in ("participle", "infinitive"):
        auxiliary = group[:-1] if kind == "infinitive" else tuple(word for word in group if word.tag in AUXILIARY)
        yield from _predicates(subject, (*auxiliary, *joined), 0, (), depth + 1)
    elif kind == "absolute":
        at = next(i for i, word in enumerate(joined) if word.tag in ("past", "participle"))
        be = _be(joined[:at], verb, joined[at:])
        yield from clauses_of((*joined[:at], be, *joined[at:]), depth + 1)
    elif kind == "gerund" and joined[0].lower == "having":
        had = glue("has" if verb.lower in ("is", "are", "has", "have") else "had", "have")
        yield from _predicates(subject, (had, *joined[1:]), 0, (), depth + 1)
    elif kind == "gerund":
        timed = group[-1] if group[0].tag == "have" else verb
        yield from _participle(subject, joined[joined[0].tag != "gerund" :], timed, depth)
    else:
        yield from clauses_of(joined[joined[0].tag == "subordinator" :], depth + 1)


def _owned(owned: Owned, subject: Phrase, group: Phrase, verb: TaggedWord, depth: int) -> Iterator[Clause]:
    """The clauses of "had a sister, Clara, who was a pianist"."""
    facts, name, after, counted = owned
    if counted is not None:
        yield Clause(subject, group, counted)
    aside = bool(after) and after[0].tag in ("relative", "participle", "past")
    for fact in facts:
        copula = next(place for place, word in enumerate(fact) if word.tag == "be")
        yield Clause(fact[:copula], fact[copula : copula + 1], (*fact[copula + 1 :], *(() if aside else after)))
    if aside:
        yield from _aside((name,), after, verb, depth + 1)


def _aside(antecedent: Phrase, aside: Phrase, verb: TaggedWord, depth: int) -> Iterator[Clause]:
    """The clauses of an aside about its antecedent."""
    aside = aside[run_end(aside, 0, ("adverb",)) :]
    if not aside:
        return
    first = aside[0]
    if first.lower in ("née", "nee", "né"):
        yield Clause(antecedent, (glue("was", IMPLIED), glue("born", "participle")), tuple(aside[1:]))
        return
    lived = lifetime(aside)
    if lived is not None:
        groups = (glue("was", "be"), glue("born", "participle")), (glue("died", "past"),)
        for date, group in zip(lived, groups, strict=True):
            yield Clause(antecedent, group, (glue("on" if len(date) > 1 else "in", "preposition"), *date))
        return
    if depth >= _DEEPEST or not antecedent:
        return
    if first.tag in ("participle", "past", "gerund"):
        yield from _participle(antecedent, aside, verb, depth)
    elif first.tag == "relative" or (first.tag == "preposition" and len(aside) > 1 and aside[1].tag == "relative"):
        yield from _relative(antecedent, aside, depth)
    else:
        core, asides = without_asides(aside, antecedent)
        yield Clause(antecedent, (_be(antecedent, verb),), core)
        for inner, further in asides:
            yield from _aside(inner or antecedent, further, verb, depth + 1)


def _relative(antecedent: Phrase, aside: Phrase, depth: int) -> Iterator[Clause]:
    led = aside[0].tag == "preposition"
    preposition, pronoun, rest = aside[:led], aside[led].lower, aside[led + 1 :]
    if not rest:
        return
    first = next((i for i, word in enumerate(rest) if word.tag not in ("adverb", "not")), 0)
    begins = is_finite((*antecedent, *rest), len(antecedent) + first)
    if pronoun == "whose":
        if not (trimmed(rest) and rest[0].tag in AUXILIARY):
            yield from clauses_of((*antecedent, glue("'s", "genitive"), *rest), depth + 1)
    elif begins:
        yield from clauses_of((*antecedent, *rest), depth + 1)
    elif pronoun == "where" or preposition:
        place = preposition or (glue("in", "preposition"),)
        yield from (_placed(clause, place, antecedent) for clause in clauses_of(rest, depth + 1))
    else:
        yield from clauses_of((*rest, *antecedent), depth + 1)


def _placed(clause: Clause, place: Phrase, antecedent: Phrase) -> Clause:
    """A clause of "where …" with what it is about: "where Rome is the capital" is the capital of that country."""
    of = (glue("of", "preposition"), *antecedent)
    definite = is_copula(clause.verb) and place[0].start < 0
    if definite and clause.subject[0].lower == "the" and all(word.tag != "name" for word in clause.subject):
        return replace(clause, subject=(*clause.subject, *of))
    if definite and clause.rest and clause.rest[0].lower in ("the", "a", "an") and clause.rest[-1].tag != "name":
        return replace(clause, rest=(*clause.rest, *of))
    return replace(clause, rest=(*clause.rest, *place, *antecedent))


def _participle(subject: Phrase, phrase: Phrase, verb: TaggedWord, depth: int) -> Iterator[Clause]:
    """What a participle says of a subject: "located in Ulm" is said with "is", "winning two medals" with "won"."""
    if phrase[0].lower in _ACTIVE:
        yield from clauses_of((*subject, *phrase), depth + 1)
    elif phrase[0].tag == "gerund":
        past = verb.tag == "past" or verb.lower in ("was", "were", "had", "did")
        conjugated = glue(finite(phrase[0].lower, past=past), "past" if past else "verb")
        yield from clauses_of((*subject, conjugated, *phrase[1:]), depth + 1)
    else:
        yield from clauses_of((*subject, _be(subject, verb, phrase), *phrase), depth + 1)


def _be(subject: Phrase, verb: TaggedWord, phrase: Phrase = ()) -> TaggedWord:
    """The form of "to be" that goes with a subject, in the time of the sentence's verb."""
    past = verb.tag == "past" or verb.lower in ("was", "were", "had", "did")
    participle = phrase[0] if phrase else None
    if participle is not None and participle.lower not in ("located", "situated", "based", "known", "called", "named"):
        past = past or participle.lower in _ENDED
        past = past or any(word.tag == "number" and _YEAR.fullmatch(word.text) for word in phrase)
    head = next((word for word in reversed(subject) if word.tag in ("common", "verb", "name")), subject[-1])
    plural = head.lower in ("they", "we") or any(word.lower == "and" for word in subject)
    plural = plural or (head.tag != "name" and singular(head.lower) is not None)
    return glue(("were" if plural else "was") if past else ("are" if plural else "is"), "be")
