"""What methods say of themselves: on the command line, in JSON, and on the page of the documents."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toulmin.cli.main import app
from toulmin.methods.describing import describe
from toulmin.methods.registry import method_names

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", method_names())
def test_every_setting_has_a_meaning_and_every_method_a_source(name: str) -> None:
    described = describe(name)
    assert described.title
    assert described.source
    for form in described.forms:
        assert form.about
        assert [setting.name for setting in form.settings if not setting.meaning] == []
        assert form.calls is None or form.calls >= 0
        assert form.needs_model or form.calls == 0 or name == "auto"


def test_the_page_of_the_documents_is_what_the_methods_say() -> None:
    code = "import sys; sys.path.insert(0, 'scripts'); import methods; sys.stdout.write(methods.markdown())"
    written = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    page = (ROOT / "docs" / "methods.md").read_text("utf-8")
    assert written.stdout.decode("utf-8") == page, "run python scripts/methods.py"


def test_the_command_lists_methods_and_the_settings_of_one() -> None:
    run = CliRunner().invoke
    listed = json.loads(run(app, ["methods", "--json"]).stdout)
    assert [one["name"] for one in listed] == list(method_names())
    of_one = run(app, ["methods", "fidelis"]).stdout
    fidelis = describe("fidelis")
    assert all(f"fidelis:{form.name}" in of_one for form in fidelis.forms)
    assert all(f"{setting.name} =" in of_one for setting in fidelis.forms[0].settings)
    (alone,) = json.loads(run(app, ["methods", "fidelis:paper", "--json"]).stdout)
    assert {field.name for field in fields(fidelis)} == set(alone)


def test_a_form_stands_alone_with_all_its_settings() -> None:
    (form,) = describe("fidelis:frugal").forms
    shown = CliRunner().invoke(app, ["methods", "fidelis:frugal"]).stdout
    assert form.name == "frugal"
    assert all(f"{setting.name} = " in shown for setting in form.settings)
    assert "fidelis:paper" not in shown


def test_the_list_tells_the_least_and_the_most_calls_of_the_forms() -> None:
    calls = [form.calls or 0 for form in describe("kgr").forms]
    lines = CliRunner().invoke(app, ["methods"]).stdout.splitlines()
    (line,) = [one for one in lines if one.startswith("kgr")]
    assert f"{min(calls)} to {max(calls)}" in line
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("name", "hint"),
    [("fidelio", "did you mean 'fidelis'?"), ("fidelis:frugl", "did you mean 'frugal'?"), ("", "known: auto")],
)
def test_a_method_or_form_that_there_is_not(name: str, hint: str) -> None:
    result = subprocess.run(
        [sys.executable, "-c", "from toulmin.cli.main import main; main()", "methods", name],
        capture_output=True,
        check=False,
    )
    assert result.returncode == 2
    (line,) = result.stderr.decode().strip().splitlines()
    assert hint in line
