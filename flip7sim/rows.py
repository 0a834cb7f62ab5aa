"""Lists of results that are tables as well."""

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

import pandas as pd

__all__ = ["Rows"]

Item = TypeVar("Item")


class Rows(list[Item]):
    """A list of results, one of which is a row of a table.

    An item is a mapping, has a `summary` that is one, or is a dataclass.
    """

    @property
    def table(self) -> pd.DataFrame:
        """The same as a DataFrame."""
        return pd.DataFrame([_row(item) for item in self])


def _row(item: Any) -> Mapping[str, Any]:
    """The columns of an item."""
    if isinstance(item, Mapping):
        return item
    summary = getattr(item, "summary", None)
    return summary if isinstance(summary, Mapping) else dataclasses.asdict(item)
