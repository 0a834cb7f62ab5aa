"""What several test modules need: random tables and rules, and results in comparable form."""

from dataclasses import replace

import numba as nb

from flip7sim import seat_at, strategy, uniform
from flip7sim.cards import FREEZE, SECOND_CHANCE
from flip7sim.codes import CARD_QUESTIONS, PLACE_SHIFT, SEAT_SHIFT, Question, Status
from flip7sim.engine.single import Sitter, play_entries
from flip7sim.policy.entries import entry_of
from flip7sim.policy.registry import find
from flip7sim.reference.cards import can_lie_together, count_of
from flip7sim.rules import OPTIONS, PRESETS
from flip7sim.table import SeatStart, Start

#: Strategies of every kind, with every targeting rule.
SPECS = (
    "stop-at(score=25)",
    "stop-at(score=40,target=self)",
    "stop-at-cards(count=5,target=random)",
    "bust-limit(p=0.3,target=weakest)",
    "bust-limit(p=0.15,counting=no,target=most-to-lose)",
    "expected-gain(target=random)",
    "expected-gain(counting=no)",
    "random(p=0.15,target=random)",
    "always-hit(target=most-to-lose)",
    "always-hit(target=self)",
    "always-stay",
)
SEATS = (1, 2, 3, 4, 5, 6, 8, 12, 19, 20)


@nb.njit
def one_of(me, members, size):
    """One of the members of a set of bits, at random."""
    number = 0
    for member in range(size):
        number += (members >> member) & 1
    left = int(uniform(me) * number)
    for member in range(size):
        if (members >> member) & 1:
            if left == 0:
                return member
            left -= 1
    return -1


@nb.njit
def place_at(me, table, seats):
    """A card in front of one of the seats, at random."""
    seat = one_of(me, seats, table.players)
    return one_of(me, seat_at(table, seat).kinds, 22) + (seat << SEAT_SHIFT)


@strategy
def wild(me, table, p=0.15):
    """Stay with probability `p`, and choose any legal seat, itself included, and any cards."""
    return uniform(me) >= p


def any_seat(me, table, p):
    return one_of(me, table.legal, table.players)


def any_place(me, table, p):
    return place_at(me, table, table.legal)


def any_exchange(me, table, p):
    place = place_at(me, table, table.legal)
    return place + (place_at(me, table, table.legal & ~(1 << (place >> SEAT_SHIFT))) << PLACE_SHIFT)


for question in Question:
    if question not in (Question.HIT, *CARD_QUESTIONS):
        getattr(wild, question.name.lower())(any_seat)
wild.exchange(any_exchange)
wild.take(any_place)
wild.drop(any_place)


def entrants():
    """One of each of `SPECS`, and `wild`, which aims at itself too."""
    return [*(find(spec) for spec in SPECS), find(wild)]


def random_rules(dice, rounds=(1, 5, 40), preset=None, **fixed):
    """A preset of either game with some options set at random."""
    base = PRESETS[preset or dice.choice(list(PRESETS))]
    options = {}
    for name in base.options:
        values = OPTIONS[name].values
        if values and name != "decks" and dice.random() < 0.4:
            options[name] = dice.choice(values)
    options |= {
        "target_score": dice.choice([30, 80, 200]),
        "flip7_size": dice.choice([2, 4, 7, 7, 9, 13]),
        "flip7_bonus": dice.choice([0, 15, 15, 40]),
        "decks": dice.choice(["auto", "auto", 1, 2, 3]),
        "max_rounds": dice.choice(rounds),
    }
    return base.with_options(**(options | fixed))


def new_game(rules, seats, seed=0, game=0, dealer=0, **more):
    """The start of a new game."""
    return Start(rules, (SeatStart(),) * seats, dealer=dealer, seed=seed, game=game, **more)


def random_game(dice, seats=SEATS, **options):
    """The start of a new game with random rules; some begin with totals."""
    players = dice.choice(seats)
    rules = random_rules(dice, **options)
    start = new_game(rules, players, dice.randrange(1 << 62), dice.randrange(1 << 61), dice.randrange(players))
    if dice.random() < 0.7:
        return start
    return replace(start, seats=tuple(SeatStart(total=dice.randrange(rules.target_score)) for _ in start.seats))


def sitters(seated):
    """What the engine wants to know of the entrants on their seats."""
    return [Sitter(entry_of(entrant.strategy).address, entrant.codes) for entrant in seated]


