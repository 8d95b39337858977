"""The inputs of the benchmark of prices."""

from random import Random

import msgspec

from bench.arena.prices.__main__ import message_types
from bench.arena.prices.hostile import MAX_LENGTH, encoded, mutated, random_message
from tests.support.cases import loop_over

TYPES = message_types()


@loop_over("name", TYPES)
def test_some_messages_of_each_type_are_valid(name: str) -> None:
    kind, random = TYPES[name], Random(name)
    message = random_message(random, kind)
    valid = 0
    for _ in range(100):
        if valid == 2:
            break
        text = encoded(random, message)
        assert len(text) <= MAX_LENGTH
        try:
            msgspec.json.decode(text, type=kind)
        except (ValueError, RecursionError):
            message = random_message(random, kind)
        else:
            valid += 1
            message = mutated(random, message, kind)
    assert valid == 2
