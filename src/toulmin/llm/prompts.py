"""Prompts are files: a folder ``prompts/`` beside the code of a method, and what makes text of a graph safe in them.

A prompt is a Markdown file with level-1 headings, in this order::

    (what stands before the first heading is a note to the reader and is not sent)
    # System
    what the model is told
    # Input
    the user message of a demonstration
    # Output
    what the model should have replied
    # User
    the user message, with {fields}

``# Input`` and ``# Output`` come in pairs, any number of them. Only ``{lower_case}`` words of ``# User`` are fields, so
that JSON may stand anywhere. A JSON schema for the reply is the file ``NAME.schema.json`` beside ``NAME.md``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from toulmin.errors import SettingsError, SourceError
from toulmin.llm.protocol import Message

__all__ = ["Prompt", "Prompts", "block", "data", "prompts_of"]

_FIELD = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_HEADING = re.compile(r"^# +(.*?) *$", re.MULTILINE)

# Tags delimit blocks, bars the parts of a statement, numbers in brackets the lines of a list; the last also keeps
# control words of chat templates ([INST]) out. Full-width forms count: some tokenizers fold them.
_DELIMITERS = str.maketrans("<＜﹤>＞﹥|｜`", "‹‹‹›››¦¦'")
_BRACKETED = re.compile(r"\[\s*(/?\w+)\s*\]")
_JOINERS = "\u200c\u200d"  # format characters that Persian and Indic spelling needs
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_TAG = re.compile(r"[a-z][a-z_-]*")


def data(text: str, limit: int = 200) -> str:
    """A label or text of a graph, made safe for a prompt: one line that cannot end the block it stands in.

    Control and invisible characters go, white space becomes single spaces, what delimits blocks, statement parts and
    list lines is replaced by look-alikes, and more than ``limit`` characters are cut, shown by "…". Safe text is left
    as it is; applying it twice changes nothing more.

    Raises:
        SettingsError: a limit below 1.
    """
    if limit < 1:
        raise SettingsError(f"a limit of {limit} characters: give 1 or more")
    visible = "".join(
        " " if character.isspace() else character
        for character in text
        if character.isspace() or character in _JOINERS or unicodedata.category(character) not in _INVISIBLE
    )
    line = _BRACKETED.sub(r"(\1)", " ".join(visible.split()).translate(_DELIMITERS))
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def block(name: str, lines: Iterable[str]) -> str:
    """Lines of data between the tags ``<name>`` and ``</name>``; each line must have gone through ``data``.

    Raises:
        SettingsError: a name that is no lower-case word.
    """
    if not _TAG.fullmatch(name):
        raise SettingsError(f"a block of a prompt cannot be called {name!r}: use lower-case letters")
    return "\n".join((f"<{name}>", *lines, f"</{name}>"))


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: what the model is told, examples of ours, and the user message with its fields.

    Args:
        name: the step it serves, "r3/axiom": failures are counted and replays miss under it.
        schema: the JSON schema of the reply; None: free text.
    """

    name: str
    system: str
    demonstrations: tuple[tuple[str, str], ...]
    template: str
    schema: Mapping[str, Any] | None

    @property
    def fields(self) -> frozenset[str]:
        """The names that ``fill`` needs values for."""
        return frozenset(_FIELD.findall(self.template))

    def fill(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """The messages of a request. Values are put in as they are: text of a graph goes through ``data`` first.

        Raises:
            SettingsError: a field without a value, or a value without a field.
        """
        if self.fields != values.keys():
            missing, unknown = sorted(self.fields - values.keys()), sorted(values.keys() - self.fields)
            faults = [f"no value for {', '.join(missing)}"] * bool(missing)
            faults += [f"no field {', '.join(unknown)}"] * bool(unknown)
            raise SettingsError(f"prompt {self.name}: {'; '.join(faults)}")
        messages = [Message("system", self.system)] if self.system else []
        for input_, output in self.demonstrations:
            messages += [Message("user", input_), Message("assistant", output)]
        # One pass, so that a value that looks like a field stays what it is.
        messages.append(Message("user", _FIELD.sub(lambda match: values[match[1]], self.template)))
        return tuple(messages)


class Prompts(dict[str, Prompt]):
    """The prompts of one method by their short names."""

    @classmethod
    def of(cls, package: str, name: str | None = None) -> Prompts:
        """The prompts in the folder ``prompts/`` inside a package.

        Args:
            package: "toulmin.methods.r3".
            name: what the steps are named after; None: the last part of the package's name.

        Raises:
            SourceError: a prompt or schema that cannot be read as what it claims to be.
        """
        group = name or package.rpartition(".")[2]
        folder = files(package) / "prompts"
        if not folder.is_dir():
            raise SourceError(f"package {package} has no folder prompts/")
        entries = {entry.name: entry for entry in folder.iterdir()}
        stems = sorted(entry.removesuffix(".md") for entry in entries if entry.endswith(".md"))
        return cls({stem: _read(f"{group}/{stem}", entries, stem) for stem in stems})

    @cached_property
    def digest(self) -> str:
        """A hash of everything that is sent: goes into every answer (32 hexadecimal digits)."""
        sent = [
            [name, prompt.system, prompt.demonstrations, prompt.template, prompt.schema]
            for name, prompt in sorted(self.items())
        ]
        return sha256(json.dumps(sent, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:32]


#: As ``Prompts.of``, which reads those of a package once then.
prompts_of = cache(Prompts.of)


def _read(name: str, entries: Mapping[str, Traversable], stem: str) -> Prompt:
    """A prompt from its Markdown file, and its schema where there is one."""
    path = f"{stem}.md"
    parts = _HEADING.split(entries[path].read_text(encoding="utf-8"))[1:]
    sections = [(heading, body.strip()) for heading, body in zip(parts[::2], parts[1::2], strict=True)]
    headings = [heading for heading, _ in sections]
    pairs = max(0, len(headings) - 2) // 2
    if headings != ["System", *["Input", "Output"] * pairs, "User"]:
        raise SourceError(
            f"has the sections {', '.join(headings) or 'none'}: write # System, then # Input and # Output in pairs, "
            "then # User",
            path,
        )
    for heading, body in sections:
        if not body:
            raise SourceError("is empty", path, field=f"# {heading}")
    bodies = [body for _, body in sections]
    demonstrations = tuple(zip(bodies[1:-1:2], bodies[2:-1:2], strict=True))
    return Prompt(name, bodies[0], demonstrations, bodies[-1], _schema(entries.get(f"{stem}.schema.json")))


def _schema(file: Traversable | None) -> Mapping[str, Any] | None:
    """The JSON schema of a file; None: there is no file."""
    if file is None:
        return None
    from jsonschema import Draft202012Validator, SchemaError

    try:
        schema = json.loads(file.read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
    except (ValueError, SchemaError) as error:
        raise SourceError(f"is no JSON schema: {str(error).splitlines()[0]}", file.name) from None
    if not isinstance(schema, dict):
        raise SourceError("is no JSON schema: write an object", file.name)
    return schema
