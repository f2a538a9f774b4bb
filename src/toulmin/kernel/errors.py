"""The one error of the kernel."""


class KernelError(Exception):
    """What is given is no certificate, or goes beyond a limit: one line that says what and where."""
