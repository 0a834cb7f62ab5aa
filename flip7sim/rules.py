"""Rule sets as values: presets, and options over them (B6, B7, B18, B19, B21, B26, V33, V35, V45 to V47).

A `Rules` object is immutable, hashable, and says everything about the game that is played, apart from the number of
seats. It knows nothing of the engine.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

import tomli_w

from flip7sim.cards import BASE_CARDS, NUMBERS, THIRTEEN, VENGEANCE_CARDS, CardSet
from flip7sim.codes import MAX_SEATS
from flip7sim.errors import Flip7Error, suggest

__all__ = ["GAMES", "MAX_SEATS", "OPTIONS", "PRESETS", "Option", "Rules", "option_text"]


MAX_DECKS = 4
#: Above so many seats a second deck is used unless `decks` says otherwise (B2).
SEATS_OF_ONE_DECK = 18


@dataclass(frozen=True)
class Option:
    """What one option may be set to, and what it does.

    Attributes
    ----------
    name : str
        The name, as written on the command line and in files.
    values : tuple of str
        The values it takes; empty for a whole number.
    low, high : int
        Bounds of a whole number.
    help : str
        One line for people.
    games : tuple of str
        The games in which it has a sense (V47).
    """

    name: str
    values: tuple[str, ...]
    low: int
    high: int
    help: str
    games: tuple[str, ...]

    @property
    def domain(self) -> str:
        """What the option can be, in words."""
        number = f"a whole number from {self.low} to {self.high}"
        if not self.high:
            return " or ".join(self.values)
        return f"{' or '.join(self.values)} or {number}" if self.values else number

    def parse(self, value: object) -> Any:
        """Bring `value` (a string, a bool or an integer) into the form that `Rules` keeps.

        Raises
        ------
        Flip7Error
            If the option cannot have that value.
        """
        if self.values == ("yes", "no"):
            text = {"True": "yes", "False": "no", "true": "yes", "false": "no"}.get(str(value), value)
            if text in self.values:
                return text == "yes"
        elif not isinstance(value, bool) and str(value) in self.values:
            return str(value)
        elif self.high and not isinstance(value, bool):
            try:
                number = int(str(value))
            except ValueError:
                number = self.low - 1
            if self.low <= number <= self.high:
                return number
        raise Flip7Error(f"option {self.name}: {value!r} cannot be used; it must be {self.domain}")


_HELP = {
    "initial_deal": "one card each before the first offer (B6)",
    "stay_requires_card": "a seat with nothing in front of it must hit (B7)",
    "flip3_second_chance": "a Second Chance revealed in a Flip Three waits, or can be used at once (B18)",
    "flip3_on_bust": "what waits when a Flip Three busts its target: aimed at others, or discarded (B19)",
    "deferred_order": "several waiting actions: one by one, or all assigned before one is resolved (B21)",
    "target_score": "the total that ends the game (B26)",
    "flip7_size": "how many different numbers make a Flip 7 (B10); at most 13, in Vengeance 14 or 15 (V47)",
    "flip7_bonus": "points for a Flip 7 (B25)",
    "tie_break": "who plays on after a tie at the top (B26)",
    "reshuffle": "when the discard pile is shuffled: when no card is left, or before every round (B27)",
    "decks": "how many decks; auto: one, two above 18 seats (B2)",
    "max_rounds": "a game is cut after so many rounds and counted as unfinished",
    "stayed_are_targets": "a seat that has stayed can still be a target (V33)",
    "lucky13_flip7": "toward a Flip 7 the Lucky 13 and another 13 are one number, or count as two cards (V35)",
    "score_floor": "the least that a round can score; none: minus cards can take it below 0 (V46)",
    "modifiers_to_busted": "a busted seat can be given modifiers, and its minus cards count (V46)",
    "flip7_penalty": "who makes a Flip 7 may take the bonus off another's total instead (V46)",
}

GAMES = ("base", "vengeance")
_BASE_ONLY = ("flip3_second_chance", "flip3_on_bust", "deferred_order")
_VENGEANCE_ONLY = ("stayed_are_targets", "lucky13_flip7", "score_floor", "modifiers_to_busted", "flip7_penalty")


@dataclass(frozen=True)
class Rules:
    """One rule set: a preset and every option's value.

    Raises
    ------
    Flip7Error
        From the constructors below, for an unknown preset or option and for a value out of range.

    Examples
    --------
    >>> Rules.of("us-3.1", target_score=300).target_score
    300
    """

    preset: str = "fr-2.0"
    initial_deal: bool = False
    stay_requires_card: bool = False
    flip3_second_chance: Literal["deferred", "immediate"] = "deferred"
    flip3_on_bust: Literal["redirect", "discard"] = "redirect"
    deferred_order: Literal["sequential", "assign_then_resolve"] = "sequential"
    target_score: int = 200
    flip7_size: int = 7
    flip7_bonus: int = 15
    tie_break: Literal["all_players", "tied_only"] = "all_players"
    reshuffle: Literal["when_empty", "every_round"] = "when_empty"
    decks: Literal["auto"] | int = "auto"
    max_rounds: int = 1000
    stayed_are_targets: bool = True
    lucky13_flip7: Literal["distinct", "cards"] = "distinct"
    score_floor: Literal["0", "none"] = "0"
    modifiers_to_busted: bool = False
    flip7_penalty: bool = False

    @classmethod
    def of(cls, preset: str = "fr-2.0", **options: object) -> "Rules":
        """The rules of `preset` with `options` over them."""
        if not isinstance(preset, str) or preset not in PRESETS:
            raise Flip7Error(f"preset {preset!r} is unknown; {suggest(preset, PRESETS)}")
        return PRESETS[preset].with_options(**options)

    def with_options(self, **options: object) -> "Rules":
        """The same rules with other values for `options`."""
        values = {}
        for name, value in options.items():
            if name not in OPTIONS:
                raise Flip7Error(f"option {name!r} is unknown; {suggest(name, self.options)}")
            if self.game not in OPTIONS[name].games:
                known = ", ".join(self.options)
                raise Flip7Error(f"option {name}: it has no sense under {self.preset}; the options there are {known}")
            values[name] = OPTIONS[name].parse(value)
        changed = replace(self, **values)
        if changed.flip7_size > changed.largest_flip7:
            raise Flip7Error(
                f"option flip7_size: {changed.flip7_size} cannot be used under {self.preset}; "
                f"it must be a whole number from 1 to {changed.largest_flip7}"
            )
        return changed

    @property
    def game(self) -> str:
        """Which game is played: ``base`` or ``vengeance``."""
        return "vengeance" if self.preset.startswith("vengeance") else "base"

    @property
    def cards(self) -> CardSet:
        """The kinds of cards that are played with."""
        return VENGEANCE_CARDS if self.game == "vengeance" else BASE_CARDS

    @property
    def alone(self) -> "Rules":
        """The same rules for the one round that is solved exactly: no opening deal, a hit with nothing in front."""
        return self.with_options(initial_deal="no", stay_requires_card="yes", max_rounds=1)

    @property
    def largest_flip7(self) -> int:
        """The most different numbers that there can be in a line (V47)."""
        if self.game == "base":
            return NUMBERS
        return THIRTEEN + 1 + (self.lucky13_flip7 == "cards")

    def decks_for(self, seats: int) -> int:
        """Number of decks at a table of `seats` (B2)."""
        if self.decks == "auto":
            return 2 if seats > SEATS_OF_ONE_DECK else 1
        return self.decks

    @property
    def options(self) -> dict[str, Any]:
        """All options of the game with their values."""
        return {name: value for name, value in asdict(self).items() if name != "preset" and self.has(name)}

    def has(self, option: str) -> bool:
        """Whether an option has a sense in this game (V47)."""
        return self.game in OPTIONS[option].games

    @property
    def changes(self) -> dict[str, Any]:
        """The options that differ from the preset."""
        base = PRESETS[self.preset].options
        return {name: value for name, value in self.options.items() if value != base[name]}

    @property
    def label(self) -> str:
        """The preset and what differs from it, in one line."""
        changes = ", ".join(f"{name}={option_text(value)}" for name, value in self.changes.items())
        return f"{self.preset} with {changes}" if changes else self.preset

    def to_dict(self) -> dict[str, Any]:
        """`{"preset": ..., "options": {...}}` with every option: what manifests hold."""
        return {"preset": self.preset, "options": self.options}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Rules":
        """The opposite of `to_dict`; options may be left out."""
        unknown = set(data) - {"preset", "options"}
        if unknown:
            raise Flip7Error(f"rules: key {sorted(unknown)[0]!r} is unknown; known: preset, options")
        options = data.get("options", {})
        if not isinstance(options, Mapping):
            raise Flip7Error("rules: options must be a table of option = value")
        return cls.of(data.get("preset", "fr-2.0"), **options)

    def to_toml(self) -> str:
        """The rules as a TOML text that `from_toml` reads."""
        return tomli_w.dumps(self.to_dict())

    @classmethod
    def from_toml(cls, text: str) -> "Rules":
        """Rules from a TOML text."""
        try:
            return cls.from_dict(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise Flip7Error(f"rules: not a TOML text: {error}") from None

    def to_json(self) -> str:
        """The rules as a JSON text that `from_json` reads."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> "Rules":
        """Rules from a JSON text."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise Flip7Error(f"rules: not a JSON text: {error}") from None
        if not isinstance(data, dict):
            raise Flip7Error("rules: the JSON text must be an object with preset and options")
        return cls.from_dict(data)


def option_text(value: object) -> str:
    """The value of an option as it is written on the command line."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


