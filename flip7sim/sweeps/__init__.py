"""Many values of a strategy's parameters: sweeps, and best responses."""
