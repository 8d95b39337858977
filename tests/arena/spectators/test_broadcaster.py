"""Those who watch a real arena: what they are told, and what they cannot do to it."""

import asyncio
from collections.abc import Iterable
from itertools import chain, repeat
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from arena.model.results import Pairing, PlayedMove, Termination
from arena.protocol.player import Finished, Resign, Turn
from arena.protocol.spectator import (
    About,
    Analysis,
    ErrorReply,
    Games,
    Leaderboards,
    Lobby,
    MatchFinished,
    MatchMoves,
    MatchSnapshot,
    Record,
    Winners,
)
from arena.spectators import broadcaster as viewers
from core.take_stones import Board
from core.take_stones.solver import solve
from tests.support.arena_server import ScriptedBot, in_event_loop, two_bots
from tests.support.spectators import Onlooker, Theatre, theatre


async def played(server: Theatre) -> int:
    """A match that has ended: its id."""
    for name in ("one", "two"):
        await server.run_bot(name)
    return (await server.start_match("one", "two")).id


async def begun(server: Theatre) -> tuple[ScriptedBot, ScriptedBot]:
    """Match 1, with 3 taken; the second player has the turn."""
    one, two = await two_bots(server)
    server.start_match("one", "two")
    await one.play(3)
    return one, two


async def moves(viewer: Onlooker, count: int) -> list[int]:
    """The moves that a viewer has been told, as soon as there are so many."""
    known: list[int] = []
    while len(known) < count:
        told = (await viewer.receive(MatchMoves)).moves
        known[told.ply :] = told.moves
    return known


@in_event_loop
async def test_a_viewer_is_told_at_once_what_this_is(db: Path) -> None:
    async with theatre(db) as server:
        about = await (await server.newcomer()).receive(About)
        assert [game.name for game in about.games] == ["take_stones", "isolation"]
        assert [game.is_solved for game in about.games] == [True, False]
        assert about.games[0].parameters["stones"].minimum == 1
        assert (about.time, about.is_open, about.offers) == ("20", False, {})


@in_event_loop
async def test_the_lobby_is_told_and_goes_on(db: Path) -> None:
    async with theatre(db) as server:
        viewer = await server.onlooker()
        assert (await viewer.receive(Lobby)).full
        await server.connect_bot("ann")
        assert (await viewer.receive(Lobby)).bots == ["ann"]


@in_event_loop
async def test_the_table_is_told_to_who_is_in_the_lobby(db: Path) -> None:
    async with theatre(db) as server:
        await played(server)
        [table] = (await (await server.onlooker()).receive(Leaderboards)).tables
        assert (table.game, table.finished) == ("take_stones", 1)
        assert {line.bot for line in table.bots} == {"one", "two"}


@in_event_loop
async def test_the_table_has_accuracies_after_a_while(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewers, "JUDGE_SECONDS", 0.01)
    monkeypatch.setattr(viewers, "TABLE_SECONDS", 0.01)
    async with theatre(db) as server:
        await played(server)
        viewer = await server.onlooker()
        while not (table := (await viewer.receive(Leaderboards)).tables[0]).judged:
            pass
        assert table.judged == table.finished == 1


@in_event_loop
async def test_a_match_is_told_from_its_beginning(db: Path) -> None:
    async with theatre(db) as server:
        await begun(server)
        match = await (await server.onlooker(1)).receive(MatchSnapshot)
        assert match.facts.players == ("one", "two")
        assert ([*match.moves.moves], match.result) == ([3], None)


@in_event_loop
async def test_moves_are_told_as_they_are_made(db: Path) -> None:
    async with theatre(db) as server:
        one, two = await begun(server)
        viewer = await server.onlooker(1)
        await viewer.receive(MatchSnapshot)
        await two.play(6)
        told = (await viewer.receive(MatchMoves)).moves
        assert (told.ply, [*told.moves]) == (1, [6])
        await one.play(2)
        assert [*(await viewer.receive(MatchMoves)).moves.moves] == [2]


@in_event_loop
async def test_who_wins_is_told(db: Path) -> None:
    async with theatre(db) as server:
        _, two = await begun(server)
        viewer = await server.onlooker(1)
        told = await viewer.receive(Winners)
        known = [*told.winners]
        await two.play(1)
        while len(known) < 3:
            more = await viewer.receive(Winners)
            known[more.ply :] = more.winners
        assert known == [solve(Board(7, [3, 1][:ply])).winner for ply in range(3)]


