"""What is read about one bot, against counts over the records."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.model.results import FORFEITS, Info, MatchRecord, Pairing, PlayedMove, Termination
from arena.storage.spectator_reader import BotReader
from arena.storage.writer import DatabaseWriter
from tests.support.page.sites import random_game
from tests.support.tournaments.databases import store_record
from tests.support.tournaments.records import make_aborted_record, make_record

STONES = "take_stones"
NAMES = ("ann", "bob", 'a"b', "élan")
ENDINGS = (Termination.NO_LEGAL_MOVE, Termination.TIMEOUT, Termination.ILLEGAL_MOVE)


def random_record(draw: Random) -> MatchRecord:
    """Return a random match between two of the bots; some are casual, drawn or aborted."""
    one, two = draw.sample(NAMES, 2)
    stones, opening = draw.choice((7, 8, 9)), draw.choice((0, 1, 2))
    setup, seed = {"stones": stones}, draw.randrange(100)
    moves = random_game(STONES, setup, seed)
    game = draw.choice((STONES, STONES, STONES, "isolation"))
    pairing = Pairing(None, (one, two), game, setup, tuple(moves[:opening]))
    played = tuple(
        PlayedMove(ply, move, 1.0, 0.0, draw.random(), 0.0) for ply, move in enumerate(moves)
    )[opening:]
    kind = draw.randrange(10)
    if kind == 0:
        return make_aborted_record(pairing)
    if kind == 1:
        return make_record(replace(pairing, casual=True), moves=played)
    winner = draw.choice((None, 1, 2, 1, 2))
    ending = Termination.GAME_OVER if winner is None else draw.choice(ENDINGS)
    infos = {move.ply: Info(depth=draw.randrange(9)) for move in played if draw.random() < 0.3}
    return make_record(pairing, winner, ending, moves=played, infos=infos)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[MatchRecord]]:
    """Return a database, and the rated matches of Take-Stones in it, the latest first."""
    path, draw = tmp_path_factory.mktemp("bots") / "arena.db", Random(1)
    with DatabaseWriter(path) as writer:
        records = [store_record(writer, random_record(draw)) for _ in range(150)]
        for record in records[::2]:
            writer.save_verdicts(record.id, "k" * len(record.moves)).result()
    rated = [record for record in records if record.is_rated and record.pairing.game == STONES]
    return path, rated[::-1]


@pytest.fixture
def database(stored: tuple[Path, list[MatchRecord]]) -> Iterator[BotReader]:
    with BotReader(stored[0]) as database:
        yield database


@pytest.fixture(params=NAMES)
def bot(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def records(stored: tuple[Path, list[MatchRecord]], bot: str) -> list[MatchRecord]:
    """Return the matches of the bot, the latest first."""
    return [record for record in stored[1] if bot in record.pairing.players]


def own_moves(bot: str, record: MatchRecord) -> list[PlayedMove]:
    side = record.pairing.players.index(bot)
    return [move for move in record.moves if move.ply % 2 == side]


def test_results_are_counted_by_setup_and_side(
    database: BotReader, bot: str, records: list[MatchRecord]
) -> None:
    expected = Counter(
        (
            f'{{"stones": {record.pairing.setup["stones"]}}}',
            record.pairing.players.index(bot) + 1,
            record.result.winner,
        )
        for record in records
    )
    found = database.setup_results(bot, STONES)
    assert {tuple(row[:3]): row.matches for row in found} == expected
    assert {row.since for row in found} == {1002.25}


def test_only_the_latest_matches_are_looked_through(
    database: BotReader, bot: str, records: list[MatchRecord]
) -> None:
    latest = [record for record in records if record.id > 150 - 60]
    assert 0 < len(latest) < len(records)
    found = database.setup_results(bot, STONES, latest=60)
    assert sum(row.matches for row in found) == len(latest)
    assert database.latest_ids(bot, STONES, 1000, latest=60) == [record.id for record in latest]
    assert database.latest_ids(bot, STONES, 3) == [record.id for record in records[:3]]


def test_moves_of_the_bot_alone_are_read(
    database: BotReader, bot: str, records: list[MatchRecord]
) -> None:
    expected = [
        (record.id, move.ply, move.charged) for record in records for move in own_moves(bot, record)
    ]
    ids = [record.id for record in records]
    assert database.own_moves(bot, ids, 10_000) == expected
    assert database.own_moves(bot, ids, 7) == expected[:7]


def test_infos_of_the_bot_alone_are_read(
    database: BotReader, bot: str, records: list[MatchRecord]
) -> None:
    expected = [
        (record.infos[move.ply].depth, None)
        for record in records
        for move in own_moves(bot, record)
        if move.ply in record.infos
    ]
    ids = [record.id for record in records]
    assert database.reported(bot, ids, 10_000) == expected
    assert database.reported(bot, ids, 2) == expected[:2]


def test_analysed_matches_are_read(database: BotReader, records: list[MatchRecord]) -> None:
    found = database.judged([record.id for record in records])
    assert [match.match for match in found] == [r.id for r in records if r.id % 2 == 1]
    by_id = {record.id: record for record in records}
    for match in found:
        record = by_id[match.match]
        assert match.players == record.pairing.players
        assert match.opening == len(record.pairing.opening)
        assert match.winner == record.result.winner
        assert match.verdicts == "k" * len(record.moves)


def test_forfeits_are_counted(database: BotReader, bot: str, records: list[MatchRecord]) -> None:
    expected = Counter(
        record.result.termination.value
        for record in records
        if record.loser == bot and record.result.termination in FORFEITS
    )
    others = [name for name in NAMES if name != bot]
    assert database.forfeits_of(bot, STONES, others) == expected
    assert expected


def test_an_unknown_bot_has_nothing(database: BotReader) -> None:
    assert database.setup_results("nobody", STONES) == []
    assert database.latest_ids("nobody", STONES, 5) == []
    assert database.own_moves("nobody", [1, 2, 3], 5) == []
    assert database.forfeits_of("nobody", STONES, NAMES) == Counter()
