"""Data sets by id: those of the modules of this package, and the entry points of the group ``toulmin.datasets``.

An entry point's name is the id; its value is a callable that takes the data folder and returns a ``Dataset``, best a
``Declared``, which says what it is. A file of questions of one's own is named by its path.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from toulmin.errors import SettingsError
from toulmin.evaluation.datasets import own
from toulmin.evaluation.datasets.types import Dataset, Declared, Loader, PathRelation, Question
from toulmin.registry import Registry

__all__ = ["MODULES", "Dataset", "Declared", "PathRelation", "Question", "dataset_ids", "declared", "load"]

#: A data set is a module of this package, with its ``LOADERS`` by id, and its line here.
MODULES = (
    "ck25",
    "creak",
    "crlt",
    "factkg",
    "factscore",
    "freebase_union",
    "infotabs",
    "longfact",
    "metaqa",
    "okgqa",
    "pathquestion",
    "recipe_mpr",
    "strategyqa",
    "tempquestions",
    "webnlg",
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


def declared(name: str) -> Declared | None:
    """What a data set says of itself; None where it is a bare function of a package.

    Raises:
        SettingsError: no data set has this id, or its entry point cannot be loaded.
    """
    loader = _DATASETS.get(name)
    return loader if isinstance(loader, Declared) else None


def load(name: str, data: str | Path | None = None) -> Dataset:
    """Load a data set by id from ``data``: its own folder, or the root that holds the folders of all.

    Or questions of one's own, by the path of their file (``own``); then ``data`` plays no part. Malformed records are
    in ``Dataset.problems``.

    Raises:
        SettingsError: no data set has this id, or its entry point cannot be loaded; an id without ``data``.
        SourceError: a file it cannot do without is not there or cannot be read.
    """
    if own.is_file_name(name):
        return own.read(Path(name))
    loader = _DATASETS.get(name)
    if data is None:
        raise SettingsError(f"the data set {name!r} is read from its files: name their folder with --data")
    dataset = loader(Path(data))
    if not isinstance(dataset, Dataset):
        raise SettingsError(f"the loader of {name!r} returned {type(dataset).__name__}, not a Dataset")
    return dataset
