"""Match records that the arena could not have made are rejected."""

import re
from dataclasses import replace

import pytest
from msgspec import structs

from arena.model.results import (
    Fault,
    Info,
    MatchRecord,
    MatchResult,
    Pairing,
    PlayedMove,
    Termination,
)
from arena.storage.record import validate_record
from tests.support.cases import loop_over

PAIRING = Pairing(12, ("anna", "bert"), "take_stones", {"stones": 20}, (3, 6))
MOVES = (PlayedMove(2, 2, 0.001, 0.0005, 0.0005, 0.0), PlayedMove(3, 4, 0.25, 0.0, 0.25, 1e-05))
RESULT = MatchResult(Termination.ILLEGAL_MOVE, 2, "that is why")
RECORD = MatchRecord(
    17, PAIRING, "5+0.05", 1.5e9, 1.5e9 + 0.5, RESULT, MOVES, Fault(4, 9, 1.5, 0.0, 1.5, 0.0)
)


def test_a_valid_record_is_accepted() -> None:
    validate_record(RECORD)


@loop_over(
    ("name", "error"),
    [
        ("", "name '': expected 1 to 64 characters, got 0"),
        ("x" * 3000, f"name '{'x' * 64}': expected 1 to 64 characters, got 3000"),
        ("a\0b", r"name 'a\x00b': expected printable characters without surrounding spaces"),
        (" a", "name ' a': expected printable characters without surrounding spaces"),
    ],
)
@loop_over("player", [0, 1])
def test_a_name_that_no_arena_has_admitted_is_rejected(player: int, name: str, error: str) -> None:
    players = (name, "bert") if player == 0 else ("anna", name)
    with pytest.raises(ValueError, match=f"^{re.escape(error)}$"):
        validate_record(replace(RECORD, pairing=replace(PAIRING, players=players)))


def test_a_name_from_before_newer_rules_is_accepted() -> None:
    validate_record(
        replace(RECORD, pairing=replace(PAIRING, players=("\N{LATIN SMALL LIGATURE FI}", "b")))
    )


@loop_over("ply", [0, 3, 5])
def test_a_move_at_an_unexpected_ply_is_rejected(ply: int) -> None:
    with pytest.raises(ValueError, match=f"expected ply 2, got {ply}"):
        validate_record(replace(RECORD, moves=(structs.replace(MOVES[0], ply=ply),)))


def test_a_fault_at_an_unexpected_ply_is_rejected() -> None:
    with pytest.raises(ValueError, match="expected ply 2, got 4"):
        validate_record(replace(RECORD, moves=()))


def test_the_move_of_a_fault_has_any_length() -> None:
    validate_record(replace(RECORD, fault=Fault(4, -(2**63) - 1, 1.5, 0.0, 1.5, 0.0)))
    with pytest.raises(ValueError, match=f"^{2**63} has more than 64 bits$"):
        validate_record(replace(RECORD, moves=(structs.replace(MOVES[0], move=2**63), MOVES[1])))


@loop_over(
    ("termination", "winner", "error"),
    [
        (Termination.ABORTED, 1, "expected no winner of an aborted match, got 1"),
        (Termination.TIMEOUT, None, "missing winner of a match with termination timeout"),
    ],
)
def test_only_an_aborted_match_and_a_draw_have_no_winner(
    termination: Termination, winner: int | None, error: str
) -> None:
    with pytest.raises(ValueError, match=error):
        validate_record(replace(RECORD, result=MatchResult(termination, winner, "")))


@loop_over(
    ("change", "error"),
    [
        ({"setup": {"stones": -5}}, "stones must be at least 1, got -5"),
        ({"setup": {"a-b": 1}}, "invalid parameter name 'a-b' in the setup"),
        ({"setup": {"stones": 2**63}}, f"{2**63} has more than 64 bits"),
    ],
)
def test_a_setup_that_no_match_can_have_is_rejected(
    change: dict[str, dict[str, int]], error: str
) -> None:
    with pytest.raises(ValueError, match=f"^{error}$"):
        validate_record(replace(RECORD, pairing=replace(PAIRING, setup=change["setup"])))


def test_controls_tags_draws_and_information() -> None:
    validate_record(replace(RECORD, pairing=replace(PAIRING, game="chess", setup={"stones": -5})))
    with pytest.raises(ValueError, match=r"^time '9{60}\.\.\.' must be above 0 and at most"):
        validate_record(replace(RECORD, time_control="9" * 5000))
    with pytest.raises(ValueError, match="tag Game is a field of the record"):
        validate_record(replace(RECORD, pairing=replace(PAIRING, tags={"Game": "chess"})))
    validate_record(replace(RECORD, result=MatchResult(Termination.GAME_OVER, None, "")))
    validate_record(replace(RECORD, infos={3: Info(depth=1)}))
    with pytest.raises(ValueError, match="the info at ply 4 belongs to no move"):
        validate_record(replace(RECORD, infos={4: Info(depth=1)}))
    with pytest.raises(ValueError, match="the info at ply 3 is empty"):
        validate_record(replace(RECORD, infos={3: Info()}))
