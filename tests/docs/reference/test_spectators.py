"""The spectators' protocol: the page matches the sources."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec

from arena.analysis import position, puzzles, traced_search
from arena.model.addresses import CONNECTIONS_PER_ADDRESS
from arena.protocol import bots, positions
from arena.protocol import spectator as viewing
from arena.protocol.codec import SPECTATOR_CODES, encode
from arena.protocol.positions import NodeInfo
from arena.protocol.spectator import FromSpectator, ToSpectator, decode_from_spectator
from arena.server import admission as door
from arena.spectators import broadcaster, endpoint, live_match, puzzle_finder, queries
from arena.spectators.workers import process, program, questions
from arena.teaching import VARIANTS
from arena.teaching.events import Event
from core.take_stones import Board, partners
from core.take_stones.solver import solve
from tests.support.cases import loop_over

TEXT = (Path(__file__).parents[3] / "docs" / "reference" / "spectators.md").read_text()
EXCHANGE = re.findall(r"^```exchange\n(.*?)^```$", TEXT, re.M | re.S)[0].splitlines()
SENT = re.findall(r"^```json\n(.*)\n```$", TEXT, re.M) + [
    line[2:] for line in EXCHANGE if line[0] == ">"
]
RECEIVED = [line[2:] for line in EXCHANGE if line[0] == "<"]
ROWS = dict(re.findall(r"^\| `([a-z_]+)` \| (.*) \|$", TEXT, re.M))
TAGS = {kind.__struct_config__.tag: kind for kind in get_args(ToSpectator)}
PARTS = {
    "facts": viewing.MatchInfo,
    "moves": viewing.MoveUpdate,
    "result": viewing.Result,
    "summary": viewing.MatchSummary,
    "score": bots.Score,
}


@loop_over("text", SENT)
def test_examples_of_a_client_are_valid(text: str) -> None:
    assert decode_from_spectator(text)


def test_messages_variants_and_steps_are_listed() -> None:
    kinds = [kind.__struct_config__.tag for kind in get_args(FromSpectator)]
    assert re.findall(r"^### ([a-z_]+)$", TEXT, re.M) == kinds
    section = TEXT.partition("### trace")[2].partition("###")[0]
    assert {*re.findall(r'"([a-z-]+)"', section.partition("```")[0])} == {*VARIANTS}
    steps = {kind.__name__.lower() for kind in get_args(Event)} - {"stop"}
    section = TEXT.partition("### Steps")[2]
    assert {*re.findall(r"^\| `([a-z]+)` \| ", section.partition("| code |")[0], re.M)} == steps


@loop_over("text", RECEIVED)
def test_examples_of_the_arena_are_encoded_as_shown(text: str) -> None:
    message = msgspec.json.decode(text, type=ToSpectator)
    assert json.loads(encode(message)) == json.loads(text)


def fields(kind: Any) -> list[str]:
    return [field.name for field in msgspec.structs.fields(kind)]


@loop_over("tag", TAGS)
def test_every_message_of_the_arena_has_a_row_with_its_fields(tag: str) -> None:
    assert not [name for name in fields(TAGS[tag]) if f"`{name}`" not in ROWS[tag]]


@loop_over("part", PARTS)
def test_every_part_has_a_row_with_its_fields(part: str) -> None:
    row = re.findall(rf"^\| \*{part}\* \| (.*) \|$", TEXT, re.M)[0]
    assert not [name for name in fields(PARTS[part]) if f"`{name}`" not in row]


@loop_over(
    "row, kind",
    ("about", viewing.GameInfo),
    ("about", viewing.ParameterInfo),
    ("about", viewing.TournamentInfo),
    ("tables", viewing.Leaderboard),
    ("tables", viewing.LeaderboardRow),
    ("bot", bots.BotStanding),
    ("bot", bots.OpponentScore),
    ("bot_matches", bots.SetupScore),
    ("bot_matches", bots.MoveTimes),
    ("bot_matches", bots.LostWin),
    ("bot_matches", bots.ReportedInfo),
    ("analysis", viewing.SearchSummary),
    ("position", viewing.OutcomeInfo),
    ("matching", NodeInfo),
    ("traced_search", positions.TraceTotals),
    ("traced_search", positions.MinimaxInfo),
    ("result", viewing.Result),
)
def test_nested_fields_are_explained(row: str, kind: Any) -> None:
    known = "\n".join(re.findall(rf"^\| [`*]{row}[`*] \| (.*) \|$", TEXT, re.M))
    assert not [name for name in fields(kind) if f"`{name}`" not in known]


def test_every_code_is_explained() -> None:
    sources = Path(endpoint.__file__).parent.rglob("*.py")
    codes = {
        code
        for source in sources
        for code in re.findall(
            r'(?:Error|ErrorReply|unexpected)\(\s*"([a-z_]+)"', source.read_text()
        )
    }
    assert codes == {*SPECTATOR_CODES} <= {*ROWS}


def test_the_match_of_the_example_is_legal() -> None:
    moves: list[int] = []
    known: list[int] = []
    for message in map(json.loads, RECEIVED):
        if message["type"] in {"match", "moves"}:
            update = message["moves"]
            moves[update["ply"] :] = update["moves"]
        elif message["type"] == "winners":
            known[message["ply"] :] = message["winners"]
    board = Board(7, moves)
    assert board.is_over
    assert board.winner == json.loads(RECEIVED[-1])["result"]["winner"]
    assert known == [solve(Board(7, moves[:ply])).winner for ply in range(len(moves) + 1)]


@loop_over(
    "words",
    f"at most {1 / broadcaster.ROUND_SECONDS:.0f} times a second",
    f"Of more than {live_match.LOBBY_MATCHES} matches only {live_match.LOBBY_MATCHES} are shown",
    f"at most {positions.MAX_DEPTH}) alpha-beta",
    f"The whole analysis takes {queries.SEARCH_SECONDS:g} s at most",
    f"legal moves exceeds {position.MAX_SEARCH_COST:,}",
    f"at most {viewing.MAX_GAMES}. The others",
    f"may exceed {position.MAX_SIZE:,}",
    f"up to {partners.MAX_STONES} stones",
    f"of at most {positions.MAX_TREE:,} characters",
    f"by default 3, at most {positions.MAX_EXERCISE_DEPTH}.",
    f"at most {traced_search.MAX_STEPS:,} steps and {traced_search.MAX_SIZE:,} characters",
    f"1 to {puzzles.MAX_WINNING} of {puzzles.MIN_LEGAL} to {puzzles.MAX_LEGAL} legal moves win",
    f"have a product of at most {puzzles.MAX_SIZE}.",
    f"{puzzle_finder.PROBES} of them are drawn, and the first {puzzle_finder.CANDIDATES} of",
    f"for at most {puzzle_finder.SECONDS:g} s. Wins",
    f"a search of {puzzles.SHALLOW_DEPTH} plies misses",
    f"{puzzles.MANY_MOVES} or more legal moves, more than {puzzles.MANY_PLIES} `plies_left`",
    f"as sentences, at most {positions.MAX_STEPS}, from",
    f"At most {questions.MAX_WAITING_PER_ADDRESS} questions wait for an address and "
    f"{questions.MAX_WAITING} in all, and at most {endpoint.MAX_UNANSWERED} messages of a "
    f"connection, which have at most {endpoint.MAX_UNANSWERED_SIZE // 1024} KiB",
)
def test_numbers_match_the_sources(words: str) -> None:
    assert words in " ".join(TEXT.split())


def test_limits_in_the_guide_for_operators_match_the_sources() -> None:
    guide = Path(__file__).parents[3] / "docs" / "guide" / "operate-an-arena.md"
    text = " ".join(guide.read_text().split())
    assert f"Up to {door.MAX_SPECTATORS} spectators can connect at once, " in text
    assert f" at once, {CONNECTIONS_PER_ADDRESS} from one address" in text
    assert f"for {100 * broadcaster.TIME_SHARE:.0f} % of the time at most" in text
    assert f"a niceness {program.NICENESS} above" in text
    assert f"an analysis within {queries.SEARCH_SECONDS:g} s" in text
    assert f"more than {process.CALL_SECONDS:g} s of processor time end the process" in text
    assert f"at most {process.MEMORY // 2**30} GiB of data" in text
