"""Other forms of a word under which a graph may know what it names: singulars, and the places of demonyms."""

from __future__ import annotations

__all__ = ["variants"]

_LEAST = 4  # letters of a stem

#: Endings of English demonyms and adjectives of places, and what the place's name may end in instead.
_DEMONYMS = (
    ("ian", ("", "ia", "a", "e", "y")),
    ("an", ("", "a", "o", "e", "y", "any")),
    ("n", ("",)),
    ("ese", ("", "a", "e")),
    ("ish", ("", "en", "ey", "land")),
    ("i", ("",)),
    ("ic", ("", "land")),
)


def variants(word: str) -> list[str]:
    """Singulars and places that a lower-cased word may stand for; most of them are no words at all."""
    forms: list[str] = []
    singulars = [word]
    if word.endswith("s") and not word.endswith("ss") and len(word) > _LEAST:
        singulars.append(word[:-1])
        forms.append(word[:-1])
    for singular in singulars:
        for ending, places in _DEMONYMS:
            stem = singular.removesuffix(ending)
            if stem != singular and len(stem) >= _LEAST - (ending != "n"):
                forms += [stem + place for place in places]
    return [variant for variant in dict.fromkeys(forms) if variant != word]
