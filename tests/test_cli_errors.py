"""Bad input: exit status 2, one line on stderr that helps, and nothing written."""

import json

import pytest

NO_STRATEGY = "x = 1\n"
MANIFEST = {"strategies": [{"spec": "stop-at"}], "players": 1, "games": 5, "seed": 1, "rules": {"preset": "fr-2.0"}}


@pytest.fixture
def files(tmp_path):
    """Files that cannot be used, and their names, so that what else is written can be seen."""
    texts = {
        "empty.py": "",
        "empty.toml": "",
        "empty.json": "",
        "none.py": NO_STRATEGY,
        "syntax.py": "def x(:\n",
        "bad.toml": "rules = [\n",
        "bad.json": "{",
        "list.json": "[1]",
        "key.toml": 'presets = "fr-2.0"\n',
        "preset.json": '{"preset": ["fr-2.0"]}',
        "options.json": '{"options": 3}',
        "manifest.json": "{}",
        "games.json": json.dumps(MANIFEST | {"games": "many"}),
        "players.json": json.dumps(MANIFEST | {"players": [4]}),
        "seed.json": json.dumps(MANIFEST | {"seed": "one"}),
        "spec.json": json.dumps(MANIFEST | {"strategies": [{"spec": 7}]}),
        "rules.json": json.dumps(MANIFEST | {"rules": "fr-2.0"}),
        "file": "in the way",
        "latin.toml": None,
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(b"# caf\xe9\n" if text is None else text.encode())
    (tmp_path / "folder").mkdir()
    return sorted([*texts, "folder"])


T = ("tournament", "--games", 8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        # commands and options
        (("tournment",), "No such command 'tournment'"),
        (("rules", "shw"), "No such command 'shw'"),
        (("tournament", "--gamse", 3), "No such option"),
        (("tournament", "extra"), "unexpected extra argument"),
        (("tournament", "--games"), "requires an argument"),
        ((*T, "--format", "xml"), "'xml' is not one of"),
        # numbers
        (("tournament", "--games", 0), "games: 0 cannot be played; it must be from 1 to"),
        (("tournament", "--games", -5), "games: -5 cannot be played"),
        (("tournament", "--games", "many"), "'many' is not a valid integer"),
        (("tournament", "--games", 1.5), "'1.5' is not a valid integer"),
        ((*T, "--players", -1), "players: -1 seats cannot be played; it must be from 1 to 36"),
        ((*T, "--players", 0), "players: 0 seats"),
        ((*T, "--players", 37), "players: 37 seats"),
        ((*T, "--seed", -1), "-1 is not in the range"),
        ((*T, "--seed", 2**63), "is not in the range"),
        ((*T, "--jobs", 0), "0 is not in the range"),
        ((*T, "--jobs", -2), "-2 is not in the range"),
        ((*T, "--jobs", "all"), "'all' is not a valid integer"),
        (("bench", "--games", 0), "games: 0 cannot be played"),
        (("bench", "--players", 37), "players: 37 seats"),
        (("bench", "--jobs", 0), "0 is not in the range"),
        (("replay", "--game", -1), "-1 is not in the range"),
        # rules
        ((*T, "--rules", "us-3"), "preset 'us-3' is unknown; did you mean 'us-3.1'?"),
        ((*T, "--rules", "xyz"), "preset 'xyz' is unknown; known: fr-2.0, us-3.1, us-first"),
        ((*T, "--rules", "missing.toml"), "rules file 'missing.toml' cannot be read"),
        ((*T, "--rules", "latin.toml"), "rules file 'latin.toml' cannot be read"),
        ((*T, "--rules", "bad.toml"), "not a TOML text"),
        ((*T, "--rules", "bad.json"), "not a JSON text"),
        ((*T, "--rules", "empty.json"), "empty"),
        ((*T, "--rules", "empty.toml"), "empty"),
        ((*T, "--rules", "list.json"), "must be an object"),
        ((*T, "--rules", "key.toml"), "key 'presets' is unknown; known: preset, options"),
        ((*T, "--rules", "preset.json"), "preset ['fr-2.0'] is unknown"),
        ((*T, "--rules", "options.json"), "options must be a table"),
        ((*T, "--option", "target"), "option 'target' cannot be read; write name=value"),
        ((*T, "--option", "target_scor=3"), "did you mean 'target_score'?"),
        ((*T, "--option", "target_score=0"), "must be a whole number from 1 to 10000"),
        ((*T, "--option", "flip7_size=14"), "must be a whole number from 1 to 13"),
        ((*T, "--option", "initial_deal=2"), "must be yes or no"),
        ((*T, "--option", "decks=9"), "must be auto or a whole number from 1 to 4"),
        ((*T, "--option", "tie_break=coin"), "must be all_players or tied_only"),
        (("rules", "show", "xyz"), "preset 'xyz' is unknown"),
        (("rules", "show", "fr-2.0", "-o", "x=1"), "option 'x' is unknown"),
        (("replay", "--rules", "xyz"), "preset 'xyz' is unknown"),
        # strategies
        ((*T, "-s", "stop"), "strategy 'stop' is unknown"),
        ((*T, "-s", "stop-at(scores=3)"), "parameter 'scores' is unknown; did you mean 'score'?"),
        ((*T, "-s", "stop-at(score=-3)"), "must be a whole number from 0 to 1000"),
        ((*T, "-s", "stop-at(30)"), "not of the form parameter=value"),
        ((*T, "-s", "missing.py"), "strategy file 'missing.py' does not exist"),
        ((*T, "-s", "folder.py"), "strategy file 'folder.py' does not exist"),
        ((*T, "-s", "empty.py"), "strategy file 'empty.py' declares no strategy"),
        ((*T, "-s", "none.py"), "strategy file 'none.py' declares no strategy"),
        ((*T, "-s", "none.py:x"), "strategy file 'none.py' declares no strategy"),
        ((*T, "-s", "syntax.py"), "strategy file 'syntax.py' cannot be imported: SyntaxError"),
        (("strategies", "show", "stop"), "strategy 'stop' is unknown"),
        (("strategies", "check", "stop-at", "none.py"), "declares no strategy"),
        (("bench", "stop"), "strategy 'stop' is unknown"),
        (("replay", "-s", "stop"), "strategy 'stop' is unknown"),
        (("replay", *("-s", "stop-at") * 37), "players: 37 seats"),
        # files
        (("replay", "missing.toml"), "missing.toml"),
        (("replay", "empty.toml"), "the file is empty"),
        (("replay", "folder"), "is a directory"),
        (("replay", "latin.toml"), "not a text in UTF-8"),
        (("replay", "empty.toml", "--export"), "leave them out, or the files"),
        (("replay", "--engine", "quick", "empty.toml"), "'quick' is not one of"),
        (("tournament", "--again", "missing.json"), "manifest 'missing.json' cannot be read"),
        (("tournament", "--again", "folder"), "is a directory"),
        (("tournament", "--again", "empty.json"), "manifest 'empty.json' is not one of a tournament"),
        (("tournament", "--again", "manifest.json"), "manifest 'manifest.json' is not one of a tournament"),
        (("tournament", "--again", "list.json"), "manifest 'list.json' is not one of a tournament"),
        (("tournament", "--again", "games.json"), "games"),
        (("tournament", "--again", "players.json"), "players"),
        (("tournament", "--again", "seed.json"), "seed"),
        (("tournament", "--again", "spec.json"), "7"),
        (("tournament", "--again", "rules.json"), "rules"),
        # where results go
        ((*T, "--out", "file"), "'file' is a file"),
        ((*T, "--out", "file/below"), "output folder 'file/below' cannot be written to: Not a directory"),
        ((*T, "--out", "/proc/here"), "output folder '/proc/here' cannot be written to"),
        (("replay", "--export", "--out", "folder"), "'folder' is a directory"),
        (("replay", "--export", "--out", "file/below.toml"), "cannot be written to"),
    ],
    ids=lambda value: " ".join(map(str, value))[:60] if isinstance(value, tuple) else "",
)
def test_bad_input_is_one_line_and_status_2(run, files, tmp_path, arguments, message):
    ran = run(*arguments)
    assert ran.status == 2
    assert len(ran.errors) == 1
    assert ran.errors[0].startswith("flip7sim: error: ")
    assert message in ran.errors[0]
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "__pycache__") == files


