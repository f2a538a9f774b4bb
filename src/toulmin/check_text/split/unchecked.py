"""Why a sentence states nothing that could be checked: a question, a request, an opinion, a guess."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toulmin.check_text.split.tagged_words import TaggedWord

__all__ = ["why_unchecked"]

_FIRST_PERSON = re.compile(
    r"\b(?:I|[Ww]e)\s+(?:[a-z]+\s+)?(?:think|thought|believe|feel|guess|suppose|hope|love|like|hate|prefer|wish|"
    r"recommend|would|am|are|was|were|have|can|cannot|can't|don't|do|will|apologi[sz]e|know)\b|\bI['’](?:m|ve|d|ll)\b"
    r"|\b[Ii]n (?:my|our) (?:humble )?(?:opinion|view)\b|\b[Ii]f you ask me\b|\b[Aa]s an AI\b"
)
# "May 1990 was hot", "would later become", "perhaps best known" state what they say.
_HEDGE = re.compile(
    r"\b(?:may(?! be (?:found|seen|used|known|called|served|made|eaten))|might|could(?! not| be (?:found|seen))"
    r"|would(?! (?:later|go on|eventually|soon|then|subsequently|ultimately|again|continue|become|come to)\b)"
    r"|[Pp]erhaps(?! (?:best|most)\b)|[Mm]aybe|[Pp]ossibly|[Pp]robably|[Pp]resumably|[Ss]upposedly|[Aa]llegedly"
    r"|[Pp]urportedly|[Rr]eportedly|[Aa]pparently|[Rr]umou?red"
    r"|[Ii]t (?:is|was|has been) (?:said|claimed|reported|believed|thought|possible|unclear|unknown|likely)"
    r"|(?:seem|appear)(?:s|ed)? to|(?:claim|purport)(?:s|ed)? to"
    r"|(?:is|was|are|were) (?:likely|unlikely|expected|believed|thought|said|reported|alleged|claimed|rumou?red) to"
    r"|[Aa]ccording to (?:legend|rumou?rs?|some)|(?:[Ss]ome|[Mm]any) (?:people )?(?:say|claim|believe|think)"
    r"|[Ii]f|[Uu]nless|[Ww]hether)\b"
)
_DENIED = re.compile(
    r"\b(?:false|untrue|not true|not the case|incorrect|wrong|a myth|a lie|an error|a misconception|doubtful|denie[sd]|"
    r"doubt(?:s|ed)?|disput(?:e|es|ed)|refut(?:e|es|ed))(?: \w+)? that\b",
    re.IGNORECASE,
)
# No statement by itself says how one thing stands to another: "more than 9" is a bound, "older than Ada" is not.
_COMPARED = re.compile(
    r"\b(?:the same (?:[\w-]+ ){1,4}(?:as|that|in which|when|where)\b"
    r"|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|some|many|few|\d+) "
    r"(?:(?:and a half|full|whole|short) )?(?:second|minute|hour|day|week|month|year|decade|centur)(?:y|ie)?s? "
    r"(?:before|after|(?:earlier|later|older|younger|more|less) than)\b"
    r"|(?:older|younger|taller|larger|bigger|smaller|longer|shorter|higher|lower|earlier|later|heavier|lighter|faster|"
    r"slower|richer|poorer|cheaper|wider|deeper|newer) than "
    r"(?!\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half)\b))",
    re.IGNORECASE,
)
#: What makes a sentence no statement that could be checked, and why.
_REASONS = (
    (_FIRST_PERSON, "said of the writer: no statement about the world"),
    (_HEDGE, "hedged (“{}”): not stated as a fact"),
    (_DENIED, "says of another statement that it is denied (“{}”): state the contrary itself"),
    (_COMPARED, "compares with something else (“{}”): no statement by itself says so"),
)
_QUOTED = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|«[^»\n]{1,80}»")
# A title that ends in a question mark makes no question: … wrote "Are Small Farms Doomed to Fail?"
_ASKED = re.compile(r"\?[*_)\] ]*$|^[^\w\"“«'‘]*[\"“«'‘].*\?[\"”»'’][*_)\] ]*$", re.DOTALL)
#: They turn the order of letters round: what is read is then not what stands there.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_OPINION = frozenset(
    "beautiful wonderful amazing awesome terrible awful great good bad best worst lovely fantastic boring interesting "
    "fascinating stunning brilliant impressive delicious ugly funny excellent overrated underrated unforgettable "
    "inspiring remarkable iconic legendary memorable perfect superb magnificent must-see charming exciting".split()
)
_REQUESTS = frozenset(
    "please note consider see remember let imagine suppose visit read check click try look enjoy feel tell write give "
    "list describe explain find keep make take go ask compare".split()
)


def why_unchecked(text: str, words: Sequence[TaggedWord]) -> str | None:
    """Why a sentence is not checked, in words; None: it states something."""
    plain = [word for word in words if word.tag != "mark"]
    if _ASKED.search(text):
        return "a question: it states nothing"
    if not plain:
        return "no words"
    if _TURNING.search(text):
        return "holds characters that turn the order of letters round: take them out"
    first = plain[0]
    subject = len(plain) > 1 and plain[1].tag in ("be", "have", "past", "genitive")
    if first.lower == "please" or (first.lower in _REQUESTS and not subject):
        return "a request: it states nothing"
    bare = _QUOTED.sub('""', text)  # "I Was Never There" says nothing of the writer
    for pattern, reason in _REASONS:
        if (found := pattern.search(bare)) is not None:
            return reason.format(found[0].strip())
    opinion = _opinion(plain)
    if opinion is not None:
        return f"an opinion (“{opinion}”)"
    return None


def _opinion(words: Sequence[TaggedWord]) -> str | None:
    """The word of praise or blame that a sentence says of its subject, and nothing else."""
    for place, word in enumerate(words):
        before = [w for w in words[:place] if w.tag != "adverb" and w.lower not in ("a", "an", "the")]
        linked = bool(before) and (before[-1].tag == "be" or before[-1].lower in ("looks", "sounds", "feels"))
        known = place + 1 < len(words) and words[place + 1].lower in ("known", "remembered", "selling")
        if word.lower in _OPINION and linked and not known:
            concrete = any(w.tag in ("name", "number") for w in words[place + 1 :])
            return None if concrete else word.lower
    return None
