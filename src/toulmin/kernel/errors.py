"""The one error of the kernel."""


class KernelError(Exception):
    """What is given is no certificate, or goes beyond a limit: one line that says what and where."""


def refuse_if(is_so: object, why: str) -> None:
    """Raise a KernelError where something is so."""
    if is_so:
        raise KernelError(why)
