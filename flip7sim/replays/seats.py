"""The seats of a replay file, and whether a seat can be as the file has it."""

from collections import Counter
from collections.abc import Sequence

from flip7sim.cards import FREEZE, SECOND_CHANCE, UNLUCKY_7
from flip7sim.codes import MAX_SEATS, Status
from flip7sim.reference.cards import can_lie_together, count_of
from flip7sim.replays.fields import Field
from flip7sim.rules import Rules
from flip7sim.table import SeatStart, seat_name

__all__ = ["check_deck", "read_modifiers", "read_names", "read_numbers", "read_seats", "statuses_of"]

_KEYS = ("name", "numbers", "modifiers", "second_chance", "status", "total")
_MAX_TOTAL = 1_000_000_000


def read_names(seats: Field) -> tuple[str, ...]:
    """The names of all seats, each one word and no two the same."""
    tables = [] if seats.value is None else seats.items("[[seat]] tables")
    if not 1 <= len(tables) <= MAX_SEATS:
        raise seats.error(f"there are {len(tables)} seats", f"write [[seat]] for each of 1 to {MAX_SEATS} seats")
    names: list[str] = []
    for place, table in enumerate(tables):
        field = table.table(_KEYS).get("name", Field(f"{table.where}: name", seat_name(place)))
        name = field.text("a name of one word")
        if name.split() != [name]:
            raise field.error(f"{name!r} is not one word", "a name has no spaces, and is not empty")
        if name in names:
            raise field.error(f"{name!r} is the name of two seats", "every seat needs its own name")
        names.append(name)
    return tuple(names)


def statuses_of(rules: Rules) -> dict[str, Status]:
    """The statuses of a seat in the game, as files write them."""
    return {each.name.lower(): each for each in Status if rules.game == "base" or each is not Status.FROZEN}


def read_numbers(field: Field, rules: Rules) -> tuple[int, ...]:
    """The number cards in a list."""
    return field.cards(rules.cards, 0, rules.cards.modifiers, "number")


def read_modifiers(field: Field, rules: Rules) -> tuple[int, ...]:
    """The modifier cards in a list."""
    return field.cards(rules.cards, rules.cards.modifiers, rules.cards.actions, "modifier")


def read_seats(file: str, seats: Field, names: Sequence[str], rules: Rules) -> tuple[SeatStart, ...]:
    """The seats as play starts with them.

    Raises
    ------
    Flip7Error
        If one of them could not be in that state under these rules.
    """
    fields = [Field(f"{file}: seat {name}", table) for name, table in zip(names, seats.value, strict=True)]
    starts = tuple(_read_seat(field, rules) for field in fields)
    for field, seat in zip(fields, starts, strict=True):
        _check_line(field, seat, rules)
    _check_tie_break(fields, starts, rules)
    return starts


def _read_seat(field: Field, rules: Rules) -> SeatStart:
    """One seat, whose values may yet contradict each other."""
    table = field.table(_KEYS)
    defaults = {"numbers": [], "modifiers": [], "second_chance": False, "status": "active", "total": 0}
    at = {key: table.get(key, Field(f"{field.where}: {key}", value)) for key, value in defaults.items()}
    if rules.game == "vengeance" and at["second_chance"].truth():
        raise at["second_chance"].error("there are none in With A Vengeance", "leave it out")
    return SeatStart(
        numbers=read_numbers(at["numbers"], rules),
        modifiers=read_modifiers(at["modifiers"], rules),
        second_chance=at["second_chance"].truth(),
        status=statuses_of(rules)[at["status"].word(statuses_of(rules), "status")],
        total=at["total"].integer(-_MAX_TOTAL if _can_fall(rules) else 0, _MAX_TOTAL),
    )


def _can_fall(rules: Rules) -> bool:
    """Whether a total can become less (V46)."""
    return rules.score_floor == "none" or rules.flip7_penalty


def _check_line(field: Field, seat: SeatStart, rules: Rules) -> None:
    """See whether the status fits what lies in front of the seat (B8, B10, B14; V34 to V38)."""
    if seat.status is Status.OUT and (seat.numbers or seat.modifiers or seat.second_chance):
        raise field.error("it sits out and has cards in front of it", "a seat that sits out a tie-break gets none")
    if rules.game == "vengeance":
        _check_vengeance_line(field, seat, rules)
        return
    names = rules.cards.names
    twice = [names[number] for number, count in Counter(seat.numbers).items() if count > 1]
    excess = len(seat.numbers) - len(set(seat.numbers))
    if seat.status is Status.BUST:
        if excess != 1:
            raise field.error(
                f"it is bust with {excess or 'no'} duplicate{'s' if excess > 1 else ''} in its line",
                "the numbers of a busted seat hold just one twice",
            )
        if seat.second_chance:
            raise field.error("it is bust with a Second Chance", "that would have saved it")
    elif excess:
        raise field.error(
            f"it is {seat.status.name.lower()} with {twice[0]} more than once", "only a busted seat has a duplicate"
        )
    _check_count(field, len(set(seat.numbers)), rules)


