"""A result in words: what was asked, what the answer is and how sure it is, and the command that gives it again."""

import itertools
import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd

from flip7sim.figures.style import MEASURES
from flip7sim.rules import option_text
from flip7sim.saved import Saved

__all__ = ["answer", "command", "question"]

#: Decimals of a measure, as it is shown.
DIGITS = {
    "win_rate": 2,
    "round_score": 3,
    "bust_rate": 2,
    "flip7_rate": 3,
    "mean_rank": 3,
    "rounds_to_200": 3,
    "rating": 1,
    "share": 2,
    "score_share": 2,
    "fitness": 2,
}
#: With spaces at which no line is broken.
PLUS_MINUS, PER_CENT = "\u00a0±\u00a0", "\u00a0%"
#: So many names are listed before the rest is counted.
NAMED = 8


def question(saved: Saved) -> str:
    """What the result answers, in one line."""
    return _QUESTIONS[saved.kind](saved)


def answer(saved: Saved) -> list[str]:
    """The answer in sentences, each with its uncertainty; the first one is the answer to the question."""
    sentences = _ANSWERS[saved.kind](saved)
    if saved.manifest.get("interrupted"):
        sentences.append("The run was interrupted: this is what had been played by then.")
    return sentences


def command(saved: Saved) -> str:
    """The command that makes the result again."""
    manifest = saved.manifest
    if manifest.get("merged"):
        folders = [f"part-{part['seed']}" for part in manifest["merged"]]
        alone = [replace(saved, manifest=manifest | part | {"merged": None}) for part in manifest["merged"]]
        parts = [f"{command(each)} \\\n    --out {folder}" for each, folder in zip(alone, folders, strict=True)]
        return "\n".join([*parts, f"flip7sim merge {' '.join(folders)}"])
    options = [f"--rules {manifest['rules']['preset']}"]
    options += [f"--option {name}={option_text(value)}" for name, value in saved.rules.changes.items()]
    if saved.kind == "tournament":
        words = ["flip7sim tournament"]
        entries = manifest["strategies"]
        for entry in entries:
            seats = (entry.get("seats") or 1) if len(entries) > 1 else 1
            words += [f"--strategy {shlex.quote(entry['spec'])}"] * seats
        words += [f"--against {shlex.quote(entry['spec'])}" for entry in manifest["against"]]
        words += [f"--schedule {manifest['schedule']}"] if manifest["schedule"] != "mixed" else []
        words += [f"--players {manifest['players']}", *_totals(saved.totals)]
        if manifest.get("precision") is None:
            words += [f"--games {manifest['games']}"]
        else:
            words += ["--decide"] if manifest["decide"] else []
            words += [f"--precision {manifest['precision']:g}", f"--max-games {manifest['max_games']}"]
    elif saved.kind == "best-response":
        words = [f"flip7sim best-response {shlex.quote(manifest['strategy']['spec'])}"]
        words += [f"{name}={_range(values)}" for name, values in manifest["parameters"].items()]
        words += [f"--against {shlex.quote(entry['spec'])}" for entry in manifest["against"]]
        words += [f"--players {','.join(map(str, manifest['players']))}", f"--games {manifest['games']}"]
        words += [text for totals in saved.totals for text in _totals(totals)]
        words += ["--iterate"] if manifest["iterate"] else []
    else:
        words = [f"flip7sim sweep {shlex.quote(manifest['strategy']['spec'])}"]
        words += [f"{name}={_range(values)}" for name, values in manifest["parameters"].items()]
        words += [f"--against {shlex.quote(entry['spec'])}" for entry in manifest["against"]]
        words += [f"--players {manifest['players']}"] if manifest["against"] else [f"--deck {manifest['deck']}"]
        words += _totals(saved.totals)
        words += [] if manifest["exact"] else [f"--games {manifest['games']}"]
        words += [] if manifest["against"] else [f"--method {'exact' if manifest['exact'] else 'simulate'}"]
    words += [] if manifest.get("exact") else [f"--seed {manifest['seed']}"]
    return " \\\n    ".join([*words, *options])


def _totals(totals: list[int]) -> list[str]:
    """The option that says with what totals games begin, if they do."""
    return [f"--totals {','.join(map(str, totals))}"] if totals else []


def _range(values: list[Any]) -> str:
    """The values of a parameter as the command line reads them: a range if they are one."""
    whole = all(type(value) is int for value in values)
    steps = {later - earlier for earlier, later in itertools.pairwise(values)} if whole else set()
    if len(values) > 2 and len(steps) == 1 and min(steps) > 0:
        step = f":{min(steps)}" if min(steps) > 1 else ""
        return f"{values[0]}:{values[-1]}{step}"
    return ",".join(map(option_text, values))


def shown(value: float, measure: str, error: float | None = None) -> str:
    """A measure as it is written: in its unit, with its standard error if it has one."""
    about, digits = MEASURES[measure], DIGITS[measure]
    text = f"{about.scale * value:.{digits}f}"
    if error is not None:
        text += PLUS_MINUS + ("?" if error != error else f"{about.scale * error:.{digits}f}")
    return text + (PER_CENT if about.scale == 100 else "")


