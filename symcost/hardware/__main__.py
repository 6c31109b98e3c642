"""``python -m symcost.hardware`` writes the index of the built-in chips anew."""

from symcost.hardware.index import write_index

if __name__ == "__main__":
    write_index()
