"""R³, "Right for Right Reasons": commonsense questions, claims and preferences, by an axiom that is grounded."""

from toulmin.methods.r3.method import R3
from toulmin.methods.r3.settings import ABLATIONS, R3Settings

__all__ = ["ABLATIONS", "R3", "R3Settings"]