def interval(low: float, high: float, measure: str = "win_rate") -> str:
    """A 95 % interval of a measure."""
    scale = MEASURES[measure].scale
    return f"{scale * low:.2f} to {scale * high:.2f}" + (PER_CENT if scale == 100 else "")


def in_sentence(title: str) -> str:
    """A title as it stands within a sentence; a Flip 7 keeps its capital."""
    return title if title.startswith("Flip") else title[0].lower() + title[1:]


def listed(names: list[str]) -> str:
    """Names in a sentence."""
    if len(names) > NAMED:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _tournament_question(saved: Saved) -> str:
    count, players = len(saved.tables["summary"]), int(saved.manifest["players"])
    who = f"Which of {count} strategies" if count > 1 else f"How well does {saved.tables['summary']['strategy'][0]}"
    if players == 1:
        return f"{who} makes most of a game alone?" if count > 1 else f"{who} play alone?"
    table = "in a duel" if players == 2 else f"at a table of {players}"
    if saved.totals:
        table += f" that begins with {', '.join(map(str, saved.manifest['totals']))}"
    return f"{who} wins most {table}?" if count > 1 else f"{who} do {table}?"


def _tournament_answer(saved: Saved) -> list[str]:
    summary, players = saved.tables["summary"], int(saved.manifest["players"])
    first = summary.iloc[0]
    sentences = _winner(summary, players) if players > 1 and len(summary) > 1 else []
    if "starts" in saved.tables:
        sentences = [_starts(saved.tables["starts"]), *sentences]
    points = shown(first["round_score"], "round_score", first["round_score_se"])
    busts = shown(first["bust_rate"], "bust_rate", first["bust_rate_se"])
    sentences.append(f"{first['strategy']} makes {points} points a round and busts in {busts} of its rounds.")
    if len(summary) > 1:
        most = summary.iloc[int(summary["round_score"].argmax())]
        if most["strategy"] != first["strategy"]:
            points = shown(most["round_score"], "round_score", most["round_score_se"])
            sentences.append(f"The most points a round are made by {most['strategy']}: {points}.")
    if players > 1:
        sentences.append(_seats(saved.tables["seats"], players))
    lengths = []
    for what in ("rounds", "cards"):
        value, error = (saved.manifest[f"{what}_per_game{end}"] for end in ("", "_se"))
        lengths.append(f"{value:.2f}{PLUS_MINUS}{'?' if error is None else f'{error:.2f}'} {what}")
    sentences.append(f"A game takes {' and '.join(lengths)}.")
    if None not in (saved.manifest["skill"], saved.manifest["skill_se"]) and len(summary) > 1:
        share, error = (f"{100 * max(0, saved.manifest[name]):.1f}" for name in ("skill", "skill_se"))
        sentences.append(
            f"Who plays which strategy explains {share}{PLUS_MINUS}{error}{PER_CENT} of the variance of who wins; the "
            "rest is luck."
        )
    if "mixture" in saved.tables:
        sentences.append(_mixture(saved.tables["mixture"]))
    if saved.manifest["unfinished"]:
        sentences.append(f"{saved.manifest['unfinished']:,} games were cut at the rules' limit of rounds.")
    return sentences


def _winner(summary: pd.DataFrame, players: int) -> list[str]:
    first = summary.iloc[0]
    sentences = [
        f"{first['strategy']} wins most: {shown(first['win_rate'], 'win_rate')} of its games "
        f"(95 % interval {interval(first['win_rate_low'], first['win_rate_high'])}; an even share is "
        f"{100 / players:.2f} %)."
    ]
    level = summary[1:][summary["rank_low"][1:] == 1]
    if len(level):
        pairs = zip(level["strategy"], level["win_rate"], strict=True)
        names = [f"{name} ({shown(rate, 'win_rate')})" for name, rate in pairs]
        sentences.append(
            f"That it is better than {listed(names)} is not settled by these games (paired by deals, corrected for all "
            "pairs)."
        )
    else:
        sentences.append("That it is better than every other is sure: 95 %, paired by deals, corrected for all pairs.")
    return sentences


def _starts(table: pd.DataFrame) -> str:
    columns = (table[name] for name in ("total", "strategy", "win_rate", "win_rate_se"))
    names = [
        f"{total} ({strategy}) {shown(rate, 'win_rate', error)}"
        for total, strategy, rate, error in zip(*columns, strict=True)
    ]
    return f"Games are won, by the total that a seat begins with: {listed(names)}."


def _mixture(table: pd.DataFrame) -> str:
    there = table[table["share"] > 0]
    columns = (there[name] for name in ("strategy", "share", "share_se"))
    names = [
        f"{name} ({100 * share:.0f}{PLUS_MINUS}{100 * error:.0f}{PER_CENT})"
        for name, share, error in zip(*columns, strict=True)
    ]
    return f"A population in which winners multiply settles on {listed(names)}."


