"""The kernel: checks certificates by the standard library alone. Read it in this order: format, certificate, times,
quantities, values, sentence, evaluate, report. The format is described in docs/certificate.md."""

from .format import KernelError
from .report import Report, check

__all__ = ["KernelError", "Report", "check"]
