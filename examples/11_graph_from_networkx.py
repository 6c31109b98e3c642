"""A graph that was made with networkx: its costs, its critical path and its picture."""

import sys
from pathlib import Path

import networkx as nx

import symcost as sc

G = nx.DiGraph(name="gated MLP")
G.add_node("x", kind="input", dtype="bf16", shape="B, D")
for name in ("gate", "up"):
    G.add_node(f"w_{name}", kind="weight", dtype="bf16", shape="D, F")
    G.add_node(name, kind="matmul")
    G.add_edges_from([("x", name), (f"w_{name}", name)])
G.add_node("act", kind="silu", group="gated")
G.add_node("both", kind="mul", group="gated")
G.add_node("w_down", kind="weight", dtype="bf16", shape="F, D")
G.add_node("down", kind="matmul")
nx.add_path(G, ["gate", "act", "both", "down"])
G.add_edges_from([("up", "both"), ("w_down", "down")])

graph = sc.from_networkx(G)
cost = graph.cost()
print("FLOPs on the matmul unit:", cost.flops("matmul"))
print("parameters:", cost.parameters())
# any networkx algorithm works on the costs: here the longest chain by bytes
sizes = dict(zip(sc.dims("B D F"), (64, 4096, 16384), strict=True))
digraph = cost.digraph
weighted = nx.DiGraph()
for start, end in digraph.edges:
    weighted.add_edge(start, end, weight=float(digraph.nodes[end]["bytes"].subs(sizes)))
chain = [node for node in nx.dag_longest_path(weighted) if "op" in digraph.nodes[node]]
print("critical path:", " -> ".join(chain))
part = digraph.subgraph({"gate"} | nx.ancestors(digraph, "gate"))
print("FLOPs up to the gate:", sc.from_networkx(part).cost().flops())

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
sc.draw(graph).savefig(folder / "graph.png", dpi=80)
print("wrote graph.png")
