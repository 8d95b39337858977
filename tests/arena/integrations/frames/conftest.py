"""Databases whose results become frames."""

from pathlib import Path

import pytest

from arena.model.results import Fault, Info, MatchRecord, Pairing, Termination
from tests.support.tournaments.databases import MOVES, make_database
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)

FAULT = Fault(2, 9, 0.5, 0.0, 0.5, 0.0)
TAGGED = Pairing(1, ("anna", "bert"), "take_stones", {"stones": 7}, tags={"Event": "Cup"})


def make_records() -> list[MatchRecord]:
    """Return a pair of matches, an aborted and a casual match."""
    return [
        make_record(TAGGED, 1, moves=MOVES, infos={1: Info(0.5, 4, 90, (6,))}),
        make_record(
            make_pairing(2, ("bert", "anna")),
            2,
            Termination.ILLEGAL_MOVE,
            2,
            MOVES,
            FAULT,
            log="stopped",
        ),
        make_aborted_record(make_pairing(3), 3),
        make_record(make_casual_pairing(make_pairing(None, ("anna", "eve"))), 2, attempt=4),
    ]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Return the path of a database with these matches and a plan."""
    return make_database(tmp_path / "cup.db", make_records())