def test_a_broken_strategy_leaves_no_results(run, tmp_path):
    text = "from flip7sim import strategy\n@strategy(jit=False)\ndef mine(me, table):\n    raise ValueError('no')\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    ran = run("tournament", "--games", 8, "-s", "mine.py", "-s", "stop-at", "--out", "here")
    assert ran.status == 2
    assert len(ran.errors) == 1
    assert ran.errors[0].startswith("flip7sim: error: strategy mine raised ValueError: no, in game ")
    assert ran.out == ""
    assert not list((tmp_path / "here").glob("*"))


def test_one_bad_replay_among_good_ones_does_not_hide_them(run, files, tmp_path):
    (tmp_path / "good.toml").write_text(
        "title = 'A good one'\n[[seat]]\n[expect.seat.A]\nscore = 0\n", encoding="utf-8"
    )
    ran = run("replay", "empty.toml", "good.toml")
    assert ran.status == 2
    assert len(ran.errors) == 1
    assert "A good one" in ran.out
    assert "1 of 2 files as expected" in ran.out


def test_what_is_there_already_is_kept_when_a_run_cannot_begin(run, tmp_path):
    run("tournament", "--games", 4, "-s", "stop-at", "--out", "here")
    before = {path.name: path.read_bytes() for path in (tmp_path / "here").iterdir()}
    assert run("tournament", "--games", 4, "-s", "stop", "--out", "here").status == 2
    assert {path.name: path.read_bytes() for path in (tmp_path / "here").iterdir()} == before