def _seats(seats: pd.DataFrame, players: int) -> str:
    rows = seats[seats["strategy"] == "(all)"]
    off = rows[(rows["win_rate_low"] > 1 / players) | (rows["win_rate_high"] < 1 / players)]
    if not len(off):
        return "No seat can be told from another: each one's 95 % interval holds an even share of the wins."
    columns = (off[name] for name in ("seat", "win_rate", "win_rate_low", "win_rate_high"))
    names = [
        f"seat {seat} {shown(rate, 'win_rate')} ({interval(low, high)})"
        for seat, rate, low, high in zip(*columns, strict=True)
    ]
    return f"Seats matter, counted from the first dealer's left: {listed(names)}, where {100 / players:.2f} % is even."


def _sweep_question(saved: Saved) -> str:
    manifest = saved.manifest
    names = " and ".join(manifest["parameters"])
    where = ""
    if manifest["against"]:
        opponents = listed([entry["strategy"] for entry in manifest["against"]])
        where = f", against {opponents}" + (f", at a table of {manifest['players']}" if manifest["players"] > 2 else "")
    if saved.totals:
        where += f", from totals {', '.join(map(str, manifest['totals']))}"
    return f"Which {names} is best for {manifest['strategy']['name']}{where or ', alone'}?"


def _sweep_answer(saved: Saved) -> list[str]:
    table, best, parameters = saved.tables["sweep"], saved.tables["best"], list(saved.manifest["parameters"])
    exact = bool(saved.manifest["exact"])
    goals = {
        "win_rate": "wins most: {value} of its games",
        "round_score": "makes most of a round: {value} points",
        "rounds_to_200": "is first to have 200 points: on average {value} independent rounds",
    }
    sentences = []
    for goal, text in goals.items():
        rows = best[best["measure"] == goal]
        if not len(rows):
            continue
        row = rows[rows["best"]].iloc[0]
        found = table[table["strategy"] == row["strategy"]].iloc[0]
        value = shown(found[goal], goal, None if exact else found[f"{goal}_se"])
        others = rows[rows["may_be_best"] & ~rows["best"]]
        sentence = f"{_named(row, parameters)} {text.format(value=value)}"
        if len(others):
            names = [_named(other, parameters) for _, other in others.iterrows()]
            sentence += f"; it cannot be told (95 %, paired over common deals) from {listed(names)}"
        elif exact:
            sentence += ", exactly"
        else:
            sentence += "; every other value is worse (95 %, paired over common deals)"
        sentences.append(sentence + ".")
    return sentences


def _response_question(saved: Saved) -> str:
    manifest = saved.manifest
    names, strategy = " and ".join(manifest["parameters"]), manifest["strategy"]["name"]
    tables = listed([str(players) for players in manifest["players"]])
    if manifest["iterate"]:
        return f"Which {names} does nobody leave if all play {strategy}, at a table of {tables}?"
    opponents = listed([entry["strategy"] for entry in manifest["against"]])
    where = ", from each of these totals?" if saved.totals else "?"
    return f"Which {names} of {strategy} wins most against {opponents}, at a table of {tables}{where}"


def _response_answer(saved: Saved) -> list[str]:
    steps, curves, parameters = saved.tables["steps"], saved.tables["curves"], list(saved.manifest["parameters"])
    ends = {
        "settled": "it settles where all play {against}: no other value can be told to win more. Of the replies,",
        "circle": "the best replies go round in a circle. At last, against {against},",
        "limit": "the best replies did not settle. At last, against {against},",
    }
    sentences = []
    for keys, rows in steps.groupby([name for name in ("players", "totals") if name in steps], sort=False):
        last = rows.iloc[-1]
        there = curves[(curves["players"] == keys[0]) & (curves["step"] == last["step"])]
        where = f"With {keys[0]} players"
        if "totals" in rows:
            there = there[there["totals"] == keys[1]]
            where = f"From {str(keys[1]).replace(' ', ', ')}"
        others = there[there["may_be_best"] & ~there["best"]]
        end = ends.get(str(last["end"]), "against {against},").format(against=last["against"])
        sentence = (
            f"{where}, {end} {_named(last, parameters)} wins most, "
            f"{shown(last['win_rate'], 'win_rate', last['win_rate_se'])}"
        )
        if len(others):
            names = [_named(other, parameters) for _, other in others.iterrows()]
            sentence += f"; it cannot be told (95 %, paired over common deals) from {listed(names)}"
        sentences.append(sentence + ".")
    return sentences


def _named(row: "pd.Series[Any]", parameters: list[str]) -> str:
    """A candidate by its parameters."""
    values = [row[name] for name in parameters]
    return ", ".join(
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in zip(parameters, values, strict=True)
    )


_QUESTIONS: dict[str, Callable[[Saved], str]] = {
    "tournament": _tournament_question,
    "sweep": _sweep_question,
    "best-response": _response_question,
}
_ANSWERS: dict[str, Callable[[Saved], list[str]]] = {
    "tournament": _tournament_answer,
    "sweep": _sweep_answer,
    "best-response": _response_answer,
}
