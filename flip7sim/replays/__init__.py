"""Replay files: a table, a pile, a script, and what must come of it."""

from flip7sim.replays.export import to_toml
from flip7sim.replays.run import ENGINES, ReplayResult, replay
from flip7sim.replays.situation import Situation, load_situation, parse_situation

__all__ = ["ENGINES", "ReplayResult", "Situation", "load_situation", "parse_situation", "replay", "to_toml"]
