"""The proof page in Chromium: it checks itself, says what the kernel in Python says, and answers to mouse and keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Browser, browser
from certificates import EXAMPLES, shared, wide

from toulmin.kernel.report import check
from toulmin.page.page import page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (apt-get install chromium)")
Show = Callable[[Any], Browser]


def another_value() -> Any:
    made = shared()
    return {**made, "answer": {**made["answer"], "values": ["Q38104"]}}


def left_out() -> Any:
    made = json.loads(json.dumps(shared()))
    next(one for one in made["evidence"][0]["out"]["ranges"] if len(one["statements"]) > 1)["statements"].pop()
    return made


def without_evidence() -> Any:
    return {name: value for name, value in shared().items() if name != "evidence"}


def values_alone() -> Any:
    answer = {"kind": "none", "reasons": [{"code": "other", "says": "no more was tried"}]}
    return {**shared(), "program": [{"op": "literal", "value": {"value": "1", "kind": "quantity"}}], "answer": answer}


CASES: dict[str, Callable[[], Any]] = {
    **EXAMPLES,
    "another value": another_value,
    "left out": left_out,
    "without evidence": without_evidence,
    "values alone": values_alone,
    "no program": lambda: {**values_alone(), "program": []},
    "nothing": lambda: {},
    "odd": lambda: {"question": [1, {"a": None}], "answer": 3, "program": "x"},
}


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as made:
        yield made


@pytest.fixture
def show(one: Browser, tmp_path: Path) -> Iterator[Show]:
    """Open the page of a certificate; afterwards nothing was said on the console, and nothing fetched but the page."""
    path = tmp_path / "page.html"
    one.errors.clear()
    one.requests.clear()
    one.look(1280, 900)

    def opened(certificate: Any) -> Browser:
        path.write_text(page(certificate), "utf-8")
        one.open(path)
        return one

    yield opened
    assert one.errors == []
    assert set(one.requests) <= {path.as_uri(), "data:,"}


@pytest.mark.parametrize("case", CASES)
def test_it_finds_what_the_kernel_in_python_finds(show: Show, case: str) -> None:
    certificate = CASES[case]()
    report, opened = check(json.dumps(certificate)), show(certificate)
    found = opened.value("({...document.getElementById('result').dataset})")
    assert found == {"status": report.status, "exit": str(report.exit_code)}
    said = opened.value("document.querySelector('main').textContent")
    for line in (report.read_as, report.judge, *report.problems):
        assert line in said
    shown = report.exit_code == 0 and report.status != "unverifiable"
    heading = "Answer" if shown else "Answer, as claimed"
    assert opened.value("document.getElementById('answer-head').textContent") == heading
    nodes = opened.value("[...document.querySelectorAll('#nodes .sentence')].map((one) => one.textContent)")
    assert nodes == [node["sentence"] for node in report.nodes]


def test_a_struck_statement_changes_the_answer_and_can_be_put_back(show: Show) -> None:
    opened = show(shared())
    button = "[...document.querySelectorAll('#facts button')].find((one) => one.textContent.startsWith('{}'))"
    panel = "document.getElementById('without')"
    opened.value(f"{button.format('Irène Joliot-Curie')}.focus()")
    opened.press("Enter")
    assert opened.value(f"{panel}.querySelector('ul').innerText.trim()") == "nothing"
    assert opened.value("document.querySelectorAll('.box.changed').length") == 2
    opened.press(" ")
    assert opened.value(f"{panel}.hidden")
    assert opened.value("document.querySelectorAll('.box.changed').length") == 0
    opened.value(f"{button.format('Marie Curie — award received → Davy')}.click()")
    assert opened.value(f"{panel}.dataset.same") == "true"
    assert opened.value(f"{panel}.querySelector('ul').innerText.trim()") == "Nobel Prize in Chemistry"
    opened.value(f"{panel}.querySelector('button').click()")
    assert opened.value(f"{panel}.hidden")


def test_a_root_from_elsewhere_decides(show: Show) -> None:
    certificate = shared()
    opened = show(certificate)
    opened.value("document.getElementById('root').focus()")
    for root, expected in (("0" * 64, "1"), (certificate["graphs"][0]["root"], "0")):
        opened.value(f"document.getElementById('root').value = '{root}'")
        opened.press("Enter")
        assert opened.value("document.getElementById('result').dataset.exit") == expected
    assert "held against the root given" in opened.value("document.getElementById('graphs').textContent")


def test_of_several_graphs_each_has_a_line_for_its_root(show: Show) -> None:
    certificate = shared()
    root = certificate["graphs"][0]["root"]
    opened = show({**without_evidence(), "graphs": [*certificate["graphs"], {"name": "other", "root": "1" * 64}]})
    assert opened.value("document.querySelector('textarea#root').rows") == 2
    assert "one for each graph" in opened.value("document.getElementById('trusted').textContent")
    opened.value(f"document.getElementById('root').value = '{root}\\n{'1' * 64}'")
    opened.value("document.getElementById('trusted').requestSubmit()")
    held = opened.value("document.getElementById('graphs').textContent")
    assert held.count("Graph ") == 2


def test_keys_go_from_box_to_box(show: Show) -> None:
    opened = show(shared())
    opened.value("document.querySelector('.box[tabindex=\"0\"]').focus()")
    focused = "Number(document.activeElement.dataset.place)"
    assert opened.value(focused) == 4
    opened.press("ArrowLeft")
    assert opened.value(focused) in (1, 3)
    opened.press("Enter")
    assert opened.value("document.getElementById('chosen').innerText").startswith("Node [")


_OVERLAPS = """(() => {
  const place = (one) => one.getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.box')].map((one) => [one, place(one.querySelector('rect'))]);
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const found = [];
  boxes.forEach(([one, a], i) => {
    for (const [, b] of boxes.slice(i + 1)) if (over(a, b)) found.push('boxes overlap');
    for (const text of one.querySelectorAll('text')) {
      const t = place(text), out = t.left < a.left || t.right > a.right || t.top < a.top || t.bottom > a.bottom;
      if (out) found.push(`${text.textContent} leaves its box`);
    }
  });
  return [boxes.length, found];
})()"""


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forty_nodes_fit_their_boxes_and_the_window(show: Show, one: Browser, width: int, scheme: str) -> None:
    one.look(width, 900, scheme)
    opened = show(wide())
    boxes, wrong = opened.value(_OVERLAPS)
    assert (boxes, wrong) == (31, [])
    assert opened.value("document.documentElement.scrollWidth") <= width


def test_hostile_labels_are_shown_and_do_nothing(show: Show) -> None:
    hostile = "</script><img src=x onerror=\"document.title='run'\"><!--<script>document.title='run'</script> \u202e"
    opened = show(shared({"Q7186": hostile, "P166": hostile}, question=f"Which awards did {hostile} get?"))
    assert opened.value("document.querySelectorAll('img').length") == 0
    assert opened.value("document.scripts.length") == 4
    assert "run" not in opened.value("document.title")[:4]
    assert hostile[:-2] in opened.value("document.getElementById('question').textContent")
    assert "\u202e" not in opened.value("document.body.innerText")
