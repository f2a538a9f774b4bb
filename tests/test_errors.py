"""The errors that are raised on purpose: one line each, also when they come from another process."""

from __future__ import annotations

import pickle

import pytest

from toulmin import errors
from toulmin.errors import (
    MissingExtraError,
    ModelError,
    NothingUsableError,
    ReplyError,
    SourceError,
    ToulminError,
)

MADE = {
    ReplyError: ReplyError("r3/axiom", "it is empty", replies=2, reply="…"),
    NothingUsableError: NothingUsableError({"r3/axiom": 2, "r3/ground": 4}, "there is no JSON in it", "Lorem"),
    SourceError: SourceError("is no number", "films.csv", 3, "year"),
    MissingExtraError: MissingExtraError("an embedding model", "embed"),
}
KINDS = [getattr(errors, name) for name in errors.__all__]


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_is_the_same_in_another_process(kind: type[ToulminError]) -> None:
    error = MADE.get(kind) or kind("a line")
    found = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(found) is kind
    assert str(found) == str(error) != ""
    assert vars(found) == vars(error)


def test_nothing_usable_says_how_many_replies_failed_where_and_how() -> None:
    assert str(MADE[NothingUsableError]) == (
        "the model gave nothing usable: 6 replies cannot be used (r3/axiom 2, r3/ground 4); "
        "the last: there is no JSON in it; it begins 'Lorem'"
    )
    one = NothingUsableError.of(ReplyError("rr/read", "it is empty"))
    assert str(one) == "the model gave nothing usable: the one reply cannot be used (rr/read 1); it is empty"
    assert isinstance(one, ModelError)
