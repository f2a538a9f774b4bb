"""Nothing that ships holds a question, a claim, six words in a row or an uncommon name of a data set that is evaluated.

It fails, too, on demonstrations that only mirror a question: by what is compared, under other names (``borrowing``).
"""

from __future__ import annotations

import ast
import io
import random
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from borrowing import Borrowed, borrowed, borrowed_names, frame, task_words, uncommon
from evaluated_sets import SHARED, Item, items, names
from nli_data import fever
from stated_questions import stated_draws

ROOT = Path(__file__).resolve().parents[1]
PROMPTS = {path: path.read_text("utf-8") for path in sorted((ROOT / "src").rglob("prompts/*.md"))}
INSTRUCTIONS = [
    re.split(r"^# (?:Input|User)", text.split("# System")[1], flags=re.MULTILINE)[0] for text in PROMPTS.values()
]
# The vocabulary and the weights are not texts; the bundled graph's names are what "uncommon" is measured by.
NO_TEXTS = {"vocab.txt", "world.jsonl"}

# Demonstrations that prompts once held; each mirrors a question of CR-LT, of the recipes or of WebQSP.
ONCE_SHOWN = {
    "a vehicle and an animal": 'General knowledge may be added ("a tank is larger than a snake").',
    "two countries": 'General knowledge may be added ("Thailand is overseas from Canada").',
    "a forbidden food": """Claim: A dish with ham would have been welcome at the table of Mendelssohn's grandfather.
<facts>
[2] Felix Mendelssohn | religion or worldview | Lutheranism
</facts>
"A dish with ham is welcome at the table of a man whose religion is known to allow pork, and not where it forbids pork."
""",
    "a forbidden food, eaten": """Claim: Moses Mendelssohn would have eaten a ham sandwich with his son-in-law.
Rule: {"text": "People eat ham if their religion allows pork."}""",
    "a forbidden food, avoided": """Claim: The spouse of Moses Mendelssohn would have avoided ham.
Rule: People of a religion that forbids pork avoid ham.""",
    "a document for travelling": """Question: Would Nobel's business partner have needed a passport to visit Baku?
Rule: A person needs a passport to visit a city of a country that he is no citizen of.""",
    "a rule on allergies": (
        "- An allergy or aversion that was shown to a dish means what gives that dish its character "
        "(peanuts for satay), "
        "not its everyday parts: it rules out options that are this dish or share such a main ingredient."
    ),
    "a relation of allergies": "[2] user | shown allergy to | marzipan",
    "a currency": "Question: what money do they use in japan\n[1] Japan —currency→ yen",
}

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the evaluation data is not beside the repository")


@pytest.fixture(scope="module")
def evaluated() -> list[Item]:
    return list(items())


@pytest.fixture(scope="module")
def rare_names() -> frozenset[tuple[str, ...]]:
    return uncommon(names())


@pytest.fixture(scope="module")
def task() -> frozenset[str]:
    return task_words(INSTRUCTIONS)


