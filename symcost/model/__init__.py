"""What a program is: dtypes, tensors, operations with their rules, the graph and its ledger."""
