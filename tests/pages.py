"""The examples in pages: what a test needs to run them, with smaller numbers than readers use."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r'^```([\w-]+)(?: title="([^"]+)")?\n(.*?)^```$', flags=re.DOTALL | re.MULTILINE)
#: What the commands that play are given in place of what the page says, or of their default.
SMALL = {"tournament": ("--games", "60"), "sweep": ("--games", "60"), "best-response": ("--games", "60")}
SMALL |= {"verify": ("--rounds", "2000"), "bench": ("--games", "500"), "run": ("--games", "60")}
SHORT = {"-g": "--games"}


@dataclass(frozen=True)
class Fence:
    """A fenced block of a page.

    Attributes
    ----------
    language : str
        `sh`: commands; `python`: statements, all of a page in one namespace; `console`: a command and what it prints;
        any other: not run.
    title : str
        The file that a reader is told to save it as, or the empty string.
    text : str
        What it holds.
    """

    language: str
    title: str
    text: str


def fences(page):
    """The fenced blocks of a page, in order."""
    return [Fence(*found) for found in FENCE.findall(page.read_text(encoding="utf-8"))]


def commands(text):
    """The arguments of each flip7sim command in a block, comments apart."""
    found = [shlex.split(line, comments=True) for line in text.splitlines() if line.startswith("flip7sim ")]
    return [words[1:] for words in found]


def small(words):
    """The arguments of a command with a small number of games."""
    words = [SHORT.get(word, word) for word in words]
    if words[0] not in SMALL or words == ["run"] or "--again" in words or "--dry-run" in words:
        return words
    option, number = SMALL[words[0]]
    if option in words:
        place = words.index(option)
        del words[place : place + 2]
    return [*words, option, number]


def small_python(text):
    """Python statements with small numbers of games."""
    return re.sub(r"\b(games|rounds|GAMES|ROUNDS)( ?= ?)[\d_]{3,}", r"\g<1>\g<2>60", text)
