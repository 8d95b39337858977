"""Filters of finished matches, compared with an obvious filter of the stored records."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.model.results import MatchFilter, MatchRecord, Pairing, PlayedMove, Termination
from arena.model.setups import completed
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.tournaments.databases import begin_match, store_record
from tests.support.tournaments.records import make_aborted_record, make_pairing, make_record

MOVES = tuple(PlayedMove(3 + ply, move, 0.1, 0.0, 0.1, 0.0) for ply, move in enumerate((4, 1)))
RECORDS = [
    make_record(make_pairing(None, ("Anna", "bert"))),
    make_record(make_pairing(None, ("bert", "Anna"), stones=20)),
    make_record(make_pairing(None, ("Anna", "annabel"), stones=20), winner=2),
    make_record(make_pairing(None, ("ANNABEL", "bert")), None, Termination.GAME_OVER),
    make_record(Pairing(None, ("10%", "a_b"), "isolation", {}), termination=Termination.TIMEOUT),
    make_record(Pairing(None, ("100", "acb"), "isolation", {"rows": 5, "columns": 6})),
    make_aborted_record(make_pairing(None, ("bert", "Anna"))),
    make_record(replace(make_pairing(None), opening=(3, 6, 2)), moves=MOVES),
]
VERDICTS = {1: "kbkb", 2: "kk", 3: "", 5: "b"}  # by match


@pytest.fixture(scope="module")
def stored(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[DatabaseReader, list[MatchRecord]]]:
    """Yield a database of the records, of which each ends a second after the one before."""
    path = Path(tmp_path_factory.mktemp("filters") / "arena.db")
    with DatabaseWriter(path) as writer:
        found = [
            store_record(writer, replace(record, finished_at=2000.0 + second))
            for second, record in enumerate(RECORDS)
        ]
        for match, verdicts in VERDICTS.items():
            writer.save_verdicts(match, verdicts).result()
        begin_match(writer)
    with DatabaseReader(path) as reader:
        yield reader, found


def is_named(text: str | None, player: str) -> bool:
    players = {player for record in RECORDS for player in record.pairing.players}
    if text is None or text in players:
        return text in (None, player)
    return player.casefold().startswith(text.casefold())


def outcome(record: MatchRecord, side: int) -> str | None:
    if record.result.termination is Termination.ABORTED:
        return None
    return {None: "draw", side: "won", 3 - side: "lost"}[record.result.winner]


def passes(selected: MatchFilter, record: MatchRecord) -> bool:
    pairing, plies = record.pairing, len(record.pairing.opening) + len(record.moves)
    has_player = selected.bot is not None or selected.opponent is not None
    blunders = VERDICTS[record.id].count("b") if record.id in VERDICTS else None
    return (
        any(
            is_named(selected.bot, pairing.players[side - 1])
            and is_named(selected.opponent, pairing.players[2 - side])
            and selected.outcome in (None, outcome(record, side))
            for side in ((1, 2) if has_player else (1,))
        )
        and selected.game in (None, pairing.game)
        and selected.setup.items() <= completed(pairing.game, pairing.setup).items()
        and selected.ending in (None, record.result.termination)
        and (
            selected.max_blunders is None
            or (blunders is not None and blunders <= selected.max_blunders)
        )
        and (selected.min_plies is None or plies >= selected.min_plies)
        and (selected.max_plies is None or plies <= selected.max_plies)
        and (selected.since is None or record.finished_at >= selected.since)
        and (selected.until is None or record.finished_at < selected.until)
    )


@loop_over(
    "selected",
    [
        MatchFilter(),
        *(MatchFilter(bot=bot) for bot in ("Anna", "anna", "ANN", "bert", "", "x", "10%", "a_")),
        MatchFilter(bot="Anna", opponent="bert"),
        MatchFilter(opponent="b"),
        *(MatchFilter(outcome=result) for result in ("won", "lost", "draw")),
        *(MatchFilter(bot="bert", outcome=result) for result in ("won", "lost", "draw")),
        MatchFilter(bot="bert", opponent="anna", outcome="lost", setup={"stones": 7}),
        MatchFilter(game="isolation"),
        MatchFilter(setup={"rows": 5, "columns": 6}),
        MatchFilter(setup={"size": 8}),
        MatchFilter(setup={"size": 7}),
        MatchFilter(setup={"rows": 5, "columns": 7}),
        *(MatchFilter(ending=ending) for ending in Termination),
        *(MatchFilter(max_blunders=number) for number in (0, 1, 2)),
        MatchFilter(min_plies=1),
        MatchFilter(min_plies=5, max_plies=5),
        MatchFilter(max_plies=4),
        MatchFilter(since=2002, until=2004),
    ],
)
def test_a_filter_selects_the_matches_that_pass_it(
    stored: tuple[DatabaseReader, list[MatchRecord]], selected: MatchFilter
) -> None:
    reader, records = stored
    expected = [record.id for record in reversed(records) if passes(selected, record)]
    assert [record.id for record, _ in reader.latest_matches(99, None, selected)] == expected
    assert reader.count_matches(selected) == len(expected)
