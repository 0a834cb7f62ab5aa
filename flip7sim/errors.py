"""The one exception for what a user can mend: its message names the thing, what was wrong and what would be right."""

__all__ = ["Flip7Error", "StrategyError", "suggest"]

import difflib
from collections.abc import Iterable


class Flip7Error(ValueError):
    """Input that cannot be used; the message is one line, fit to be shown as it is."""


class StrategyError(Flip7Error):
    """A strategy raised, or gave an answer that is not legal, in mid-game."""


def suggest(name: object, known: Iterable[str]) -> str:
    """What would be right instead of `name`: the nearest known name first, or all of them.

    Parameters
    ----------
    name : object
        What was written.
    known : iterable of str
        What could have been written.
    """
    names = list(known)
    near = difflib.get_close_matches(str(name), names, n=1)
    if near:
        return f"did you mean {near[0]!r}? Known: {', '.join(names)}"
    return f"known: {', '.join(names)}"
