"""What a person decides of tables: options such as ``employees.salary=number``, and mapping files."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from toulmin.errors import SettingsError, SourceError
from toulmin.graph.readers.tables.columns import COLUMN_TYPES
from toulmin.graph.readers.tables.rows import TableSettings

__all__ = ["ColumnMapping", "TableMapping", "TableOptions", "read_mapping"]

Type = Literal["number", "date", "date:dmy", "date:mdy", "text", "yes_no", "list", "link"]


class ColumnMapping(BaseModel):
    """What a mapping file says of a column; see ``TableSettings``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Type | None = None
    link: str | None = None
    label: str | None = None
    unit: str | None = None
    separator: str | None = Field(None, min_length=1)


class TableMapping(BaseModel):
    """What a mapping file says of a table.

    Args:
        header_rows: of how many lines its header is.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    class_name: str | None = Field(None, alias="class", min_length=1)
    key: str | None = None
    name: str | None = None
    header_rows: int | None = Field(None, ge=1, le=9)
    ignore: tuple[str, ...] = ()
    columns: dict[str, ColumnMapping] = {}


class TableOptions:
    """What a person decides of the tables of a build.

    Args:
        mapping: by the table's name, as a mapping file has it.
        keys, links, types: ``TABLE=COLUMN``, ``TABLE.COLUMN=TABLE``, ``TABLE.COLUMN=TYPE``; where there is one table,
            ``TABLE`` and its full stop may be left out.
    """

    def __init__(
        self,
        mapping: dict[str, TableMapping] | None = None,
        *,
        keys: Sequence[str] = (),
        links: Sequence[str] = (),
        types: Sequence[str] = (),
    ) -> None:
        self._mapping = {name.casefold(): table for name, table in (mapping or {}).items()}
        self._keys = [_split(text, "--key", "TABLE=COLUMN") for text in keys]
        self._links = [_split(text, "--link", "TABLE.COLUMN=TABLE") for text in links]
        self._types = [_split(text, "--type", "TABLE.COLUMN=TYPE") for text in types]
        for _, kind in self._types:
            if kind not in COLUMN_TYPES and kind not in ("date:dmy", "date:mdy"):
                known = ", ".join([*COLUMN_TYPES, "date:dmy", "date:mdy"])
                raise SettingsError(f"--type …={kind}: no such type; use {known}")

    @property
    def given(self) -> bool:
        """Whether anything was decided."""
        return bool(self._mapping or self._keys or self._links or self._types)

    def header_rows(self, table: str) -> int | None:
        """Of how many lines a table's header is; None: not decided."""
        mapping = self._mapping.get(table.casefold())
        return mapping.header_rows if mapping else None

    def settings(self, tables: Sequence[str]) -> list[TableSettings]:
        """The settings of each table.

        Args:
            tables: their names.

        Raises:
            SettingsError: a table is named that is not there.
        """
        names = {name.casefold(): name for name in tables}
        for name in self._mapping:
            if name not in names:
                raise SettingsError(f"the mapping is of a table {name!r}; the tables are {', '.join(tables)}")
        keys: dict[str, str] = {}
        links: dict[str, dict[str, str]] = {name: {} for name in tables}
        types: dict[str, dict[str, str]] = {name: {} for name in tables}
        for left, right in self._keys:
            table = names.get(left.casefold()) if left else tables[0] if len(tables) == 1 else None
            if table is None:
                raise SettingsError(f"--key {left}={right}: no such table; the tables are {', '.join(tables)}")
            keys[table] = right
        for option, pairs, by_table in (("--link", self._links, links), ("--type", self._types, types)):
            for left, right in pairs:
                table, column = _table_and_column(left, tables, option)
                by_table[table][column] = right
        return [self._of(name, keys.get(name), links[name], types[name]) for name in tables]

    def _of(self, name: str, key: str | None, links: dict[str, str], types: dict[str, str]) -> TableSettings:
        mapped = self._mapping.get(name.casefold()) or TableMapping.model_validate({})
        columns = mapped.columns.items()
        return TableSettings(
            class_name=mapped.class_name,
            key=key or mapped.key,
            name=mapped.name,
            types={**{header: column.type for header, column in columns if column.type}, **types},
            links={**{header: column.link for header, column in columns if column.link}, **links},
            labels={header: column.label for header, column in columns if column.label},
            units={header: column.unit for header, column in columns if column.unit},
            separators={header: column.separator for header, column in columns if column.separator},
            ignore=mapped.ignore,
        )


def _split(text: str, option: str, form: str) -> tuple[str, str]:
    left, equals, right = text.rpartition("=")
    if not equals and option == "--key":
        return "", text
    if not left.strip() or not right.strip():
        raise SettingsError(f"{option} {text}: must be {form}")
    return left.strip(), right.strip()


def _table_and_column(text: str, tables: Iterable[str], option: str) -> tuple[str, str]:
    tables = list(tables)
    for table in sorted(tables, key=len, reverse=True):
        if text.casefold().startswith(f"{table.casefold()}."):
            return table, text[len(table) + 1 :]
    if len(tables) == 1:
        return tables[0], text
    raise SettingsError(f"{option} {text}=…: no such table; the tables are {', '.join(tables)}")


def read_mapping(path: Path) -> dict[str, TableMapping]:
    """A mapping file, TOML or (by its suffix) JSON: table -> what is decided of it.

    Raises:
        SourceError: the file cannot be read, or says what is not known.
    """
    try:
        text = path.read_text("utf-8-sig")
        content: Any = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except OSError as error:
        raise SourceError(f"the mapping cannot be read: {error.strerror}", path) from None
    except ValueError as error:
        kind = "JSON" if path.suffix.lower() == ".json" else "TOML"
        raise SourceError(f"the mapping is no {kind}: {error}", path) from None
    if not isinstance(content, dict):
        raise SourceError("the mapping is no object: its fields are the names of tables", path)
    mappings: dict[str, TableMapping] = {}
    for name, table in content.items():
        try:
            mappings[name] = TableMapping.model_validate(table)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, (name, *first["loc"])))
            raise SourceError(f"the mapping's {first['msg'].lower()}", path, field=field) from None
    return mappings
