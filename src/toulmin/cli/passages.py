"""The commands that index passages of text and search them."""

from __future__ import annotations

import time
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from toulmin.cli.console import busy, counted, print_beside, print_json, progress, result_console
from toulmin.cli.options import Json, argument, flag, option
from toulmin.errors import SourceError

__all__ = ["build", "commands", "search"]

commands = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Index passages of text, which answers may rest on beside the statements of a graph, and search them.",
)
_Retriever = StrEnum("_Retriever", {"bm25": "bm25", "dense": "dense", "both": "bm25+dense"})


@commands.command()
def build(
    sources: Annotated[list[str], argument("SOURCE", "Files or folders; .gz and .bz2 are unpacked.")],
    out: Annotated[Path, option("DIR", "The index; an older one is replaced.")],
    vectors: Annotated[
        bool, flag("--vectors", "Store the vector of each passage, for --retriever dense. Takes long.")
    ] = False,
    json: Json = False,
) -> None:
    """Index the paragraphs of files.

    Plain text (paragraphs between blank lines), JSON lines ("text", and "title" and "id" where there are some), and
    Wikipedia as WikiExtractor writes it, with or without its --json. The index appears in DIR only when it is complete.

    \b
    Example:
      toulmin passages build notes.txt articles.jsonl.gz extracted/ --out passages
    """
    from toulmin.retrieval.passages.indexing import build_passages

    if "" in sources:
        raise SourceError("a source has an empty name; name files or folders")
    began = time.perf_counter()
    with progress() as tell:
        report = build_passages(sources, out, vectors=vectors, progress=tell)
    seconds = time.perf_counter() - began
    if json:
        print_json({"directory": str(out), "seconds": round(seconds, 3), **asdict(report)})
        return
    console = result_console()
    console.print(
        f"{out}: {counted(report.passages, 'passage')} of {counted(report.files, 'file')}, "
        f"{counted(report.words, 'word')}, in {seconds:.1f} s",
        soft_wrap=True,
    )
    if report.duplicates:
        console.print(f"  left out: {counted(report.duplicates, 'duplicate')}")


@commands.command()
def search(
    directory: Annotated[Path, argument("DIR", "Of `toulmin passages build`.")],
    query: Annotated[str, argument("QUERY", "A sentence, or words.")],
    limit: Annotated[int, option("N", "How many to list.", min=1)] = 5,
    candidates: Annotated[int, option("N", "How many the retriever proposes.", min=1)] = 10,
    retriever: Annotated[
        _Retriever, typer.Option(help="What proposes; dense ones need an index with vectors.")
    ] = _Retriever.bm25,
    whole: Annotated[bool, flag("--whole", "Show whole passages, not their best sentences.")] = False,
    json: Json = False,
) -> None:
    """Find the passages most similar to a sentence: those that share words with it, ranked by embedding.

    \b
    Example:
      toulmin passages search passages "Aristotle died in 322 BC."
    """
    from rich.text import Text

    from toulmin.retrieval.passages.excerpts import LONGEST
    from toulmin.retrieval.passages.index import PassageIndex

    with busy("searching"):
        index = PassageIndex.open(directory)
        excerpts = index.nearest(
            [query],
            candidates=max(candidates, limit),
            k=limit,
            retriever=retriever.value,
            longest=None if whole else LONGEST,
        )[0]
    if json:
        print_json([{**asdict(excerpt), "similarity": round(cosine, 4)} for excerpt, cosine in excerpts])
        return
    console = result_console()
    if not excerpts:
        console.print("no passage shares a word with it")
    for excerpt, cosine in excerpts:
        print_beside(console, Text(f"{cosine:6.3f}  "), Text(f"{excerpt.source} [{excerpt.start}:{excerpt.end}]"))
        print_beside(console, Text(" " * 8), Text(excerpt.text))
