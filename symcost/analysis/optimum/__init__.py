"""The least value of a cost over some of its symbols."""
