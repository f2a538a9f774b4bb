"""The command evaluate, and what it asks: a method on a graph with a model, opened here or by a worker; perturb.

That command makes a graph which lies, and says how far it is from the true one; `evaluate --perturb` makes such, too.
"""

from __future__ import annotations

import json as json_format
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toulmin.cli.choices import tell_problems
from toulmin.cli.console import counted, error_console, print_json, progress, result_console
from toulmin.cli.graphs import NO_GRAPH, GraphChoice, KnowledgeNames
from toulmin.cli.models import NO_MODEL, ModelChoice, Settings, settings_given
from toulmin.cli.options import Json, argument, flag, option, takes_groups
from toulmin.errors import InputError, RefusedError, SettingsError

if TYPE_CHECKING:
    from rich.table import Table

    from toulmin.evaluation.datasets.types import Question
    from toulmin.evaluation.engines import Asking
    from toulmin.evaluation.perturbation import Change, Perturbation
    from toulmin.evaluation.perturbation.similarity import Similarity
    from toulmin.evaluation.summary import Summary
    from toulmin.methods.rr.recorded import RecordedChains

__all__ = ["EngineName", "Systems", "evaluate", "perturb"]

#: Who asks.
EngineName = StrEnum("EngineName", ["local", "ray"])


@takes_groups
def evaluate(
    dataset: Annotated[str, argument("DATASET", "Its id (`toulmin datasets`), or a file of your own.")],
    method: Annotated[str, option("NAME,NAME…", "How to answer; several: a run each.")],
    out: Annotated[Path, option("RUN", "Folder of the run, or of several; unfinished ones go on.")],
    data: Annotated[Path | None, option("PATH", "Folder of the data set, or of all of them.")] = None,
    graph_choice: GraphChoice = NO_GRAPH,
    set_: Settings = None,
    knowledge: KnowledgeNames = None,
    chains: Annotated[
        Path | None,
        option(
            "FILE",
            'For --method rr: recorded chains of thought, in place of a model\'s; JSON lines of {"id", "chains"}.',
        ),
    ] = None,
    choice: ModelChoice = NO_MODEL,
    limit: Annotated[int | None, option("N", "Ask a sample of N questions.", min=1)] = None,
    seed: Annotated[int, option("S", "Of the sample, and of the order of options.")] = 0,
    timeout: Annotated[
        float | None, option("SECONDS", "Wall time for one question, computing included; a later answer is wrong.")
    ] = None,
    concurrency: Annotated[int, option("N", "Questions asked at a time, of a model.", min=1)] = 1,
    perturb: Annotated[
        list[str] | None, option("KIND:LEVEL,LEVEL…", "Perturb the graph, a run for each level; repeat for kinds.")
    ] = None,
    engine: Annotated[
        EngineName, typer.Option(help="Ask in this process, or on a Ray cluster (the extra `ray`).")
    ] = EngineName.local,
    workers: Annotated[int | None, option("N", "Of --engine ray; default: one for each processor.", min=1)] = None,
    no_retry: Annotated[bool, flag("--no-retry", "Leave questions that crashed as they are recorded.")] = False,
    dry_run: Annotated[
        bool, flag("--dry-run", "Ask nothing: tell how many calls are left, and what they would cost.")
    ] = False,
    json: Json = False,
) -> None:
    """Ask the questions of a data set and measure the answers.

    Each question is recorded as it finishes, and each reply of a model before it is used: the same command goes on
    where it was stopped or killed, and pays for no reply twice. Questions that crashed are asked again. Every answer
    is checked. Questions that bring a graph of their user along need no --kg.

    \b
    Example:
      toulmin evaluate metaqa/2-hop/dev --data data --kg films --method fidelis --limit 500 --out runs/metaqa-2
      toulmin evaluate crlt/qa --data data --kg cache --method r3,rr,model-only:cot --model openai:gpt-5 \\
        --concurrency 8 --prices 1.25,10 --out runs/crlt --dry-run
      toulmin evaluate questions.csv --kg bundled --method auto --out runs/mine
      toulmin evaluate metaqa/2-hop/dev --data data --kg films --method fidelis \\
        --perturb edge-deletion:0,0.3,0.6 --perturb stale-value:0.5 --engine ray --out runs/perturbed
    """
    from toulmin.evaluation.datasets import load
    from toulmin.evaluation.engines import OnRay
    from toulmin.evaluation.records import RECORDS
    from toulmin.evaluation.runner import estimate, estimate_table, run
    from toulmin.methods.registry import get_method, settings_from

    on_ray = engine is EngineName.ray
    if workers is not None and not on_ray:
        raise SettingsError("--workers is about a Ray cluster: give --engine ray")
    plan = list(_planned_runs(method, _perturbations(perturb or (), seed), out))
    settings = {name: settings_from(name, settings_given(set_), model=choice.named) for name, _, _ in plan}
    loaded = load(dataset, data)
    tell_problems(loaded)
    graphs = graph_choice.named
    alone = not graphs and bool(loaded.questions) and all(question.statements for question in loaded.questions)
    graph = None if alone else replace(graph_choice, kg=graphs)
    systems = {
        name: Systems(bare, of, graph, choice, tuple(knowledge or ()), chains, concurrency)
        for name, (bare, of) in settings.items()
    }
    if dry_run:
        ids = [question.id for question in loaded.sample(limit, seed)]
        estimates = [
            estimate(
                folder,
                ids,
                most_calls=get_method(bare, of, model=choice.named).most_calls() if choice.named else 0,
                budget=choice.budget(),
                prices=choice.price_list(),
                concurrency=concurrency,
                retry=not no_retry,
            )
            for name, _, folder in plan
            for bare, of in [settings[name]]
        ]
        if json:
            print_json([asdict(figures) for figures in estimates])
        else:
            result_console().print(estimate_table(estimates))
        return
    for system in systems.values():
        system.check(loaded.sample(limit, seed))
    summaries = []
    for name, change, folder in plan:
        system = systems[name]
        if change is not None:
            system = replace(system, graph=replace(graph_choice, kg=[_perturbed_graph(graphs, change, out)]))
        try:
            with system.opened() as asking:
                summary = run(
                    loaded,
                    asking,
                    folder,
                    name=system.method,
                    settings=system.described(),
                    limit=limit,
                    seed=seed,
                    perturbation=None if change is None else asdict(change),
                    timeout=timeout,
                    concurrency=concurrency,
                    engine=OnRay(system.anywhere().opened, workers) if on_ray else None,
                    retry=not no_retry,
                    console=error_console() if json else result_console(),
                )
        except KeyboardInterrupt:
            records = folder / RECORDS
            message = f"interrupted; the answers so far are in {records}, and the same command goes on from there"
            raise KeyboardInterrupt(message) from None
        summaries.append((folder.name, summary))
    if json:
        print_json(asdict(summaries[0][1]) if folder == out else {name: asdict(of) for name, of in summaries})
    elif len(summaries) > 1:
        result_console().print(_runs_table(summaries))


