"""How a command ends that cannot go on: one line on stderr and an exit code, never a traceback for bad input."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from toulmin.cli.console import harmless, shorten
from toulmin.errors import NothingUsableError, ReplyError, ToulminError

__all__ = ["BAD_INPUT", "CLOSED_PIPE", "INTERRUPTED", "NOTHING_USABLE", "Commands", "told"]

NOTHING_USABLE = 1  # what was asked for failed, and the input is not to blame
BAD_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells have it
CLOSED_PIPE = 141  # 128 + SIGPIPE
_USAGE: type[Exception] = typer.BadParameter.__mro__[1]  # UsageError, which typer does not name in public
_LONGEST = 1_000  # characters of a message: what it quotes may be a whole file


class Commands(TyperGroup):
    """The group of all commands, which ends them in the right way."""

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **more: Any) -> Any:
        """Read the program's own options."""
        try:
            return super().make_context(info_name, args, *rest, **more)
        except _USAGE as error:
            raise _misused(error) from None

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except _USAGE as error:
            raise _misused(error) from None
        except ToulminError as error:
            raise typer.Exit(told(error)) from None
        except KeyboardInterrupt as interrupt:
            message = str(interrupt) or "interrupted"
            typer.echo(f"toulmin: {message}", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # Whoever read our output has had enough; what is still buffered must not fail when Python exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(CLOSED_PIPE) from None
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            # Mostly of stdout, where what is buffered would fail once more when Python exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            typer.echo(f"toulmin: the output cannot be written: {error.strerror}", err=True)
            raise typer.Exit(BAD_INPUT) from None
        return result


def told(error: ToulminError, prefix: str = "") -> int:
    """Tell an error in one line on stderr.

    Args:
        prefix: what it is about, where the command goes on with something else.

    Returns:
        The exit code.
    """
    shown = NothingUsableError.of(error) if isinstance(error, ReplyError) else error
    typer.echo(f"toulmin: {harmless(shorten(f'{prefix}{shown}', _LONGEST))}", err=True)
    return NOTHING_USABLE if isinstance(shown, NothingUsableError) else BAD_INPUT


def _misused(error: Any) -> Exception:
    """The end of a command with wrong options or arguments; a group without a command shows its help instead."""
    message = str(error.format_message())
    if "\n" in message or error.ctx is None:
        return error  # type: ignore[no-any-return]
    message = message[:1].lower() + message[1:].rstrip(".")
    typer.echo(
        f"toulmin: {harmless(message[:_LONGEST])}; `{error.ctx.command_path} --help` lists what there is", err=True
    )
    return typer.Exit(BAD_INPUT)
