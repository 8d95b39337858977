"""Leaderboards of databases: what is read with each call, and the answers about margins."""

import msgspec
import pytest

from arena.model.results import Pairing, Termination
from arena.protocol.bots import BotInfo, FindBot
from arena.protocol.codec import RequestError
from arena.protocol.spectator import (
    EncounterInfo,
    FindMargins,
    FindPlots,
    Leaderboards,
    Margins,
    Plots,
    TournamentInfo,
)
from arena.spectators.leaderboards import game_table
from arena.spectators.leaderboards.plots import LEAST_AGE
from arena.spectators.leaderboards.queries import LeaderboardQueries
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from arena.tournament.encounters import Decision, Encounter
from arena.tournament.format_state import FormatState, Place
from arena.tournament.tie_breaks import SwissStanding
from tests.support.tournaments.databases import run_script, store_record
from tests.support.tournaments.records import make_pairing, make_record

ISOLATION = Pairing(None, ("anna", "bert"), "isolation", {})
PLACES = [Place(1, "ann", "2 points")]
POINTS = [SwissStanding(1, "ann", 2.0, 0.0, 0.0, 0), SwissStanding(2, "bob", 0.0, 2.0, 0.0, 0)]
ENCOUNTERS = [[EncounterInfo(("ann", "bob"), (2.0, 0.0), "ann", "played")]]
ROUNDS = [[Encounter(("ann", "bob"), (2.0, 0.0), "ann", Decision.PLAYED)]]
TOURNAMENT = TournamentInfo("take_stones", "swiss", ["ann", "bob"], 2, False, 1)


@pytest.fixture
def leaderboards(writer: DatabaseWriter) -> LeaderboardQueries:
    return LeaderboardQueries(writer.path)


def compute(
    leaderboards: LeaderboardQueries, tournament: TournamentInfo | None = None
) -> dict[str, int]:
    """Return the number of matches in each leaderboard."""
    frame = leaderboards.compute(tournament, FormatState(ROUNDS, POINTS, PLACES))
    tables = msgspec.json.decode(frame, type=Leaderboards).tables
    assert all([*table.rounds] == ENCOUNTERS for table in tables)
    assert all([*table.points] == POINTS for table in tables)
    assert all([*table.places] == PLACES for table in tables)
    return {table.game: table.finished for table in tables}


def test_new_results_are_read_with_each_call(
    writer: DatabaseWriter, leaderboards: LeaderboardQueries
) -> None:
    assert compute(leaderboards) == {}
    store_record(writer, make_record(make_pairing(1)))
    assert compute(leaderboards) == {"take_stones": 1}
    store_record(writer, make_record(ISOLATION))
    store_record(writer, make_record(make_pairing(3)))
    assert compute(leaderboards) == {"isolation": 1, "take_stones": 2}


def test_references_of_a_gauntlet_are_those_of_its_own_game(
    writer: DatabaseWriter, leaderboards: LeaderboardQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_table, "CROSSTABLE_BOTS", 0)
    store_record(writer, make_record(make_pairing(1)))
    store_record(writer, make_record(ISOLATION))
    bots = [*make_pairing(1).players, *ISOLATION.players]
    gauntlet = TournamentInfo("take_stones", "gauntlet", bots, 2, False, 1, len(bots))
    frame = leaderboards.compute(gauntlet, FormatState())
    tables = msgspec.json.decode(frame, type=Leaderboards).tables
    assert {table.game: len(table.meetings) for table in tables} == {
        "isolation": 0,
        "take_stones": 1,
    }


def test_leaderboard_of_a_tournament_has_all_bots(leaderboards: LeaderboardQueries) -> None:
    frame = leaderboards.compute(TOURNAMENT, FormatState())
    [table] = msgspec.json.decode(frame, type=Leaderboards).tables
    assert [(row.bot, row.elo) for row in table.bots] == [("ann", None), ("bob", None)]


def test_anchor_keeps_its_rating(writer: DatabaseWriter) -> None:
    store_record(writer, make_record())
    frame = LeaderboardQueries(writer.path, ("bert", 1000.0)).compute(None, FormatState())
    [table] = msgspec.json.decode(frame, type=Leaderboards).tables
    assert {row.bot: row.elo for row in table.bots}["bert"] == 1000


def test_stored_verdicts_are_counted_in_the_first_leaderboards(writer: DatabaseWriter) -> None:
    store_record(writer, make_record())
    leaderboards = LeaderboardQueries(writer.path)
    while (judged := leaderboards.judge_matches(None))[0]:
        for match, verdicts in judged[1]:
            writer.save_verdicts(match, verdicts).result()
    frame = LeaderboardQueries(writer.path).compute(None, FormatState())
    assert [table.judged for table in msgspec.json.decode(frame, type=Leaderboards).tables] == [1]


def test_margins_are_those_of_the_leaderboard(
    writer: DatabaseWriter, leaderboards: LeaderboardQueries
) -> None:
    store_record(writer, make_record())
    frame = leaderboards.compute(None, FormatState())
    [table] = msgspec.json.decode(frame, type=Leaderboards).tables
    answer = leaderboards.answer(FindMargins(7, "take_stones"))
    margins = msgspec.json.decode(answer, type=Margins)
    assert (margins.request, margins.game) == (7, "take_stones")
    assert margins.first_move == table.first_move
    assert margins.margins == {row.bot: row.margin for row in table.bots}


