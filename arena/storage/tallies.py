"""Tallies: results and scores of pairs, counted in the database as matches are stored.

The standings of a million matches are read from a few rows. Matches are counted in the transaction
that stores them.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from arena.model.played_matches import PlayedMatches
from arena.model.results import MatchRecord, Termination, pair_score

TALLY_TABLES = (
    """
CREATE TABLE tallies (          -- numbers of rated matches
    game TEXT NOT NULL,
    player1 TEXT NOT NULL,
    player2 TEXT NOT NULL,
    winner INTEGER NOT NULL,    -- 0: a draw
    termination TEXT NOT NULL,
    matches INTEGER NOT NULL,
    games INTEGER NOT NULL,     -- different ones: in the setup or in a move
    PRIMARY KEY (game, player1, player2, winner, termination)
) STRICT, WITHOUT ROWID;
""",
    """
CREATE TABLE pair_scores (      -- numbers of pairs, and of rated matches outside of pairs
    id INTEGER PRIMARY KEY,     -- a changed row has the highest one
    game TEXT NOT NULL,
    bot TEXT NOT NULL,          -- it sorts before its opponent
    opponent TEXT NOT NULL,
    first INTEGER NOT NULL,     -- half points of the bot as player 1; -1: not played
    second INTEGER NOT NULL,    -- the same as player 2
    pairs INTEGER NOT NULL,
    clusters INTEGER NOT NULL,  -- pairs that differ in a game
    squares INTEGER NOT NULL,   -- sum of the squares of the numbers of equal pairs
    UNIQUE (game, bot, opponent, first, second)
) STRICT;
""",
    """
CREATE TABLE identities (       -- of games and of pairs
    hash INTEGER PRIMARY KEY,
    times INTEGER NOT NULL
) STRICT;
""",
    """
