"""A format each: a module that registers its renderer under its own name."""
