"""Data sets by id. Third parties add theirs as entry points of the group ``toulmin.datasets``.

An entry point's name is the id; its value is a callable that takes the data folder and returns a ``Dataset``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from toulmin.errors import SettingsError
from toulmin.evaluation.datasets import crlt, freebase_union, metaqa, pathquestion, recipe_mpr
from toulmin.evaluation.datasets.types import Dataset

__all__ = ["GROUP", "Loader", "dataset_ids", "load", "merge"]

GROUP = "toulmin.datasets"
Loader = Callable[[Path], Dataset]


def merge(tables: Iterable[Mapping[str, Loader]], points: Iterable[EntryPoint] = ()) -> dict[str, Loader | EntryPoint]:
    """One table of loaders by id; entry points stay unloaded until they are asked for.

    Raises:
        SettingsError: two loaders have the same id.
    """
    merged: dict[str, Loader | EntryPoint] = {}
    found: list[tuple[str, Loader | EntryPoint]] = [item for table in tables for item in table.items()]
    found += [(point.name, point) for point in points]
    for name, loader in found:
        if name in merged:
            origin = f" (entry point {loader.value})" if isinstance(loader, EntryPoint) else ""
            raise SettingsError(f"two data sets have the id {name!r}{origin}: rename or uninstall one")
        merged[name] = loader
    return merged


def _registry() -> dict[str, Loader | EntryPoint]:
    tables = (metaqa.LOADERS, pathquestion.LOADERS, freebase_union.LOADERS, crlt.LOADERS, recipe_mpr.LOADERS)
    return merge(tables, entry_points(group=GROUP))


def dataset_ids() -> tuple[str, ...]:
    """The ids of all data sets, sorted."""
    return tuple(sorted(_registry()))


def load(name: str, data: str | Path) -> Dataset:
    """Load a data set by id from ``data``: its own folder, or the root that holds the folders of all.

    Malformed records are in ``Dataset.problems``.

    Raises:
        SettingsError: no data set has this id, or its entry point cannot be loaded.
        SourceError: a file it cannot do without is not there or cannot be read.
    """
    loader = _registry().get(name)
    if loader is None:
        raise SettingsError(f"no data set {name!r}; there are {', '.join(dataset_ids())}")
    if isinstance(loader, EntryPoint):
        try:
            loader = loader.load()
        except (ImportError, AttributeError) as error:
            raise SettingsError(f"the data set {name!r} cannot be loaded: {error}") from error
    dataset = loader(Path(data))
    if not isinstance(dataset, Dataset):
        raise SettingsError(f"the loader of {name!r} returned {type(dataset).__name__}, not a Dataset")
    return dataset
