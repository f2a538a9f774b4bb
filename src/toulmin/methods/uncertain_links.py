"""Links by a name that is merely near: what a model is told of them, so that it does not take one thing for another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from toulmin.english.lexicon import Lexicon
from toulmin.llm.prompts import data
from toulmin.methods.question.missing_names import named_mentions
from toulmin.retrieval.linking import Mention

__all__ = ["uncertain_links", "uncertainty_lines"]

_NAME = 160  # characters of a name in a prompt


def uncertain_links(question: str, mentions: Sequence[Mention], lexicon: Lexicon) -> dict[Mention, str]:
    """The mentions whose words are no name of any candidate, not misspelt or shortened either, with these words."""
    kept, lacking = named_mentions(question, mentions, lexicon)
    sure = {(one.start, one.end) for one in kept}
    found: dict[Mention, str] = {}
    for one in mentions:
        if one.candidates[0].how != "exact" and (one.start, one.end) not in sure:
            whole = [(name.start, name.end) for name in lacking if name.start <= one.start and one.end <= name.end]
            found[one] = question[slice(*whole[0])] if whole else one.text
    return found


def uncertainty_lines(mentions: Mapping[Mention, str]) -> str:
    """Lines of a prompt that say so of each; empty where there is none."""
    said = dict.fromkeys((data(words, _NAME), data(one.candidates[0].form, _NAME)) for one, words in mentions.items())
    return "".join("\n" + _line().replace("{name}", name).replace("{words}", words) for words, name in said)


@cache
def _line() -> str:
    return (files("toulmin.methods") / "uncertain.md").read_text(encoding="utf-8").strip()
