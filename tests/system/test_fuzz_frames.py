"""Fuzzers of the arena's port: frames, messages, questions and requests beside honest matches.

They run for seconds among the tests, and for about half an hour with the profile "fuzz" of
hypothesis (CONTRIBUTING.md). tests/support/simulation/fuzzed_arena.py has the invariants.
"""

import json
from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    consumes,
    initialize,
    multiple,
    rule,
)

from arena.protocol.codec import SPECTATOR_CODES, DecodeError
from arena.protocol.player import PROTOCOL_VERSION, Accept, Challenge, Hello, Move, Resign, TakeBack
from arena.protocol.spectator import decode_from_spectator
from core import GAMES
from tests.support.servers.raw_socket import frame
from tests.support.simulation.fuzzed_arena import FuzzedArena, FuzzerConnection, fuzzed_arena
from tests.support.simulation.fuzzed_messages import (
    FRAMES,
    OF_BOTS,
    OF_SPECTATORS,
    damaged,
    fragmented,
    messages,
    questions,
    requests,
)

# An example takes long: it starts an arena.
SETTINGS = settings(max_examples=settings().max_examples // 5)

# All but errors of our own games, programs and database, and of an arena that stops.
CODES = {*SPECTATOR_CODES} - {"game_failed", "failed", "damaged", "closing"}


class Fuzzer(RuleBasedStateMachine):
    """Connections that send anything, in any order."""

    connections = Bundle("connections")
    bots = Bundle("bots")  # those of the connections that have joined

    def __init__(self) -> None:
        super().__init__()
        self.arena = FuzzedArena()

    def teardown(self) -> None:
        self.arena.close()

    # Connections

    @initialize(targets=(connections, bots), casual=st.booleans())
    def join_twice(self, casual: bool) -> MultipleResults[FuzzerConnection]:
        """Join as two bots, which can play each other."""
        return multiple(self._joined(8, casual), self._joined(9, casual))

    @rule(target=connections, path=st.sampled_from(["/play", "/watch"]))
    def open(self, path: str) -> FuzzerConnection:
        return self.arena.act(self.arena.connect(path))

    @rule(targets=(connections, bots), number=st.integers(1, 6), casual=st.booleans())
    def join(self, number: int, casual: bool) -> FuzzerConnection:
        return self._joined(number, casual)

    def _joined(self, number: int, casual: bool) -> FuzzerConnection:
        connection = self.arena.act(self.arena.connect("/play"))
        hello = Hello(PROTOCOL_VERSION, f"evil {number}", ["take_stones"], 3, casual=casual)
        self.arena.act(connection.send(frame(hello)))
        return connection

    @rule(connection=consumes(connections), how=st.integers(0, 2))
    def leave(self, connection: FuzzerConnection, how: int) -> None:
        """Close a connection, in one direction or in both."""
        if how == 0:
            connection.stop_reading()
        elif how == 1:
            connection.end_sending()
        else:
            self.arena.act(connection.close())

    # Frames

    @rule(connection=connections, sent=st.lists(FRAMES, min_size=1, max_size=5))
    def send_frames(self, connection: FuzzerConnection, sent: list[bytes]) -> None:
        self.arena.act(connection.send(b"".join(sent)))

    @rule(connection=connections, sent=fragmented(messages(OF_BOTS)))
    def send_message_of_a_bot(self, connection: FuzzerConnection, sent: bytes) -> None:
        self.arena.act(connection.send(sent))

    @rule(connection=connections, sent=fragmented(messages(OF_SPECTATORS)))
    def send_message_of_a_spectator(self, connection: FuzzerConnection, sent: bytes) -> None:
        self.arena.act(connection.send(sent))

    @rule(connection=connections, sent=damaged(FRAMES))
    def send_a_damaged_frame(self, connection: FuzzerConnection, sent: bytes) -> None:
        self.arena.act(connection.send(sent))

    @rule(connection=connections, sent=st.binary(min_size=1, max_size=300))
    def send_bytes(self, connection: FuzzerConnection, sent: bytes) -> None:
        self.arena.act(connection.send(sent))

    # Matches

    @rule(connection=bots, late=st.integers(-1, 1), choice=st.integers(-1, 9))
    def move(self, connection: FuzzerConnection, late: int, choice: int) -> None:
        """Answer the latest turn, legally if `late` and `choice` allow."""
        if turn := connection.latest("turn"):
            legal = GAMES[turn["game"]].position(**turn["setup"], moves=turn["moves"]).legal_moves()
            stone = choice if choice < 0 else legal[choice % len(legal)]
            move = Move(turn["match"], turn["ply"] + late * (choice == 0), stone)
            self.arena.act(connection.send(frame(move)))

    @rule(connection=bots, kind=st.sampled_from([Resign, TakeBack]))
    def end_or_take_back(
        self, connection: FuzzerConnection, kind: type[Resign] | type[TakeBack]
    ) -> None:
        if turn := connection.latest("turn"):
            self.arena.act(connection.send(frame(kind(turn["match"]))))

    @rule(one=bots, two=bots)
    def challenge(self, one: FuzzerConnection, two: FuzzerConnection) -> None:
        """Let one challenge any casual player, and the other accept its latest challenge."""
        self.arena.act(one.send(frame(Challenge("take_stones", {"stones": 20}, 1))))
        if challenged := one.latest("challenged"):
            self.arena.act(two.send(frame(Accept(challenged["challenge"]))))

    # Requests

    @rule(target=connections, sent=st.one_of(requests(), damaged(requests()), st.binary()))
    def send_a_request(self, sent: bytes) -> FuzzerConnection:
        connection = self.arena.act(self.arena.connect())
        self.arena.act(connection.send(sent))
        return connection

    @rule()
    def ask_for_the_health(self) -> None:
        assert self.arena.act(self.arena.is_healthy())


TestFuzzer = Fuzzer.TestCase
TestFuzzer.settings = SETTINGS


# The last one is too long to wait for the answers before it.
TOO_MUCH = [
    b'{"type": "find_margins", "request": 1, "game": "take_stones"}',
    b'{"type": "find_games", "request": 2}',
    b'{"type": "find_position", "request": 3, "game": "take_stones", "setup": {}, "moves": [%s]}'
    % b", ".join([b"1"] * 10_000),
]


def test_every_question_is_answered_by_its_number() -> None:
    @SETTINGS
    @example(TOO_MUCH)
    @given(st.lists(st.integers(1, 1000).flatmap(questions), min_size=1, max_size=5))
    def ask(asked: list[bytes]) -> None:
        check_answers(asked, arena)

    with fuzzed_arena() as arena:
        ask()


def check_answers(asked: list[bytes], arena: FuzzedArena) -> None:
    """Ask questions on a connection of its own, and check the numbers of the answers."""
    viewer = arena.act(arena.connect("/watch"))
    for question in asked:
        arena.act(viewer.send(frame(question)))
    arena.act(viewer.wait_for_answers(len(asked)))
    arena.act(viewer.close())  # there may be more examples than places for connections
    answers = [message for message in viewer.messages() if "request" in message]
    codes = {answer["code"] for answer in answers if answer["type"] == "error"}
    assert codes <= CODES, answers
    readable = [json.loads(question)["request"] for question in asked if is_readable(question)]
    unreadable = [None] * (len(asked) - len(readable))
    numbers = [answer["request"] for answer in answers]
    assert Counter(numbers) == Counter([*readable, *unreadable])
    # All are answered in order, except those that are rejected unread or unasked.
    waiting = iter(readable)
    early = ("busy", "unreadable")
    assert all(
        answer["request"] in waiting for answer in answers if answer.get("code") not in early
    )


def is_readable(question: bytes) -> bool:
    """Return whether a question is a message; another one is answered at once, by no number."""
    try:
        decode_from_spectator(question.decode())
    except DecodeError:
        return False
    return True
