"""The kinds of mistake the checker knows, each with its rank: the more specific comes first."""

from __future__ import annotations

# rank 90: only this mistake looks like that; rank 10: says no more than that a number is off
KINDS: dict[str, tuple[int, str]] = {
    "flipped-inequality": (99, "the relation sign points the wrong way"),
    "operator-precedence": (95, "brackets are missing: read as written it means another thing"),
    "unit-prefix": (94, "the digits are right, the prefix of the unit is not"),
    "mac-for-flop": (70, "a multiply-add counted as one operation, or a MAC as two of something"),
    "sparse-for-dense-peak": (72, "the peak with structured sparsity, twice the dense one"),
    "both-directions": (71, "the sum of both directions taken for the one-way bandwidth"),
    "other-dtype-peak": (76, "the peak of another dtype"),
    "other-chip": (64, "the figure of another chip"),
    "dtype-size": (69, "the size of a value in bytes left out, or put in twice"),
    "all-reduce-passes": (66, "an all-reduce counted as one pass, or one pass as an all-reduce"),
    "causal-mask": (74, "the causal mask halves attention scores, or not"),
    "missing-traffic": (88, "a read or write is left out"),
    "doubled-traffic": (87, "a read or write is counted twice"),
    "no-write-back": (89, "reads are counted, writes are not"),
    "query-heads-for-kv-heads": (90, "query heads where key/value heads belong, or the reverse"),
    "all-experts": (90, "all experts where only the active ones run"),
    "embedding-as-matmul": (86, "an embedding look-up counted as a matmul"),
    "layer-factor": (86, "one layer and the whole model mixed up"),
    "recompute-factor": (62, "a factor that belongs to another choice of recomputation"),
    "training-factor": (61, "forward pass and training step mixed up"),
    "write-allocate": (58, "a store on a write-allocate cache reads the line first"),
    "bits-for-bytes": (75, "bits and bytes mixed up"),
    "binary-prefix": (73, "powers of 1024 and of 1000 mixed up"),
    "power-of-ten": (80, "the exponent of ten is off"),
    "time-unit": (78, "seconds, hours and days mixed up"),
    "inverted-ratio": (85, "a ratio is upside down"),
    "wrong-dimension": (83, "one symbol stands where another belongs"),
    "stray-symbol": (82, "a symbol too many"),
    "missing-symbol": (81, "a symbol is missing"),
    "scope": (79, "a total and a share (per device, per shard, per core) mixed up"),
    "wrong-power": (84, "a symbol has the wrong power"),
    "missing-term": (77, "a term is left out"),
    "doubled-term": (76, "a term is counted twice"),
    "extra-term": (70, "a term too many"),
    "term-factor": (68, "one term has a wrong factor"),
    "missing-factor": (65, "a factor such as N - 1 is left out"),
    "off-by-one": (74, "a count is off by one"),
    "rounding-direction": (92, "rounded up where it must be rounded down, or the reverse"),
    "max-for-other": (84, "another argument of a maximum, a minimum or a sum in its place"),
    "sum-for-product": (88, "a sum in place of a product, or the reverse"),
    "sum-for-overlap": (55, "transfers one after the other where they overlap, or the reverse"),
    "stale-number": (56, "the formula is right, the number follows from another input"),
    "early-rounding": (57, "an intermediate result was rounded"),
    "truncated-digit": (67, "a digit was cut more than once"),
    "digit-slip": (60, "a digit is mistyped"),
    "factor-2": (40, "a factor of 2"),
    "constant-factor": (20, "a constant factor"),
    "arithmetic": (10, "the arithmetic is wrong"),
    "dropped-condition": (50, "holds only under a condition that is not stated"),
    "other-symbol": (93, "the bound is on another symbol"),
    "unit-mismatch": (96, "the unit is one of another quantity"),
}


def rank(kind: str) -> int:
    """How specific a kind is; the larger, the earlier it is listed."""
    return KINDS[kind][0]
