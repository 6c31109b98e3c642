"""What symbols conventionally stand for, by their names in performance models.

The names are those of transformer and roofline literature: J. Austin et al., How To Scale
Your Model; J. Kaplan et al. 2020; D. Narayanan et al. 2021; and of model configuration files.
A role only ranks and words a diagnosis; whether a formula is right never depends on it.
"""

from __future__ import annotations

ROLES: dict[str, tuple[str, ...]] = {
    "peak": ("C", "peak", "flops_per_s", "pi"),
    "bandwidth": ("W", "bw", "bandwidth"),
    "layers": ("L", "l", "layers", "n_l", "N_L", "depth"),
    "query heads": ("N", "H", "h", "a", "heads", "n_h", "N_h", "n_a", "n_q", "N_q"),
    "kv heads": ("K", "n_kv", "N_kv", "H_kv", "Hkv", "h_kv", "n_k", "G"),
    "experts": ("E", "experts", "n_e", "N_e", "n_exp", "N_exp"),
    "active experts": ("k", "topk", "n_active", "active", "n_act"),
    "length": ("T", "S", "s", "t", "seq", "n_ctx", "T_q", "T_kv", "length", "ctx", "seqlen"),
    "vocabulary": ("V", "v", "n_vocab"),
    "bytes per value": ("b", "itemsize", "nbytes", "w"),
    "devices": ("X", "Y", "Z", "n", "P", "devices", "chips", "gpus", "hosts", "links", "shards"),
    "cores": ("cores", "n_cores"),
}
_ROLE = {name: role for role, names in ROLES.items() for name in names}
_PREFIXES = (("C_", "peak"), ("peak_", "peak"), ("W_", "bandwidth"), ("bw_", "bandwidth"))
_SIZES = {"dim", "d", "size", "head_dim"}  # of a head or a layer, not their number
_WORDS: tuple[tuple[str, frozenset[str]], ...] = (  # of a long name; the first that fits
    ("active experts", frozenset(["topk", "top", "active", "tok", "selected"])),
    ("experts", frozenset(["experts", "expert"])),
    ("layers", frozenset(["layers", "layer", "blocks"])),
    ("vocabulary", frozenset(["vocab", "vocabulary"])),
    ("length", frozenset(["seq", "seqlen", "length", "context", "ctx"])),
    ("bytes per value", frozenset(["bytes", "itemsize"])),
    ("devices", frozenset(["devices", "gpus", "chips", "hosts", "shards", "ranks"])),
    ("cores", frozenset(["cores"])),
    ("bandwidth", frozenset(["bw", "bandwidth"])),
)


def role(name: str) -> str:
    """What a symbol of this name usually stands for, ``""`` when there is no convention.

    >>> role("C"), role("W_hbm"), role("n_kv_heads"), role("foo")
    ('peak', 'bandwidth', 'kv heads', '')
    >>> role("num_attention_heads"), role("num_hidden_layers"), role("head_dim")
    ('query heads', 'layers', '')
    """
    if name in _ROLE:
        return _ROLE[name]
    start = next((role for start, role in _PREFIXES if name.startswith(start)), "")
    return start or _by_words(name.lower().split("_"))


def _by_words(words: list[str]) -> str:
    """The role of a name of several words, such as ``num_key_value_heads``."""
    if len(words) > 1 and _SIZES & set(words) and "vocab" not in words:
        return ""
    if {"heads", "head", "nheads"} & set(words):
        return "kv heads" if {"kv", "key", "value", "k", "v"} & set(words) else "query heads"
    if len(words) == 1 and words[0] not in ("vocab", "vocabulary", "experts"):
        return ""
    return next((role for role, known in _WORDS if known & set(words)), "")


def can_be(name: str, wanted: str) -> bool:
    """Whether a name may stand for a role: ``H`` for query heads as well as for a head size."""
    return name in ROLES.get(wanted, ()) or role(name) == wanted
