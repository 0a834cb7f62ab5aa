"""Replay files of With A Vengeance: their lines, what is told, and the objects for programs."""

import pytest

from flip7sim.cards import VENGEANCE_CARDS
from flip7sim.codes import MISFIT, NO_CARD, NOBODY, PLACE_SHIFT, SEAT_SHIFT, Question
from flip7sim.replays import parse_situation, replay
from flip7sim.replays.script import answer_line, legal_lines, read_line, verbs_of, what_was_asked
from flip7sim.replays.words import card_name, with_article
from flip7sim.rules import PRESETS, Rules
from flip7sim.table import Asked

RULES = Rules.of("vengeance")
NAMES = ("A", "B", "C")
CODE = VENGEANCE_CARDS.code


def place(seat, card):
    return CODE(card) + (seat << SEAT_SHIFT)


def pair(one, other):
    return one + (other << PLACE_SHIFT)


LINES = [
    ("A hit", (0, Question.HIT, 1, NO_CARD)),
    ("B stay", (1, Question.HIT, 0, NO_CARD)),
    ("A give -4 B", (0, Question.MODIFIER, 1, CODE("-4"))),
    ("C give /2 C", (2, Question.MODIFIER, 2, CODE("/2"))),
    ("A just_one_more B", (0, Question.JUST_ONE_MORE, 1, NO_CARD)),
    ("A flip4 A", (0, Question.FLIP_FOUR, 0, NO_CARD)),
    ("B swap C", (1, Question.SWAP, 2, NO_CARD)),
    ("B steal A", (1, Question.STEAL, 0, NO_CARD)),
    ("B discard B", (1, Question.DISCARD, 1, NO_CARD)),
    ("B exchange A 10 C lucky13", (1, Question.EXCHANGE, pair(place(0, 10), place(2, "lucky13")), NO_CARD)),
    ("B exchange C lucky13 A 10", (1, Question.EXCHANGE, pair(place(2, "lucky13"), place(0, 10)), NO_CARD)),
    ("B take C zero", (1, Question.TAKE, place(2, "zero"), NO_CARD)),
    ("B drop B -10", (1, Question.DROP, place(1, "-10"), NO_CARD)),
    ("A bonus", (0, Question.BONUS, 0, NO_CARD)),
    ("A penalty C", (0, Question.BONUS, 2, NO_CARD)),
]


@pytest.mark.parametrize(("line", "answer"), LINES)
def test_lines_are_read_and_written(line, answer):
    assert read_line(line, NAMES, RULES) == answer
    seat, question, value, card = answer
    assert answer_line(Asked(seat, question, (), card=card), value, NAMES, VENGEANCE_CARDS) == line


@pytest.mark.parametrize(
    "line",
    ["A flip3 B", "A freeze B", "A give B", "A give -3 B", "A take B", "A take B 14", "A penalty A", "A bonus A", "A"],
)
def test_lines_that_cannot_be_read_fit_no_question(line):
    assert read_line(line, NAMES, RULES) == (NOBODY, NOBODY, MISFIT, NO_CARD)


def test_each_game_has_its_own_verbs():
    assert verbs_of(Rules()) == ["hit", "stay", "freeze", "flip3", "second_chance"]
    assert verbs_of(RULES) == [
        *("hit", "stay", "just_one_more", "flip4", "swap", "steal", "discard"),
        *("give", "exchange", "take", "drop", "bonus", "penalty"),
    ]


def test_legal_exchanges_are_named_one_way_round():
    asked = Asked(1, Question.EXCHANGE, (place(0, 3), place(0, "-2"), place(2, "unlucky7")))
    assert legal_lines(asked, NAMES, VENGEANCE_CARDS) == [
        "B exchange A 3 C unlucky7",
        "B exchange A -2 C unlucky7",
    ]


def test_what_was_asked_names_the_modifier():
    asked = Asked(0, Question.MODIFIER, (0, 1), card=CODE("/2"))
    assert what_was_asked(asked, NAMES, VENGEANCE_CARDS) == "A was asked whom to give a ÷2"


@pytest.mark.parametrize(
    ("card", "name", "article"),
    [
        ("zero", "The Zero", "The Zero"),
        ("lucky13", "Lucky 13", "the Lucky 13"),
        ("unlucky7", "Unlucky 7", "the Unlucky 7"),
        ("-4", "−4", "a −4"),
        ("/2", "÷2", "a ÷2"),
        ("just_one_more", "Just One More", "a Just One More"),
        ("flip4", "Flip Four", "a Flip Four"),
        ("swap", "Swap", "a Swap"),
        ("steal", "Steal", "a Steal"),
        ("discard", "Discard", "a Discard"),
        (8, "8", "an 8"),
        (13, "13", "a 13"),
    ],
)
def test_names_of_cards_for_people(card, name, article):
    assert card_name(VENGEANCE_CARDS, CODE(card)) == name
    assert with_article(VENGEANCE_CARDS, CODE(card)) == article


