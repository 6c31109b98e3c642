"""The blocks that answers are made of: plain data."""
