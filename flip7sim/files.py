"""Writing files so that nothing is ever half-written: to temporary files first, then each in its place."""

import os
from collections.abc import Mapping
from pathlib import Path

from flip7sim.errors import Flip7Error

__all__ = ["check_folder", "write_all", "write_text"]


def check_folder(folder: Path) -> None:
    """See whether files can be written to a folder, which need not be there yet, and leave nothing behind.

    Raises
    ------
    Flip7Error
        If files cannot be written to it.
    """
    made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    probe = folder / f".probe.{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
        for parent in made:
            parent.rmdir()
    except OSError as error:
        reason = error.strerror or str(error)
        raise Flip7Error(f"output folder {str(folder)!r} cannot be written to: {reason}; choose another") from None


def write_all(folder: Path, texts: Mapping[str, str | bytes]) -> list[Path]:
    """Write several files into a folder: all of them, or none.

    Parameters
    ----------
    folder : Path
        Made if it is not there; other files in it are left alone.
    texts : mapping of str to str or bytes
        What each file holds, by its name.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    Flip7Error
        If they cannot be written.
    """
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    parts = {name: folder / f".{name}.{os.getpid()}.part" for name in texts}
    try:
        for name, part in parts.items():
            text = texts[name]
            part.write_bytes(text if isinstance(text, bytes) else text.encode())
        for name, part in parts.items():
            part.replace(folder / name)
    except OSError as error:
        raise Flip7Error(f"{str(folder)!r} cannot be written to: {error.strerror or error}") from None
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    return [folder / name for name in texts]


def write_text(path: Path, text: str) -> None:
    """Write one file (see `write_all`)."""
    write_all(path.parent, {path.name: text})
