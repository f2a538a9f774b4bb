"""What a fact denies or leaves undone, and what it says beside: the fact as the entailment scorer is asked about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toulmin.check_text.judge.fact_mention import FactMention
from toulmin.english.denials import is_denied, without_denial
from toulmin.english.lexicon import get_lexicon
from toulmin.english.text_values import values_in

__all__ = ["is_undone", "stated_of"]

#: Verbs of which what follows did not, or did not yet, happen: with an infinitive; and is over: with "-ing".
_UNDONE = frozenset("want wish hope plan intend aim try attempt refuse fail decline cease".split())
_OVER = frozenset("try stop cease quit".split())
_NOT_QUITE = re.compile(r"\b(?:almost|nearly) [£$€]?")
_WORD = re.compile(r"[a-z]+")
_BEFORE_VALUE = re.compile(
    r",? (?:(?:since|until|till|by|in|on|from|to|during|around|about)(?: the)? )?$", re.IGNORECASE
)


def is_undone(text: str) -> bool:
    """Whether a fact says of something that it does not hold yet, or no more: then it neither states nor denies it.

    "wants to marry", "stopped taking", "was almost born"; of a number "almost" says that it is rounded.
    """
    numbers = {value.start for value in values_in(text)}
    if any(match.end() not in numbers for match in _NOT_QUITE.finditer(text)):
        return True
    lexicon = get_lexicon()
    words = text.split()
    for place, word in enumerate(words[:-1]):
        if not _WORD.fullmatch(word):
            continue
        lemmas, following = set(lexicon.lemmas(word)), words[place + 1 : place + 3]
        if not lemmas.isdisjoint(_UNDONE) and following[0] == "to" and lexicon.is_verb(following[-1]):
            return True
        over = not lemmas.isdisjoint(_OVER) or ("give" in lemmas and following[0] == "up")
        done = following[-1] if following[0] == "up" else following[0]
        if over and done.endswith("ing") and lexicon.is_verb(done):
            return True
    return False


def stated_of(text: str, mentions: Sequence[FactMention], ends: tuple[int, int]) -> str:
    """A fact without its denial, and without the dates that only qualify what joins two of its mentions.

    Args:
        ends: places of the two mentions.
    """
    joined = [mentions[place] for place in ends if place >= 0]
    dates = [mention for mention in mentions if mention.value is not None and mention.value.time is not None]
    stated = text
    for mention in sorted(dates, key=lambda date: -date.start):
        if any(mention.meets(end) for end in joined) or mention.end > len(stated):
            continue
        before = _BEFORE_VALUE.search(stated, 0, mention.start)
        if before is not None:
            stated = stated[: before.start()] + stated[mention.end :]
    return without_denial(stated) if is_denied(text) else stated
