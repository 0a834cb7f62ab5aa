"""Both games in plain Python: slow, short, and written from the rules alone; the engine is held against them."""

from collections.abc import Sequence

from flip7sim.codes import MISFIT
from flip7sim.reference.base import BaseGame
from flip7sim.reference.game import Chooser, Halt, ReferenceGame
from flip7sim.reference.vengeance import VengeanceGame
from flip7sim.table import Asked, Finish, Line, Start

__all__ = ["Chooser", "Halt", "ReferenceGame", "new_game", "play", "play_script"]


def new_game(start: Start, choose: Chooser) -> ReferenceGame:
    """The game that is to be played on from `start`, with what its rules say that is; see `play`."""
    game = VengeanceGame if start.rules.game == "vengeance" else BaseGame
    return game(start, choose)


def play(start: Start, choose: Chooser) -> Finish:
    """Play on from `start`; `choose` answers every question.

    Parameters
    ----------
    start : Start
        The table.
    choose : Chooser
        If it raises `Halt`, or returns what is not legal, play halts there: see `Finish.asked`.
    """
    return new_game(start, choose).play()


def play_script(start: Start, lines: Sequence[Line]) -> Finish:
    """Play on from `start` with the answers written down beforehand.

    Parameters
    ----------
    start : Start
        The table.
    lines : sequence of Line
        In the order of the asking. Play halts where they are used up, at the first that is for another seat, question
        or card (`Finish.asked.answer` is then `codes.MISFIT`), and at the first illegal answer.
    """
    left = iter(lines)

    def choose(game: ReferenceGame, asked: Asked) -> int:
        line = next(left, None)
        if line is None:
            raise Halt
        seat, question, answer, card = line
        return answer if (seat, question, card) == (asked.seat, asked.question, asked.card) else MISFIT

    return play(start, choose)
