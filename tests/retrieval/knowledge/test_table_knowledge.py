"""Tables in sentences, with the spans of them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from toulmin.errors import SourceError
from toulmin.retrieval.knowledge import FactTable, TableKnowledge, read_table

DATA = Path(os.environ.get("TOULMIN_DATA", Path(__file__).resolve().parents[4] / "shared" / "data"))


def row(key: str, *values: str, title: str = "Idris Elba") -> list[str]:
    return list(FactTable("T1", title, ((key, values),)).sentences)


@pytest.mark.parametrize(
    ("key", "values", "sentences"),
    [
        (
            "Born",
            ["Idrissa Akuna Elba , (1972-09-06) 6 September 1972 (age 46) , Hackney, London, England"],
            [
                "Idris Elba was born on 6 September 1972 in Hackney, London, England.",
                "The name of Idris Elba at birth was Idrissa Akuna Elba.",
                "Idris Elba is 46 years old.",
            ],
        ),
        ("Born", ["1902 Eastport, Maine"], ["Idris Elba was born in 1902 in Eastport, Maine."]),
        (
            "Died",
            ["April 20, 1940 (1940-04-20) (aged 85) , San Diego, U.S."],
            ["Idris Elba died on April 20, 1940 in San Diego, U.S., aged 85."],
        ),
        ("Died", ["Cowes"], ["Idris Elba died in Cowes."]),
        ("Residence", ["London"], ["The residence of Idris Elba is London."]),
        ("Genres", ["Pop", "rock", "R&B"], ["The genres of Idris Elba are Pop, rock and R&B."]),
        (
            "Spouse(s)",
            ["Ann ( m. 1964; div. 1973)"],
            ["The spouse of Idris Elba is Ann (married 1964; divorced 1973)."],
        ),
        ("Spouse(s)", ["Ann", "Beth"], ["The spouses of Idris Elba are Ann and Beth."]),
        ("Years active", ["1991-present"], ["Idris Elba has been active since 1991."]),
        ("Directed by", ["Mann"], ["Idris Elba was directed by Mann."]),
        ("Music by", ["Goldenthal"], ["The music of Idris Elba is by Goldenthal."]),
        ("Starring", ["Pacino", "De Niro"], ["Idris Elba stars Pacino and De Niro."]),
        ("Release date", ["May 9, 2018 ( 2018-05-09 ) (London)"], ["Idris Elba was released on May 9, 2018 (London)."]),
        ("Recorded", ["2015-2016"], ["Idris Elba was recorded from 2015 to 2016."]),
        ("Children", ["1"], ["Idris Elba has 1 child."]),
        ("Children", ["6, with Ann"], ["Idris Elba has 6 children, with Ann."]),
        ("Known for", ["Luther"], ["Idris Elba is known for Luther."]),
        ("Vice President", ["Ann"], ["The Vice President of Idris Elba is Ann."]),
        ("GDP", ["$5 billion"], ["The GDP of Idris Elba is $5 billion."]),
        ("In office", ["2001-2005"], ["Idris Elba was in office from 2001 to 2005."]),
        ("Country", ["U.S."], ["The country of Idris Elba is U.S."]),
    ],
)
def test_wordings(key: str, values: list[str], sentences: list[str]) -> None:
    assert row(key, *values) == sentences


def test_long_lists_are_several_sentences() -> None:
    values = [f"a rather long name of studio {number}" for number in range(20)]
    sentences = row("Studios", *values)
    assert len(sentences) > 1
    assert max(map(len, sentences)) < 350
    assert all(sentence.startswith("The studios of Idris Elba include ") for sentence in sentences)
    assert all(any(value in sentence for sentence in sentences) for value in values)


def test_infotabs_json(tmp_path: Path) -> None:
    path = tmp_path / "T19.json"
    path.write_text(json.dumps({"title": ["Bruno"], "Nationality:": ["Polish "], "Empty": [], "Height": 180}), "utf-8")
    table = read_table(path)
    assert (table.name, table.title) == ("T19", "Bruno")
    assert table.rows == (("Nationality", ("Polish",)), ("Height", ("180",)))
    assert table.premise == "The nationality of Bruno is Polish.\nThe height of Bruno is 180."


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "heat_film.csv"
    path.write_text('Directed by,Michael Mann\nStarring,"Pacino, Al"\nStarring,De Niro\n\n', "utf-8")
    assert (
        read_table(path).premise == "heat film was directed by Michael Mann.\nheat film stars Pacino, Al and De Niro."
    )
    path.write_text("title,Heat\nCountry,U.S.\n", "utf-8")
    assert read_table(path).sentences == ("The country of Heat is U.S.",)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("t.json", b"{", "is not JSON"),
        ("t.json", b"[1]", "is not a JSON object"),
        ("t.json", b'{"a": [{}]}', "field 'a': must be a text or a list of texts"),
        ("t.json", b'{"title": ["x"]}', "the table has no rows"),
        ("t.json", b'{"a": "\xff"}', "is not JSON"),
        ("t.json", b'{"a": "\\ud800"}', "half of a surrogate pair"),
        ("t.csv", b"a,b\na,b,c\n", "t.csv:2: 3 columns where two are expected"),
        ("t.csv", b"a,\xff\n", "t.csv:1: is not UTF-8"),
        ("t.csv", b"", "the table has no rows"),
    ],
)
def test_bad_tables(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError) as error:
        read_table(tmp_path / name)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_every_sentence_is_a_span_of_the_document() -> None:
    table = FactTable(
        "T7", "Heat", (("Directed by", ("Mann",)), ("Running time", ("170 minutes",)), ("Country", ("U.S.",)))
    )
    knowledge = TableKnowledge(table)
    found = knowledge.find(["Heat lasts 170 minutes.", "Mann is the director of Heat."])
    assert [one[0].text for one in found] == [
        "The running time of Heat is 170 minutes.",
        "Heat was directed by Mann.",
    ]
    document = knowledge.document("T7")
    assert document == table.premise
    for one in found[0]:
        assert one.excerpt is not None
        assert one.text == one.excerpt.text == document[one.excerpt.start : one.excerpt.end]
    assert knowledge.document("other") is None
    assert len(TableKnowledge(table, k=1).find(["Heat."])[0]) == 1


def test_all_tables_of_infotabs() -> None:
    """Every row of every table of the development part is said, and nothing is empty."""
    folder = DATA / "infotabs" / "tables"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    for path in sorted(folder.glob("*.json")):
        table = read_table(path)
        assert len(table.sentences) > 0
        assert all(sentence.endswith((".", "!", "?")) and "  " not in sentence for sentence in table.sentences)
        assert all(len(sentence) < 400 for sentence in table.sentences)
