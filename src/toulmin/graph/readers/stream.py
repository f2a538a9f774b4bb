"""Opening a source: compression told by its first bytes, encodings, lines in blocks, and damage named by its place."""

from __future__ import annotations

import bz2
import codecs
import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from toulmin.errors import SettingsError, SourceError
from toulmin.graph.closing import Closing

__all__ = ["ReadOptions", "SourceStream", "check_source", "not_utf8", "uncompressed_suffix"]

_BLOCK = 1 << 20
_GZIP, _BZ2 = b"\x1f\x8b", b"BZh"
_UTF8_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_COMPRESSED = (".gz", ".bz2")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_TOLD = 100  # lines that are not UTF-8 of which is remembered why


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Settings of the readers; each reader takes those that concern it.

    Args:
        delimiter: of delimited files, one character; None: told from the first lines.
        header: whether a delimited file has a header line; None: told from its first line.
        columns: names of a delimited file's columns in order, among them subject, relation and object; others are
            qualifiers, "" is ignored. None: as the header says, else subject, relation, object.
        literals: whether objects of delimited files that are numbers or dates are literals, and not entities with an
            id and a label; None: those of relations that hold hardly anything else, and yes and no of those that hold
            nothing else. ``values`` compares both.
        encoding: of the source's text, by Python's name for it ("latin-1", "utf-16"); None: UTF-8.
        languages: keep names and descriptions in these languages (and those without one); None: in all.
    """

    delimiter: str | None = None
    header: bool | None = None
    columns: tuple[str, ...] | None = None
    literals: bool | None = None
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


def uncompressed_suffix(path: Path) -> str:
    """The suffix that names the format, lower case: ``.nt`` for ``graph.NT.gz``; "" where there is none."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return next((suffix for suffix in reversed(suffixes) if suffix not in _COMPRESSED), "")


def check_source(path: Path) -> None:
    """Raise SourceError unless ``path`` is a regular file: a source is looked into before it is read from its start."""
    if path.is_dir():
        raise SourceError("is a directory; name the files in it", path)
    if not path.exists():
        raise SourceError("no such file", path)
    if not path.is_file():
        raise SourceError("is a pipe or a device; name a file (.gz and .bz2 files are unpacked while reading)", path)


def not_utf8(line: bytes) -> str | None:
    """What of a line is not UTF-8, and what to do; None where it is."""
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        place = len(line[: error.start].decode("utf-8")) + 1
        where = f"byte 0x{line[error.start]:02X} at character {place}"
        return f"not UTF-8: {where}; if the file has another encoding, name it, such as --encoding latin-1"
    return None


