"""What the latest matches of a bot show, against computations over the records."""

from collections import Counter
from collections.abc import Iterator
from statistics import median

import pytest

from arena.analysis.accuracy import judge_moves
from arena.model.results import Info, MatchRecord, Pairing, PlayedMove, Termination
from arena.protocol.bots import FindBotMatches, LostWin, MoveTimes, ReportedInfo, Score
from arena.spectators import bot_matches as module
from arena.spectators.bot_matches import add_counts, bot_score, summarise_matches
from arena.storage.schema import DatabaseError
from arena.storage.spectator_reader import BotReader
from arena.storage.writer import DatabaseWriter
from core import GAMES
from tests.support.page.sites import random_game
from tests.support.tournaments.databases import run_script, store_record
from tests.support.tournaments.records import make_record

STONES = "take_stones"
QUESTION = FindBotMatches(7, "ann", STONES)


def test_counts_are_added() -> None:
    assert add_counts([1, 2, 3], [10, 20, 30]) == [11, 22, 33]


def test_no_matches_have_no_interval() -> None:
    assert bot_score([0, 0, 0]) == Score(0, 0, 0, None, None)


def test_interval_is_that_of_wilson() -> None:
    # Agresti, "An Introduction to Categorical Data Analysis", 2nd edition, 1.4.3: 9 of 10.
    score = bot_score([9, 0, 1])
    assert (score.low, score.high) == pytest.approx((0.596, 0.982), abs=1e-3)


def test_a_draw_is_half_a_win() -> None:
    drawn, decided = bot_score([3, 4, 3]), bot_score([5, 0, 5])
    assert (drawn.low, drawn.high) == (decided.low, decided.high)
    assert (drawn.won, drawn.drawn, drawn.lost) == (3, 4, 3)


def played_record(seed: int) -> MatchRecord:
    """Return the record of a random match of ann on alternating sides, with its real result."""
    setup = {"stones": 7 + seed % 3}
    moves = random_game(STONES, setup, seed)
    players = ("ann", "bob") if seed % 2 else ("bob", "ann")
    opening = seed % 3
    pairing = Pairing(None, players, STONES, setup, tuple(moves[:opening]))
    played = [
        PlayedMove(ply, move, 1.0, 0.0, (seed * 7 + ply * 3) % 11 / 1000, 0.0)
        for ply, move in enumerate(moves)
    ]
    infos = {ply: Info(depth=ply + 1, nodes=10 * ply) for ply in range(opening, len(moves))}
    winner = 2 - len(moves) % 2
    return make_record(pairing, winner, moves=tuple(played[opening:]), infos=infos)


@pytest.fixture
def records(writer: DatabaseWriter) -> list[MatchRecord]:
    """Store 30 matches, all of them analysed; return them, the latest first."""
    stored = [store_record(writer, played_record(seed)) for seed in range(30)]
    for record in stored:
        writer.save_verdicts(record.id, judge_moves(record)).result()
    return stored[::-1]


@pytest.fixture
def database(writer: DatabaseWriter) -> Iterator[BotReader]:
    with BotReader(writer.path) as database:
        yield database


def side_of(record: MatchRecord) -> int:
    return record.pairing.players.index("ann")


def own_moves(record: MatchRecord) -> list[PlayedMove]:
    return [move for move in record.moves if move.ply % 2 == side_of(record)]


def blunders(record: MatchRecord) -> list[int]:
    """Return the plies of moves of ann that gave up a win, from the game's solver."""
    solver, found = GAMES[STONES].solver, []
    assert solver
    position = GAMES[STONES].position(**record.pairing.setup, moves=record.pairing.opening)
    for move in record.moves:
        winning = solver(position.copy(), None).winning_moves()
        if move.ply % 2 == side_of(record) and winning and move.move not in winning:
            found.append(move.ply)
        position.play(move.move)
    return found


def test_setups_have_their_results(database: BotReader, records: list[MatchRecord]) -> None:
    found = summarise_matches(database, QUESTION)
    assert (found.request, found.bot, found.game, found.matches) == (7, "ann", STONES, 30)
    assert (found.since, found.latest, found.judged, found.omitted) == (1002.25, 30, 30, 0)
    won = Counter(
        (record.pairing.setup["stones"], side_of(record))
        for record in records
        if record.winner == "ann"
    )
    played = Counter((record.pairing.setup["stones"], side_of(record)) for record in records)
    assert {row.setup["stones"] for row in found.setups} == {7, 8, 9}
    for row in found.setups:
        for side, score in enumerate((row.first, row.second)):
            key = row.setup["stones"], side
            assert (score.won, score.won + score.lost) == (won[key], played[key])
        assert row.score.won == row.first.won + row.second.won
        assert row.score.lost == row.first.lost + row.second.lost


