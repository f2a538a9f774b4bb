"""Questions in free wording to the bundled graph; the answers were looked up in its file by hand."""

from __future__ import annotations

import pytest
from answer_sets import Ask, labels, linked

from toulmin.graph.store import EmbeddedGraph

pytest_plugins = ("asked_graphs",)

ONE_HOP = {
    "Who directed Spirited Away?": {"Hayao Miyazaki"},
    "Where was Ada Lovelace born?": {"London"},
    "Who wrote Things Fall Apart?": {"Chinua Achebe"},
    "What is the capital of Canada?": {"Ottawa"},
    "Who painted the Mona Lisa?": {"Leonardo da Vinci"},
    "What currency is used in Sweden?": {"Swedish krona"},
    "Who killed Julius Caesar?": {"Marcus Junius Brutus"},
    "Where is Stephen Hawking buried?": {"Westminster Abbey"},
    "Who was the doctoral advisor of Alan Turing?": {"Alonzo Church"},
    "Which company built the RMS Titanic?": {"Harland and Wolff"},
    "Who founded Google?": {"Larry Page", "Sergey Brin"},
    "Who was married to Mary Shelley?": {"Percy Bysshe Shelley"},
    "Who was Marie Curie's husband?": {"Pierre Curie"},
    "Who first climbed the Matterhorn?": {"Edward Whymper"},
    "What did Percy Bysshe Shelley die of?": {"drowning"},
    "Where does the Volga flow into?": {"Caspian Sea"},
    "Which prize did Chinua Achebe win?": {"Man Booker International Prize"},
    "Who composed The Magic Flute?": {"Wolfgang Amadeus Mozart"},
    "Name the daughters of Ravi Shankar.": {"Norah Jones", "Anoushka Shankar"},
    "Tell me who designed the Eiffel Tower": {"Stephen Sauvestre"},
    "Who found Pluto?": {"Clyde Tombaugh"},
    "Where does Google have its headquarters?": {"Mountain View"},
    "Who won the 2014 FIFA World Cup?": {"Germany national football team"},
    "Who invented basketball?": {"James Naismith"},
    "Which language is spoken officially in South Korea?": {"Korean"},
}

LITERALS = {
    "When was Alan Turing born?": {"1912-06-23"},
    "When did Marie Curie die?": {"1934-07-04"},
    "When was Lise Meitner born?": {"1878-11"},
    "When did World War I end?": {"1918-11-11"},
    "When did the Spanish Civil War begin?": {"1936-07-17"},
    "When was Neptune discovered?": {"1846-09-23"},
    "When did Casablanca premiere?": {"1942-11-26"},
    "In what year was ETH Zurich founded?": {"1855"},
    "How tall is the Mona Lisa?": {"77 centimetre"},
    "How tall is Burj Khalifa?": {"828 metre"},
    "How high is Kilimanjaro?": {"5895 metre"},
    "What is the height of Mount Fuji?": {"3776 metre"},
    "How long is the Danube?": {"2850 kilometre"},
    "How deep is Lake Baikal?": {"1642 metre"},
    "What is the chemical symbol of radium?": {"Ra"},
}