CREATE TABLE half_pairs (       -- pairs of which one match has ended
    pair INTEGER PRIMARY KEY,   -- of the matches 2 pair - 1 and 2 pair
    game TEXT NOT NULL,
    player1 TEXT NOT NULL,
    player2 TEXT NOT NULL,
    winner INTEGER NOT NULL,
    hash INTEGER NOT NULL       -- of the game
) STRICT;
""",
)

# Tables of pairs of players, and the columns of their names.
TALLIES_OF_PLAYERS = {
    "tallies": "(player1, player2)",
    "pair_scores": "(bot, opponent)",
    "half_pairs": "(player1, player2)",
}

T = TypeVar("T")

BATCH = 1000  # matches that are counted together
CACHED_SETUPS = CACHED_SCORES = 1024  # which many matches share
PARAMETERS = 30_000  # of a statement, at most

_pair_score = lru_cache(CACHED_SCORES)(pair_score)

Score = tuple[str, str, str, int, int]
"""Game, bots and half points: the first columns of pair_scores."""


class EndedMatch(NamedTuple):
    """Rated match that has ended.

    Attributes:
        number: The number in the schedule; None outside of one.
        game: The name of the game.
        player1: The name of player 1.
        player2: The name of player 2.
        winner: 1 or 2; 0 for a draw.
        termination: The way in which it ended.
        hash: The identity of the game that was played (`game_identity`).
    """

    number: int | None
    game: str
    player1: str
    player2: str
    winner: int
    termination: str
    hash: int


def count_records(db: sqlite3.Connection, records: Iterable[MatchRecord]) -> None:
    """Count the rated ones of matches that are being stored."""
    _count(
        db,
        [
            EndedMatch(
                record.pairing.number,
                record.pairing.game,
                *record.pairing.players,
                record.result.winner or 0,
                record.result.termination,
                game_identity(record),
            )
            for record in records
            if record.is_rated
        ],
    )


def count_played(db: sqlite3.Connection, matches: PlayedMatches) -> None:
    """Count the rated ones of matches in process that are being stored."""
    ended = []
    for pairing, match in matches:
        if match.termination is not Termination.ABORTED:
            one, two = pairing.players
            ended.append(
                EndedMatch(
                    pairing.number,
                    pairing.game,
                    one,
                    two,
                    match.winner or 0,
                    match.termination,
                    match.game,
                )
            )
    _count(db, ended)


def game_identity(record: MatchRecord) -> int:
    """Return the identity of a game: different games have different ones, as good as always."""
    pairing, result = record.pairing, record.result
    return _game_hash(
        pairing.game,
        *pairing.players,
        result.winner or 0,
        result.termination,
        setup_text(*pairing.setup.items()),
        " ".join(map(str, (*pairing.opening, *(move.move for move in record.moves)))),
    )


@lru_cache(CACHED_SETUPS)
def setup_text(*setup: tuple[str, int]) -> str:
    """Return the text of a setup in the database."""
    return json.dumps(dict(setup))


def count_stored_matches(db: sqlite3.Connection, condition: str) -> None:
    """Count matches that are stored, but not counted yet.

    Args:
        db: The database.
        condition: The condition in SQL that a match is rated and not counted.
    """
    for matches in _stored_matches(db, condition):
        _count(db, matches)


def uncount_player(db: sqlite3.Connection, player: str, condition: str) -> None:
    """Remove all that was counted of a player, whose matches can then be counted again.

    Args:
        db: The database.
        player: The name of the player.
        condition: The condition in SQL that a match is rated and one of the player's.
    """
    _delete_rows(db, TALLIES_OF_PLAYERS, player)
    for matches in _stored_matches(db, condition):
        hashes = {match.hash for match in matches} | {pair for _, pair in _scores(db, matches)}
        for part in parts(hashes, PARAMETERS):
            places = ", ".join("?" * len(part))
            db.execute(f"DELETE FROM identities WHERE hash IN ({places})", part)
    _delete_rows(db, ["half_pairs"], player)


def _delete_rows(db: sqlite3.Connection, tables: Iterable[str], player: str) -> None:
    for table in tables:
        db.execute(f"DELETE FROM {table} WHERE ? IN {TALLIES_OF_PLAYERS[table]}", (player,))


def _stored_matches(db: sqlite3.Connection, condition: str) -> Iterator[list[EndedMatch]]:
    opening = "replace(trim(opening, '[]'), ',', '')"
    rows = db.execute(
        f"SELECT number, game, player1, player2, winner, termination, setup,"
        f" trim({opening} || ' ' || ifnull({moves_text()}, ''))"
        f" FROM matches WHERE {condition} ORDER BY number, id"
    )
    while batch := rows.fetchmany(BATCH):
        yield [_stored_match(*row) for row in batch]


def moves_text(schema: str = "", match: str = "matches") -> str:
    """Return an SQL expression for the players' moves of a match as text, NULL without any.

    Args:
        schema: The schema of the table of moves; empty for the first one that has it.
        match: The table that has the match.
    """
    table = f"{schema}.moves" if schema else "moves"
    moves = f"SELECT move FROM {table} WHERE match = {match}.id ORDER BY ply"
    return f"(SELECT group_concat(move, ' ') FROM ({moves}))"


def _stored_match(
    number: int | None,
    game: str,
    player1: str,
    player2: str,
    winner: int | None,
    termination: str,
    setup: str,
    moves: str,
) -> EndedMatch:
    result = game, player1, player2, winner or 0, termination
    return EndedMatch(number, *result, _game_hash(*result, setup, moves))


def _game_hash(
    game: str, player1: str, player2: str, winner: int, termination: str, setup: str, moves: str
) -> int:
    return _hash("\0".join((game, setup, player1, player2, moves, f"{winner}", termination)))


def _hash(text: str) -> int:
    digest = blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _count(db: sqlite3.Connection, matches: Sequence[EndedMatch]) -> None:
    by_hash = {match.hash: match for match in matches}
    before = _add_identities(db, Counter(match.hash for match in matches))
    tallies = Counter(match[1:6] for match in matches)
    games = Counter(by_hash[hash_][1:6] for hash_, times in before.items() if not times)
    rows = ((*key, number, games[key]) for key, number in tallies.items())
    for part in parts(rows, PARAMETERS // 7):
        values = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * len(part))
        db.execute(
            f"INSERT INTO tallies VALUES {values} ON CONFLICT DO UPDATE"
            " SET matches = matches + excluded.matches, games = games + excluded.games",
            [*chain.from_iterable(part)],
        )
    _count_scores(db, Counter(_scores(db, matches)))


def parts(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield lists of at most `size` items, in order.

    Their lengths are powers of two: SQLite takes longer to parse a statement with many rows than
    to execute it, and few different statements are all kept.
    """
    rest = iter(items)
    while batch := [*islice(rest, size)]:
        begin = 0
        while left := len(batch) - begin:
            end = begin + (1 << left.bit_length() - 1)
            yield batch[begin:end]
            begin = end


