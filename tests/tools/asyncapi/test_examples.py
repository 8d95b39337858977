"""Examples of the AsyncAPI document: as the arena reads and writes them."""

import json
from typing import Any, get_args

import msgspec

from arena.protocol.codec import decode_from_arena, decode_from_bot, encode
from arena.protocol.player import FromArena, FromBot
from arena.protocol.spectator import FromSpectator, ToSpectator, decode_from_spectator
from tests.support.cases import loop_over
from tools.asyncapi.examples import player_examples, spectator_examples


def tags(union: Any) -> list[str]:
    return [kind.__struct_config__.tag for kind in get_args(union)]


PLAYER = {str(example.__struct_config__.tag): encode(example) for example in player_examples()}
SPECTATOR = [encode(example) for example in spectator_examples()]


def test_every_message_has_one_example() -> None:
    assert len(PLAYER) == len(player_examples())
    assert sorted(PLAYER) == sorted([*tags(FromBot), *tags(FromArena)])
    found = [json.loads(text)["type"] for text in SPECTATOR]
    assert sorted(found) == sorted([*tags(FromSpectator), *tags(ToSpectator)])


@loop_over("name", tags(FromBot))
def test_the_arena_decodes_the_examples_of_bots(name: str) -> None:
    assert encode(decode_from_bot(PLAYER[name])) == PLAYER[name]


@loop_over("name", tags(FromArena))
def test_bots_decode_the_examples_of_the_arena(name: str) -> None:
    assert encode(decode_from_arena(PLAYER[name])) == PLAYER[name]


@loop_over("text", SPECTATOR[: len(get_args(FromSpectator))])
def test_the_arena_decodes_the_examples_of_spectators(text: str) -> None:
    assert encode(decode_from_spectator(text)) == text


@loop_over("text", SPECTATOR[len(get_args(FromSpectator)) :])
def test_spectators_decode_the_examples_of_the_arena(text: str) -> None:
    assert encode(msgspec.json.decode(text, type=ToSpectator)) == text
