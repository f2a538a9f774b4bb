"""Where an answer is stored beside what is printed: the certificate, with its evidence, and its page; writing files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from toulmin.cli.options import flag, option
from toulmin.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from toulmin.graph.protocol import Graph
    from toulmin.program.answer import Answer

__all__ = ["NOT_STORED", "Storing", "check_place", "written"]


@dataclass(frozen=True, slots=True)
class Storing:
    """What the options say of where an answer is stored; a group of options (``takes_groups``)."""

    out: Annotated[Path | None, option("ANSWER.json", "Also store the answer, for `toulmin check`.")] = None
    evidence: Annotated[
        bool, flag("--evidence", "Store the statements with the answer, proved by the graph's root.")
    ] = False
    html: Annotated[Path | None, option("FILE", "Also write a page that shows and checks the answer.")] = None

    def check(self, *, json: bool) -> None:
        """See that the answer can be stored so.

        Args:
            json: whether the answer is printed as JSON, which then holds the evidence.

        Raises:
            SettingsError: a file that cannot be there, or evidence that would be stored nowhere.
        """
        if self.evidence and not (self.files or json):
            raise SettingsError("--evidence is stored with the answer: name a file with --out, or print it with --json")
        for name, path in self.files.items():
            check_place(name, path)

    @property
    def files(self) -> dict[str, Path]:
        """The files to write, by the options that name them."""
        chosen = {"--out": self.out, "--html": self.html}
        return {name: path for name, path in chosen.items() if path is not None}

    def attached(self, answer: Answer, graph: Graph) -> Answer:
        """The answer with its evidence, where that is asked for, or a page needs it."""
        if not self.evidence and self.html is None:
            return answer
        from toulmin.program.evidence import attach

        return attach(answer, graph)

    def write(self, answer: Answer) -> SourceError | None:
        """Write the files; what went wrong, if anything did: an answer that cost something is still to be shown."""
        from toulmin.page.page import page

        problem = None
        for name, path in self.files.items():
            text = page(answer.certificate) if name == "--html" else answer.to_json() + "\n"
            problem = written(text, path) or problem
        return problem


NOT_STORED = Storing()


def check_place(option: str, path: Path) -> None:
    """See that the file that an option names can be there.

    Raises:
        SettingsError: it cannot.
    """
    if path.is_dir() or not path.parent.is_dir():
        problem = "is a folder" if path.is_dir() else "its folder does not exist"
        raise SettingsError(f"{option} {path}: {problem}: name a file")


def written(text: str, out: Path) -> SourceError | None:
    """Write a file; None, or what went wrong."""
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        return SourceError(f"cannot be written: {error.strerror}", out)
    return None
