"""What symbols conventionally stand for, by their names in performance models.

The names are those of transformer and roofline literature: J. Austin et al., How To Scale
Your Model; J. Kaplan et al. 2020; D. Narayanan et al. 2021. A role only ranks and words a
diagnosis; whether a formula is right never depends on it.
"""

from __future__ import annotations

ROLES: dict[str, tuple[str, ...]] = {
    "peak": ("C", "peak", "flops_per_s", "pi"),
    "bandwidth": ("W", "bw", "bandwidth"),
    "layers": ("L", "l", "layers", "n_layers", "n_layer", "N_layers", "num_layers"),
    "query heads": ("N", "H", "h", "a", "heads", "n_heads", "n_head", "n_q", "N_q", "num_heads"),
    "kv heads": ("K", "n_kv", "N_kv", "H_kv", "Hkv", "kv_heads", "n_kv_heads", "h_kv"),
    "experts": ("E", "experts", "n_experts", "num_experts"),
    "active experts": ("k", "top_k", "topk", "n_active", "active"),
    "length": ("T", "S", "s", "t", "seq", "seq_len", "n_ctx", "T_q", "T_kv", "length"),
    "vocabulary": ("V", "v", "vocab", "vocab_size"),
    "bytes per value": ("b", "itemsize", "bytes_per_value", "bytes_per_param", "nbytes", "w"),
    "devices": ("X", "Y", "Z", "n", "P", "devices", "chips", "gpus", "hosts", "links", "shards"),
    "cores": ("cores", "n_cores"),
}
_ROLE = {name: role for role, names in ROLES.items() for name in names}
_PREFIXES = (("C_", "peak"), ("peak_", "peak"), ("W_", "bandwidth"), ("bw_", "bandwidth"))


def role(name: str) -> str:
    """What a symbol of this name usually stands for, ``""`` when there is no convention.

    >>> role("C"), role("W_hbm"), role("n_kv_heads"), role("foo")
    ('peak', 'bandwidth', 'kv heads', '')
    """
    if name in _ROLE:
        return _ROLE[name]
    return next((role for start, role in _PREFIXES if name.startswith(start)), "")


def can_be(name: str, wanted: str) -> bool:
    """Whether a name may stand for a role: ``H`` for query heads as well as for a head size."""
    return name in ROLES.get(wanted, ()) or role(name) == wanted
