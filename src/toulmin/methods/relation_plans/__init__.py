"""Planning by relation paths that are grounded by a walk (RoG: Luo et al., ICLR 2024)."""

from toulmin.methods.relation_plans.method import RelationPlans
from toulmin.methods.relation_plans.planner import PlanSettings

__all__ = ["PlanSettings", "RelationPlans"]
