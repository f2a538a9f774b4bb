"""Which words of English restrict or deny, and which only look it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.english.lexicon import get_lexicon
from toulmin.methods.question.restrictions import restrictions, tokens

KINDS = {
    "Which courses aren't taught by Dr. Lee?": {"negation"},
    "Name the plants that do not need water.": {"negation"},
    "List every employee but Tom Price.": {"negation"},
    "Which pills are sugar-free?": {"negation"},
    "all but two of the trains": {"negation", "number"},
    "the trains but for the express": {"negation"},
    "over-70 members": {"number"},
    "models after 2010": {"comparison", "time"},
    "Which machine was installed after the press?": {"comparison"},
    "Which non-alcoholic drinks does the bar serve?": {"negation"},
    "Who refuses to work with Ann?": {"negation"},
    "Which bridge is the longest?": {"comparison"},
    "Who earned less than Maria Lopez?": {"comparison"},
    "What is the lightest frame?": {"comparison"},
    "Which room is nicer?": {"comparison"},
    "Which machine was installed prior to the press?": {"comparison"},
    "Which dog is as old as Rex?": {"comparison"},
    "Which is the third largest lake?": {"order", "comparison"},
    "Which sensors work above 40 degrees?": {"number"},
    "Which bands have five members?": {"number"},
    "Has the band five members or more?": {"yes or no", "number", "comparison"},
    "Who was hired in the 1990s?": {"time"},
    "Who was hired on 3 March 2001?": {"time"},
    "Which rooms are free in May?": {"time"},
    "Who is permitted to enter the lab?": {"modality"},
    "What ought one to wear in the lab?": {"modality"},
    "Where can I smoke in the lab?": {"modality"},
    "So can I find the glue on the shelf?": {"yes or no", "modality"},
    "How often does the train run?": {"count"},
    "What is the number of trains?": {"count"},
    "Am I covered?": {"yes or no"},
    "So does Ann run the lab?": {"yes or no"},
    "Did you know that Ann runs the lab?": {"yes or no"},
    "Ann runs the lab, correct?": {"yes or no"},
    "I think Ann runs the lab.": {"yes or no"},
    "Can you tell me if Ann runs the lab?": {"yes or no"},
    "Does Ann or Bea run the lab?": {"choice"},
}

NONE = (
    "On which shelf would I find the glue?",
    "Could you point me to the lab?",
    "Who speaks German as well as Italian?",
    "Tell me more about the lab.",
    "Who presided over the court?",
    "Who was named after the king?",
    "Can you name the capital?",
    "Could you please tell me who runs the lab?",
    "Would you give me the name of the owner?",
    "I'd like to know where the lab is",
    "Do you happen to know who runs the lab?",
    "May I ask who runs the lab?",
    "What is the phone number of the lab?",
    "What can of paint does the lab use?",
    "Who is the owner of the harbour, the leader of the winner?",
    "What interest does the minister of the interior have in the forest?",
    "How long did the war last?",
    "How much does the frame weigh?",
    "Where does her other half work?",
    "Who is her second cousin?",
    "Since when has Ann run the lab?",
    "Who lives next to the lab?",
    "Who looks after the lab?",
    "What is the follow-up of the report?",
    "cheap but near the lab",
    "birthplace of the owner",
)


@pytest.mark.parametrize(("question", "kinds"), KINDS.items())
def test_words_of_each_kind(question: str, kinds: set[str]) -> None:
    assert {word.kind for word in restrictions(question, (), get_lexicon())} == kinds


@pytest.mark.parametrize("question", NONE)
def test_words_that_only_look_it(question: str) -> None:
    assert restrictions(question, (), get_lexicon()) == ()


@given(st.text())
def test_any_text_is_read_and_words_stand_where_it_says(text: str) -> None:
    for token in tokens(text):
        assert text[token.start : token.end].lower().replace("’", "'") == token.text
    for word in restrictions(text, (), get_lexicon()):
        assert text[word.start : word.end] == word.text or word.text in text[word.start : word.end]


@given(st.lists(st.sampled_from("who can you tell me may not is more than at least 5 the X of , ? as if".split())))
def test_any_words_are_read(words: list[str]) -> None:
    denies = any(word.kind == "negation" for word in restrictions(" ".join(words), (), get_lexicon()))
    assert denies == ("not" in words)
