"""What is usual of each link: how it joins devices, and whether it lies between nodes."""

DEFAULT_LINK = "ici"
NETWORK_OF = {"ici": "ring", "xgmi": "pairs", "roce": "pairs"}  # a switch for any other
SLOW = ("dcn", "infiniband", "ethernet", "efa", "pcie")  # between nodes, hosts or slices
