"""Pages for the browser: a result as one HTML file that needs nothing else."""
