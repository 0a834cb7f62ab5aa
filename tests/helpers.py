"""What several test modules need: random tables and rules, and results in comparable form."""

from flip7sim import strategy, uniform
from flip7sim.cards import BASE_CARDS, FREEZE, NUMBERS, SECOND_CHANCE
from flip7sim.codes import Question, Status
from flip7sim.engine.single import Sitter, play_entries
from flip7sim.policy.entries import entry_of
from flip7sim.policy.registry import find
from flip7sim.rules import OPTIONS, PRESETS, Rules
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


@strategy
def wild(me, table, p=0.15):
    """Stay with probability `p`, and give actions to any legal seat, itself included."""
    return uniform(me) >= p


def anyone(me, table, p):
    seats = 0
    for seat in range(table.players):
        seats += (table.legal >> seat) & 1
    left = int(uniform(me) * seats)
    for seat in range(table.players):
        if (table.legal >> seat) & 1:
            if left == 0:
                return seat
            left -= 1
    return -1


wild.freeze(anyone)
wild.flip_three(anyone)
wild.second_chance(anyone)


def entrants():
    """One of each of `SPECS`, and `wild`, which aims at itself too."""
    return [*(find(spec) for spec in SPECS), find(wild)]


def random_rules(dice, rounds=(1, 5, 40), **fixed):
    """A preset with some options set at random."""
    options = {}
    for name, option in OPTIONS.items():
        if option.values and name != "decks" and dice.random() < 0.4:
            options[name] = dice.choice(option.values)
    options |= {
        "target_score": dice.choice([30, 80, 200]),
        "flip7_size": dice.choice([2, 4, 7, 7, 9, 13]),
        "flip7_bonus": dice.choice([0, 15, 15, 40]),
        "decks": dice.choice(["auto", "auto", 1, 2, 3]),
        "max_rounds": dice.choice(rounds),
    }
    return Rules.of(dice.choice(list(PRESETS)), **(options | fixed))


def new_game(rules, seats, seed=0, game=0, dealer=0, **more):
    """The start of a new game."""
    return Start(rules, (SeatStart(),) * seats, dealer=dealer, seed=seed, game=game, **more)


def random_game(dice, seats=SEATS, **options):
    """The start of a new game with random rules."""
    players = dice.choice(seats)
    rules = random_rules(dice, **options)
    return new_game(rules, players, dice.randrange(1 << 62), dice.randrange(1 << 61), dice.randrange(players))


def sitters(seated):
    """What the engine wants to know of the entrants on their seats."""
    return [Sitter(entry_of(entrant.strategy).address, entrant.codes) for entrant in seated]


def play_fast(start, seated):
    """The game, played by the engine."""
    return play_entries(start, sitters(seated))


def script_of(finish):
    """All answers that were given, as lines of a script."""
    return [choice.line for choice in finish.choices]


def random_table(dice):
    """A table in mid-round: legal lines in front of seats of every status, and two piles of what is left."""
    players = dice.choice(SEATS)
    rules = random_rules(dice, decks=dice.choice([1, 2]))
    deck = BASE_CARDS.deck(rules.decks_for(players))
    dice.shuffle(deck)
    piles = {card: deck.count(card) for card in set(deck)}

    def take(card):
        piles[card] -= piles.get(card, 0) > 0
        return card

    seats = []
    for _ in range(players):
        status = dice.choice([Status.ACTIVE, Status.ACTIVE, Status.STAYED, Status.FROZEN, Status.BUST])
        if status is Status.FROZEN and not piles[FREEZE]:
            status = Status.STAYED
        numbers = [take(card) for card in dice.sample(range(NUMBERS), dice.randrange(min(5, rules.flip7_size)))
                   if piles[card]]  # fmt: skip
        doubles = [card for card in numbers if piles[card]]
        if status is Status.BUST and not doubles:
            status = Status.STAYED
        if status is Status.BUST:
            numbers.append(take(dice.choice(doubles)))
        if status is Status.FROZEN:
            take(FREEZE)
        modifiers = [take(card) for card in range(NUMBERS, FREEZE) if piles[card] and dice.random() < 0.15]
        chance = status is not Status.BUST and piles[SECOND_CHANCE] > 0 and dice.random() < 0.3
        if chance:
            take(SECOND_CHANCE)
        seats.append(SeatStart(tuple(numbers), tuple(modifiers), chance, status, dice.randrange(rules.target_score)))
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


def at_random(dice, hit=0.75):
    """A chooser for the reference: hits with probability `hit`, gives actions to any legal seat."""

    def choose(game, asked):
        if asked.question is Question.HIT:
            return int(dice.random() < hit)
        return dice.choice(asked.legal)

    return choose


def csv_texts(played):
    """The CSV files of a tournament by name, as they would be written."""
    return {name: table.to_csv(index=False, lineterminator="\n") for name, table in played.tables.files.items()}
