"""A sharded soft-max on 8 virtual devices: the true result, and the bytes of the ledger."""

import numpy as np

import symcost as sc

program = sc.parse("mesh X=2, Y=4; S: fp32[6_X, 16_Y]; P = softmax(S, axis=1)")
S = np.random.default_rng(1).normal(size=(6, 16))
done = sc.run_on_devices(program, {"S": S})

powers = np.exp(S - S.max(axis=1, keepdims=True))
print(
    "as on one device:", np.allclose(done.results["P"], powers / powers.sum(axis=1, keepdims=True))
)
for move in done.moves:
    print(
        f"{move.op} over {move.axis}: {move.busiest} values on the busiest wire, {move.hops} hops"
    )
for entry in program.cost().entries:
    if entry.moves is not None:
        print(f"ledger: {entry.what}, {entry.moves.busiest / 4} values, {entry.moves.hops} hops")