def _add_identities(db: sqlite3.Connection, times: Counter[int]) -> dict[int, int]:
    """Add to the numbers of games or pairs; return the numbers before, by hash."""
    before = {}
    for part in parts(times.items(), PARAMETERS // 2):
        values = ", ".join(["(?, ?)"] * len(part))
        for hash_, after in db.execute(
            f"INSERT INTO identities VALUES {values}"
            " ON CONFLICT DO UPDATE SET times = times + excluded.times RETURNING hash, times",
            [*chain.from_iterable(part)],
        ).fetchall():
            before[hash_] = after - times[hash_]
    return before


def _scores(db: sqlite3.Connection, matches: Sequence[EndedMatch]) -> Iterator[tuple[Score, int]]:
    """Yield score and identity of each pair that is complete, and of matches outside of pairs."""
    halves = _pop_halves(db, {_pair(match.number) for match in matches if match.number is not None})
    for match in matches:
        if match.number is None:
            yield _score(match), _identity(match)
            continue
        pair = _pair(match.number)
        other = halves.pop(pair, None)
        if other is None:
            halves[pair] = match
        elif (match.game, match.player1, match.player2) == (
            other.game,
            other.player2,
            other.player1,
        ):
            yield _score(match, other), _identity(match, other)
        else:  # numbers of an unknown schedule
            yield _score(match), _identity(match)
            yield _score(other), _identity(other)
    for part in parts(halves.items(), PARAMETERS // 6):
        db.execute(
            f"INSERT INTO half_pairs VALUES {', '.join(['(?, ?, ?, ?, ?, ?)'] * len(part))}",
            [
                value
                for pair, half in part
                for value in (pair, half.game, half.player1, half.player2, half.winner, half.hash)
            ],
        )


def _pair(number: int) -> int:
    return (number + 1) // 2


def _pop_halves(db: sqlite3.Connection, pairs: Iterable[int]) -> dict[int, EndedMatch]:
    """Remove the matches of these pairs from half_pairs; return them by pair."""
    halves = {}
    for part in parts(pairs, PARAMETERS):
        for pair, game, player1, player2, winner, hash_ in db.execute(
            f"DELETE FROM half_pairs WHERE pair IN ({', '.join('?' * len(part))})"
            " RETURNING pair, game, player1, player2, winner, hash",
            part,
        ).fetchall():
            halves[pair] = EndedMatch(None, game, player1, player2, winner, "", hash_)
    return halves


def _score(*matches: EndedMatch) -> Score:
    """Return the score of the matches of a pair, or of a match outside of one."""
    played = [(match.player1, match.player2, match.winner) for match in matches]
    return matches[0].game, *_pair_score(*played)


def _identity(match: EndedMatch, other: EndedMatch | None = None) -> int:
    """Return the identity of a pair, or of a match outside of one: that of its games."""
    if other is None:
        return _hash(f"{match.hash}")
    one, two = match.hash, other.hash
    return _hash(f"{one} {two}" if one < two else f"{two} {one}")


def _count_scores(db: sqlite3.Connection, clusters: Counter[tuple[Score, int]]) -> None:
    times = Counter({identity: number for (_, identity), number in clusters.items()})
    before = _add_identities(db, times)
    added: dict[Score, list[int]] = {}
    for (score, identity), number in clusters.items():
        earlier = before[identity]
        numbers = added.setdefault(score, [0, 0, 0])
        numbers[0] += number
        numbers[1] += not earlier
        numbers[2] += (earlier + number) ** 2 - earlier**2
    (last,) = db.execute("SELECT ifnull(max(id), 0) FROM pair_scores").fetchone()
    rows = ((number, *score, *added[score]) for number, score in enumerate(added, last + 1))
    for part in parts(rows, PARAMETERS // 9):
        values = ", ".join(["(?, ?, ?, ?, ?, ?, ?, ?, ?)"] * len(part))
        db.execute(
            f"INSERT INTO pair_scores VALUES {values}"
            " ON CONFLICT (game, bot, opponent, first, second) DO UPDATE SET id = excluded.id,"
            " pairs = pairs + excluded.pairs, clusters = clusters + excluded.clusters,"
            " squares = squares + excluded.squares",
            [*chain.from_iterable(part)],
        )