def _check_vengeance_line(field: Field, seat: SeatStart, rules: Rules) -> None:
    """The same for a line of Vengeance, where any card of a busted one but its last may be the one that broke it."""
    numbers = seat.numbers
    if numbers.count(UNLUCKY_7) > 1:
        raise field.error("it has the Unlucky 7 twice", "the second one would have swept away the first")
    sound = can_lie_together(numbers)
    before = [numbers[:place] + numbers[place + 1 :] for place in range(len(numbers))]
    before = [line for line in before if can_lie_together(line)]
    if seat.status is Status.BUST and (sound or not before):
        raise field.error(
            f"it is bust with {'no card' if sound else 'more than one card'} too many in its line",
            "the numbers of a busted seat are a line that could stand, and one card that breaks it",
        )
    if seat.status is not Status.BUST and not sound:
        raise field.error(
            f"it is {seat.status.name.lower()} with a number more than once",
            "only a busted seat has a duplicate; beside the Lucky 13 one other 13 may lie",
        )
    _check_count(field, min((count_of(rules, line) for line in ([numbers] if sound else before)), default=0), rules)


def _check_count(field: Field, count: int, rules: Rules) -> None:
    """See that the line is not a Flip 7 yet (B10, V35)."""
    if count >= rules.flip7_size:
        raise field.error(
            f"it has {count} different numbers" if rules.lucky13_flip7 == "distinct" else f"it has {count} numbers",
            f"{rules.flip7_size} are a Flip 7, which ends the round: it can have {rules.flip7_size - 1} at most",
        )


def _check_tie_break(fields: Sequence[Field], seats: Sequence[SeatStart], rules: Rules) -> None:
    """See whether those that sit out do so for a tie-break, and nobody else takes part in it (B26, V45)."""
    playing = [seat.total for seat in seats if seat.status is not Status.OUT]
    # Where totals can fall, one that sits out may have more by now than all that play.
    totals = playing if playing and _can_fall(rules) else [seat.total for seat in seats]
    best = max(totals)
    tied = best >= rules.target_score and totals.count(best) > 1
    for field, seat in zip(fields, seats, strict=True):
        if seat.status is Status.OUT:
            if best < rules.target_score and len(playing) > 1 and _can_fall(rules) and rules.tie_break == "tied_only":
                continue  # the tied have all fallen below the target, and the same seats play again (V45)
            problem = _why_not_out(seat.total, best, tied, rules)
            if problem:
                raise field.error(f"it sits out, but {problem}", "status 'out' is for a tie-break among others")
            continue
        plays = seat.numbers or seat.modifiers or seat.second_chance or seat.status is not Status.ACTIVE
        if tied and rules.tie_break == "tied_only" and seat.total < best and plays:
            raise field.error(
                f"it plays in a tie-break between those with {best}",
                f"with {seat.total} it sits out: no cards, and no status but 'out'",
            )


def _why_not_out(total: int, best: int, tied: bool, rules: Rules) -> str:
    """What speaks against a seat's sitting out; empty: nothing."""
    if rules.tie_break != "tied_only":
        return f"tie_break is {rules.tie_break}"
    if not tied:
        return f"no two seats share a highest total of {rules.target_score} or more"
    return f"its total {best} is one of those that are tied" if total == best and not _can_fall(rules) else ""


def check_deck(field: Field, rules: Rules, decks: int, piles: Sequence[int], seats: Sequence[SeatStart] = ()) -> None:
    """Make sure that the cards in `piles` and in front of the seats can all come from `decks` decks (B1, B2, V30).

    Raises
    ------
    Flip7Error
        It names the first card of which there are too many.
    """
    cards = Counter(piles)
    for seat in seats:
        cards.update(seat.numbers + seat.modifiers)
        cards[SECOND_CHANCE] += seat.second_chance
        cards[FREEZE] += seat.status is Status.FROZEN
    for code, count in sorted(cards.items()):
        most = rules.cards.counts[code] * decks
        if count > most:
            raise field.error(
                f"card {rules.cards.names[code]} is there {count} times",
                f"{'the deck holds' if decks == 1 else f'the {decks} decks hold'} {most}",
            )