_BOUNDS = {
    "target_score": (1, 10_000),
    "flip7_size": (1, THIRTEEN + 2),
    "flip7_bonus": (0, 1_000),
    "decks": (1, MAX_DECKS),
    "max_rounds": (1, 1_000_000),
}


def _option(name: str, hint: Any) -> Option:
    """The option of the field `name` from its type."""
    low, high = _BOUNDS.get(name, (0, 0))
    choices: tuple[str, ...] = ("yes", "no") if hint is bool else ()
    for part in (hint, *get_args(hint)):
        if get_origin(part) is Literal:
            choices = get_args(part)
    games = GAMES[:1] if name in _BASE_ONLY else GAMES[1:] if name in _VENGEANCE_ONLY else GAMES
    return Option(name, choices, low, high, _HELP[name], games)


#: Every option by name.
OPTIONS: dict[str, Option] = {
    field.name: _option(field.name, get_type_hints(Rules)[field.name])
    for field in fields(Rules)
    if field.name != "preset"
}

_VENGEANCE: dict[str, Any] = {"initial_deal": True, "tie_break": "tied_only"}
_BRUTAL: dict[str, Any] = {"score_floor": "none", "modifiers_to_busted": True, "flip7_penalty": True}
_US: dict[str, Any] = {"initial_deal": True, "stay_requires_card": True, "flip3_second_chance": "immediate"}

#: The published editions by name; `fr-2.0` is the default. `us-first` is thinly documented.
PRESETS: dict[str, Rules] = {
    "fr-2.0": Rules(),
    "us-3.1": Rules("us-3.1", **_US, flip3_on_bust="discard", deferred_order="assign_then_resolve"),
    "us-first": Rules("us-first", **_US),
    "vengeance": Rules("vengeance", **_VENGEANCE),
    "vengeance-brutal": Rules("vengeance-brutal", **_VENGEANCE, **_BRUTAL),
}
