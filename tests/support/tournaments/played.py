"""Tournaments of the command line that are played without servers, connections and processes."""

from collections.abc import Iterator
from dataclasses import replace
from mmap import mmap
from pathlib import Path

from arena.bulk.job import Job
from arena.bulk.match_player import play_match
from arena.bulk.players import Players
from arena.bulk.turn_watch import SIZE, TurnWatch
from arena.cli.parser import parse
from arena.cli.planning import make_plan
from arena.cli.tournament_options import TournamentConfig
from arena.model.results import MatchRecord
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from tests.support.tournaments.databases import make_database


def play_tournament(path: Path, *words: object) -> Path:
    """Play a tournament of built-in bots; return its database.

    The plan is that of connected bots, and so are the games.

    Args:
        path: The database, which is created.
        words: The words of the command, with its seed.
    """
    config = parse([*map(str, words)])
    assert isinstance(config, TournamentConfig)
    plan = make_plan(config)
    return make_database(path, _matches(plan), plan.to_json())


def _matches(plan: Plan) -> Iterator[MatchRecord]:
    """Play the matches of a plan one after the other."""
    create = Players(Job(plan.bots, plan.time, plan.seed)).create
    watch = TurnWatch(mmap(-1, SIZE))
    schedule = Schedule(plan, [])
    while pairing := schedule.next_pairing():
        assert pairing.number
        record = play_match(pairing, plan.time, create, watch)
        schedule.add_result(pairing.number, pairing.players, record.result.winner)
        yield replace(record, id=pairing.number)