BACKWARDS = {
    "Which films did Akira Kurosawa direct?": {"Seven Samurai", "Rashomon", "Throne of Blood", "Ran"},
    "What movies were directed by Sofia Coppola?": {"Lost in Translation", "Marie Antoinette"},
    "What did J. R. R. Tolkien write?": {"The Hobbit", "The Fellowship of the Ring", "The Silmarillion"},
    "Which films star Toshirō Mifune?": {"Seven Samurai", "Rashomon", "Throne of Blood"},
    "What did Galileo discover?": {"Io", "Europa", "Ganymede", "Callisto"},
    "Who was born in Salzburg?": {"Wolfgang Amadeus Mozart", "Maria Anna Mozart"},
    "Who studied at Trinity College, Cambridge?": {"Srinivasa Ramanujan", "G. H. Hardy", "Isaac Newton"},
    "Who are the members of the Beatles?": {"John Lennon", "Paul McCartney", "George Harrison", "Ringo Starr"},
    "Which moons orbit Mars?": {"Phobos", "Deimos"},
    "Who is buried in Westminster Abbey?": {"Charles Darwin", "Isaac Newton", "Stephen Hawking"},
    "Which poets are buried at the Protestant Cemetery?": {"Percy Bysshe Shelley", "John Keats"},
    "Who was assassinated by Lee Harvey Oswald?": {"John F. Kennedy"},
    "Of which country is Tbilisi the capital?": {"Georgia"},
    "What is named after Alan Turing?": {"Turing Award"},
    "Who was a student of Plato?": {"Aristotle"},
    "Which plays did William Shakespeare write?": {"Hamlet", "King Lear", "Macbeth"},
}

TWO_HOPS = {
    "Where did the father of Ada Lovelace die?": {"Missolonghi"},
    "Where was the director of Titanic born?": {"Kapuskasing"},
    "When was the director of Parasite born?": {"1969-09-14"},
    "Who is the mother of the director of Lost in Translation?": {"Eleanor Coppola"},
    "Where did the painter of Guernica die?": {"Mougins"},
    "Who composed the music of the films directed by Satyajit Ray?": {"Ravi Shankar"},
    "Who starred in the films directed by Akira Kurosawa?": {"Toshirō Mifune"},
    "Which prizes did the author of Beloved win?": {"Pulitzer Prize for Fiction", "Nobel Prize in Literature"},
    "What is the capital of the country where Mount Fuji lies?": {"Tokyo"},
    "What is the currency of the country of the Matterhorn?": {"Euro", "Swiss franc"},
    "When did the husband of Clara Schumann die?": {"1856-07-29"},
    "Who wrote the novel on which The Godfather is based?": {"Mario Puzo"},
    "Where was the husband of Frida Kahlo born?": {"Guanajuato"},
    "Which films did the father of Isabella Rossellini direct?": {"Rome, Open City"},
    "Who is the director of the film based on Earthsea?": {"Gorō Miyazaki"},
    "Who founded the city where Cleopatra died?": {"Alexander the Great"},
    "Who is the sibling of the father of Aage Bohr?": {"Harald Bohr"},
    "Who are the children of the author of King Lear?": {"Judith Quiney", "Susanna Hall", "Hamnet Shakespeare"},
    "Where is the headquarters of the company that built the RMS Titanic?": {"Belfast"},
}

THREE_HOPS = {
    "In which country was the director of Paris, Texas born?": {"Germany"},
    "In which country was the painter of the Mona Lisa born?": {"Italy"},
    "Where did the author of the novel that Howl's Moving Castle is based on die?": {"Bristol"},
    "When was the author of the play that Ran is based on born?": {"1564-04"},
    "What is the spouse of the child of the discoverer of Polonium?": {"Frédéric Joliot-Curie", "Henry Labouisse"},
    "Where did the father of the person that Ada is named after die?": {"Missolonghi"},
    "What is the continent of the country in which Ravi Shankar was born?": {"Asia"},
    "What is the capital of the country of the birthplace of Bong Joon-ho?": {"Seoul"},
}

