"""The worlds that the reader is trained on: each is read, has questions, and its forms run over its own graph."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from reader_worlds import WARD, value_of, world

import domains
from domains import Domain, read_domain
from toulmin.errors import SourceError
from toulmin.methods.reader.operators import OPERATORS, operators_of

FOLDER = Path(domains.__file__).parent / "domains"
WORLDS = sorted(FOLDER.glob("*.txt"))
SAMPLE = 4  # forms of each that are run; `python training/domains.py FILE` runs all


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.stem)
def test_a_world(path: Path) -> None:
    domain = read_domain(path)
    meant = [example for example in domain.examples if example.form is not None]
    assert [example.line for example in domain.examples if not example.questions] == []
    assert len(meant) > 10
    for example in random.Random(path.stem).sample(meant, SAMPLE):
        assert example.form is not None
        value_of(domain, example.form)


def test_the_worlds_ask_for_every_operator() -> None:
    asked = {
        name for path in WORLDS for one in read_domain(path).examples if one.form for name in operators_of(one.form)
    }
    assert asked == set(OPERATORS)


def test_no_question_means_two_things() -> None:
    """Within a world; over another one the same words may."""
    for path in WORLDS:
        domain = read_domain(path)
        lines: dict[str, int] = {}
        for example in domain.examples:
            for question in example.questions:
                assert lines.setdefault(question.lower(), example.line) == example.line, f"{path.name}: {question}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("thing Ward 7: corridor", "'corridor' is none"),
        ("thing Ward 7: ward | colour = green", "no RELATION = VALUE"),
        ("thing Ward 7: ward | floor = ground", "'ground' is no number"),
        ("relation smell: ward", "relation LABEL: CLASS -> CLASS"),
        ("? (follow", "a bracket is not closed"),
        ("? (smell :nurse)", "no form is called 'smell'"),
        ("? (count :porter)", "'porter' is no declared class"),
        ("? (top :nurse height)", "'height' is no declared relation"),
        ("? (count :nurse) :nurse", "something stands behind the end"),
        ("? (where :nurse (born < early))", "'early' is no number or date"),
        ("? (where :nurse (born before 1984))", "'before' is no operator"),
        ("nurse Ada", "a line begins with"),
    ],
)
def test_a_line_that_is_not_of_the_format(line: str, message: str) -> None:
    with pytest.raises(SourceError, match=message) as error:
        world(f"{WARD}{line}")
    assert f"world.txt:{WARD.count(chr(10)) + 1}: " in str(error.value)


def test_a_question_before_its_form(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_text("- how many?\n", "utf-8")
    with pytest.raises(SourceError, match="a question stands after its form"):
        read_domain(path)


def test_what_the_world_does_not_tell() -> None:
    domain: Domain = world(f"{WARD}\n?? what does Ines Falk earn?")
    assert [(one.form, one.questions) for one in domain.examples] == [(None, ["what does Ines Falk earn?"])]
