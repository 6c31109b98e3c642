"""What a chip has: its units, its main memory, and what is usual of each of its links."""

UNITS = ("matmul", "vector")
HBM = "hbm"  # the channel of the main memory, whatever it is physically
MEMORIES = (HBM, "gddr", "ddr")

DEFAULT_LINK = "ici"
NETWORK_OF = {"ici": "ring", "xgmi": "pairs", "roce": "pairs"}  # a switch for any other
SLOW = ("dcn", "infiniband", "ethernet", "efa", "pcie")  # between nodes, hosts or slices