def code_texts() -> Iterator[str]:
    """The string constants of the package's modules, word lists and documentation among them, and their comments."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield _joined(node.value)
        comments: list[tuple[int, str]] = []
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                text = token.string.lstrip("#: ")
                if comments and comments[-1][0] == token.start[0] - 1:
                    text = f"{comments.pop()[1]} {text}"
                comments.append((token.start[0], text))
        yield from (text for _, text in comments)
    for path in sorted((ROOT / "src").rglob("*")):
        if (
            path.suffix in {".md", ".json", ".toml", ".txt", ".jsonl"}
            and path.name not in NO_TEXTS
            and path not in PROMPTS
        ):
            yield path.read_text("utf-8")


def _joined(text: str) -> str:
    """A wrapped text with its paragraphs on one line each."""
    return re.sub(r"(?<!\n)\n[ ]*(?![\n ])", " ", text)


def training_texts() -> dict[str, str]:
    """The texts for training; S and O, which stand for two names in some, end a sentence."""
    texts = {path.name: path.read_text("utf-8") for path in sorted((ROOT / "training").glob("*.t[sx][vt]"))}
    for name in ("relations.txt", "stray_wordings.txt"):
        texts[name] = re.sub(r"\b[SO]\b", "\n", texts[name])
    return texts


def world_texts() -> dict[str, str]:
    """What was written for the reader of questions to be trained on; a relation or class is a sentence of its own."""
    folders = (ROOT / "training" / name for name in ("domains", "asked_relations"))
    paths = sorted(path for folder in folders for path in folder.glob("*.txt"))
    return {path.name: path.read_text("utf-8").replace(" = ", "\n").replace("; ", "\n") for path in paths}


def report(found: list[Borrowed]) -> str:
    return "\n".join(dict.fromkeys(map(str, found)))


def test_prompts(evaluated: list[Item], rare_names: frozenset[tuple[str, ...]], task: frozenset[str]) -> None:
    assert report(borrowed(PROMPTS.values(), evaluated, task)) == ""
    assert borrowed_names(PROMPTS.values(), rare_names) == []


def test_code_and_word_lists(evaluated: list[Item], rare_names: frozenset[tuple[str, ...]]) -> None:
    texts = list(code_texts())
    assert report(borrowed(texts, evaluated)) == ""
    assert borrowed_names(texts, rare_names) == []


def test_training_files(evaluated: list[Item], rare_names: frozenset[tuple[str, ...]]) -> None:
    """What FEVER's training side or the film graph names was trained on anyway: by these, nothing else is borrowed."""
    texts = training_texts()
    assert set(texts) == {"relations.txt", "reread_pairs.tsv", "stray_wordings.txt", "written_claims.tsv"}
    assert report(borrowed(texts.values(), evaluated)) == ""
    trained_on = [f"{pair.premise}\n{pair.hypothesis}" for pair in fever(SHARED) if pair.part != "test"]
    trained_on += (SHARED / "metaqa" / "kb.txt").read_text("utf-8").splitlines()
    known = {name for name, _ in borrowed_names(trained_on, rare_names)}
    assert [found for found in borrowed_names(texts.values(), rare_names) if found[0] not in known] == []


def test_worlds_for_training(evaluated: list[Item], rare_names: frozenset[tuple[str, ...]]) -> None:
    texts = world_texts()
    assert len(texts) >= 50
    assert report(borrowed(texts.values(), evaluated)) == ""
    assert borrowed_names(texts.values(), rare_names) == []


def film_frames() -> frozenset[tuple[str, ...]]:
    """The frames of MetaQA's questions of two and three hops."""
    lines = [
        line for hops in (2, 3) for line in (SHARED / "metaqa" / f"{hops}-hop" / "qa_dev.txt").read_text().splitlines()
    ]
    return frozenset(frame(question, question[question.index("[") : question.index("]") + 1]) for question in lines)


def test_templates_of_chains_are_not_those_of_film_questions() -> None:
    frames, rng = film_frames(), random.Random(7)
    assert len(frames) > 40
    draws = [draw(rng, 2) for draw in stated_draws(0, 4_000)]
    marked = [(question, re.search(r"[A-Z][a-z]+(?: [A-Z][a-z]+)*", meant[0])) for question, meant in draws]
    assert sum(name is not None for _, name in marked) > 3_000
    assert [question for question, name in marked if name and frame(question, name[0]) in frames] == []


@pytest.mark.parametrize(
    "template",
    ["The sitter of {x} is also the sitter of which artworks", "the tutor of {x} also tutored which boys"],
)
def test_a_template_of_film_questions_is_found(template: str) -> None:
    assert frame(template.replace("{x}", "Ada Moss"), "Ada Moss") in film_frames()


@pytest.mark.parametrize("shown", ONCE_SHOWN.values(), ids=ONCE_SHOWN)
def test_what_was_shown_once_is_found_when_put_back(shown: str, evaluated: list[Item], task: frozenset[str]) -> None:
    prompt = next(text for path, text in PROMPTS.items() if path.name == "ground.md")
    put_back = prompt.replace("# User", f"# Input\n{shown}\n\n# Output\n{{}}\n\n# User")
    assert put_back != prompt
    assert borrowed([put_back], evaluated, task)


def test_a_question_of_every_data_set_is_found(evaluated: list[Item], task: frozenset[str]) -> None:
    firsts = {item.source: item for item in reversed(evaluated) if 6 <= len(re.findall(r"\w+", item.text)) <= 12}
    assert set(firsts) == {item.source for item in evaluated} - {"factscore"}  # texts of many sentences
    for item in firsts.values():
        assert borrowed([f'As in "{item.text}", say.'], [item]), item


def test_names_of_the_data_sets_are_found(rare_names: frozenset[tuple[str, ...]]) -> None:
    assert len(rare_names) > 50_000
    for name in sorted(rare_names)[::5000]:
        written = " ".join(word.capitalize() for word in name)
        assert written in {found for found, _ in borrowed_names([f"Who knows {written}?"], rare_names)}
