"""A played game as a list of objects for programs, and told in sentences for people."""

from collections.abc import Iterable, Sequence
from typing import Any

from flip7sim.codes import NOBODY, Event
from flip7sim.replays.base_teller import BaseTeller
from flip7sim.replays.fields import written
from flip7sim.replays.vengeance_teller import VengeanceTeller
from flip7sim.rules import Rules
from flip7sim.table import Finish, Happening, Start

__all__ = ["event_objects", "tell"]

#: What the value of an event is called, for events that have one; cards are named.
_VALUES = {
    Event.ROUND: "round",
    Event.SHUFFLE: "cards",
    Event.FLIP7: "score",
    Event.SCORE: "score",
    Event.WIN: "total",
    Event.TIE: "seats",
    Event.UNFINISHED: "rounds",
    Event.BONUS: "points",
    Event.PENALTY: "points",
}
_WITH_CARD = {
    *(Event.DRAW, Event.KEEP, Event.SAVED, Event.BUST, Event.ASIDE),
    *(Event.PLAY, Event.DISCARD, Event.FINISH, Event.LOSE, Event.WIPE),
}


def event_objects(rules: Rules, names: Sequence[str], events: Iterable[Happening]) -> list[dict[str, Any]]:
    """What happened, an object each: `event`, `seat` (if one is concerned), and what goes with it.

    Parameters
    ----------
    rules : Rules
        That were played.
    names : sequence of str
        Of the seats.
    events : iterable of Happening
        As the players of the game record them.
    """
    objects = []
    for event, seat, value in events:
        each: dict[str, Any] = {"event": Event(event).name.lower()}
        if seat != NOBODY:
            each["dealer" if event == Event.ROUND else "seat"] = names[seat]
        if event in _WITH_CARD:
            each["card"] = written(rules.cards, (value,))[0]
        elif event == Event.CHOOSE:
            each["target"] = names[value]
        elif event in _VALUES:
            each[_VALUES[Event(event)]] = value
        objects.append(each)
    return objects


def tell(start: Start, names: Sequence[str], finish: Finish) -> list[str]:
    """Tell the game from `start` to `finish`, a line each, by rounds, with what every seat banks."""
    teller = VengeanceTeller if start.rules.game == "vengeance" else BaseTeller
    return teller(start, names, finish).tell()
