"""Atomic facts of what is denied, paired, owned and referred to: each is said apart, and no denial is lost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.check_text.split.atomic import AtomicFact, split_facts
from toulmin.english.sentences import split_sentences

NAMES = (
    "Paris",
    "London",
    "The Hobbit",
    "Lost in Rome",
    "New York City",
    "The Hague",
    "Nobel Prize in Physics",
    "Nobel Prize in Chemistry",
)


def told(text: str, *, by_the_way: bool = False) -> list[AtomicFact]:
    def names(forms: Sequence[str]) -> list[bool]:
        return [form.rstrip(").") in NAMES for form in forms]  # as a graph finds names, whatever marks they end with

    return [
        fact for one in split_facts(text, split_sentences(text), names, by_the_way=by_the_way) for fact in one.facts
    ]


def facts(text: str) -> list[str]:
    return [fact.text for fact in told(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ada was born in London, not in Paris.", ["Ada was born in London.", "Ada was not born in Paris."]),
        ("Ada was born in Paris, not London.", ["Ada was born in Paris.", "Ada was not born in London."]),
        ("Ada was not born in Paris but in London.", ["Ada was not born in Paris.", "Ada was born in London."]),
        ("Mann directed Heat rather than Alien.", ["Mann directed Heat.", "Mann never directed Alien."]),
        ("Paris, not London, is the capital of France.",
         ["Paris is the capital of France.", "London is not the capital of France."]),
        ("Ada, not Mary, wrote the notes, and Mary, not Ada, wrote Emma.",
         ["Ada wrote the notes.", "Mary never wrote the notes.", "Mary wrote Emma.", "Ada never wrote Emma."]),
        ("He did not only write but also directed the film.", ["He did write.", "He directed the film."]),
        ("He was born neither in Paris nor in Rome.", ["He was not born in Paris.", "He was not born in Rome."]),
        ("Nolan directed not only Memento but also Tenet.", ["Nolan directed Memento.", "Nolan directed Tenet."]),
        ("Darwin never won a prize but wrote Origins.", ["Darwin never won a prize.", "Darwin wrote Origins."]),
        ("He moved to Rome and never married.", ["He moved to Rome.", "He never married."]),
        ("Mann did not direct Alien and Tenet.", ["Mann did not direct Alien and Tenet."]),
    ],
)  # fmt: skip
def test_a_denial_keeps_what_it_denies(text: str, wanted: list[str]) -> None:
    assert sorted(facts(text)) == sorted(wanted)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Bogart and Lamarr were born in Rome and Vienna, respectively.",
         ["Bogart was born in Rome.", "Lamarr was born in Vienna."]),
        ("Bogart was born in Rome and Lamarr in Vienna.", ["Bogart was born in Rome.", "Lamarr was born in Vienna."]),
        ("Rome and Vienna are the capitals of Italy and Austria, respectively.",
         ["Rome is the capital of Italy.", "Vienna is the capital of Austria."]),
        ("The Hobbit, which was published in 1937, and Emma, which was published in 1815, are novels.",
         ["The Hobbit is a novel.", "Emma is a novel.", "The Hobbit was published in 1937.",
          "Emma was published in 1815."]),
        ("Marquez (born in Bogota; died in London) was a novelist.",
         ["Marquez was a novelist.", "Marquez was born in Bogota.", "Marquez died in London."]),
        ("He is a member of Labour and a friend of Blair.", ["He is a member of Labour.", "He is a friend of Blair."]),
        ("Neither Meitner nor Newton was married.", ["Meitner was not married.", "Newton was not married."]),
        ("It was Berners-Lee who invented the web.", ["Berners-Lee invented the web."]),
        ("It was in Vienna that Beethoven died.", ["Beethoven died in Vienna."]),
        ("He is known for his contributions to music and art.",
         ["He is known for his contributions to music.", "He is known for his contributions to art."]),
        ("He is a professor of art and history.", ["He is a professor of art.", "He is a professor of history."]),
        ("He is a member of parliament and minister.", ["He is a member of parliament.", "He is a minister."]),
        ("He served as a negotiator between Rome and Vienna.", ["He served as a negotiator between Rome and Vienna."]),
        ("He is known for his aggressive and powerful style.",
         ["He is known for his aggressive style.", "He is known for his powerful style."]),
        ("He has wins over fighters such as Ali and Foreman.",
         ["He has wins over fighters.", "He has wins over Ali.", "He has wins over Foreman."]),
        ("Born in Bastia, Corsica, Rami plays football.",
         ["Rami plays football.", "Rami was born in Bastia, Corsica.", "Bastia is in Corsica."]),
        ("He appeared in the acclaimed series \"Alien\" and \"Heat\".",
         ["He appeared in the acclaimed series \"Alien\".", "He appeared in \"Heat\"."]),
        ("He worked in Rome and Paris.", ["He worked in Rome.", "He worked in Paris."]),
        ("Curie won the Nobel Prize in Physics in 1903 and the Nobel Prize in Chemistry in 1911.",
         ["Curie won the Nobel Prize in Physics in 1903.", "Curie won the Nobel Prize in Chemistry in 1911."]),
        ("Heat was directed, written and produced by Mann and scored by Goldenthal.",
         ["Heat was directed by Mann.", "Heat was written by Mann.", "Heat was produced by Mann.",
          "Heat was scored by Goldenthal."]),
        ("Nolan wrote and directed Memento.", ["Nolan wrote Memento.", "Nolan directed Memento."]),
        ("Heat and Thief were both directed by Mann.", ["Heat was directed by Mann.", "Thief was directed by Mann."]),
        ("Keats and Byron both died in Greece.", ["Keats died in Greece.", "Byron died in Greece."]),
        ("Nolan directed three films: Memento, Inception and Tenet.",
         ["Nolan directed Memento.", "Nolan directed Inception.", "Nolan directed Tenet."]),
        ("Ada was born in Paris: London.", ["Ada was born in Paris.", "Ada was born in London."]),
        ("Her parents are Ingrid and Roberto.", ["Her parent is Ingrid.", "Her parent is Roberto."]),
    ],
)  # fmt: skip
def test_what_is_said_of_several_is_said_of_each(text: str, wanted: list[str]) -> None:
    assert sorted(facts(text)) == sorted(wanted)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ada had a sister called Medora.", ["Ada's sister was Medora."]),
        ("Herschel had a sister, Caroline, who was an astronomer.",
         ["Herschel's sister was Caroline.", "Caroline was an astronomer."]),
        ("Shankar had two daughters, Norah and Anoushka.",
         ["Shankar's daughter was Norah.", "Shankar's daughter was Anoushka."]),
        ("Elizabeth had four children, including Charles and Anne.",
         ["Elizabeth had four children.", "Elizabeth's child was Charles.", "Elizabeth's child was Anne."]),
        ("Einstein's wife Mileva was born in Titel.", ["Einstein's wife was Mileva.", "Mileva was born in Titel."]),
        ("Einstein left his wife Mileva.", ["Einstein's wife was Mileva.", "Einstein left Mileva."]),
        ("Mozart wept. His father, Leopold, and his sister, Anna, both died.",
         ["Mozart wept.", "Mozart's father was Leopold.", "Mozart's sister was Anna.", "Leopold died.", "Anna died."]),
        ("Films by Kurosawa include Ran and Rashomon.",
         ["Ran is a film.", "Ran is a film by Kurosawa.", "Rashomon is a film.", "Rashomon is a film by Kurosawa."]),
        ("Stevenson's novels include Kidnapped and Catriona.",
         ["Stevenson's novel is Kidnapped.", "Stevenson's novel is Catriona."]),
        ("She had three children.", ["She had three children."]),
        ("The university has a campus in Berlin.", ["The university has a campus in Berlin."]),
    ],
)  # fmt: skip
def test_whom_someone_has_is_told_by_name(text: str, wanted: list[str]) -> None:
    assert sorted(facts(text)) == sorted(wanted)


@pytest.mark.parametrize(
    ("text", "further"),
    [
        ("Although born in Ulm, Hahn died in Bonn.", "Hahn was born in Ulm."),
        ("After marrying Curie in 1895, Sklodowska left.", "Sklodowska married Curie in 1895."),
        ("Originally from Stockholm, Bergman died in Rome.", "Bergman was from Stockholm."),
        ("As president of France, Macron spoke.", "Macron was president of France."),
        ("In the autumn of 1950, Hahn moved to Bonn.", "Hahn moved in the autumn of 1950."),
        ("The opera was composed by Mozart, its libretto written by Schikaneder.",
         "Its libretto was written by Schikaneder."),
        ("Curie had two daughters, Irene and Eve, the latter of whom wrote books.", "Eve wrote books."),
        ("Ghibli was founded by Suzuki and Takahata, both of whom were Japanese.", "Suzuki was Japanese."),
        ("Curie, née Sklodowska, died.", "Curie was born Sklodowska."),
    ],
)  # fmt: skip
def test_what_stands_before_or_behind_a_clause_is_not_lost(text: str, further: str) -> None:
    assert further in [fact.text for fact in told(text, by_the_way=True)]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Hamlet and Macbeth are plays. The former is set in Denmark.", "Hamlet is set in Denmark."),
        ("Hamlet and Macbeth are plays. The latter is set in Scotland.", "Macbeth is set in Scotland."),
        ("Ada was a countess. Byron was her father.", "Byron was Ada's father."),
        ("Ada was a countess. Byron never saw her again.", "Byron never saw Ada again."),
        ("Warsaw is the capital of Poland, and the country's currency is the złoty.",
         "Poland's currency is the złoty."),
        ("Lennon married Ono in 1969. They had a son, Sean.", "Ono's son was Sean."),
        ("Heat is a film by Mann that was released in 1995.", "Heat was released in 1995."),
        ("The director of Heat, who was born in Chicago, won.", "The director of Heat was born in Chicago."),
        ("Frankenstein is a novel by Shelley, which was published in 1818.", "Frankenstein was published in 1818."),
        ("Ada was the daughter of Byron, who was a poet.", "Byron was a poet."),
        ("He painted Guernica in 1937 and died the following year.", "He died in 1938."),
        ("Construction of Ford Hall began in 1990. The building has two floors.", "Ford Hall has two floors."),
        ("Ford Hall is old. Construction ended in 1994.", "Construction of Ford Hall ended in 1994."),
        ("Falk is the manager of Velda, he plays for Austria.", "Falk plays for Austria."),
        ("Lopez Mora is a man. Lopez received his degree.", "Lopez Mora received his degree."),
        ("Ran is based on Lear, while Dersu is based on Macbeth. Both films were directed by Mann.",
         "Dersu was directed by Mann."),
        ("Coppola directed Lost in Rome. The film stars Murray.", "Lost in Rome stars Murray."),
        ("He married in 1937 and left in the same year.", "He left in 1937."),
    ],
)  # fmt: skip
def test_what_is_referred_to_is_named(text: str, last: str) -> None:
    assert facts(text)[-1] == last


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ada was born in Ulm, Germany.", ["Ulm is in Germany."]),
        ("The Mona Lisa hangs in the Louvre in Paris.", ["The Louvre is in Paris."]),
        ("Nolan directed the film Memento.", ["Memento is a film."]),
        ("Nolan directed the 2000 film Memento.", ["Memento is a film.", "Memento was released in 2000."]),
        ("Nolan directed Memento (2000).", ["Memento was released in 2000."]),
        ("He starred in films such as Heat and Thief.", ["Heat is a film.", "Thief is a film."]),
        ("She helped lead Liverpool to the final.", []),
    ],
)
def test_what_is_said_by_the_way_is_marked(text: str, wanted: list[str]) -> None:
    assert [fact.text for fact in told(text, by_the_way=True) if fact.implied] == wanted
    assert [fact.text for fact in told(text) if fact.implied] == [one for one in wanted if " is a " not in one]


@given(
    st.lists(
        st.sampled_from("Ada Heat the film ( 1995 ) in Ulm , Germany was born not and such as .".split()), max_size=12
    )
)
def test_what_is_said_by_the_way_never_stands_alone(words: list[str]) -> None:
    text = " ".join(words)
    for one in split_facts(text, split_sentences(text), by_the_way=True):
        assert not one.facts or not all(fact.implied for fact in one.facts)


@pytest.mark.parametrize(
    "sentence",
    ["Perhaps Ulm is in France.", "If so, Ulm is in France.", "Some say Ulm is in France.",
     "Ulm is said to be in France.", "According to legend, Ulm is in France."],
)  # fmt: skip
def test_a_guess_is_not_stated_wherever_it_stands(sentence: str) -> None:
    (found,) = split_facts(sentence, split_sentences(sentence))
    assert found.facts == () and (found.unchecked or "").startswith("hedged")


@pytest.mark.parametrize(
    "sentence",
    ["He would later become king.", "He is perhaps best known for Heat.", "She starred in I Am Legend.",
     'He wrote "Is Korea Destined to Collapse?"', "He is best known for his films."],
)  # fmt: skip
def test_what_only_sounds_like_a_guess_or_opinion_is_checked(sentence: str) -> None:
    (found,) = split_facts(sentence, split_sentences(sentence))
    assert found.unchecked is None and found.facts
