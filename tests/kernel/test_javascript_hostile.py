"""Whatever is given to the kernel in JavaScript ends in one line, as it does in Python."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from javascript import called, checked
from small_certificates import ACME, CASES, certificate, follow, op

from toulmin.kernel import check

GOOD = json.dumps(CASES["managers"][0])
HOSTILE = {
    "nothing": "",
    "no JSON": "{",
    "a list": "[]",
    "a number": "5",
    "nesting": "[" * 100_000,
    "closed nesting": "[" * 500 + "]" * 500,
    "prototype": '{"__proto__": {"format": "toulmin-certificate/1"}}',
    "constructor": '{"constructor": 1}',
    "prototype beside": GOOD[:-1] + ', "__proto__": {}}',
    "twice": GOOD[:-1] + ', "maker": "x"}',
    "unknown field": GOOD[:-1] + ', "x": 1}',
    "joiners, and what turns a line around": GOOD[:-1] + ', "x\u200cy\u200dz\u200b\u202e": 1}',
    "NaN": GOOD.replace("0.645", "NaN"),
    "infinite": GOOD.replace("0.645", "1e999"),
    "huge": GOOD.replace("0.645", "9" * 100_000),
    "long fraction": GOOD.replace("0.645", "0." + "1" * 100_000),
    "half a pair": GOOD.replace("a test", "\\ud800"),
    "a leading zero": GOOD.replace("0.645", "00.645"),
    "a control character": GOOD.replace("a test", "a\ntest"),
    "a wrong escape": GOOD.replace("a test", "\\x41"),
    "no end": GOOD[:-1],
    "too much": GOOD + "{}",
    "an op of all objects": GOOD.replace('"follow"', '"toString"'),
    "kind of all objects": GOOD.replace('"kind": "nodes"', '"kind": "constructor"'),
    "a place before": GOOD.replace('"of": 0', '"of": -1'),
    "half a place": GOOD.replace('"of": 0', '"of": 0.5'),
    "a place as a text": GOOD.replace('"of": 0', '"of": "0"'),
    "true as a place": GOOD.replace('"of": 0', '"of": true'),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_ends_in_one_line(name: str) -> None:
    (report,) = checked([HOSTILE[name]])
    assert report["exit_code"] == 2
    assert len(report["problems"]) == 1
    assert "\n" not in report["problems"][0]
    assert check(HOSTILE[name]).exit_code == 2


def test_very_long_texts_end_in_one_line() -> None:
    for piece, times in (('"', 1), ("x", 100_000_001), ('["\\"', 20_000_000), ("[", 90_000_000), ("9", 90_000_000)):
        (report,) = called([{"call": "long", "arguments": [piece, times]}])
        assert (report["exit_code"], len(report["problems"])) == (2, 1)


def test_a_program_that_takes_too_long_is_refused() -> None:
    program = [ACME, follow(0, "manages", "backward"), op("it", of=1), op("exists", of=2)]
    program[3] = follow(2, "manages")
    program += [op("exists", of=3), op("every", of=1, it=2, test=4)]
    (report,) = checked([json.dumps(certificate(program, {"kind": "truth", "of": 5, "value": "yes"}))], seconds=-1)
    assert report["exit_code"] == 2
    assert "too long" in report["problems"][0]


def test_what_all_objects_of_javascript_have_is_nothing_special() -> None:
    names = ("constructor", "__proto__", "toString")
    texts = [GOOD.replace('"acme"', json.dumps(name)).replace("a reader", name) for name in names]
    assert checked(texts) == [asdict(check(text)) for text in texts]
