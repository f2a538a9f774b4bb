"""Sentences that state a relation, by its label; the last of each is kept for testing."""

# ruff: noqa: E501 (a table)
from __future__ import annotations

__all__ = ["GENERIC", "PASSIVE_NEGATION", "WORDINGS"]

#: Where "not" goes: after the first of these words.
PASSIVE_NEGATION = r"\b(is|was|are|were|has been|had been|does|did)\b(?! not)"

GENERIC = (
    "The {r} of {s} is {o}.",
    "{o} is the {r} of {s}.",
    "{s}'s {r} is {o}.",
    "{o} is {s}'s {r}.",
)

WORDINGS: dict[str, tuple[str, ...]] = {
    "directed by": (
        "{s} was directed by {o}.", "{o} directed {s}.", "The director of {s} is {o}.", "{s} is a film by {o}.",
    ),
    "has genre": ("{s} is a {o} film.", "The genre of {s} is {o}.", "{s} belongs to the {o} genre."),
    "in language": ("{s} is in {o}.", "The language of {s} is {o}.", "{o} is spoken in {s}."),
    "release year": (
        "{s} was released in {o}.", "{s} came out in {o}.", "{s} is a film of {o}.", "{s} first appeared in {o}.",
    ),
    "starred actors": ("{s} starred {o}.", "{o} was an actor in {s}.", "{o} acted in {s}.", "{o} is in the cast of {s}."),
    "written by": ("{s} was written by {o}.", "{o} wrote {s}.", "The writer of {s} is {o}.", "The script of {s} is by {o}."),
    "instance of": ("{s} is a {o}.", "{s} is an instance of {o}.", "{s} was a {o}.", "{s} is a kind of {o}."),
    "country": ("{s} is in {o}.", "{s} is located in {o}.", "{s} lies in the country {o}.", "{s} is a place in {o}."),
    "date of birth": (
        "{s} was born on {o}.", "{s} was born in {o}.", "The birth of {s} was on {o}.", "{s}'s birthday is {o}.",
    ),
    "date of death": ("{s} died on {o}.", "{s} died in {o}.", "{s}'s death was on {o}.", "{s} passed away on {o}."),
    "place of birth": ("{s} was born in {o}.", "{o} is the birthplace of {s}.", "{s} comes from {o}.", "{s} is a native of {o}."),
    "place of death": ("{s} died in {o}.", "{o} is where {s} died.", "{s}'s death was in {o}.", "{s} passed away in {o}."),
    "occupation": ("{s} was a {o}.", "{s} is a {o}.", "{s} worked as a {o}.", "The occupation of {s} was {o}."),
    "spouse": ("{s} was married to {o}.", "{o} is the spouse of {s}.", "{s} married {o}.", "{s}'s wife or husband was {o}."),
    "capital": ("The capital of {s} is {o}.", "{o} is the capital of {s}.", "{s} is governed from {o}."),
    "child": ("{s} is a parent of {o}.", "{o} is a child of {s}.", "{s} had a child named {o}.", "{s} is {o}'s parent."),
    "father": ("The father of {s} was {o}.", "{o} is {s}'s father.", "{s} was fathered by {o}."),
    "mother": ("The mother of {s} was {o}.", "{o} is {s}'s mother.", "{s} was born to {o}."),
    "author": ("{s} was written by {o}.", "{o} wrote {s}.", "{o} is the author of {s}."),
    "director": ("{s} was directed by {o}.", "{o} directed {s}.", "{o} was the director of {s}."),
    "composer": ("{s} was composed by {o}.", "{o} composed {s}.", "The music of {s} is by {o}."),
    "inception": ("{s} was founded in {o}.", "{s} was established on {o}.", "{s} dates from {o}."),
    "publication date": ("{s} was published in {o}.", "{s} came out in {o}.", "{s} appeared in {o}."),
    "founded by": ("{s} was founded by {o}.", "{o} founded {s}.", "The founder of {s} is {o}."),
    "award received": ("{s} was awarded the {o}.", "{s} won the {o}.", "{s} received the {o}."),
    "educated at": ("{s} was educated at {o}.", "{s} studied at {o}.", "{s} attended {o}."),
    "employer": ("{s} was employed by {o}.", "{s} worked for {o}.", "{o} employed {s}."),
    "member of": ("{s} was a member of {o}.", "{s} belonged to {o}.", "{o} had {s} as a member."),
    "located in": ("{s} is located in {o}.", "{s} is in {o}.", "{s} can be found in {o}."),
    "location": ("{s} is located in {o}.", "{s} is in {o}.", "{s} can be found in {o}.", "{o} is where {s} is."),
    "continent": ("{s} is in {o}.", "{s} is part of {o}.", "{s} belongs to the continent of {o}."),
    "currency": ("The currency of {s} is the {o}.", "{s} is a user of the {o}.", "In {s} one pays with the {o}."),
    "discoverer": ("{s} was discovered by {o}.", "{o} discovered {s}.", "The discoverer of {s} is {o}."),
    "cast member": ("{o} was in {s}.", "{o} acted in {s}.", "{s} starred {o}."),
    "official language": ("{o} is the official language of {s}.", "The official language in {s} is {o}.", "Officially, {s} speaks {o}."),
    "elevation above sea level": ("{s} is {o} high.", "The elevation of {s} is {o}.", "{s} rises to {o} above the sea."),
    "population": ("{s} has {o} inhabitants.", "The population of {s} is {o}.", "{o} people live in {s}."),
    "religion": ("{s} was a follower of {o}.", "{s} adhered to {o}.", "The faith of {s} was {o}."),
    "parents": ("{o} is a parent of {s}.", "{s} is a child of {o}.", "{s} was born to {o}."),
    "children": ("{s} is a parent of {o}.", "{o} is a child of {s}.", "{s} had a child called {o}."),
    "profession": ("{s} was a {o}.", "{s} worked as a {o}.", "{s} was a {o} by profession."),
    "nationality": ("{s} was a citizen of {o}.", "{s} is from {o}.", "{s} had the nationality of {o}."),
    "gender": ("{s} is {o}.", "{s} was {o}.", "The gender of {s} was {o}."),
    "cause of death": ("{s} died of {o}.", "{o} was what killed {s}.", "{s}'s death was caused by {o}."),
    "ethnicity": ("{s} was of {o} ethnicity.", "The ethnicity of {s} was {o}."),
    "institution": ("{s} was at {o}.", "{s} studied at {o}.", "{s} was educated at {o}."),
}  # fmt: skip
