"""Examples of all messages, from two matches of a referee."""

from arena.match.referee import Referee
from arena.model.results import Info, Pairing, Termination
from arena.model.time_control import TimeControl
from arena.protocol import bots, positions, spectator
from arena.protocol.player import (
    PROTOCOL_VERSION,
    Accept,
    Challenge,
    Challenged,
    ChallengeReceived,
    Claim,
    FromArena,
    FromBot,
    Hello,
    Move,
    Resign,
    Started,
    TakeBack,
    Welcome,
)
from arena.protocol.plots import Panel, PanelSize, Shape
from arena.protocol.positions import FindPuzzle, MatchingInfo, NodeInfo, PuzzleInfo
from arena.protocol.spectator import FromSpectator, ToSpectator
from core import GAMES

GAME = next(iter(GAMES.values()))
SETUP = {name: parameter.usual[0] for name, parameter in GAME.parameters.items()}
STARTED_AT = 1795286096.0  # Unix time


def player_examples() -> list[FromBot | FromArena]:
    """Return one message of /play of each type, from a rated match and a casual one."""
    position = GAME.position(**SETUP)
    pairing = Pairing(None, ("greedy", "mybot"), GAME.name, SETUP)
    match = Referee("1", pairing, TimeControl(5, 0.05), grace=5)

    match.start(0)
    position.play(position.legal_moves()[0])
    [(_, turn)] = match.move(1, Move(match.id, 0, position.moves[0]), 0.001)
    info = Info(evaluation=-1.0, depth=5, nodes=123, pv=(position.legal_moves()[0],))
    move = Move(match.id, 1, position.legal_moves()[0], info=info)
    match.move(2, move, 0.002)
    [(_, error)] = match.move(2, move, 0.003)
    resign = Resign(match.id)
    match.resign(2, resign)

    hello = Hello(PROTOCOL_VERSION, "mybot", [GAME.name])
    welcome = Welcome(PROTOCOL_VERSION, "mybot", "Wd0eXmRLEcSVPNoZ8gYTSw", 5.0, 0.1)
    finished = match.finished_message(2)

    challenge = Challenge(GAME.name, SETUP, 1, time="300+5")
    key = "Zk3vXb0Q"
    casual = Pairing(None, ("ann", "bob"), GAME.name, SETUP, casual=True, time=challenge.time)
    match = Referee("2", casual, TimeControl(300, 5), grace=60)
    started = Started(match.id, GAME.name, SETUP, 1, "bob")
    match.start(0)
    match.move(1, Move(match.id, 0, position.moves[0]), 0.001)
    take_back = TakeBack(match.id)
    [(_, asked)] = match.take_back(1, 0.002)
    [(_, declined)] = match.take_back(2, 0.003, accept=False)
    [(_, left)] = match.disconnect(2, 0.003)
    claim = Claim(match.id, "win")
    [(_, back), *_] = match.reconnect(2, 0.004)
    return [
        *(hello, welcome, turn, move, error, resign, finished),
        *(challenge, Challenged(key), ChallengeReceived(key, "bob"), Accept(key), started),
        *(take_back, asked, declined),
        *(left, claim, back),
    ]


def spectator_examples() -> list[FromSpectator | ToSpectator]:
    """Return one message of /watch of each type, about a match that its first player resigned."""
    position = GAME.position(**SETUP)
    position.play(position.legal_moves()[0])
    moves, reply = tuple(position.moves), position.legal_moves()
    control = spectator.TimeControlInfo("5+0.05", 5000, 50, False)
    players = "ann", "bob"
    facts = spectator.MatchInfo(1, None, players, GAME.name, SETUP, 0, control, False, STARTED_AT)
    update = spectator.MoveUpdate(1, 0, moves, [12], 4)
    reason = "player 1 (ann) resigned"
    result = spectator.Result(1, 2, Termination.RESIGNATION, reason, STARTED_AT + 1.5)
    summary = spectator.MatchSummary(facts, result, len(moves))
    start = positions.SearchStart(tree="((3 5) (2 9))")
    return [
        spectator.Watch(1),
        spectator.FindGames(1, bot="ann"),
        spectator.FindRecord(2, 1),
        spectator.Analyse(3, GAME.name, SETUP, moves, 4),
        positions.FindMoveValues(15, GAME.name, SETUP, moves, 4),
        spectator.FindPosition(4, GAME.name, SETUP, moves),
        spectator.FindMatching(8, GAME.name, SETUP, moves),
        spectator.FindContinuations(11, GAME.name, SETUP, moves),
        spectator.FindMargins(5, GAME.name),
        spectator.FindPlots(10, GAME.name),
        bots.FindBot(16, "ann"),
        bots.FindBotMatches(14, "ann", GAME.name),
        positions.Trace(6, start),
        positions.ExplainSteps(7, start, 19, 1),
        positions.FindExercise(9, 17, depth=2),
        spectator.CheckName(11, "Ann\ufe0f"),
        spectator.FindChallenge(12, "Zk3vXb0Q"),
        FindPuzzle(13, match=1, ply=len(moves)),
        _about(),
        spectator.Lobby(playing=1, started=[facts], moves=[update], bots=[*players]),
        spectator.Leaderboards([_leaderboard()]),
        spectator.MatchSnapshot(facts, update, None, None),
        spectator.MatchMoves(update),
        spectator.Winners(1, 0, [1, 1]),
        spectator.MatchFinished(result),
        spectator.Games(1, [summary], False, 1),
        spectator.Continuations(11, [(1, 3, 0, 1), (2, 0, 0, 5)]),
        spectator.Record(2, f'[Game "{GAME.name}"]\n...', "", {1: Info(0.5, 4)}),
        spectator.Analysis(3, 2, reply, None, None, 1, (), None),
        _move_values(),
        spectator.PositionInfo(
            4, 2, reply, str(position), None, [*map(str, moves)], [*map(str, reply)]
        ),
        _matching(),
        spectator.Margins(5, GAME.name, "", {"bob": 335.1, "ann": 335.1}),
        spectator.Plots(10, GAME.name, 1, PanelSize(400, 300, 34, 236), [_panel()]),
        _bot_info(),
        _bot_matches(),
        _traced_search(),
        positions.ExplainedSteps(7, 19, ["Enter F (Max) with alpha 3 and beta infinity."]),
        positions.Exercise(8, start),
        spectator.NameCheck(11, "Ann", None),
        spectator.ChallengeInfo(12, "ann", GAME.name, SETUP, 1, "300+5"),
        _puzzle(moves, reply),
        spectator.ErrorReply("unknown_match", "unknown match 7", 2),
    ]


