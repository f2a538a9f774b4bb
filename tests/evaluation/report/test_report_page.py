"""The page of a report: one file that fetches nothing, in which names stay names, and which Chromium shows whole."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from browser import CHROMIUM, Browser, browser
from harbour_runs import HOSTILE, harbours
from typer.testing import CliRunner

from toulmin.cli.main import app
from toulmin.errors import SettingsError
from toulmin.evaluation.report.drawing import COLOURS
from toulmin.evaluation.report.page import report_page
from toulmin.evaluation.report.read_runs import read_runs
from toulmin.page.page import page, policy

pytest.importorskip("matplotlib")


class Parts(HTMLParser):
    """Elements with their attributes, and what stands in scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self.data: dict[str, str] = {}
        self._in = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in = tag

    def handle_endtag(self, tag: str) -> None:
        self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in in self.texts:
            name = self.tags[-1][1].get("id")
            if name is None:
                self.texts[self._in].append(data)
            else:
                self.data[name] = data

    def packed(self, name: str) -> Any:
        """What a script element holds, unpacked."""
        found = json.loads(self.data[name])
        return json.loads(gzip.decompress(b64decode(found)))


@pytest.fixture(scope="session")
def plain_page(plain_runs: Path) -> str:
    return report_page(read_runs([plain_runs]))


@pytest.fixture(scope="session")
def proved_page(plain_runs: Path) -> str:
    graph = harbours()
    return report_page(read_runs([plain_runs]), {graph.fingerprint: graph})


@pytest.fixture(scope="session")
def hostile_page(hostile_runs: Path) -> str:
    return report_page(read_runs([hostile_runs]))


def test_it_holds_every_question_and_certificate(plain_page: str, plain_runs: Path) -> None:
    parts, runs = Parts(plain_page), read_runs([plain_runs])
    asked = parts.packed("asked")
    assert [name for name, _ in asked["runs"]] == [run.name for run in runs]
    assert len(asked["questions"]) == 20
    chunks = [json.loads(gzip.decompress(b64decode(one))) for one in json.loads(parts.data["certificates"])]
    records = (json.loads(line) for line in (plain_runs / "buoy" / "records.jsonl").read_text("utf-8").splitlines())
    kept = {one["question"]: one["answer"] for one in records}
    for question in asked["questions"]:
        place = question["runs"][1]["place"]
        assert (chunks[place[0]][place[1]] if place else None) == kept[question["question"]]
    before, after = parts.packed("blank")
    assert before + json.dumps({}) + after == page({}, title="A proof")


def test_it_is_the_same_each_time_and_small(plain_page: str, plain_runs: Path) -> None:
    assert report_page(read_runs([plain_runs])) == plain_page
    assert len(plain_page) < 500_000


