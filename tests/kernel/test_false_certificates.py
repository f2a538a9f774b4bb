"""No false certificate of the corpus passes, each is refused for its reason, and the true one beside it passes."""

from __future__ import annotations

from collections import Counter

import pytest
from false_corpus import checked, disagreement, lines

LINES = lines()


@pytest.mark.parametrize("line", LINES, ids=[line["name"] for line in LINES])
def test_a_certificate_is_judged_as_the_corpus_says(line: dict[str, object]) -> None:
    report = checked(line)
    assert disagreement(line, report.exit_code, str(report)) is None


def test_the_corpus_holds_enough_and_each_once() -> None:
    false = [line for line in LINES if line["expect"]["exit"] != 0]
    assert len(false) >= 300
    assert Counter(line["name"] for line in LINES).most_common(1)[0][1] == 1


def test_every_family_of_old_false_proofs_is_there() -> None:
    rules = " ".join(line["rule"] for line in LINES)
    families = "A1 A2 B1 B2 C1 C2 C3 D2 D2b D3 D3b D4 D4b D4d E1 F1 F2 F3 F4 F5 G1 G2 G3 H1 H2 I1 I10 I11 I3 I4 I5 I6 I7 I8 I9 J1 J2 K1 L1 L2 L3"
    assert [
        one for one in [*families.split(), *"M1 M2 M4 M5 M6 N1 O1 O2 O3 O4 O5".split()] if f"{one}:" not in rules
    ] == []