def _planned_runs(
    methods: str, changes: Sequence[Perturbation | None], out: Path
) -> Iterator[tuple[str, Perturbation | None, Path]]:
    """Every method on every graph (what is done to it; None: nothing), and the folder of the run.

    A single run is ``out`` itself, several have a folder each below it.

    Raises:
        SettingsError: no method is named, or one twice.
    """
    names = [name.strip() for name in methods.split(",")]
    if not all(names) or len(set(names)) < len(names):
        raise SettingsError(f"--method {methods!r}: name methods once each, separated by commas")
    several = len(names) > 1 or list(changes) != [None]
    for change in changes:
        for name in names:
            folder = name.replace(":", "-") + (f"@{change.name}" if change is not None else "")
            yield name, change, out / folder if several else out


def _runs_table(summaries: Sequence[tuple[str, Summary]]) -> Table:
    """The main figures of several runs, one row each."""
    from rich.table import Table

    from toulmin.evaluation.comparing import HEADLINES

    metrics = [name for name in HEADLINES if any(name in summary.metrics for _, summary in summaries)]
    shown = Table(title=str(summaries[0][1].run["dataset"]))
    costs = any(summary.usage.get("cost") for _, summary in summaries)
    for column in ("run", "n", *metrics, "abstained", "crashed", "calls", *(["cost"] if costs else [])):
        # The name is what tells the rows apart: of 80 columns it gets all that it needs.
        shown.add_column(column.replace("_", " "), justify="left" if column == "run" else "right", overflow="fold")
    for name, run in summaries:
        means = [run.metrics.get(metric) for metric in metrics]
        cells = [f"{i.estimate:.3f}\n{i.low:.2f}–{i.high:.2f}" if i is not None else "–" for i in means]
        cost = run.usage.get("cost")
        spent = [
            f"{run.usage.get('model_calls', 0.0):,.0f}",
            *(["–" if cost is None else f"{cost:,.4f}"] if costs else []),
        ]
        shown.add_row(name, str(run.n), *cells, str(run.abstained), str(run.crashed + run.timed_out), *spent)
    return shown


