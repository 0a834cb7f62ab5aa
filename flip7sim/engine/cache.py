"""Compiled code that is kept on disk: small generated modules in a cache folder, named by a hash of all that they use.

numba notices an edit in the file that holds a function, but not in another file that is inlined into it. So whatever is
cached lies in a module of its own, whose name changes with every source that it was made from. A name that is there was
compiled from just these sources.
"""

import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numba as nb
import platformdirs

__all__ = ["cache_folder", "digest", "load_module", "on_compile", "package_digest"]

#: Folders of other versions of the sources are removed once they have not been used for so long.
KEEP_DAYS = 30
#: Called with the name of each module that has to be compiled, before it is.
on_compile: list[Callable[[str], object]] = []


def digest(*texts: str) -> str:
    """A short hash of texts: 16 hexadecimal digits."""
    total = hashlib.sha256()
    for text in texts:
        total.update(text.encode())
        total.update(b"\0")
    return total.hexdigest()[:16]


@cache
def package_digest() -> str:
    """A hash of everything that is inlined into kernels: the engine, the strategies' view, and numba."""
    package = Path(__file__).parent.parent
    names = ("cards.py", "codes.py", "randomness.py", "policy/view.py", "policy/targeting.py", "policy/best_round.py")
    files = [*(package / name for name in names), *sorted(package.glob("engine/*.py"))]
    return digest(nb.__version__, sys.version, *(file.read_text(encoding="utf-8") for file in files))


@cache
def cache_folder() -> Path:
    """The folder for this version of the sources; `FLIP7SIM_CACHE` names another place than the user's cache."""
    root = Path(os.environ.get("FLIP7SIM_CACHE") or platformdirs.user_cache_dir("flip7sim"))
    folder = root / package_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        return Path(tempfile.mkdtemp(prefix="flip7sim-"))
    oldest = time.time() - KEEP_DAYS * 86400
    for other in root.iterdir():
        if other.is_dir() and len(other.name) == len(folder.name) and other.stat().st_mtime < oldest:
            shutil.rmtree(other, ignore_errors=True)
    return folder


def load_module(name: str, text: str, names: Mapping[str, Any], key: str) -> ModuleType:
    """Import the module `text` from the cache folder.

    Parameters
    ----------
    name : str
        What it is for; part of the file's name.
    text : str
        The source.
    names : mapping
        Objects that the module finds as globals: what cannot be imported by name.
    key : str
        Hash of the sources of those objects.

    Returns
    -------
    ModuleType
    """
    title = f"{name}_{digest(text, key)}"
    path = cache_folder() / f"{title}.py"
    if not path.exists():
        part = path.with_name(f"{title}.{os.getpid()}.part")
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    if not any((path.parent / "__pycache__").glob(f"{title}.*.nbi")):
        for listener in on_compile:
            listener(name)
    spec = importlib.util.spec_from_file_location(f"flip7sim_cache_{title}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    vars(module).update(names)
    sys.modules[spec.name] = module  # numba looks the module up when it reads its cache
    spec.loader.exec_module(module)
    return module