def told(text):
    result = replay(parse_situation(f'rules = "vengeance"\ndeal = false\n{text}'), "reference")
    assert result.error is None
    return [line.strip() for line in result.transcript if "total so far" not in line][1:]


@pytest.mark.parametrize("preset", [name for name in PRESETS if name.startswith("vengeance")])
def test_totals_below_0_where_they_can_be(preset):
    text = f'rules = "{preset}"\n[[seat]]\ntotal = -3\n'
    if preset == "vengeance":
        with pytest.raises(ValueError, match="total: -3 cannot be used"):
            parse_situation(text)
    else:
        assert parse_situation(text).start.seats[0].total == -3


def test_transcript_of_a_round():
    text = """
    rules = "vengeance"
    dealer = "C"
    draw_pile = ["-4", 9, "just_one_more", 13, "flip4", "lucky13", "/2", "steal", 2, "unlucky7"]
    script = ["A give -4 C", "C just_one_more A", "B hit", "B flip4 C", "C give /2 B", "C steal C"]
    [[seat]]
    [[seat]]
    [[seat]]
    """
    assert replay(parse_situation(text), "reference").transcript == [
        "Round 1. C deals.",
        "  A is dealt a −4 and gives it to C.",
        "  B is dealt a 9.",
        "  C is dealt a Just One More and plays it on A.",
        "    A takes a 13.",
        "    A has to stay with 13 (13 points).",
        "  B hits and draws a Flip Four and plays it on C.",
        "    C takes the Lucky 13.",
        "    C takes a ÷2 and sets it aside.",
        "    C takes a Steal and sets it aside.",
        "    C takes a 2.",
        "    C gives the ÷2 to B.",
        "    C plays the Steal on itself.",
        "  Here play halts: C was asked which card to take.",
    ]


def test_a_swap_is_told_with_what_comes_of_it():
    assert told("""
    draw_pile = ["swap"]
    script = ["A hit", "A swap B", "B exchange A 12 B unlucky7"]
    [[seat]]
    numbers = [3, 12]
    modifiers = ["-2"]
    [[seat]]
    numbers = ["unlucky7", 13, "lucky13"]
    """) == [
        "A hits and draws a Swap and plays it on B, which exchanges the 12 of A and its own Unlucky 7.",
        "A gets the Unlucky 7: all else in front of it is discarded.",
        "Here play halts: B was asked hit or stay.",
    ]
    assert told("""
    draw_pile = ["swap", 9]
    script = ["A hit", "A swap A", "A exchange A 12 B 13"]
    [[seat]]
    numbers = [13, 12, "lucky13"]
    [[seat]]
    numbers = [12, 13, 5]
    """)[:3] == [
        "A hits and draws a Swap and plays it on itself and exchanges its own 12 and the 13 of B.",
        "A gets the 13, the third 13: bust!",
        "B gets the 12, which it has already: bust!",
    ]


def test_a_steal_and_a_discard_are_told():
    lines = told("""
    dealer = "C"
    draw_pile = ["discard", "steal", "steal", 9]
    script = ["A hit", "A discard A", "A drop A -2", "B hit", "B steal A", "A take C 5", "C hit", "C steal C"]
    [[seat]]
    numbers = [5]
    modifiers = ["-2"]
    [[seat]]
    [[seat]]
    numbers = [5, 6]
    """)
    assert lines == [
        "A hits and draws a Discard and plays it on itself and discards its own −2.",
        "B hits and draws a Steal and plays it on A, which takes the 5 of C: bust!",
        "C hits and draws a Steal and plays it on itself, without effect: it is discarded.",
        "Here play halts: B was asked hit or stay.",
    ]


def test_actions_and_modifiers_that_are_nobodys_choice():
    # narrow targets: A is the only active seat, and stays when the cards run out
    lines = told("""
    options = { stayed_are_targets = "no" }
    dealer = "B"
    draw_pile = ["-6", "flip4", "-4", "swap"]
    script = ["A hit", "A hit"]
    [[seat]]
    numbers = [13]
    [[seat]]
    status = "stayed"
    """)
    assert lines[:7] == [
        "A hits and draws a −6 and keeps it.",
        "A hits and draws a Flip Four.",
        "The Flip Four is for A.",
        "A takes a −4 and sets it aside.",
        "A takes a Swap and sets it aside.",
        "A has to stay, as no card is left, with 13, −6 (7 points).",
        "The −4 of A is discarded without effect.",
    ]


