"""Make the lexicon's data file from WordNet 3.0's database files; nothing is learnt, only rewritten.

    python scripts/build_lexicon.py /usr/share/wordnet

The argument is WordNet's dict folder (Debian: package wordnet-base): data.*, index.*, *.exc and cntlist.rev, whose
formats are described in wndb(5WN). The result and WordNet's licence are written to --out, by default into the package.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toulmin.english.lexicon import LISTS, Adjacency, WordTables
from toulmin.errors import SourceError

PACKAGED = Path(__file__).parents[1] / "src" / "toulmin" / "english" / "wordnet"
PARTS_OF_SPEECH = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}  # nouns first: WordTables counts on it
SENSE_KEY_PARTS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}  # ss_type of senseidx(5WN); 5: satellite adjective
HYPERNYM_POINTERS = {"@", "@i", "&"}  # hypernym, instance hypernym, similar to
ANTONYM_POINTER = "!"
DERIVATION_POINTERS = {"+", "\\", "<"}  # derivationally related, pertainym or derived from an adjective, participle
WHOLE_POINTERS = {"#p"}  # part of

SynsetKey = tuple[str, str]  # part of speech, byte offset in its data file
Lines = Iterator[tuple[str, Path, int]]


def lines(path: Path) -> Lines:
    """The entries of a WordNet file with where they stand; lines of its licence header begin with two spaces."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot be read ({error}); give WordNet's dict folder", path) from error
    for number, line in enumerate(text.splitlines(), 1):
        if line and not line.startswith("  "):
            yield line, path, number


def plain(word: str) -> str:
    """A lemma as people write it."""
    return word.replace("_", " ")


def read_synsets(folder: Path) -> tuple[dict[SynsetKey, int], list[list[list[int]]], int]:
    """Number the synsets; their hypernyms, derivations and wholes by number, and how many are nouns."""
    pointers: dict[SynsetKey, list[tuple[str, SynsetKey]]] = {}
    for name, part in PARTS_OF_SPEECH.items():
        for line, path, number in lines(folder / f"data.{name}"):
            fields = line.split(" | ")[0].split()
            try:
                at = 4 + 2 * int(fields[3], 16)  # w_cnt is hexadecimal; two fields a word
                four = [fields[at + 1 + 4 * i : at + 5 + 4 * i] for i in range(int(fields[at]))]
                pointers[part, fields[0]] = [(symbol, (pos, offset)) for symbol, offset, pos, _ in four]
            except (IndexError, ValueError) as error:
                raise SourceError("not a synset of WordNet's data files", path, number) from error
    ids = {key: i for i, key in enumerate(pointers)}
    nouns = sum(part == "n" for part, _ in ids)

    def targets(kinds: set[str]) -> list[list[int]]:
        return [[ids[target] for symbol, target in found if symbol in kinds] for found in pointers.values()]

    try:
        return ids, [targets(kinds) for kinds in (HYPERNYM_POINTERS, DERIVATION_POINTERS, WHOLE_POINTERS)], nouns
    except KeyError as error:
        raise SourceError(f"a pointer leads to {error}, which no data file has", folder) from error


def read_antonyms(folder: Path, rows: Mapping[str, int]) -> list[list[int]]:
    """The words that each word is the opposite of in some sense; words by their rows."""
    words: dict[SynsetKey, list[str]] = {}
    pairs: list[tuple[SynsetKey, int, SynsetKey, int]] = []
    for name, part in PARTS_OF_SPEECH.items():
        for line, _, _ in lines(folder / f"data.{name}"):
            fields = line.split(" | ")[0].split()
            count = int(fields[3], 16)
            here = part, fields[0]
            # A syntactic marker may follow an adjective: "galore(ip)".
            words[here] = [plain(word).partition("(")[0].lower() for word in fields[4 : 4 + 2 * count : 2]]
            at = 5 + 2 * count
            for symbol, offset, pos, ends in (fields[i : i + 4] for i in range(at, at + 4 * int(fields[at - 1]), 4)):
                if symbol == ANTONYM_POINTER:  # between words: their numbers, from 1, two hexadecimal digits each
                    pairs.append((here, int(ends[:2], 16), (pos, offset), int(ends[2:], 16)))
    found: list[set[int]] = [set() for _ in rows]
    try:
        for here, source, there, target in pairs:
            found[rows[words[here][source - 1]]].add(rows[words[there][target - 1]])
    except (IndexError, KeyError) as error:
        raise SourceError(f"an antonym leads to a word that is not there ({error})", folder) from error
    return [sorted(one) for one in found]