@in_event_loop
async def test_the_end_is_told_after_all_moves(db: Path) -> None:
    async with theatre(db) as server:
        one, two = await begun(server)
        viewer = await server.onlooker(1)
        known = [*(await viewer.receive(MatchSnapshot)).moves.moves]
        for player, move in ((two, 6), (one, 2), (two, 4), (one, 1), (two, 5)):
            await player.play(move)
        known += await moves(viewer, 5)
        over = await viewer.receive(MatchFinished)
        assert known == [3, 6, 2, 4, 1, 5]
        assert (over.result.winner, over.result.termination) == (2, Termination.NO_LEGAL_MOVE)


@in_event_loop
async def test_a_match_without_a_solver_has_no_winners(db: Path) -> None:
    async with theatre(db) as server:
        for name in ("one", "two"):
            await server.run_bot(name, games=["isolation"])
        record = await server.arena.start_match(Pairing(None, ("one", "two"), "isolation", {}))
        match = await (await server.onlooker(record.id)).receive(MatchSnapshot)
        assert match.winners is None
        assert match.result


@in_event_loop
async def test_a_match_of_the_past_is_told_from_the_database(db: Path) -> None:
    async with theatre(db) as server:
        number = await played(server)
    async with theatre(db) as server:
        match = await (await server.onlooker(number)).receive(MatchSnapshot)
        assert match.result
        assert match.winners
        assert len(match.winners) == len(match.moves.moves) + 1


@in_event_loop
async def test_an_unknown_match_is_refused(db: Path) -> None:
    async with theatre(db) as server:
        refusal = await (await server.onlooker(77)).receive(ErrorReply)
        assert (refusal.code, refusal.message) == ("unknown_match", "there is no match 77")
        assert refusal.request is None


@in_event_loop
async def test_questions_are_answered(db: Path) -> None:
    async with theatre(db) as server:
        number = await played(server)
        viewer = await server.onlooker()
        games = await viewer.ask("find_games", Games)
        assert [summary.facts.match for summary in games.games] == [number]
        record = await viewer.ask("find_record", Record, match=number)
        assert '[Player1 "one"]' in record.text
        setup = {"stones": 7}
        analysis = await viewer.ask("analyse", Analysis, game="take_stones", setup=setup)
        assert [*analysis.legal_moves] == [1, 3]


@in_event_loop
async def test_a_question_without_an_answer_is_refused_by_its_number(db: Path) -> None:
    async with theatre(db) as server:
        viewer = await server.onlooker()
        refusal = await viewer.ask("analyse", ErrorReply, game="chess", setup={})
        assert (refusal.code, refusal.request) == ("bad_position", 1)


@in_event_loop
async def test_who_asks_too_much_is_told_to_come_back(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewers, "WAITING", 0)
    async with theatre(db) as server:
        viewer = await server.onlooker()
        refusal = await viewer.ask("analyse", ErrorReply, game="take_stones", setup={"stones": 7})
        assert refusal.code == "busy"


@in_event_loop
async def test_who_makes_no_sense_is_sent_away(db: Path) -> None:
    async with theatre(db) as server:
        viewer = await server.onlooker()
        for _ in range(viewers.UNREADABLE_LIMIT):
            await viewer.connection.send("?")
            assert (await viewer.receive(ErrorReply)).code == "unreadable"
        with pytest.raises(ConnectionClosed):
            await viewer.receive(ErrorReply)
        assert viewer.connection.close_code == 1008


@in_event_loop
async def test_who_follows_another_match_is_told_that(db: Path) -> None:
    async with theatre(db) as server:
        await begun(server)
        viewer = await server.onlooker()
        await viewer.receive(Lobby)
        await viewer.send("watch", match=1)
        assert (await viewer.receive(MatchSnapshot)).facts.match == 1
        await viewer.send("watch", match=None)
        assert (await viewer.receive(Lobby)).full


def reading(monkeypatch: pytest.MonkeyPatch, answers: Iterable[bool]) -> None:
    """Whether viewers have read what they were told, at each look."""
    looks = iter(answers)
    monkeypatch.setattr(viewers.Spectator, "is_ready", property(lambda _: next(looks)))


