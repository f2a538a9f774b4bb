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

__all__ = ["ColumnSettings", "TableOptions", "TableSettings", "read_mapping"]

Type = Literal["number", "date", "date:dmy", "date:mdy", "text", "yes_no", "list", "link"]


class ColumnSettings(BaseModel):
    """What a person decides of a column.

    Args:
        type: one of ``COLUMN_TYPES``, or a date whose order is known.
        link: the table whose rows its values name.
        label: what people read for its relation.
        unit: of its numbers.
        separator: between the items of its lists.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Type | None = None
    link: str | None = None
    label: str | None = None
    unit: str | None = None
    separator: str | None = Field(default=None, min_length=1)


class TableSettings(BaseModel):
    """What a person decides of a table, as a mapping file has it; columns are named as in its header, in any case.

    Args:
        class_name: of its rows.
        key: the column that identifies a row.
        name: the column that rows are called by.
        header_rows: of how many lines its header is.
        ignore: columns that are left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    class_name: str | None = Field(default=None, alias="class", min_length=1)
    key: str | None = None
    name: str | None = None
    header_rows: int | None = Field(default=None, ge=1, le=9)
    ignore: tuple[str, ...] = ()
    columns: dict[str, ColumnSettings] = {}

    def given(self, field: str) -> dict[str, str]:
        """Of each column for which a field is given, what is."""
        return {header: value for header, column in self.columns.items() if (value := getattr(column, field))}


class TableOptions:
    """What a person decides of the tables of a build.

    Args:
        mapping: by the table's name, as a mapping file has it.
        keys, links, types: ``TABLE=COLUMN``, ``TABLE.COLUMN=TABLE``, ``TABLE.COLUMN=TYPE``; where there is one table,
            ``TABLE`` and its full stop may be left out.
    """

    def __init__(
        self,
        mapping: dict[str, TableSettings] | None = None,
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
        mapped = {name: self._mapping.get(name.casefold()) or TableSettings() for name in tables}
        settings = dict(mapped)
        for left, right in self._keys:
            table = names.get(left.casefold()) if left else tables[0] if len(tables) == 1 else None
            if table is None:
                raise SettingsError(f"--key {left}={right}: no such table; the tables are {', '.join(tables)}")
            settings[table] = settings[table].model_copy(update={"key": right or mapped[table].key})
        for option, field, pairs in (("--link", "link", self._links), ("--type", "type", self._types)):
            for left, right in pairs:
                table, column = _table_and_column(left, tables, option)
                columns = dict(settings[table].columns)
                columns[column] = columns.pop(column, ColumnSettings()).model_copy(update={field: right})
                settings[table] = settings[table].model_copy(update={"columns": columns})
        return [settings[name] for name in tables]


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


def read_mapping(path: Path) -> dict[str, TableSettings]:
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
    mappings: dict[str, TableSettings] = {}
    for name, table in content.items():
        try:
            mappings[name] = TableSettings.model_validate(table)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, (name, *first["loc"])))
            raise SourceError(f"the mapping's {first['msg'].lower()}", path, field=field) from None
    return mappings
