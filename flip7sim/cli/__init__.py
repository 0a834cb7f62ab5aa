"""The command line: a thin layer over the public functions, no logic of its own."""