def play_fast(start, seated):
    """The game, played by the engine."""
    return play_entries(start, sitters(seated))


def script_of(finish):
    """All answers that were given, as lines of a script."""
    return [choice.line for choice in finish.choices]


def random_table(dice, preset=None):
    """A table in mid-round: legal lines in front of seats of every status, and two piles of what is left."""
    players = dice.choice(SEATS)
    rules = random_rules(dice, decks=dice.choice([1, 2]), preset=preset)
    deck = rules.cards.deck(rules.decks_for(players))
    piles = {card: deck.count(card) for card in set(deck)}
    lay_out = _random_seat if rules.game == "base" else _random_seat_of_vengeance
    seats = [lay_out(dice, rules, piles) for _ in range(players)]
    rest = [card for card, count in piles.items() for _ in range(count)]
    dice.shuffle(rest)
    kept = rest[: dice.choice([0, 3, 10, len(rest), len(rest)])]
    cut = dice.randrange(len(kept) + 1)
    return Start(
        rules,
        tuple(seats),
        dealer=dice.randrange(players),
        seed=dice.randrange(1 << 62),
        game=dice.randrange(1 << 61),
        draw_pile=tuple(kept[:cut]),
        discard_pile=tuple(kept[cut:]),
        deal=dice.random() < 0.3,
        one_round=dice.random() < 0.5,
        first=dice.choice([None, dice.randrange(players)]),
    )


def _take(piles, card):
    piles[card] -= 1
    return card


def _random_modifiers(dice, rules, piles):
    kinds = range(rules.cards.modifiers, rules.cards.actions)
    return tuple(_take(piles, card) for card in kinds if piles[card] and dice.random() < 0.15)


def _random_seat(dice, rules, piles):
    """A seat of the base game."""
    status = dice.choice([Status.ACTIVE, Status.ACTIVE, Status.STAYED, Status.FROZEN, Status.BUST])
    if status is Status.FROZEN and not piles[FREEZE]:
        status = Status.STAYED
    wanted = dice.sample(range(rules.cards.modifiers), dice.randrange(min(5, rules.flip7_size)))
    numbers = [_take(piles, card) for card in wanted if piles[card]]
    doubles = [card for card in numbers if piles[card]]
    if status is Status.BUST and not doubles:
        status = Status.STAYED
    if status is Status.BUST:
        numbers.append(_take(piles, dice.choice(doubles)))
    if status is Status.FROZEN:
        _take(piles, FREEZE)
    modifiers = _random_modifiers(dice, rules, piles)
    chance = status is not Status.BUST and piles[SECOND_CHANCE] > 0 and dice.random() < 0.3
    if chance:
        _take(piles, SECOND_CHANCE)
    return SeatStart(tuple(numbers), modifiers, chance, status, dice.randrange(rules.target_score))


def _random_seat_of_vengeance(dice, rules, piles):
    """A seat of Vengeance."""
    numbers, status = [], dice.choice([Status.ACTIVE, Status.ACTIVE, Status.STAYED])
    for _ in range(dice.randrange(7)):
        card = dice.choice([card for card in range(rules.cards.modifiers) if piles[card]])
        if not can_lie_together([*numbers, card]):
            if dice.random() < 0.4:
                numbers.append(_take(piles, card))
                status = Status.BUST
                break
        elif count_of(rules, [*numbers, card]) < rules.flip7_size:
            numbers.append(_take(piles, card))
    modifiers = _random_modifiers(dice, rules, piles)
    low = -30 if rules.flip7_penalty else 0
    return SeatStart(tuple(numbers), modifiers, False, status, dice.randrange(low, rules.target_score))


def at_random(dice, hit=0.75):
    """A chooser for the reference: hits with probability `hit`, answers all else with any legal seat or card."""

    def choose(game, asked):
        if asked.question is Question.HIT:
            return int(dice.random() < hit)
        if asked.question is Question.EXCHANGE:
            one = dice.choice(asked.legal)
            other = dice.choice([place for place in asked.legal if place >> SEAT_SHIFT != one >> SEAT_SHIFT])
            return one + (other << PLACE_SHIFT)
        return dice.choice(asked.legal)

    return choose


def csv_texts(played):
    """The CSV files of a tournament by name, as they would be written."""
    return {name: table.to_csv(index=False, lineterminator="\n") for name, table in played.tables.files.items()}