def test_nothing_is_fetched_and_only_what_is_named_runs(plain_page: str) -> None:
    parts = Parts(plain_page)
    for tag, attributes in parts.tags:
        assert "src" not in attributes
        assert attributes.get("href", "#")[0] == "#" or (tag, attributes["href"]) == ("link", "data:,")  # type: ignore[index]
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
    given = next(tag["content"] for _, tag in parts.tags if tag.get("http-equiv") == "Content-Security-Policy") or ""
    rules = dict(rule.strip().split(" ", 1) for rule in given.split(";"))
    own = dict(rule.strip().split(" ", 1) for rule in policy(parts.texts["style"], parts.texts["script"]).split(";"))
    assert rules["script-src"].startswith(own["script-src"])
    assert rules["style-src"].startswith(own["style-src"])
    assert rules["default-src"] == "'none'"
    assert not re.search(r"url\((?!#)|@import", "".join(parts.texts["style"]))
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|fetch\(|eval\(", parts.texts["script"][-1]
    )


def test_ids_are_unique_and_what_names_them_finds_them(plain_page: str) -> None:
    tags = Parts(plain_page).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in tags:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            assert attributes.get(name, ids[0]) in ids
        if (attributes.get("href") or "").startswith("#"):
            assert (attributes["href"] or "")[1:] in ids


def test_plots_are_text_with_a_label_a_table_and_the_colours_of_the_page(plain_page: str) -> None:
    drawings = re.findall(r"<figure>.*?</figure>", plain_page, re.DOTALL)
    assert len(drawings) == 7
    for one in drawings:
        assert re.search(r'<svg [^>]*role="img" aria-label="[^"]+: a plot', one)
        assert "<text" in one
        assert "<table>" in one
    assert not re.search("|".join(COLOURS), plain_page)
    style = "".join(Parts(plain_page).texts["style"])
    for variable in set(re.findall(r"var\((--\w+)\)", style)):
        assert re.search(rf"{variable}: *[^;]", style)


def _luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_colours_stand_out_in_light_and_in_dark(plain_page: str) -> None:
    style = "".join(Parts(plain_page).texts["style"])
    blocks = [block for block in re.findall(r":root \{([^}]*)\}", style) if "--s7" in block]
    for block, ground in zip(blocks, ("#ffffff", "#1b1f23", "#ffffff"), strict=True):
        colours = re.findall(r"--s\d: (#\w{6})", block)
        assert len(set(colours)) == 8
        for colour in colours:
            dark, light = sorted((_luminance(colour), _luminance(ground)))
            assert (light + 0.05) / (dark + 0.05) >= 3  # WCAG 2.2, 1.4.11


def test_hostile_names_stay_names(hostile_page: str, plain_page: str) -> None:
    assert {tag for tag, _ in Parts(hostile_page).tags} <= {tag for tag, _ in Parts(plain_page).tags}
    assert not re.search(r"[\x00-\x08\x1b\u2028\u202e\u2066]", hostile_page)
    asked = Parts(hostile_page).packed("asked")
    assert len({question["question"] for question in asked["questions"]}) == 6 * len(HOSTILE)


def test_evidence_is_put_in_where_there_is_room(proved_page: str, plain_runs: Path) -> None:
    evidence = json.loads(Parts(proved_page).data["evidence"])
    assert len(evidence["of"]) == sum(len(run.asked) for run in read_runs([plain_runs])) - proved_page.count(
        '"place":null'
    )
    assert len(evidence["packs"]) < len(evidence["of"])  # what is the same stands there once
    with pytest.raises(SettingsError, match="no answer of these runs"):
        other = harbours({"e:cove": "Heron Bay"})
        report_page(read_runs([plain_runs]), {other.fingerprint: other})


# -- in Chromium -----------------------------------------------------------------------------------------------------

_OVERLAPS = Path(__file__).with_name("overlaps.js").read_text("utf-8")
chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (apt-get install chromium)")


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as made:
        yield made


@pytest.fixture
def opened(one: Browser, tmp_path: Path) -> Iterator[Any]:
    """Open a report; afterwards nothing was said on the console, and nothing fetched but the page."""
    path = tmp_path / "report.html"
    one.errors.clear()
    one.requests.clear()

    def open_page(text: str, width: int = 1280, scheme: str = "light") -> Browser:
        path.write_text(text, "utf-8")
        one.look(width, 900, scheme)
        one.open(path)
        return one

    yield open_page
    assert one.errors == []
    assert set(one.requests) <= {path.as_uri(), "data:,", "about:srcdoc"}


@chromium
@pytest.mark.parametrize("width", [400, 900, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["plain_page", "hostile_page"])
def test_nothing_overlaps(opened: Any, request: pytest.FixtureRequest, which: str, width: int, scheme: str) -> None:
    shown = opened(request.getfixturevalue(which), width, scheme)
    shown.value("document.querySelector('#list summary').click()")
    assert shown.value(_OVERLAPS) == []
    assert shown.value("document.documentElement.scrollWidth") == width


@chromium
def test_questions_are_found(opened: Any, plain_page: str) -> None:
    asked = Parts(plain_page).packed("asked")["questions"]
    shown = opened(plain_page)

    def found(**chosen: str) -> int:
        for name, value in chosen.items():
            shown.value(f"document.getElementById('{name}').value = {json.dumps(value)}")
        shown.value("document.getElementById('filter').dispatchEvent(new Event('input'))")
        return int(shown.value("document.querySelectorAll('#list > li').length"))

    assert found() == 20
    wrong = [one for one in asked if one["runs"][2]["outcome"] == "wrong"]
    assert found(outcome="wrong", run="2") == len(wrong)
    assert found(outcome="wrong", run="2", hops="1") == len([one for one in wrong if one["hops"] == 1])
    assert found(outcome="", run="", hops="", words="DAY 13") == 1
    differs = [one for one in asked if len({cell["outcome"] for cell in one["runs"]}) > 1]
    assert found(words="", outcome="differs") == len(differs)
    assert shown.value("document.getElementById('count').textContent") == f"{len(differs)} questions of 20"


def _until(shown: Browser, expression: str) -> Any:
    """What an expression gives once that is something."""
    end = monotonic() + 120
    while not (found := shown.value(expression)):
        assert monotonic() < end, f"never: {expression}"
        sleep(0.05)
    return found


_FRAME = "document.querySelector('iframe')?.contentDocument"
_CHECKED = f"{_FRAME}?.documentElement?.dataset.ready === 'true' && {_FRAME}.getElementById('result').dataset.exit"


@chromium
def test_a_proof_opens_by_keys_and_checks_itself(opened: Any, proved_page: str) -> None:
    shown = opened(proved_page)
    shown.value("document.querySelector('#list summary').focus()")
    shown.press("Enter")
    _until(shown, "document.querySelector('.given button') !== null")
    shown.value("document.querySelector('.given button').focus()")
    shown.press("Enter")
    assert _until(shown, _CHECKED) == "0"
    assert shown.value("document.getElementById('proof-note').textContent") == ""
    shown.value("document.getElementById('close').click()")
    _until(shown, "document.querySelector('iframe') === null")
    shown.value("document.querySelector('.given details summary').click()")
    _until(shown, "document.querySelector('.given pre').textContent.includes('labels')")


@chromium
def test_a_proof_without_statements_says_so(opened: Any, hostile_page: str) -> None:
    shown = opened(hostile_page)
    shown.value("document.querySelector('#list summary').click()")
    _until(shown, "document.querySelector('.given button') !== null")
    shown.value("document.querySelector('.given button').click()")
    _until(shown, _CHECKED)
    assert "cannot be checked here" in shown.value("document.getElementById('proof-note').textContent")
    for title in ("document.title", f"{_FRAME}.title"):
        assert not shown.value(title).startswith("run")


# -- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["report.html", "report.md", "report.csv"])
def test_the_command_writes_a_file(plain_runs: Path, tmp_path: Path, name: str) -> None:
    done = CliRunner().invoke(app, ["report", str(plain_runs), "--out", str(tmp_path / name)])
    assert done.exit_code == 0, done.output
    assert "3 runs, 20 questions" in done.stdout
    assert (tmp_path / name).stat().st_size > 1000


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["nowhere", "--out", "r.html"], "neither the folder of a run"),
        (["RUNS", "--out", "r.pdf"], "ends in one of .html, .md, .csv"),
        (["RUNS", "--out", "nowhere/r.html"], "its folder does not exist"),
        (["RUNS", "--out", "r.html", "--metric", "luck"], "no run has the metric 'luck'"),
        (["RUNS", "--out", "r.md", "--kg", "bundled"], "proofs are in a page"),
    ],
)
def test_bad_input_ends_in_one_line(
    plain_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["report", *(str(plain_runs) if one == "RUNS" else one for one in given)])
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("r.*"))


def test_without_the_plotting_library_the_extra_is_named(plain_runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    done = CliRunner().invoke(app, ["report", str(plain_runs), "--out", str(plain_runs / "r.html")])
    assert done.exit_code == 2
    assert "pip install 'toulmin[report]'" in done.stderr
