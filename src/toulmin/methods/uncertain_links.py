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
    named, lacking = named_mentions(question, mentions, lexicon)
    sure = {(mention.start, mention.end) for mention in named}
    uncertain: dict[Mention, str] = {}
    for mention in mentions:
        if mention.candidates[0].how != "exact" and (mention.start, mention.end) not in sure:
            whole = [
                (name.start, name.end) for name in lacking if name.start <= mention.start and mention.end <= name.end
            ]
            uncertain[mention] = question[slice(*whole[0])] if whole else mention.text
    return uncertain


def uncertainty_lines(mentions: Mapping[Mention, str]) -> str:
    """Lines of a prompt that say so of each; empty where there is none."""
    pairs = dict.fromkeys(
        (data(words, _NAME), data(mention.candidates[0].form, _NAME)) for mention, words in mentions.items()
    )
    return "".join("\n" + _line().replace("{name}", name).replace("{words}", words) for words, name in pairs)


@cache
def _line() -> str:
    return (files("toulmin.methods") / "uncertain.md").read_text(encoding="utf-8").strip()
