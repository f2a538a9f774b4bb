"""Options that several commands take, and groups of options that a command takes as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, get_args, get_type_hints

import typer

__all__ = ["EVERYTHING", "SHOWN", "Everything", "Json", "UpTo", "argument", "flag", "option", "takes_groups"]


def argument(metavar: str, text: str, **settings: Any) -> Any:
    """An argument: what stands for it in the usage line, and what its help says."""
    return typer.Argument(metavar=metavar, help=text, **settings)


def option(metavar: str, text: str, *names: str, **settings: Any) -> Any:
    """An option with a value: what stands for the value, what its help says, its names if not the parameter's."""
    return typer.Option(*names, metavar=metavar, help=text, **settings)


def flag(names: str, text: str) -> Any:
    """An option without a value: ``--name``, or ``--name/--no-name`` where it can be denied."""
    return typer.Option(names, help=text)


#: Statements of a node, and values of an answer, that are shown unless all are asked for; and how many that is.
SHOWN, EVERYTHING = 10, 1_000_000

Json = Annotated[bool, flag("--json", "Print JSON and nothing else on stdout.")]
Everything = Annotated[bool, flag("--all", "Leave nothing out of long lists.")]


@dataclass(frozen=True, slots=True)
class UpTo:
    """Beside a group in ``Annotated``: of its options those up to this field."""

    field: str


def takes_groups(command: Callable[..., None]) -> Callable[..., None]:
    """A command that gets groups of options whole, as typer takes it: with an option for each field of a group.

    A group is a parameter whose annotation is a dataclass; each of its fields is annotated with its option, and has its
    default. The options stand in the place of the parameter.
    """
    whole = signature(command, eval_str=True)
    groups: dict[str, tuple[type, list[str]]] = {}
    parameters: list[Parameter] = []
    for parameter in whole.parameters.values():
        annotation, *marks = get_args(parameter.annotation) or (parameter.annotation,)
        if not isinstance(annotation, type) or not is_dataclass(annotation):
            parameters.append(parameter)
            continue
        defaults = {field.name: field.default for field in fields(annotation)}
        names = list(defaults)
        for mark in marks:
            names = names[: names.index(mark.field) + 1]
        groups[parameter.name] = annotation, names
        options = get_type_hints(annotation, include_extras=True)
        parameters += [parameter.replace(name=name, annotation=options[name], default=defaults[name]) for name in names]

    @wraps(command)
    def called(**values: Any) -> None:
        for name, (group, names) in groups.items():
            values[name] = group(**{option: values.pop(option) for option in names})
        command(**values)

    called.__signature__ = whole.replace(parameters=parameters)  # type: ignore[attr-defined]
    return called
