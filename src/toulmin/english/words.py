"""Lists of English words of closed classes: stop words, question words, auxiliaries, prepositions, "first" and "last".

The stop words stand in one list, by parts. What is a stop word depends on what is read: "no" says nothing of what a
sentence is about, and all of what a question asks for. So each reader takes the union of parts that is named for it.
"""

from __future__ import annotations

__all__ = [
    "ARGUMENT_STOP_WORDS",
    "AUXILIARIES",
    "COUNTS",
    "FIRST",
    "FUNCTION_WORDS",
    "LAST",
    "PREPOSITIONS",
    "PRONOUNS",
    "QUESTION_STOP_WORDS",
    "QUESTION_WORDS",
    "RULE_STOP_WORDS",
    "SAME",
    "YES_OR_NO",
    "word_set",
]


def word_set(text: str) -> frozenset[str]:
    """The words of a text, which white space separates."""
    return frozenset(text.split())


# The parts of the list of stop words: each word stands in one of them.
_GRAMMATICAL = word_set(
    """
    a an and are as at be been being both by can could did do does for from had has have he her his how i in into is it
    its me of on one or s shall she that the their them there these they this those to too was we were what when where
    which who whom whose will with would you
    """
)
_ABOUT = word_set("about")
_LIMITING = word_set(  # they restrict, deny, or speak of who speaks
    """
    any but him if may might must my no nor not off only our out over same should so some such than then under until up
    us while why your
    """
)
_FREQUENT = _ABOUT | word_set(
    """
    after all also although another became because become before between during each either every few hers however just
    less like many more most much neither often once other others own rather said since through use used very whether
    within without yes yet
    """
)
_LIGHT = word_set(  # verbs, adverbs and nouns that are a name only beside other words
    """
    above across again against ago almost along already always am among amongst anybody anyone anything aren around
    away back began behind below beside besides best better beyond came cannot come couldn didn doesn doing don done
    down else ever everyone everything first gave get gets given go goes going gone got hadn hasn haven having here
    herself himself isn itself kind kinds know known last least let likely ll made make makes making maybe mine myself
    named names near need never nobody nothing now o ones onto ours per perhaps possible put quite re really say says
    see seem seen shouldn somebody someone something soon still t take taken theirs themselves thing things though till
    today together told took toward towards type types upon uses using ve via wasn way well went weren whatever wherever
    whichever whoever whole won wouldn yours
    """
)
_ASKING = word_set("give name please tell")  # with which a question opens
_LISTING = word_set("find list show")
_ARGUING = word_set("even hence therefore thus")  # between the sentences of an argument

#: Words that name nothing by themselves: of names in a text, and of the words that passages are searched by.
FUNCTION_WORDS = _GRAMMATICAL | _LIMITING | _FREQUENT | _LIGHT | _ASKING
#: Words of a question that neither say a relation nor restrict the answer.
QUESTION_STOP_WORDS = _GRAMMATICAL | _ABOUT | _ASKING | _LISTING
#: Words of a rule ("if … then …") and of a relation's label that neither has in common with the other.
RULE_STOP_WORDS = _GRAMMATICAL | _LIMITING
#: Words of a sentence of an argument that say nothing of what it is about.
ARGUMENT_STOP_WORDS = _GRAMMATICAL | _LIMITING | _FREQUENT | _ARGUING

#: Function words that cannot follow an article: where they do ("the us", "the who"), they are names.
PRONOUNS = word_set("her him i it me she them they us we what who why you")

QUESTION_WORDS = word_set("what which who whom whose when where how")

#: A question that begins with one of these asks for yes or no.
YES_OR_NO = word_set("is are was were do does did has have had")

#: Two words with which a question asks for a number of things.
COUNTS = frozenset({("how", "many")})

#: With one of these the question ends in its verb, not in a noun: "what does she work on".
AUXILIARIES = word_set("do does did")

#: Words that choose the earliest and the latest.
FIRST = word_set("first earliest oldest")
LAST = word_set("last latest newest")

PREPOSITIONS = word_set("of in by on with for at to from")

#: Words that ask to go over a relation and back: "who has the same doctor as X", "who else works where X works".
SAME = word_set("same share shares shared sharing also another else together")
