"""Opening a source: compression told by its first bytes, UTF-8, lines in blocks, and damage named by file and place."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, cast

from toulmin.errors import SourceError
from toulmin.graph.closing import Closing

__all__ = ["SourceStream", "check_source", "uncompressed_suffix"]

_BLOCK = 1 << 20
_GZIP, _BZ2 = b"\x1f\x8b", b"BZh"
_UTF8_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_COMPRESSED = (".gz", ".bz2")


def uncompressed_suffix(path: Path) -> str:
    """The suffix that names the format, lower case: ``.nt`` for ``graph.NT.gz``; "" where there is none."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    while suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def check_source(path: Path) -> None:
    """Raise SourceError unless ``path`` is a regular file: a source is looked into before it is read from its start."""
    if path.is_dir():
        raise SourceError("is a directory; name the files in it", path)
    if not path.exists():
        raise SourceError("no such file", path)
    if not path.is_file():
        raise SourceError("is a pipe or a device; name a file (.gz and .bz2 files are unpacked while reading)", path)


class SourceStream(Closing):
    """A source read as uncompressed bytes from its beginning, without a UTF-8 byte order mark.

    Args:
        path: the file. gzip and bzip2 are known by their magic bytes, whatever the file is called.
        progress: called with the number of bytes of the file (compressed, where it is) consumed so far.

    Raises:
        SourceError: no such file, a directory or pipe, not readable, UTF-16, or damaged compressed data (on reading).
    """

    def __init__(self, path: Path, progress: Callable[[int], None] | None = None) -> None:
        check_source(path)
        self.path = path
        self._progress = progress
        self._bytes = 0
        self._lines = 0
        self._counting = True
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
        self._pushed_back = b""
        try:
            self._skip_byte_order_mark()
        except SourceError:
            self.close()
            raise

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

    def _read(self, size: int) -> bytes:
        try:
            data = self._data.read(size)
        except EOFError as error:
            raise self._damaged("the compressed data ends too early") from error
        except (OSError, zlib.error) as error:
            raise self._damaged(f"cannot be decompressed or read ({error})") from error
        self._bytes += len(data)
        if self._counting:
            self._lines += data.count(b"\n")
        if self._progress is not None:
            self._progress(self._raw.tell())
        return data

    def _damaged(self, what: str) -> SourceError:
        return SourceError(
            f"{what}, after {self._bytes:,} bytes and {self._lines:,} whole lines; fetch the file again", self.path
        )

    def _skip_byte_order_mark(self) -> None:
        head = self._read(3)
        if head.startswith(_WIDE_BOMS):
            raise SourceError("is UTF-16; convert it to UTF-8 first", self.path)
        self._pushed_back = b"" if head == _UTF8_BOM else head

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

        A line that is not UTF-8 comes as None.
        """
        for number, block in self.byte_blocks():
            ends_line = block.endswith(b"\n")
            lines: list[str | None]
            try:
                text = block.decode("utf-8")
            except UnicodeDecodeError:
                lines = [_decode(line) for line in block.split(b"\n")]
            else:
                lines = list(text.replace("\r\n", "\n").split("\n"))
            if ends_line:
                lines.pop()
            yield number, lines

    def lines(self) -> Iterator[tuple[int, str | None]]:
        """The numbered lines of ``line_blocks``, one by one."""
        for first, block in self.line_blocks():
            yield from enumerate(block, first)


def _decode(line: bytes) -> str | None:
    try:
        return line.removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError:
        return None