#: (question, id of the entity that is meant, answers): several entities bear the name.
SAME_NAMED = [
    ("Who wrote the novel Frankenstein?", "world:Frankenstein", {"Mary Shelley"}),
    ("Who directed the film Frankenstein?", "world:Frankenstein_(film)", {"James Whale"}),
    ("Who is the director of Les Misérables?", "world:Les_Misérables_(film)", {"Tom Hooper"}),
    ("Who is the author of Les Misérables?", "world:Les_Misérables_(novel)", {"Victor Hugo"}),
    ("Which currency does Georgia use?", "world:Georgia", {"Georgian lari"}),
    ("What is the anthem of Georgia?", "world:Georgia_(state)", {"Georgia on My Mind"}),
    ("Who was the husband of Anne Hathaway?", "world:Anne_Hathaway_(wife_of_Shakespeare)", {"William Shakespeare"}),
    ("When was the actor Anne Hathaway born?", "world:Anne_Hathaway_(actress)", {"1982-11-12"}),
    ("Who was the mother of Marie Antoinette?", "world:Marie_Antoinette", {"Maria Theresa"}),
    ("Who directed Casablanca?", "world:Casablanca_(film)", {"Michael Curtiz"}),
    ("In which country is Casablanca?", "world:Casablanca", {"Morocco"}),
]

#: (question, the entity it starts from, answers): over a relation and back, and not to where it began.
SAME = [
    ("Which films share a director with Seven Samurai?", "Seven Samurai", {"Rashomon", "Throne of Blood", "Ran"}),
    ("Which other moons did the discoverer of Phobos discover?", "Phobos", {"Deimos"}),
    (
        "Which books were written by the author of The Hobbit?",
        "The Hobbit",
        {"The Fellowship of the Ring", "The Silmarillion"},
    ),
    (
        "Which other films did the director of Rashomon make?",
        "Rashomon",
        {"Seven Samurai", "Throne of Blood", "Ran"},
    ),
    ("Who is buried in the same place as Lord Byron?", "Lord Byron", {"Ada Lovelace"}),
    (
        "Who else was a crew member of the flight of Neil Armstrong?",
        "Neil Armstrong",
        {"Buzz Aldrin", "Michael Collins"},
    ),
]


@pytest.mark.parametrize(
    ("question", "expected"),
    [pair for some in (ONE_HOP, LITERALS, BACKWARDS, TWO_HOPS, THREE_HOPS) for pair in some.items()],
)
def test_the_whole_answer_set_is_found_and_its_certificate_checks(
    world: EmbeddedGraph, ask_world: Ask, question: str, expected: set[str]
) -> None:
    answer = ask_world(question)
    assert labels(answer) == expected
    assert not answer.abstained
    report = answer.check(world)
    assert report.exit_code == 0
    assert all(node["used"] for node in report.nodes)


@pytest.mark.parametrize(("question", "meant", "expected"), SAME_NAMED)
def test_of_same_named_entities_the_one_that_is_meant(
    world: EmbeddedGraph, ask_world: Ask, question: str, meant: str, expected: set[str]
) -> None:
    answer = ask_world(question)
    assert labels(answer) == expected
    assert linked(answer) == [meant]
    assert answer.check(world).exit_code == 0


@pytest.mark.parametrize(("question", "start", "expected"), SAME)
def test_what_has_the_same_is_something_else(
    world: EmbeddedGraph, ask_world: Ask, question: str, start: str, expected: set[str]
) -> None:
    answer = ask_world(question)
    assert labels(answer) == expected
    assert start not in labels(answer)
    assert answer.check(world).exit_code == 0


def test_walks_against_the_direction_say_so(ask_world: Ask) -> None:
    for question in BACKWARDS:
        program = ask_world(question).certificate["program"]
        assert {node["direction"] for node in program if node["op"] == "follow"} == {"backward"}, question


@pytest.mark.parametrize("question", [*ONE_HOP, *LITERALS][::4] + [*TWO_HOPS, *THREE_HOPS][::5])
def test_a_program_starts_from_what_the_question_names(ask_world: Ask, question: str) -> None:
    answer = ask_world(question)
    named = [node for node in answer.certificate["program"] if node["op"] == "entity" and "words" in node]
    assert named
    for node in named:
        start, end = node["words"]
        assert question[start:end].strip() == question[start:end] != ""
    assert answer.certificate["reading"]["by"].startswith("reader with ")
    assert 0 <= answer.certificate["reading"]["score"] <= 1
