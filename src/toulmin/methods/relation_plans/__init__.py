"""Planning by relation paths that are grounded by a walk (RoG: Luo et al., ICLR 2024)."""

from toulmin.methods.relation_plans.method import PlanSettings, RelationPlans

__all__ = ["PlanSettings", "RelationPlans"]
