"""Lines of a script: what they answer, and how an answer is written as one."""

from collections.abc import Sequence
from itertools import combinations

from flip7sim.cards import CardSet
from flip7sim.codes import CARD_QUESTIONS, MISFIT, NO_CARD, NOBODY, PLACE_SHIFT, SEAT_SHIFT, Question
from flip7sim.errors import suggest
from flip7sim.replays.words import card_name
from flip7sim.rules import Rules
from flip7sim.table import Asked, Finish, Line

__all__ = [
    *("QUESTION_NAMES", "VERBS", "answer_line", "legal_lines", "read_line", "script_error", "verbs_of"),
    "what_was_asked",
]

#: The verb of each question; that of hit or stay, and that of bonus or penalty, is the first of two.
VERBS = {
    Question.HIT: "hit",
    Question.FREEZE: "freeze",
    Question.FLIP_THREE: "flip3",
    Question.SECOND_CHANCE: "second_chance",
    Question.MODIFIER: "give",
    Question.JUST_ONE_MORE: "just_one_more",
    Question.FLIP_FOUR: "flip4",
    Question.SWAP: "swap",
    Question.STEAL: "steal",
    Question.DISCARD: "discard",
    Question.EXCHANGE: "exchange",
    Question.TAKE: "take",
    Question.DROP: "drop",
    Question.BONUS: "bonus",
}
_VENGEANCE_ACTIONS = (Question.JUST_ONE_MORE, Question.FLIP_FOUR, Question.SWAP, Question.STEAL, Question.DISCARD)
#: What a state calls each question: the first verb of those that answer the same kind of question.
QUESTION_NAMES = VERBS | {Question.FLIP_THREE: "freeze"} | dict.fromkeys(_VENGEANCE_ACTIONS, "just_one_more")

_CHOICES = {"hit": 1, "stay": 0}
_TARGETED = {
    VERBS[question]: question
    for question in (Question.FREEZE, Question.FLIP_THREE, Question.SECOND_CHANCE, *_VENGEANCE_ACTIONS)
}
#: What follows each verb, and how to say so.
_AFTER = {
    **dict.fromkeys(_CHOICES, ""),
    **dict.fromkeys(_TARGETED, "seat"),
    "give": "card seat",
    "exchange": "seat card seat card",
    "take": "seat card",
    "drop": "seat card",
    "bonus": "",
    "penalty": "seat",
}
_FORMS = {
    "": "nothing may",
    "seat": "one seat must",
    "card seat": "a card and a seat must",
    "seat card": "a seat and its card must",
    "seat card seat card": "a seat and its card, and another seat and its card, must",
}
_BASE = ("hit", "stay", "freeze", "flip3", "second_chance")
_NOT_IN = {"base": [verb for verb in _AFTER if verb not in _BASE], "vengeance": list(_BASE[2:])}
_GAMES = {"base": "With A Vengeance", "vengeance": "the base game"}

_ASKED = {
    Question.HIT: "hit or stay",
    Question.FREEZE: "whom to give a Freeze",
    Question.FLIP_THREE: "whom to give a Flip Three",
    Question.SECOND_CHANCE: "whom to give a Second Chance",
    Question.JUST_ONE_MORE: "on whom to play a Just One More",
    Question.FLIP_FOUR: "on whom to play a Flip Four",
    Question.SWAP: "on whom to play a Swap",
    Question.STEAL: "on whom to play a Steal",
    Question.DISCARD: "on whom to play a Discard",
    Question.EXCHANGE: "which two cards to exchange",
    Question.TAKE: "which card to take",
    Question.DROP: "which card to discard",
    Question.BONUS: "to take the bonus or give the penalty",
}
#: So many legal lines are shown where cards are to be named.
_SHOWN = 40


def verbs_of(rules: Rules) -> list[str]:
    """The verbs that lines can have in the game."""
    return [verb for verb in _AFTER if verb not in _NOT_IN[rules.game]]


def read_line(line: str, names: Sequence[str], rules: Rules) -> Line:
    """What a line answers; one that cannot be read fits no question.

    Parameters
    ----------
    line : str
        Such as ``A hit`` or ``A freeze B``.
    names : sequence of str
        Of the seats.
    rules : Rules
        They say which verbs and cards there are.
    """
    if _unreadable(line, names, rules):
        return (NOBODY, NOBODY, MISFIT, NO_CARD)
    name, verb, *rest = line.split()
    seat, card = names.index(name), NO_CARD
    question = Question.HIT if verb in _CHOICES else Question.BONUS
    answer = _CHOICES.get(verb, seat)
    match verb, rest:
        case "give", [given, target]:
            question, card, answer = Question.MODIFIER, rules.cards.code(given), names.index(target)
        case "exchange", [one, its, other, others]:
            question = Question.EXCHANGE
            answer = _place(one, its, names, rules) + (_place(other, others, names, rules) << PLACE_SHIFT)
        case "take" | "drop", [owner, its]:
            question = Question.TAKE if verb == "take" else Question.DROP
            answer = _place(owner, its, names, rules)
        case _, [target]:
            question, answer = _TARGETED.get(verb, Question.BONUS), names.index(target)
    return (seat, question, answer, card)


