"""The loop of papers/okgqa, A.2 and A.4: an instruction is rewritten from what people said; every version is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from toulmin.errors import SettingsError, SourceError
from toulmin.evaluation.generation.candidates import types_named
from toulmin.evaluation.generation.people import kept_back, mean_scores
from toulmin.evaluation.generation.question_file import Record
from toulmin.evaluation.generation.writing import AXES, Instructions, Which, Writer, prompts
from toulmin.evaluation.records import writing
from toulmin.llm.prompts import block, data
from toulmin.llm.protocol import Model
from toulmin.llm.session import Session
from toulmin.methods.prompting import object_schema

__all__ = ["rescored", "tuned", "versions"]

_TASKS: dict[Which, str] = {"write": "writing", "score": "scoring"}
_LINE = 1000  # characters of a line of an instruction
_LONGEST = 6000  # characters of an instruction
_CASE, _COMMENT = 500, 300
_NAME = 4  # letters from which on a name of a case may not stand in an instruction


def versions(folder: Path, which: Which) -> list[Path]:
    """The versions of an instruction in a folder, oldest first: ``write-1.md``, ``write-2.md`` …"""
    numbered = [
        (int(match[1]), path)
        for path in (folder.iterdir() if folder.is_dir() else ())
        if (match := re.fullmatch(rf"{which}-(\d+)\.md", path.name))
    ]
    return [path for _, path in sorted(numbered)]


async def tuned(
    model: Model, records: Sequence[Record], which: Which, folder: Path, worst: int = 8
) -> tuple[Path, str]:
    """The next version of an instruction, and what the model says that it changed.

    It is made from the last version in ``folder``, or that which ships, and from the questions that people rated worst
    (for writing) or whose scores are farthest from people's (for scoring); of the half that is not kept back.

    Raises:
        SettingsError: people have scored none of these questions, or the folder cannot be written.
        ReplyError, BudgetError, ModelError: see ``Session.ask``.
    """
    cases = _written_cases(records) if which == "write" else _scored_cases(records)
    shown = sorted(cases, key=lambda case: (-case[0], case[1]))[:worst]
    if not shown:
        raise SettingsError("people have scored none of the questions that an instruction may be tuned on")
    earlier = versions(folder, which)
    before = Instructions.read(**{which: earlier[-1] if earlier else None}).text(which)
    names = {name for _, _, record in shown for name in record.get("names", ()) if len(name) >= _NAME}

    def fault(reply: dict[str, str]) -> str | None:
        text = _clean(reply["instruction"])
        if not text or len(text) > _LONGEST or "\n---\n" in text:
            return f"the instruction is empty, longer than {_LONGEST} characters, or has a line of three dashes"
        leaked = [name for name in sorted(names) if name.lower() in text.lower()]
        return f"names of cases stand in the instruction: {'; '.join(map(data, leaked))}" if leaked else None

    values = {
        "task": _TASKS[which],
        "instruction": before,
        "cases": block("cases", [f"[{number}] {line}" for number, (_, line, _) in enumerate(shown, 1)]),
    }
    schema = object_schema(changes={"type": "string"}, instruction={"type": "string"})
    reply = await Session(model).ask(prompts()["tune"], values, schema=schema, check=fault, max_tokens=2000)
    path = folder / f"{which}-{len(earlier) + 1}.md"
    entry = {
        "version": path.name,
        "from": earlier[-1].name if earlier else "the one that ships",
        "by": model.name,
        "shown": [record["id"] for _, _, record in shown],
        "changes": data(reply["changes"], _CASE),
    }
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(_clean(reply["instruction"]) + "\n", encoding="utf-8")
        with (folder / "versions.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry, ensure_ascii=False) + "\n")
    return path, str(entry["changes"])


def _clean(text: str) -> str:
    """An instruction without what could end its block, line by line: it was made from what anybody may have written."""
    return "\n".join(data(line, _LINE) for line in text.strip().splitlines())


_Case = tuple[float, str, Record]  # how bad, the line that is shown, whose


def _written_cases(records: Sequence[Record]) -> list[_Case]:
    cases: list[_Case] = []
    for record in records:
        human = mean_scores(record)
        if human and not kept_back(record):
            scores = ", ".join(f"{axis} {score:.1f}" for axis, score in human.items())
            line = f"given: {data(record['question'], _CASE)} ¦ people, of 10: {scores}{_comments(record)}"
            cases.append((-sum(human.values()) / len(human), line, record))
    return cases


def _scored_cases(records: Sequence[Record]) -> list[_Case]:
    cases: list[_Case] = []
    for record in records:
        human, scores = mean_scores(record), record.get("scores", {})
        if not kept_back(record):
            for axis in AXES:
                if axis in human and axis in scores:
                    line = (
                        f"given: {axis} {scores[axis]} to {data(record['question'], _CASE)!r} "
                        f"¦ people: {human[axis]:.1f}{_comments(record)}"
                    )
                    cases.append((abs(human[axis] - scores[axis]), line, record))
    return cases


def _comments(record: Record) -> str:
    comments = [
        data(str(scores["comment"]), _COMMENT) for scores in record.get("human", {}).values() if scores.get("comment")
    ]
    return "".join(f", {text!r}" for text in comments)


async def rescored(writer: Writer, record: Record) -> Record:
    """A record with the scores that the writer's instruction for scoring gives, and people's beside them as they were.

    Raises:
        SourceError: the record does not say what was shown.
        SettingsError: it is of no known type.
        ReplyError, BudgetError, ModelError: see ``Session.ask``.
    """
    shown, names = record.get("shown"), record.get("names", [])
    if not isinstance(shown, list) or not all(isinstance(item, dict) and "says" in item for item in shown):
        raise SourceError(f"the question {record['id']} does not say which statements were shown")
    lines = [
        f"[{number}] {' | '.join(map(data, str(item['says']).split(' | ')))}" for number, item in enumerate(shown, 1)
    ]
    kind = types_named([record["type"]])[0]
    scores, remark = await writer.score(kind, names, record["question"], block("statements", lines))
    return {**record, "scores": scores, "remark": remark, "scored_by": writer.name, "scored_with": writer.digest}
