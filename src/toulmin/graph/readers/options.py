"""What a caller can say about a source beyond its format."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.errors import SettingsError

__all__ = ["ReadOptions"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Settings of the readers; each reader takes those that concern it.

    Args:
        delimiter: of delimited files, one character; None: told from the first lines.
        header: whether a delimited file has a header line; None: told from its first line.
        columns: names of a delimited file's columns in order, among them subject, relation and object; others are
            qualifiers, "" is ignored. None: as the header says, else subject, relation, object.
        literals: read objects of delimited files that are numbers or dates as literals. By default they are entities
            with an id and a label, so that a path can go on from them ("films of 1999"); ``values`` compares both.
        encoding: of the source's text, by Python's name for it ("latin-1", "utf-16"); None: UTF-8.
        languages: keep names and descriptions in these languages (and those without one); None: in all.
    """

    delimiter: str | None = None
    header: bool | None = None
    columns: tuple[str, ...] | None = None
    literals: bool = False
    languages: tuple[str, ...] | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise SettingsError(f"delimiter {self.delimiter!r}: must be one character, not a quote or line break")
        if self.encoding is not None:
            try:
                "".encode(self.encoding)
            except (LookupError, ValueError):  # the second: a name with a NUL character
                raise SettingsError(
                    f"encoding {self.encoding!r}: unknown; name one such as latin-1, cp1252 or utf-16"
                ) from None

    def wants(self, lang: str | None) -> bool:
        """Whether a text in this language is kept: ``en`` also keeps ``en-GB``."""
        if self.languages is None or lang is None:
            return True
        lang = lang.casefold()
        return any(lang == kept.casefold() or lang.startswith(kept.casefold() + "-") for kept in self.languages)
