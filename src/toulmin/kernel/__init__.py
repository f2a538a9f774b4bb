"""The kernel: checks certificates by the standard library alone. Read it in this order: encoding, shapes, certificate,
evidence, quantities, times, values, sentence, evaluate, report. The format is described in docs/certificate.md.
"""

from .encoding import KernelError
from .report import Report, check

__all__ = ["KernelError", "Report", "check"]
