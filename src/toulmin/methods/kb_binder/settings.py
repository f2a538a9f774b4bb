"""What the method can be told."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.errors import SettingsError
from toulmin.methods.setting_checks import check_least

__all__ = ["KBBinderSettings"]


@dataclass(frozen=True, slots=True)
class KBBinderSettings:
    """KB-BINDER (Li et al. 2023); "code": what its published program does (few_shot_kbqa.py).

    Args:
        drafts: K, logical forms that are sampled (code: 7).
        temperature: of a draft (code, README: 0.3).
        shots: demonstrations in the prompt, at most the 10 that there are (the paper has 40 for GrailQA, of the
            data set's own questions; ours are of invented graphs, since none may be of an evaluation set).
        relations: of the graph that a draft's relation may stand for, the likest first (code: 7).
        fewer: the same, where a draft has three relations or more (code: 4).
        most: relations of a draft; one with more is given up (code: 5).
        entities: of the graph that a draft's name may stand for (code: 15).
        classes: the same of a class (code: 3).
        hops: relations must be so near to an entity that a draft names (code: 2).
        candidates: bindings of one draft that are executed, at most (the paper sets no bound; ours).
        max_tokens: of a draft (code: 256).

    Raises:
        SettingsError: a number out of range.
    """

    drafts: int = 7
    temperature: float = 0.3
    shots: int = 10
    relations: int = 7
    fewer: int = 4
    most: int = 5
    entities: int = 15
    classes: int = 3
    hops: int = 2
    candidates: int = 100
    max_tokens: int = 256

    def __post_init__(self) -> None:
        counts = ("drafts", "relations", "fewer", "most", "entities", "classes", "hops", "candidates", "max_tokens")
        check_least(self, *counts, of="kb-binder: ")
        if self.shots < 0 or not self.temperature >= 0:
            raise SettingsError("kb-binder: shots and temperature are 0 or more")