@dataclass(frozen=True, slots=True)
class Systems:
    """A method with its settings, and all that it is asked with. Can be pickled, and opened in another process.

    Args:
        graph: None: each question brings its own.
        concurrency: how many questions are asked at a time.
    """

    method: str
    settings: Any
    graph: GraphChoice | None
    choice: ModelChoice
    knowledge: tuple[str, ...]
    chains: Path | None
    concurrency: int

    @contextmanager
    def opened(self) -> Iterator[Asking]:
        """Open graph and model.

        Raises:
            SettingsError: options that do not go together.
            GraphError: the graph cannot be opened.
            SourceError: a file cannot be used.
        """
        from toulmin.evaluation.calls import LoggedModel
        from toulmin.evaluation.engines import Asking
        from toulmin.evaluation.system import System
        from toulmin.retrieval.knowledge.named import knowledge_from

        recorded = self._recorded()
        with ExitStack() as stack:
            graph = None if self.graph is None else stack.enter_context(self.graph.opened())
            named = self.choice.open(concurrency=8 * self.concurrency)
            model = LoggedModel(named) if named is not None else None
            system = System(
                graph,
                method=self.method,
                settings=self.settings,
                model=model,
                budget=self.choice.budget(),
                knowledge=partial(knowledge_from, self.knowledge) if self.knowledge else None,
                chains=recorded.of if recorded is not None else None,
            )
            stack.callback(system.close)
            close, name = (model.close, model.name) if model is not None else (None, None)
            fingerprint = "" if graph is None else graph.fingerprint
            yield Asking(system.answer, system.check, system.measure, close, system.release, fingerprint, name)

    def check(self, questions: Iterable[Question]) -> None:
        """See that it can ask a question, before anything is paid for.

        Raises:
            InputError: it can ask none of them: what it lacks, else why it refuses the first.
            SourceError: the recorded chains cannot be read.
        """
        from toulmin.methods.asker import check_request
        from toulmin.methods.registry import get_method
        from toulmin.methods.request import Request

        method = get_method(self.method, self.settings, model=self.choice.named)
        recorded = self._recorded()
        first: InputError | None = None
        for asked in questions:
            chains = recorded.of(asked.id, asked.question) if recorded is not None else ()
            try:
                request = Request(asked.question, asked.task, asked.options, chains)
                check_request(method, request, model=self.choice.named)
            except InputError as error:
                if first is None or (isinstance(first, RefusedError) and not isinstance(error, RefusedError)):
                    first = error
            else:
                return
        if first is not None:
            raise first

    def anywhere(self) -> Systems:
        """The same with absolute paths: a worker has a working directory of its own."""
        choice = self.choice
        files = (choice.cache, choice.record, choice.replay, self.chains)
        cache, record, replay, chains = (None if path is None else path.absolute() for path in files)
        return replace(
            self,
            graph=None if self.graph is None else replace(self.graph, kg=list(map(_resolved, self.graph.named))),
            choice=replace(choice, cache=cache, record=record, replay=replay),
            knowledge=tuple(map(_resolved, self.knowledge)),
            chains=chains,
        )

    def described(self) -> dict[str, Any]:
        """The settings as ``run.json`` has them."""
        budget, recorded = self.choice.budget(), self._recorded()
        return {
            **asdict(self.settings),
            **({"budget": asdict(budget)} if budget else {}),
            **({"knowledge": list(self.knowledge)} if self.knowledge else {}),
            **({"chains": recorded.digest} if recorded is not None else {}),
        }

    def _recorded(self) -> RecordedChains | None:
        from toulmin.methods.rr.recorded import RecordedChains

        return RecordedChains.read(self.chains) if self.chains is not None else None


def _resolved(name: str) -> str:
    """An absolute path, where this names something that is there; else the name, of an endpoint for example."""
    return str(Path(name).absolute()) if Path(name).exists() else name


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
        _print_change(change, similarity)


def _print_change(change: Change, similarity: Similarity) -> None:
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


def _perturbations(texts: Sequence[str], seed: int) -> list[Perturbation | None]:
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


def _perturbed_graph(graphs: Sequence[str], perturbation: Perturbation, out: Path) -> str:
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
