"""Data sets by id: those of the modules beside this one, and the entry points of the group ``toulmin.datasets``.

An entry point's name is the id; its value is a callable that takes the data folder and returns a ``Dataset``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from toulmin.errors import SettingsError
from toulmin.evaluation.datasets.types import Dataset
from toulmin.registry import Registry

__all__ = ["MODULES", "Loader", "dataset_ids", "load"]

Loader = Callable[[Path], Dataset]

#: A data set is a module of this package, with its ``LOADERS`` by id, and its line here.
MODULES = (
    "ck25",
    "crlt",
    "freebase_union",
    "metaqa",
    "pathquestion",
    "recipe_mpr",
)

_DATASETS: Registry[Loader] = Registry(
    "data set",
    "toulmin.datasets",
    {
        name: loader
        for module in MODULES
        for name, loader in import_module(f"toulmin.evaluation.datasets.{module}").LOADERS.items()
    },
)


def dataset_ids() -> tuple[str, ...]:
    """The ids of all data sets, sorted."""
    return tuple(sorted(_DATASETS.names()))


def load(name: str, data: str | Path) -> Dataset:
    """Load a data set by id from ``data``: its own folder, or the root that holds the folders of all.

    Malformed records are in ``Dataset.problems``.

    Raises:
        SettingsError: no data set has this id, or its entry point cannot be loaded.
        SourceError: a file it cannot do without is not there or cannot be read.
    """
    dataset = _DATASETS.get(name)(Path(data))
    if not isinstance(dataset, Dataset):
        raise SettingsError(f"the loader of {name!r} returned {type(dataset).__name__}, not a Dataset")
    return dataset
