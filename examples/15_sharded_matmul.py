"""What a sharded matmul sends, when another way is better, and the rule on a TPU."""

import symcost as sc

matmul = "mesh X; A: bf16[I, J_X] @ B: bf16[J_X, K] -> C: bf16[I, K]"
plan = sc.plan(matmul)
for step in plan.steps:
    moved = ", ".join(f"{entry.amount} over {entry.resource.name}" for entry in step.moves)
    print(f"{step.what:22} {moved or f'{step.flops} FLOPs'}")
for other in plan.alternatives:
    print("or", ", ".join(other.steps), "which sends less when", other.beats.relation())

cost = sc.parse(matmul).cost()
print("in the limit", sc.limit(cost.bytes("ici[X]"), "X -> oo"))

found = sc.derive(matmul, "tpu-v5p", solve_for="J/X", assume="X -> oo").answer
print(next(each.limit_rule for each in found.channels if each.channel == "ici[X]"))
