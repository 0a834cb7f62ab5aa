"""Formulas of the documentation as MathML, which browsers draw by themselves: no script, nothing from the network."""

import html
import re
from typing import Any

from latex2mathml.converter import convert

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', flags=re.DOTALL)


def on_page_content(content: str, **_: Any) -> str:
    """Called by MkDocs with the HTML of each page."""
    return FORMULA.sub(
        lambda found: convert(html.unescape(found[3]), display="block" if found[2] == "[" else "inline"), content
    )