def _place(seat: str, card: str, names: Sequence[str], rules: Rules) -> int:
    """The card in front of the seat, as answers name it."""
    return rules.cards.code(card) + (names.index(seat) << SEAT_SHIFT)


def _unreadable(line: str, names: Sequence[str], rules: Rules) -> str:
    """What is wrong with a line by itself; empty: nothing."""
    verbs = verbs_of(rules)
    match line.split():
        case [seat, *_] if seat not in names:
            return f"seat {seat!r} is unknown; {suggest(seat, names)}"
        case [_, verb, *_] if verb in _NOT_IN[rules.game]:
            return f"verb {verb!r} belongs to {_GAMES[rules.game]}; known under {rules.preset}: {', '.join(verbs)}"
        case [_, verb, *_] if verb not in verbs:
            return f"verb {verb!r} is unknown; {suggest(verb, verbs)}"
        case [seat, "penalty", target] if seat == target:
            return "a penalty is for another seat"
        case [_, verb, *rest]:
            return _wrong_after(verb, rest, names, rules.cards)
        case _:
            return "a line is a seat's name, a verb, and for an action its target"


def _wrong_after(verb: str, rest: Sequence[str], names: Sequence[str], cards: CardSet) -> str:
    """What is wrong with the words after a verb; empty: nothing."""
    kinds = _AFTER[verb].split()
    if len(rest) != len(kinds):
        return f"{_FORMS[_AFTER[verb]]} follow {verb!r}"
    for kind, word in zip(kinds, rest, strict=True):
        known = names if kind == "seat" else cards.names
        if word not in known:
            return f"{kind} {word!r} is unknown; {suggest(word, known)}"
    return ""


def answer_line(asked: Asked, answer: int, names: Sequence[str], cards: CardSet) -> str:
    """The line that gives `answer` to what was asked."""
    words = [names[asked.seat], VERBS[asked.question]]
    if asked.question is Question.HIT:
        words[1] = "hit" if answer else "stay"
    elif asked.question is Question.BONUS:
        words[1:] = ["bonus"] if answer == asked.seat else ["penalty", names[answer]]
    elif asked.question is Question.EXCHANGE:
        for place in (answer & ((1 << PLACE_SHIFT) - 1), answer >> PLACE_SHIFT):
            words += _place_words(place, names, cards)
    elif asked.question in CARD_QUESTIONS:
        words += _place_words(answer, names, cards)
    else:
        given = [cards.names[asked.card]] if asked.question is Question.MODIFIER else []
        words += [*given, names[answer]]
    return " ".join(words)


def _place_words(place: int, names: Sequence[str], cards: CardSet) -> list[str]:
    """The seat and the card that a place names."""
    return [names[place >> SEAT_SHIFT], cards.names[place & ((1 << SEAT_SHIFT) - 1)]]


def legal_lines(asked: Asked, names: Sequence[str], cards: CardSet) -> list[str]:
    """Every line that would be a legal answer; an exchange just one way round."""
    answers = asked.legal
    if asked.question is Question.EXCHANGE:
        pairs = (one + (other << PLACE_SHIFT) for one, other in combinations(asked.legal, 2))
        answers = tuple(pair for pair in pairs if asked.allows(pair))
    return [answer_line(asked, answer, names, cards) for answer in answers]


def what_was_asked(asked: Asked, names: Sequence[str], cards: CardSet) -> str:
    """The question in words."""
    what = _ASKED.get(asked.question) or f"whom to give a {card_name(cards, asked.card)}"
    return f"{names[asked.seat]} was asked {what}"


def script_error(script: Sequence[str], finish: Finish, names: Sequence[str], rules: Rules) -> str | None:
    """What is wrong with the script, now that it has been played; None: nothing.

    Parameters
    ----------
    script : sequence of str
        The lines.
    finish : Finish
        Where play stopped with them.
    names : sequence of str
        Of the seats.
    rules : Rules
        That were played.
    """
    used = len(finish.choices)
    if finish.asked is None and used == len(script):
        return None
    if finish.asked is not None and finish.asked.answer is None:
        return None
    line = script[used]
    where = f"script: line {used + 1} ({line!r})"
    if finish.asked is None:
        over = "the game is over" if finish.winner != NOBODY or finish.unfinished else "the round is over"
        return f"{where} is left over: {over}, nobody is asked; the script must end before it"
    flaw = _unreadable(line, names, rules)
    problem = f"{flaw}: " if flaw else "does not fit: " if finish.asked.answer == MISFIT else "is not legal: "
    legal = [repr(each) for each in legal_lines(finish.asked, names, rules.cards)]
    if finish.asked.question in CARD_QUESTIONS and len(legal) > _SHOWN:
        legal[_SHOWN:] = [f"and {len(legal) - _SHOWN} more"]
    return f"{where} {problem}{what_was_asked(finish.asked, names, rules.cards)}; legal: {', '.join(legal)}"