class SourceStream(Closing):
    """A source read as uncompressed bytes from its beginning, without a UTF-8 byte order mark.

    Args:
        path: the file. gzip and bzip2 are known by their magic bytes, whatever the file is called.
        progress: called with the number of bytes of the file (compressed, where it is) consumed so far.
        encoding: of its text, by Python's name for it; what is read is UTF-8 all the same. None: UTF-8.

    Attributes:
        holds_control: whether a line that was not UTF-8 held control characters, as texts of other encodings do not.

    Raises:
        SourceError: no such file, a directory or pipe, not readable, UTF-16 without ``encoding``; on reading, damaged
            compressed data or text of another encoding.
    """

    def __init__(
        self, path: Path, progress: Callable[[int], None] | None = None, *, encoding: str | None = None
    ) -> None:
        check_source(path)
        self.path, self.encoding = path, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)() if encoding is not None else None
        self._decoded = b""  # read ahead
        self._undecodable: dict[int, str] = {}
        self.holds_control = False
        self._progress = progress
        self._bytes = 0
        self._lines = 0
        try:
            self._raw = path.open("rb")
        except OSError as error:
            raise SourceError(f"cannot be opened: {error.strerror}", path) from error
        magic = self._raw.read(3)
        self._raw.seek(0)
        self._data: IO[bytes] = self._raw
        if magic.startswith(_GZIP):
            self._data = cast(IO[bytes], gzip.GzipFile(fileobj=self._raw))
        elif magic.startswith(_BZ2):
            self._data = cast(IO[bytes], bz2.BZ2File(self._raw))
        try:
            head = self._read(3)
        except SourceError:
            self.close()
            raise
        if head.startswith(_WIDE_BOMS):
            self.close()
            raise SourceError("is UTF-16; convert it to UTF-8 first, or name it: --encoding utf-16", path)
        self._pushed_back = b"" if head == _UTF8_BOM else head

    def close(self) -> None:
        """Release the file."""
        self._data.close()
        self._raw.close()

    def read(self, size: int = -1) -> bytes:
        """At most ``size`` bytes (all that is left, if negative); b"" at the end."""
        if not self._pushed_back:
            return self._read(size)
        head, self._pushed_back = self._pushed_back, b""
        if size < 0 or size > len(head):
            return head + self._read(size if size < 0 else size - len(head))
        self._pushed_back = head[size:]
        return head[:size]

    def put_back(self, data: bytes) -> None:
        """Have what was read come again, before all that is left."""
        self._pushed_back = data + self._pushed_back

    def again(self) -> SourceStream:
        """The same source from its beginning."""
        return SourceStream(self.path, encoding=self.encoding)

    def _read(self, size: int) -> bytes:
        if self._decoder is None:
            return self._read_bytes(size)
        ended = False
        while not ended and (size < 0 or not self._decoded):
            data = self._read_bytes(size)
            ended = not data
            try:
                self._decoded += self._decoder.decode(data, final=ended).encode("utf-8")
            except UnicodeError as error:
                raise SourceError(
                    f"is not {self.encoding}, in the {len(data):,} bytes before byte {self._bytes:,} ({error}); "
                    "name its encoding",
                    self.path,
                ) from None
        size = len(self._decoded) if size < 0 else size
        taken, self._decoded = self._decoded[:size], self._decoded[size:]
        return taken

    def _read_bytes(self, size: int) -> bytes:
        try:
            data = self._data.read(size)
        except EOFError as error:
            raise self._damaged("the compressed data ends too early") from error
        except (OSError, zlib.error) as error:
            raise self._damaged(f"cannot be decompressed or read ({error})") from error
        self._bytes += len(data)
        self._lines += data.count(b"\n")
        if self._progress is not None:
            self._progress(self._raw.tell())
        return data

    def _damaged(self, what: str) -> SourceError:
        return SourceError(
            f"{what}, after {self._bytes:,} bytes and {self._lines:,} whole lines; fetch the file again", self.path
        )

    def byte_blocks(self) -> Iterator[tuple[int, bytes]]:
        """Blocks of whole lines, each with the 1-based number of its first line; the last may lack its newline."""
        number, rest = 1, []
        while data := self.read(_BLOCK):
            cut = data.rfind(b"\n") + 1
            if cut == 0:
                rest.append(data)
                continue
            rest.append(data[:cut])
            block = b"".join(rest)
            rest = [data[cut:]] if cut < len(data) else []
            yield number, block
            number += block.count(b"\n")
        if rest:
            yield number, b"".join(rest)

    def line_blocks(self) -> Iterator[tuple[int, list[str | None]]]:
        """Blocks of lines without their newlines (LF or CRLF), each block with the number of its first line.

        A line that is not UTF-8 comes as None; ``undecodable`` says why.
        """
        for number, block in self.byte_blocks():
            ends_line = block.endswith(b"\n")
            lines: list[str | None]
            try:
                text = block.decode("utf-8")
            except UnicodeDecodeError:
                lines = [self._line(place, line) for place, line in enumerate(block.split(b"\n"), number)]
            else:
                lines = list(text.replace("\r\n", "\n").split("\n"))
            if ends_line:
                lines.pop()
            yield number, lines

    def lines(self) -> Iterator[tuple[int, str | None]]:
        """The numbered lines of ``line_blocks``, one by one."""
        for first, block in self.line_blocks():
            yield from enumerate(block, first)

    def _line(self, number: int, line: bytes) -> str | None:
        wrong = not_utf8(line)
        if wrong is None:
            return line.removesuffix(b"\r").decode("utf-8")
        self.holds_control |= _CONTROL.search(line) is not None
        if len(self._undecodable) < _TOLD:
            self._undecodable[number] = wrong
        return None

    def undecodable(self, number: int) -> str:
        """Why a line that ``line_blocks`` gave as None is no text."""
        return self._undecodable.get(number, "not UTF-8")