def test_what_comes_after_an_effect_is_told_too():
    # narrow targets: all but B have stayed, so that nobody is asked about what waits
    lines = told("""
    options = { stayed_are_targets = "no" }
    dealer = "A"
    draw_pile = ["flip4", "discard", "-4", 3, 5]
    script = ["B hit", "B drop B lucky13"]
    [[seat]]
    status = "stayed"
    [[seat]]
    numbers = [13, "lucky13"]
    """)
    assert lines[6:10] == [
        "The Discard is for B, which discards its own Lucky 13.",
        "The −4 goes to B.",
        "Here play halts: B was asked hit or stay.",
    ]


def test_the_reason_of_a_bust_is_told():
    lines = told("""
    options = { decks = 2 }
    dealer = "B"
    draw_pile = [5, 13]
    script = ["A hit", "B hit"]
    [[seat]]
    numbers = [13, "lucky13", 5]
    [[seat]]
    numbers = [13, "lucky13"]
    """)
    assert lines[:2] == [
        "A hits and draws a 5, which it has already: bust!",
        "B hits and draws a 13, the third 13: bust!",
    ]


def test_the_zero_is_told_to_force_a_hit():
    lines = told("""
    dealer = "B"
    draw_pile = ["unlucky7"]
    [[seat]]
    numbers = ["zero"]
    [[seat]]
    """)
    assert lines[0] == "A holds The Zero, must hit and draws the Unlucky 7: all else in front of it is discarded."


BRUTAL = """
rules = "vengeance-brutal"
dealer = "B"
deal = false
draw_pile = [7]
script = ["A hit", "A {answer}"]
[[seat]]
numbers = [1, 2, 3, 4, 5, 6]
[[seat]]
numbers = [8, 8]
modifiers = ["-4"]
status = "bust"
total = 5
"""


def test_bonus_and_penalty_are_told():
    penalty = replay(parse_situation(BRUTAL.format(answer="penalty B")), "reference")
    assert penalty.transcript[4:] == [
        "  Flip 7! A has 1, 2, 3, 4, 5, 6, 7: 28 points without the bonus. The round is over.",
        "  B gets the penalty: 15 points off its total, which is -10 now.",
        "",
        "          round  total",
        "    A        28     28",
        "    B        -4    -14",
        "",
    ]
    bonus = replay(parse_situation(BRUTAL.format(answer="bonus")), "reference")
    assert bonus.transcript[5] == "  A takes the bonus of 15 points."
    assert penalty.events[-3] == {"event": "penalty", "seat": "B", "points": 15}
    assert bonus.events[-3] == {"event": "bonus", "seat": "A", "points": 15}


def test_objects_of_cards_that_change_hands():
    text = """
    rules = "vengeance"
    deal = false
    draw_pile = ["steal", 1]
    script = ["A hit", "A steal B"]
    [[seat]]
    numbers = ["unlucky7"]
    [[seat]]
    numbers = [3]
    modifiers = ["-2"]
    """
    assert replay(parse_situation(text), "reference").events[2:] == [
        {"event": "draw", "seat": "A", "card": "steal"},
        {"event": "choose", "seat": "A", "target": "B"},
        {"event": "play", "seat": "B", "card": "steal"},
        {"event": "lose", "seat": "A", "card": "unlucky7"},
        {"event": "wipe", "seat": "B", "card": "unlucky7"},
        {"event": "keep", "seat": "B", "card": "unlucky7"},
    ]


@pytest.mark.parametrize(
    ("card", "names"),
    [
        ("-4", {"give"}),
        ("just_one_more", {"just_one_more"}),
        ("flip4", {"just_one_more", "flip4"}),
        ("swap", {"just_one_more", "swap"}),
        ("steal", {"just_one_more", "steal"}),
        ("discard", {"just_one_more", "discard"}),
    ],
)
def test_a_question_goes_by_the_first_verb_of_its_row_or_its_own(card, names):
    text = f"""
    rules = "vengeance"
    deal = false
    draw_pile = ["{card}"]
    script = ["A hit"]
    [[seat]]
    [[seat]]
    [expect]
    """
    verbs = ("hit", "give", "just_one_more", "flip4", "swap", "steal", "discard", "exchange", "take", "drop", "bonus")
    assert {verb for verb in verbs if replay(parse_situation(f"{text}question = '{verb}'"), "reference").ok} == names
