"""What is to be played, playing it, and what was counted: work items on whatever plays them, merged in order."""