def _panel() -> Panel:
    bar = Shape("bar", "M56 236V34H384V236z", "7 plies: 1 game")
    ends = [(236.0, "0"), (34.0, "1")]
    title, description = "Number of games by length", "1 game of 7 plies."
    return Panel(title, description, "plies", [(220.0, "7")], ends, [bar], 56.0, 384.0)


def _bot_info() -> bots.BotInfo:
    lost, none = bots.Score(0, 0, 1, 0.0, 0.7935), bots.Score(0, 0, 0, None, None)
    opponent = bots.OpponentScore("bob", 70.2, lost, lost, none, 0)
    standing = bots.BotStanding(
        *(GAME.name, -70.2, 335.1, 2, False, 2, 1, lost, lost, none, {}, None, 1, [opponent])
    )
    return bots.BotInfo(16, "ann", [standing])


def _bot_matches() -> bots.BotMatches:
    lost, none = bots.Score(0, 0, 1, 0.0, 0.7935), bots.Score(0, 0, 0, None, None)
    setup = bots.SetupScore(SETUP, lost, lost, none)
    times = bots.MoveTimes(1, 12.0, 12.0, 1, 0)
    lost_win = bots.LostWin(1, "bob", SETUP, 1, 0, "lost")
    reported = bots.ReportedInfo(1, 5, 123)
    end = STARTED_AT + 1.5
    return bots.BotMatches(
        *(14, "ann", GAME.name, 1, end, [setup], 0, 1, times, 1, [lost_win], reported)
    )


def _traced_search() -> positions.TracedSearch:
    """Return the beginning of a search, as if it had been cut after two steps."""
    return positions.TracedSearch(
        6,
        {"alpha-beta": "alpha-beta (Figure 5.7, fail-soft)"},
        "A",
        True,
        [(0, "max_value(node, alpha, beta):")],
        [positions.StepKind("enter", [0]), positions.StepKind("generate", [2, 3])],
        [(0, 0, None, None), (1, 0, 1, None, ("B", "C"))],
        "steps",
        positions.TraceTotals(None, None, 1, 0, 0, 0.0),
        positions.MinimaxInfo(3.0, 7, 4),
    )


def _about() -> spectator.About:
    parameters = {
        name: spectator.ParameterInfo(*parameter) for name, parameter in GAME.parameters.items()
    }
    parts = GAME.solver is not None, GAME.has_board, GAME.matching is not None
    game = spectator.GameInfo(GAME.name, GAME.title, parameters, *parts)
    offers = {"random": [GAME.name]}
    return spectator.About("VrZ0Uv3kDdM", "5+0.05", [game], True, offers, None)


def _matching() -> MatchingInfo:
    kinds = {"outer": "a maximum matching leaves it out", "last": "was the last move"}
    nodes = [NodeInfo(2, "last", 0, None), NodeInfo(4, "outer", 1, "it follows 2")]
    return MatchingInfo(8, 2, nodes, [(2, 4)], [(2, 4)], kinds, 2, [4], 4, ["Player 2 wins."])


def _puzzle(moves: tuple[int, ...], legal: list[int]) -> PuzzleInfo:
    answers = legal, legal[:1], legal[-1]
    return PuzzleInfo(13, 1, ("ann", "bob"), GAME.name, SETUP, moves, 2, *answers, 9, True, 2)


def _move_values() -> positions.MoveValues:
    values = [
        positions.MoveValue(2, True, -0.1, -0.6, 24, [2, 4, 1]),
        positions.MoveValue(4, False, 0.1, None, 0, [], "nodes"),
    ]
    return positions.MoveValues(15, values)


def _leaderboard() -> spectator.Leaderboard:
    rows = [
        spectator.LeaderboardRow("bob", 70.2, 335.1, 1, 0, 0, 1.0),
        spectator.LeaderboardRow("ann", -70.2, 335.1, 0, 1, 0, None),
    ]
    meeting = spectator.HeadToHead(0, 1, (0, 0), (1, 0), 0)
    return spectator.Leaderboard(GAME.name, 1, 1, "", "", rows, [meeting])
