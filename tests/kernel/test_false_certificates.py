"""No false certificate of the corpus passes, each is refused for its reason, and the true one beside it passes."""

from __future__ import annotations

from collections import Counter

import pytest
from false_corpus import checked, checked_by_node, disagreement, lines
from mutations import mutants
from small_graphs import small_graphs

from toulmin.kernel import Report, check

LINES = lines()
NAMES = [line["name"] for line in LINES]
#: The false proofs of the format before this one.
FAMILIES = (
    *("A1", "A2", "B1", "B2", "C1", "C2", "C3", "D2", "D2b", "D3", "D3b", "D4", "D4b", "D4d", "E1", "F1", "F2", "F3"),
    *("F4", "F5", "G1", "G2", "G3", "H1", "H2", "I1", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "J1"),
    *("J2", "K1", "L1", "L2", "L3", "M1", "M2", "M4", "M5", "M6", "N1", "O1", "O2", "O3", "O4", "O5"),
)


@pytest.fixture(scope="module")
def by_node() -> dict[str, Report]:
    """The reports of the JavaScript kernel."""
    return dict(zip(NAMES, checked_by_node(LINES), strict=True))


@pytest.mark.parametrize("line", LINES, ids=NAMES)
def test_a_certificate_is_judged_as_the_corpus_says(line: dict[str, object]) -> None:
    report = checked(line)
    assert disagreement(line, report.exit_code, str(report)) is None


@pytest.mark.parametrize("line", LINES, ids=NAMES)
def test_the_javascript_kernel_judges_it_so_too(line: dict[str, object], by_node: dict[str, Report]) -> None:
    report = by_node[str(line["name"])]
    assert disagreement(line, report.exit_code, str(report)) is None


def test_the_corpus_holds_enough_and_each_once() -> None:
    assert sum(line["expect"]["exit"] != 0 for line in LINES) >= 300
    assert Counter(NAMES).most_common(1)[0][1] == 1
    rules = " ".join(line["rule"] for line in LINES)
    assert [family for family in FAMILIES if f"{family}:" not in rules] == []


@pytest.mark.parametrize("seed", range(4))
def test_mutations_end_in_a_report_of_printable_lines(seed: int) -> None:
    for given, names in mutants(150, seed):
        report = check(given, small_graphs(names) if names else None)
        assert report.exit_code in (0, 1, 2)
        assert all(character.isprintable() or character in "\n\u200c\u200d" for character in str(report))
        assert len(report.problems) > 0 or report.exit_code < 2
