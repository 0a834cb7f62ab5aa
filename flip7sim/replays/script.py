"""Lines of a script: what they answer, and how an answer is written as one."""

from collections.abc import Sequence

from flip7sim.codes import MISFIT, NOBODY, Question
from flip7sim.errors import suggest
from flip7sim.table import Asked, Finish

__all__ = ["QUESTION_NAMES", "VERBS", "answer_line", "legal_lines", "read_line", "script_error", "what_was_asked"]

#: The verb of each question; that of hit or stay is the first of two.
VERBS = {
    Question.HIT: "hit",
    Question.FREEZE: "freeze",
    Question.FLIP_THREE: "flip3",
    Question.SECOND_CHANCE: "second_chance",
}
#: What a state calls each question: the first verb of those that answer the same kind of question.
QUESTION_NAMES = VERBS | {Question.FLIP_THREE: "freeze"}
_CHOICES = {"hit": 1, "stay": 0}
_TARGETED = {verb: question for question, verb in VERBS.items() if question is not Question.HIT}
_ASKED = {
    Question.HIT: "hit or stay",
    Question.FREEZE: "whom to give a Freeze",
    Question.FLIP_THREE: "whom to give a Flip Three",
    Question.SECOND_CHANCE: "whom to give a Second Chance",
}


def read_line(line: str, names: Sequence[str]) -> tuple[int, int, int]:
    """What a line answers: (seat, question, answer); one that cannot be read fits no question.

    Parameters
    ----------
    line : str
        Such as ``A hit`` or ``A freeze B``.
    names : sequence of str
        Of the seats.
    """
    words = line.split()
    if _unreadable(line, names):
        return (NOBODY, NOBODY, MISFIT)
    seat = names.index(words[0])
    if words[1] in _CHOICES:
        return (seat, Question.HIT, _CHOICES[words[1]])
    return (seat, _TARGETED[words[1]], names.index(words[2]))


def _unreadable(line: str, names: Sequence[str]) -> str:
    """What is wrong with a line by itself; empty: nothing."""
    match line.split():
        case [seat, *_] if seat not in names:
            return f"seat {seat!r} is unknown; {suggest(seat, names)}"
        case [_, verb] if verb in _CHOICES:
            return ""
        case [_, verb, *_] if verb in _CHOICES:
            return f"nothing may follow {verb!r}"
        case [_, verb, target] if verb in _TARGETED:
            return "" if target in names else f"seat {target!r} is unknown; {suggest(target, names)}"
        case [_, verb, *_] if verb in _TARGETED:
            return f"one seat must follow {verb!r}"
        case [_, verb, *_]:
            return f"verb {verb!r} is unknown; {suggest(verb, [*_CHOICES, *_TARGETED])}"
        case _:
            return "a line is a seat's name, a verb, and for an action its target"


def answer_line(asked: Asked, answer: int, names: Sequence[str]) -> str:
    """The line that gives `answer` to what was asked."""
    if asked.question is Question.HIT:
        return f"{names[asked.seat]} {'hit' if answer else 'stay'}"
    return f"{names[asked.seat]} {VERBS[asked.question]} {names[answer]}"


def legal_lines(asked: Asked, names: Sequence[str]) -> list[str]:
    """Every line that would be a legal answer."""
    return [answer_line(asked, answer, names) for answer in asked.legal]


def what_was_asked(asked: Asked, names: Sequence[str]) -> str:
    """The question in words."""
    return f"{names[asked.seat]} was asked {_ASKED[asked.question]}"


def script_error(script: Sequence[str], finish: Finish, names: Sequence[str]) -> str | None:
    """What is wrong with the script, now that it has been played; None: nothing.

    Parameters
    ----------
    script : sequence of str
        The lines.
    finish : Finish
        Where play stopped with them.
    names : sequence of str
        Of the seats.
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
    flaw = _unreadable(line, names)
    problem = f"{flaw}: " if flaw else "does not fit: " if finish.asked.answer == MISFIT else "is not legal: "
    legal = ", ".join(repr(each) for each in legal_lines(finish.asked, names))
    return f"{where} {problem}{what_was_asked(finish.asked, names)}; legal: {legal}"