@in_event_loop
async def test_who_does_not_read_is_passed_over_and_gets_the_latest(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading(monkeypatch, chain([False] * 3, repeat(True)))
    async with theatre(db) as server:
        one, two = await begun(server)
        viewer = await server.onlooker(1)
        await two.play(6)
        await one.play(2)
        match = await viewer.receive(MatchSnapshot)
        assert [*match.moves.moves] in ([3], [3, 6], [3, 6, 2])
        known = [*match.moves.moves]
        while len(known) < 3:
            told = (await viewer.receive(MatchMoves)).moves
            known[told.ply :] = told.moves
        assert known == [3, 6, 2]


@in_event_loop
async def test_who_has_not_read_for_long_is_told_the_end_from_the_database(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.spectators.live_state.KEPT", 1)
    async with theatre(db) as server:
        one, two = await begun(server)
        viewer = await server.onlooker(1)
        await viewer.receive(MatchSnapshot)
        blind = True
        reading(monkeypatch, iter(lambda: not blind, None))
        for player, move in ((two, 6), (one, 2), (two, 4), (one, 1), (two, 5)):
            await player.play(move)
        await one.receive(Finished)
        server.start_match("one", "two")
        await one.send(Resign((await one.receive(Turn)).match))
        await one.receive(Finished)
        blind = False
        match = await viewer.receive(MatchSnapshot)
        assert match.result
        assert [*match.moves.moves] == [3, 6, 2, 4, 1, 5]


@in_event_loop
async def test_who_follows_nothing_is_told_nothing(db: Path) -> None:
    async with theatre(db) as server:
        newcomer, other = await server.newcomer(), await server.onlooker()
        await newcomer.receive(About)
        await server.connect_bot("ann")
        while (await other.receive(Lobby)).bots != ["ann"]:
            pass
        await newcomer.send("find_games", request=1)
        assert '"type":"games"' in await newcomer.connection.recv()


@in_event_loop
async def test_moves_that_are_taken_back_are_gone_with_who_won(db: Path) -> None:
    async with theatre(db) as server:
        await begun(server)
        viewer = await server.onlooker(1)
        await viewer.receive(Winners)
        server.feed.taken_back(1, 0)
        server.feed.moved(1, PlayedMove(0, 1, 0.0, 0.0, 0.0, 0.0))
        told = (await viewer.receive(MatchMoves)).moves
        assert (told.ply, [*told.moves]) == (0, [1])
        more = await viewer.receive(Winners)
        assert (more.ply, [*more.winners]) == (1, [solve(Board(7, [1])).winner])


@in_event_loop
async def test_all_of_many_viewers_are_told(db: Path) -> None:
    async with theatre(db) as server:
        _, two = await begun(server)
        crowd = [await server.onlooker(1) for _ in range(2 * viewers.AT_ONCE + 1)]
        await asyncio.gather(*(viewer.receive(MatchSnapshot) for viewer in crowd))
        await two.play(6)
        told = await asyncio.gather(*(viewer.receive(MatchMoves) for viewer in crowd))
        assert {tuple(message.moves.moves) for message in told} == {(6,)}


@in_event_loop
async def test_a_spectator_that_chooses_while_others_are_served_is_served(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewers, "AT_ONCE", 1)
    monkeypatch.setattr(viewers, "TICK", 0.0)
    monkeypatch.setattr(viewers, "SHARE", float("inf"))
    async with theatre(db) as server:
        await begun(server)
        crowd = [await server.onlooker(1) for _ in range(20)]
        await asyncio.gather(*(viewer.receive(MatchSnapshot) for viewer in crowd))
        for ply in range(1, 9):  # which of the two groups is served first is not defined
            newcomer = await server.newcomer()
            await newcomer.receive(About)
            server.feed.moved(1, PlayedMove(ply, 6, 0.0, 0.0, 0.0, 0.0))
            await newcomer.send("watch", match=1)
            assert len((await newcomer.receive(MatchSnapshot)).moves.moves) == ply + 1


@in_event_loop
async def test_nobody_waits_for_an_analysis_at_the_end(db: Path) -> None:
    async with theatre(db) as server:
        asking = [await server.onlooker() for _ in range(3)]
        for viewer in asking:  # one position is searched, the others wait behind it
            setup = {"stones": 1000}
            await viewer.send("analyse", request=1, game="take_stones", setup=setup, depth=30)
        await (await server.onlooker()).ask("find_games", Games)
    for viewer in asking:
        assert (await viewer.receive(ErrorReply)).code == "closing"
        await viewer.connection.wait_closed()
        assert viewer.connection.close_code == 1000


@in_event_loop
async def test_viewers_are_let_go_at_the_end(db: Path) -> None:
    async with theatre(db) as server:
        viewer = await server.onlooker()
    with pytest.raises(ConnectionClosed):
        await viewer.receive(About)
    assert viewer.connection.close_code == 1000