def test_new_process_knows_the_margins(writer: DatabaseWriter) -> None:
    store_record(writer, make_record())
    answer = LeaderboardQueries(writer.path).answer(FindMargins(1, "take_stones"))
    assert {*msgspec.json.decode(answer, type=Margins).margins} == {"anna", "bert"}


def test_plots_have_the_matches_of_their_game(writer: DatabaseWriter) -> None:
    store_record(writer, make_record())
    store_record(writer, make_record(ISOLATION))
    answer = LeaderboardQueries(writer.path).answer(FindPlots(3, "isolation"))
    plots = msgspec.json.decode(answer, type=Plots)
    assert (plots.request, plots.game, plots.matches) == (3, "isolation", 1)
    assert all(panel.right < plots.size.width for panel in plots.panels)


def test_ratings_of_one_bot_are_drawn(writer: DatabaseWriter) -> None:
    store_record(writer, make_record())
    leaderboards = LeaderboardQueries(writer.path)
    answer = leaderboards.answer(FindPlots(3, "take_stones", "anna"))
    plots = msgspec.json.decode(answer, type=Plots)
    assert plots.matches == 1
    [panel] = plots.panels
    assert [label.text for label in panel.labels] == ["anna"]
    unknown = leaderboards.answer(FindPlots(3, "take_stones", "nobody"))
    assert msgspec.json.decode(unknown, type=Plots).panels == []


def find_bot(leaderboards: LeaderboardQueries, bot: str) -> BotInfo:
    return msgspec.json.decode(leaderboards.answer(FindBot(5, bot)), type=BotInfo)


def test_bot_has_its_standing_in_each_game(writer: DatabaseWriter) -> None:
    store_record(writer, make_record())
    store_record(writer, make_record(make_pairing(3), 2, Termination.TIMEOUT))
    store_record(writer, make_record(ISOLATION, 2))
    found = find_bot(LeaderboardQueries(writer.path), "anna")
    assert (found.request, found.bot) == (5, "anna")
    assert [standing.game for standing in found.games] == ["take_stones", "isolation"]
    stones, isolation = found.games
    assert (isolation.score.lost, isolation.forfeits, isolation.rank) == (1, {}, 2)
    assert (stones.score.won, stones.score.lost, stones.forfeits) == (1, 1, {"timeout": 1})
    assert [opponent.bot for opponent in stones.opponents] == ["bert"]


def test_bot_without_rated_matches_has_no_standing(
    writer: DatabaseWriter, leaderboards: LeaderboardQueries
) -> None:
    store_record(writer, make_record())
    assert find_bot(leaderboards, "' OR 1 --").games == []


def test_bot_has_its_accuracy(writer: DatabaseWriter, leaderboards: LeaderboardQueries) -> None:
    record = store_record(writer, make_record())
    writer.save_verdicts(record.id, "kbk").result()
    [standing] = find_bot(leaderboards, "anna").games
    assert (standing.accuracy, standing.judged) == (1.0, 1)


def test_results_are_read_again_after_a_while(writer: DatabaseWriter) -> None:
    now = 100.0
    leaderboards = LeaderboardQueries(writer.path, clock=lambda: now)

    def won() -> list[int]:
        return [standing.score.won for standing in find_bot(leaderboards, "anna").games]

    assert won() == []
    store_record(writer, make_record())
    now += LEAST_AGE - 0.1
    assert won() == []
    now += 0.2
    assert won() == [1]


def test_game_without_matches_has_no_margins(leaderboards: LeaderboardQueries) -> None:
    with pytest.raises(RequestError, match="no rated match of 'chess' has finished") as error:
        leaderboards.answer(FindMargins(1, "chess"))
    assert error.value.code == "unknown_game"


def test_a_bot_is_found_at_once_after_an_error(
    writer: DatabaseWriter, leaderboards: LeaderboardQueries
) -> None:
    store_record(writer, make_record(make_pairing(1)))
    assert find_bot(leaderboards, "anna").games
    store_record(writer, make_record(make_pairing(2)))
    run_script(writer.path, "ALTER TABLE matches RENAME COLUMN winner TO best")
    with pytest.raises(RequestError, match=r"^the stored matches cannot be read$") as error:
        leaderboards.answer(FindPlots(1, "take_stones"))
    assert error.value.code == "damaged"
    with pytest.raises(DatabaseError):
        compute(leaderboards)
    run_script(writer.path, "ALTER TABLE matches RENAME COLUMN best TO winner")
    assert [row.score.won for row in find_bot(leaderboards, "anna").games] == [2]


def test_the_first_of_many_rounds_are_empty(
    leaderboards: LeaderboardQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_table, "ENCOUNTERS", 2)
    monkeypatch.setattr(game_table, "ROWS", 1)
    frame = leaderboards.compute(TOURNAMENT, FormatState(3 * ROUNDS, POINTS, PLACES))
    [table] = msgspec.json.decode(frame, type=Leaderboards).tables
    assert [*table.rounds] == [[], *2 * ENCOUNTERS]
    assert [*table.points] == POINTS[:1]