def read_tag_counts(folder: Path) -> dict[tuple[str, str, int], int]:
    """How often each sense (word, part of speech, sense number) was tagged in WordNet's corpora."""
    counts = {}
    for line, path, number in lines(folder / "cntlist.rev"):
        try:
            key, sense, count = line.split()
            lemma, rest = key.split("%")
            counts[plain(lemma), SENSE_KEY_PARTS[rest[0]], int(sense)] = int(count)
        except (KeyError, IndexError, ValueError) as error:
            raise SourceError("not a sense count of cntlist.rev", path, number) from error
    return counts


def read_senses(folder: Path, ids: dict[SynsetKey, int]) -> dict[str, list[int]]:
    """The synsets of each word over all parts of speech, the most often tagged first, then by sense number."""
    counts = read_tag_counts(folder)
    ranked: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for name, part in PARTS_OF_SPEECH.items():
        for line, path, number in lines(folder / f"index.{name}"):
            fields = line.split()
            word = plain(fields[0])
            try:
                offsets = fields[-int(fields[2]) :]
                for sense, offset in enumerate(offsets, 1):
                    ranked[word].append((-counts.get((word, part, sense), 0), sense, ids[part, offset]))
            except (IndexError, KeyError, ValueError) as error:
                raise SourceError("not a word of WordNet's index files", path, number) from error
    return {word: [synset for *_, synset in sorted(found)] for word, found in sorted(ranked.items())}


def read_exceptions(folder: Path, words: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Irregular forms and those of their base forms that are among ``words``, over all parts of speech."""
    bases: dict[str, list[str]] = defaultdict(list)
    for name in PARTS_OF_SPEECH:
        for line, _, _ in lines(folder / f"{name}.exc"):
            form, *found = map(plain, line.split())
            bases[form] += (base for base in found if base in words)
    return {form: tuple(dict.fromkeys(found)) for form, found in sorted(bases.items())}


def read_licence(folder: Path) -> str:
    """The licence that heads each of WordNet's files, without line numbers."""
    path = folder / "data.noun"
    with path.open(encoding="utf-8") as file:
        header = [line[4:].strip() for line in file if line.startswith("  ")]
    if not any("Copyright" in line for line in header):
        raise SourceError("has no licence in its header, which must go with the data", path)
    return "\n".join(header) + "\n"


def adjacency(lists: list[list[int]]) -> Adjacency:
    """One row per list."""
    start = np.concatenate(([0], np.cumsum([len(row) for row in lists], dtype=np.int32)), dtype=np.int32)
    return Adjacency(start, np.array([target for row in lists for target in row], dtype=np.int32))


def packed(text: str) -> NDArray[np.uint8]:
    """A text as bytes in UTF-8."""
    return np.frombuffer(text.encode(), dtype=np.uint8)


def save(tables: WordTables, path: Path) -> None:
    """Write a compressed ``.npz`` without pickles; the same tables give the same bytes."""
    arrays: dict[str, NDArray[Any]] = {
        "words": packed("\n".join(tables.words)),
        "exceptions": packed("\n".join("\t".join((form, *bases)) for form, bases in tables.exceptions.items())),
        "nouns": np.array(tables.nouns, dtype=np.int32),
    }
    for name in LISTS:
        of_name: Adjacency = getattr(tables, name)
        arrays[f"{name}_count"] = np.diff(of_name.start)  # small numbers, which compress well
        arrays[name] = of_name.targets
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def build(folder: Path) -> WordTables:
    """Read WordNet's dict folder.

    Raises:
        SourceError: a file is missing or malformed.
    """
    ids, (hypernyms, derivations, wholes), nouns = read_synsets(folder)
    senses = read_senses(folder, ids)
    rows = {word: row for row, word in enumerate(senses)}
    return WordTables(
        words=rows,
        exceptions=read_exceptions(folder, senses),
        senses=adjacency(list(senses.values())),
        hypernyms=adjacency(hypernyms),
        derivations=adjacency(derivations),
        wholes=adjacency(wholes),
        antonyms=adjacency(read_antonyms(folder, rows)),
        nouns=nouns,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the lexicon's data file from WordNet 3.0's database files.")
    parser.add_argument("wordnet", type=Path, help="WordNet's dict folder, e.g. /usr/share/wordnet")
    parser.add_argument("--out", type=Path, default=PACKAGED, help="folder to write to (default: into the package)")
    options = parser.parse_args()
    try:
        tables, licence = build(options.wordnet), read_licence(options.wordnet)
    except SourceError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    save(tables, options.out / "wordnet-3.0.npz")
    (options.out / "LICENSE").write_text(licence, encoding="utf-8")
    print(f"{len(tables.words):,} words, {len(tables.hypernyms.start) - 1:,} synsets -> {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
