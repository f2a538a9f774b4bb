"""The proof page and its short form as text: what a certificate holds gets into them, and does nothing there."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from certificates import EXAMPLES, shared, wide
from hypothesis import given
from hypothesis import strategies as st

from toulmin.kernel.report import Report, check
from toulmin.page.page import fragment, page

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "<!-- <script>",
    "]]></style><style>*{display:none}</style>",
    "&lt;b&gt; &amp; \"double\" 'single'",
    "{{certificate}} {{scripts}}",
    "\u202etxet desrever\u2066",
    "\u2028\u2029\x00\x1b[2J",
    "\\u003c/script\\u003e",
)
_VOID = {"meta", "link", "input", "br", "img", "hr"}


class Outline(HTMLParser):
    """The elements of a document, refused where they do not nest.

    Attributes:
        tags: each element with its attributes, in order.
        texts: what stands in each script and style, with the element's name and id.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str | None, str]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {attrs}"
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("script", "style"):
            self.texts.append((self._open[-1], self.tags[-1][1].get("id"), data))

    @property
    def certificate(self) -> str:
        """The JSON of the page."""
        return "".join(text for _, name, text in self.texts if name == "certificate")


PLAIN = Outline(page({"question": "-"}))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_labels_stay_data(text: str) -> None:
    made = shared({"Q7186": text, "P166": text, "Q44585": text}, question=f"Which awards did {text} get?")
    outline = Outline(page(made, title=text))
    assert json.loads(outline.certificate) == made
    assert outline.certificate.isascii()
    assert not set("<>&").intersection(outline.certificate)
    assert outline.tags == PLAIN.tags


@given(
    st.recursive(
        st.text() | st.integers() | st.booleans() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_whatever_it_holds_is_read_again(value: Any) -> None:
    outline = Outline(page({"question": value}))
    assert json.loads(outline.certificate) == {"question": value}
    assert outline.tags == PLAIN.tags


def test_nothing_is_fetched() -> None:
    text = page(shared())
    for tag, attributes in PLAIN.tags:
        assert "src" not in attributes
        assert attributes.get("href", "#")[0] == "#" or (tag, attributes["href"]) == ("link", "data:,")  # type: ignore[index]
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
    assert "sourceMappingURL" not in text
    assert not re.search(r"url\(|@import", "".join(part for name, _, part in PLAIN.texts if name == "style"))
    own = PLAIN.texts[-1][2]
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|fetch\(|XMLHttpRequest|import\(|eval\(", own
    )


def test_the_policy_names_what_runs_and_nothing_else() -> None:
    policy = next(tag["content"] for _, tag in PLAIN.tags if tag.get("http-equiv") == "Content-Security-Policy") or ""
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    inline = {
        name: [part for tag, key, part in PLAIN.texts if tag == name and key is None] for name in ("script", "style")
    }
    for name, parts in inline.items():
        hashes = [f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'" for part in parts]
        assert rules.pop(f"{name}-src") == " ".join(hashes)
    assert rules == {"default-src": "'none'", "img-src": "data:", "base-uri": "'none'", "form-action": "'none'"}
    assert len(inline["script"]) == 3
    assert not re.search(r"<!--|</?script", "".join(inline["script"]), re.IGNORECASE)


def test_ids_are_unique_and_what_names_them_finds_them() -> None:
    ids = [attributes["id"] for _, attributes in PLAIN.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in PLAIN.tags:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            assert attributes.get(name, ids[0]) in ids
    used = re.findall(r'\bat\("(\w+)"\)', PLAIN.texts[-1][2])
    assert used
    assert set(used) <= set(ids)


def test_it_is_small_and_the_same_each_time() -> None:
    made = shared()
    assert len(page(made).encode()) < 400_000
    assert page(made) == page(json.loads(json.dumps(made)))


def test_the_library_keeps_its_licence() -> None:
    assert "Copyright (c) 2012-2014 Chris Pettitt" in page({})


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        page({"confidence": float("nan")})


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_short_form_says_what_the_kernel_found(kind: str) -> None:
    made = EXAMPLES[kind]()
    report = check(json.dumps(made))
    text = plain(fragment(made, report))
    for line in (made["question"], report.judge, report.status, *report.answer, *report.problems, *report.graphs):
        assert line in text
    for node in report.nodes:
        assert all(line in text for line in node["statements"] if node["used"] and node["op"] != "entity")


@pytest.mark.parametrize("text", HOSTILE)
def test_the_short_form_escapes(text: str) -> None:
    made = shared({"Q7186": text, "P166": text, "Q44585": text}, question=f"Which awards did {text} get?")
    shown = fragment(made, check(json.dumps(made)))
    assert {tag for tag, _ in Outline(shown).tags} == {"table", "tr", "th", "td", "div", "b"}
    assert all(one.isprintable() for one in shown)
    written = Report(read_as=text, judge=text, answer=[text], problems=[text], graphs=[text])
    assert Outline(fragment({"question": text}, written)).tags
    assert "<img" not in fragment({"question": text}, written)


def test_the_short_form_is_short() -> None:
    made = wide(60)
    text = fragment(made, check(json.dumps(made)))
    assert len(text) < 10_000
    assert re.search("… and [0-9]+ more", text)


def plain(markup: str) -> str:
    """The words of a fragment."""
    return unescape(re.sub("<[^>]*>", "", markup))
