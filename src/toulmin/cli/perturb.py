"""The command that makes a graph which lies, and says how far it is from the true one; and `evaluate --perturb`."""

from __future__ import annotations

import json as json_format
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from toulmin.cli.console import counted, print_json, progress, result_console
from toulmin.cli.graphs import GraphChoice
from toulmin.cli.options import Json, argument, option
from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from toulmin.evaluation.perturbation import Change, Perturbation
    from toulmin.evaluation.perturbation.similarity import Similarity

__all__ = ["perturb", "perturbations", "perturbed_graph"]


def perturb(
    graph: Annotated[str, argument("GRAPH", "Directory of a built graph, or `bundled`.")],
    kind: Annotated[str, option("KIND", "What is done to it; see below.")],
    level: Annotated[float, option("SHARE", "Of what can be changed so, 0 to 1.")],
    out: Annotated[Path, option("DIR", "The new graph's directory; an older graph is replaced.")],
    seed: Annotated[int, option("N", "Of the choice.")] = 0,
    json: Json = False,
) -> None:
    """Copy a graph with errors put into it, to see how much a method can take.

    DIR/changes.jsonl lists every statement that was changed. Printed are the similarity of the two graphs: ATS (how
    likely the new graph's statements are by a scorer trained on the old one), SC2D and SD2 (clustering and degrees).

    \b
    Kinds:
      relation-swapping      pairs of statements swap their relations
      relation-replacement   a statement gets the least likely relation
      edge-rewiring          a statement gets an object that is no neighbour
      edge-deletion          a statement is removed
      contradiction          beside a statement stands one of another value
      date-shift             a date is moved by one to ten years
      stale-value            of dated values the newest is missing
      entity-merge           two entities of one kind are taken for one
      hostile-label          a label holds instructions to a model

    \b
    Example:
      toulmin perturb films --kind edge-rewiring --level 0.3 --out films-rewired
    """
    from toulmin.evaluation.perturbation import Perturbation, perturbed
    from toulmin.evaluation.perturbation.similarity import compared
    from toulmin.opening import BUNDLED, bundled_directory, is_url, open_graph

    perturbation = Perturbation(kind, level, seed)
    if is_url(graph):
        raise SettingsError(f"{graph}: an endpoint is not perturbed: give the directory of a built graph")
    with progress() as tell:
        if graph == BUNDLED:
            open_graph(graph, progress=tell).close()
        source = bundled_directory() if graph == BUNDLED else Path(graph)
        change = perturbed(source, perturbation, out, progress=tell)
        tell(0, None, "comparing the graphs")
        similarity = compared(source, out)
    if json:
        print_json(asdict(change) | {"out": str(out), "similarity": asdict(similarity)})
    else:
        _print(change, similarity)


def _print(change: Change, similarity: Similarity) -> None:
    from toulmin.evaluation.perturbation import CHANGES

    console = result_console()
    console.print(f"{change.out}: {counted(change.after, 'statement')}, {change.before:,} before", soft_wrap=True)
    statements = {"altered": change.altered, "added": change.added, "removed": change.removed}
    parts = [f"{counted(number, 'statement')} {change_kind}" for change_kind, number in statements.items() if number]
    if change.renamed:
        parts.append(f"{counted(change.renamed, 'label')} changed")
    if change.merged:
        parts.append(f"{counted(change.merged, 'entity')} taken for another one")
    changes = "; ".join(parts) or "nothing changed"
    console.print(f"  {changes}; {change.possible:,} could be changed so; see {CHANGES}", soft_wrap=True)
    auc = f"AUC of the scorer {similarity.auc:.3f}" if similarity.auc is not None else "too few to test the scorer"
    console.print(
        f"  ATS {similarity.ats:.3f} ({similarity.ats_before:.3f} of the graph itself; {auc}), "
        f"SC2D {similarity.sc2d:.3f}, SD2 {similarity.sd2:.3f}",
        soft_wrap=True,
    )


def perturbations(texts: Sequence[str], seed: int) -> list[Perturbation | None]:
    """What `--perturb KIND:LEVEL,LEVEL…` names, once each; level 0 is the graph as it is, for all kinds.

    Raises:
        SettingsError: one is not of this form.
    """
    if not texts:
        return [None]
    from toulmin.evaluation.perturbation import Perturbation

    distinct: dict[Perturbation | None, None] = {}
    for text in texts:
        kind, _, levels = text.partition(":")
        for level in levels.split(","):
            perturbation = Perturbation.parse(f"{kind}:{level.strip()}", seed)
            distinct[perturbation if perturbation.level > 0 else None] = None
    return list(distinct)


def perturbed_graph(graphs: Sequence[str], perturbation: Perturbation, out: Path) -> str:
    """The perturbed copy of a graph below ``out``, built where it is not there yet.

    Raises:
        SettingsError: it is not one graph that is built in a folder.
        GraphError: it cannot be opened, or the copy not be written.
    """
    from toulmin.evaluation.perturbation import perturbed
    from toulmin.evaluation.records import write_json
    from toulmin.opening import BUNDLED, bundled_directory, is_url

    if len(graphs) != 1 or is_url(graphs[0]):
        raise SettingsError("--perturb needs one graph that is built in a folder: give one --kg DIR")
    with GraphChoice(list(graphs)).opened() as graph:
        of = {"graph": graph.fingerprint, **asdict(perturbation)}
    source = bundled_directory() if graphs[0] == BUNDLED else Path(graphs[0])
    copy = out / "graphs" / perturbation.name
    made = copy.with_name(f"{copy.name}.json")  # written when the copy is whole
    if not made.is_file() or json_format.loads(made.read_text("utf-8")) != of:
        copy.parent.mkdir(parents=True, exist_ok=True)
        with progress() as tell:
            perturbed(source, perturbation, copy, progress=tell)
        write_json(made, of)
    return str(copy)
