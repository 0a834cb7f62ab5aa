"""The page of a result: question, answer, tables that sort, figures, manifest and command, in one file."""

import json
import re
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from flip7sim.errors import Flip7Error
from flip7sim.figures.style import figure_bytes
from flip7sim.files import write_text
from flip7sim.gallery import Picture, caption, pictures
from flip7sim.pages.tables import tables_of
from flip7sim.pages.words import answer, command, question
from flip7sim.saved import Saved, load, newest

__all__ = ["page_of", "report"]

KINDS = ("tournament", "sweep", "best-response")


def report(result: str | Path | None = None, out: str | Path | None = None) -> Path:
    """Write a result as one HTML page that needs neither network nor other files.

    Parameters
    ----------
    result : str or Path, optional
        A folder that a command wrote; by default the newest one in `results`.
    out : str or Path, optional
        The page's file; by default `report.html` in the result's folder.

    Returns
    -------
    Path
        The page. The same result gives the same bytes.

    Raises
    ------
    Flip7Error
        If there is no such result, or the page cannot be written.
    """
    saved = load(newest() if result is None else result)
    if saved.kind not in KINDS:
        raise Flip7Error(f"{str(saved.path)!r} is a single table: name the folder of a result, or use flip7sim plot")
    path = Path(out) if out is not None else saved.folder / "report.html"
    if path.is_dir():
        raise Flip7Error(f"page {str(path)!r} is a folder; name a file, such as {str(path / 'report.html')!r}")
    write_text(path, page_of(saved))
    return path


def page_of(saved: Saved) -> str:
    """The page of a result as a text; whatever a result says is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("flip7sim.pages", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["breakable"] = breakable
    return environment.get_template("page.html").render(
        question=question(saved),
        caption=caption(saved),
        answer=answer(saved),
        command=command(saved),
        again=None if saved.manifest.get("merged") else saved.kind,
        pictures=[(picture.title, inline_svg(picture, f"f{place}-")) for place, picture in enumerate(pictures(saved))],
        tables=list(tables_of(saved)),
        manifest=json.dumps(saved.manifest, indent=2, ensure_ascii=False),
        version=saved.manifest["version"],
        started=saved.manifest["started"],
    )


def inline_svg(picture: Picture, prefix: str) -> str:
    """A picture as an element of a page: `prefix` keeps its names apart from those of other pictures."""
    text = figure_bytes(picture.figure, "svg").decode("utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, count=1, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}", text)
    # The page says how large it is.
    head, rest = text.split(">", 1)
    return re.sub(r'\s(width|height)="[^"]*"', "", head) + ">" + rest


def breakable(text: str) -> Markup:
    """A text, escaped, that may be broken after a bracket or a comma: strategies have long names."""
    return Markup(re.sub(r"([(,])", r"\1<wbr>", str(escape(text))))