def test_rare_setups_are_left_out(
    database: BotReader, records: list[MatchRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_SETUPS", 1)
    found = summarise_matches(database, QUESTION)
    assert (len(found.setups), found.omitted, found.matches) == (1, 2, len(records))


def test_times_are_those_of_the_bot(database: BotReader, records: list[MatchRecord]) -> None:
    charged = [
        (1000 * move.charged, record.id, move.ply)
        for record in records
        for move in own_moves(record)
    ]
    times = summarise_matches(database, QUESTION).times
    assert isinstance(times, MoveTimes)
    assert times.moves == len(charged)
    assert times.median_ms == pytest.approx(median(time for time, *_ in charged), abs=1.0)
    assert times.longest_ms == pytest.approx(max(time for time, *_ in charged))
    longest = [key for time, *key in charged if time == pytest.approx(times.longest_ms)]
    assert [times.match, times.ply] in longest


def test_lost_wins_are_found_by_the_solver(
    database: BotReader, records: list[MatchRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_LOST_WINS", 100)
    found = summarise_matches(database, QUESTION).lost_wins
    expected = [
        LostWin(
            record.id,
            "bob",
            record.pairing.setup,
            len(plies),
            plies[-1],
            "won" if record.winner == "ann" else "lost",
        )
        for record in records
        if (plies := blunders(record))
    ]
    assert len(expected) > 3
    assert sorted(found, key=lambda lost: -lost.match) == expected
    keys = [(-lost.blunders, lost.outcome == "won", -lost.match) for lost in found]
    assert keys == sorted(keys)
    monkeypatch.setattr(module, "MAX_LOST_WINS", 2)
    assert summarise_matches(database, QUESTION).lost_wins == found[:2]


def test_a_draw_may_give_up_a_win(writer: DatabaseWriter, database: BotReader) -> None:
    pairing = Pairing(None, ("ann", "bob"), STONES, {"stones": 7})
    moves = (PlayedMove(0, 3, 1.0, 0.0, 1.0, 0.0),)
    record = store_record(writer, make_record(pairing, None, Termination.GAME_OVER, moves=moves))
    writer.save_verdicts(record.id, "b").result()
    [lost] = summarise_matches(database, QUESTION).lost_wins
    assert (lost.outcome, lost.ply) == ("draw", 0)


def test_infos_are_summed_up(database: BotReader, records: list[MatchRecord]) -> None:
    plies = [move.ply for record in records for move in own_moves(record)]
    reported = summarise_matches(database, QUESTION).reported
    assert isinstance(reported, ReportedInfo)
    assert reported.moves == len(plies)
    assert reported.depth == pytest.approx(median(plies) + 1, abs=0.5)
    assert reported.nodes == pytest.approx(10 * median(plies), abs=5)


def test_infos_may_lack_depth_and_nodes(writer: DatabaseWriter, database: BotReader) -> None:
    pairing = Pairing(None, ("ann", "bob"), STONES, {"stones": 7})
    moves = (PlayedMove(0, 3, 1.0, 0.0, 1.0, 0.0),)
    store_record(writer, make_record(pairing, moves=moves, infos={0: Info(evaluation=1.0)}))
    found = summarise_matches(database, QUESTION)
    assert found.reported == ReportedInfo(1, None, None)
    assert (found.judged, found.lost_wins) == (0, [])


def test_an_unknown_bot_has_nothing(database: BotReader, records: list[MatchRecord]) -> None:
    assert records
    found = summarise_matches(database, FindBotMatches(1, "nobody", STONES))
    assert (found.matches, found.since, found.setups, found.latest) == (0, None, [], 0)
    assert (found.times, found.reported, found.lost_wins) == (None, None, [])


def test_setups_without_a_default_are_those_with_it(
    writer: DatabaseWriter, database: BotReader
) -> None:
    defaults = GAMES["isolation"].completed({})
    for setup in ({}, defaults):
        store_record(writer, make_record(Pairing(None, ("ann", "bob"), "isolation", setup)))
    [row] = summarise_matches(database, FindBotMatches(1, "ann", "isolation")).setups
    assert row.setup == defaults
    assert row.score.won == 2


def test_a_damaged_setup_is_an_error(writer: DatabaseWriter, database: BotReader) -> None:
    store_record(writer, make_record(Pairing(None, ("ann", "bob"), STONES, {"stones": 7})))
    run_script(writer.path, "UPDATE matches SET setup = '{'")
    with pytest.raises(DatabaseError, match="is damaged: setup"):
        summarise_matches(database, QUESTION)
