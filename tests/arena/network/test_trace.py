"""Traces of messages: JSON lines without secrets."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.network.trace import MAX_BROKEN, MessageTrace, without_secrets
from arena.network.trace import TOKEN as TOKEN_FORM
from arena.protocol.codec import encode
from arena.protocol.player import PROTOCOL_VERSION, Hello, Welcome
from arena.storage.access import generate_token
from tests.support.cases import loop_over


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_lines(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    begin = datetime.now(UTC)
    with MessageTrace(path, print) as trace:
        one, two = trace.open("127.0.0.1"), trace.open("::1")
        one.received('{"type":"hello"}')
        one.bot = "Ann"
        one.sent('{"type":"welcome"}')
        assert len(lines(path)) == 4  # each at once
        two.received(b"\x00\x01")
        two.closed(None)
    one.closed(1000)  # after the end of the arena: no line
    times = [datetime.fromisoformat(line.pop("time")) for line in lines(path)]
    assert begin <= times[0] <= times[-1] <= datetime.now(UTC)
    assert times == sorted(times)
    found = lines(path)
    for line in found:
        del line["time"]
    assert found == [
        {"connection": 1, "bot": None, "open": "127.0.0.1"},
        {"connection": 2, "bot": None, "open": "::1"},
        {"connection": 1, "bot": None, "in": {"type": "hello"}},
        {"connection": 1, "bot": "Ann", "out": {"type": "welcome"}},
        {"connection": 2, "bot": None, "in": "binary frame of 2 bytes"},
        {"connection": 2, "bot": None, "close": None},
    ]


def test_a_trace_is_continued(tmp_path: Path) -> None:
    for _ in range(2):
        with MessageTrace(tmp_path / "trace", print) as trace:
            trace.open("here")
    assert len(lines(tmp_path / "trace")) == 2


def test_a_full_disk_is_reported_once() -> None:
    reports: list[str] = []
    with MessageTrace(Path("/dev/full"), print) as trace:
        trace.report = reports.append
        connection = trace.open("here")
        connection.sent("{}")
    problem = "cannot write /dev/full: No space left on device"
    assert reports == [f"{problem}; the matches go on without it"]


TOKEN = "tsa_" + 10 * "-aZ_9"  # as generate_token makes them


def test_tokens_have_this_form() -> None:
    assert TOKEN_FORM.fullmatch(generate_token())
    assert TOKEN_FORM.fullmatch(TOKEN)


@loop_over(
    "frame",
    encode(Hello(PROTOCOL_VERSION, "Ann", [], session="the-key", token=TOKEN)),
    encode(Welcome(PROTOCOL_VERSION, "Ann", "the-key")),
    f'{{"type":"hello","tok\\u0065n":"{TOKEN}","session":["the-key"]}}',
    f'{{"type":"hello","Token":"{TOKEN}"}}',
    f'{{"type":"hello","token":"{TOKEN}"',
    f'["{TOKEN}"]',
    TOKEN,
    f"Bearer {TOKEN}",
)
def test_secrets_are_masked(tmp_path: Path, frame: str) -> None:
    with MessageTrace(tmp_path / "trace", print) as trace:
        trace.open("here").received(frame)
    text = (tmp_path / "trace").read_text()
    assert TOKEN[:12] not in text
    assert "the-key" not in text
    assert "***" in text


def test_other_fields_are_kept() -> None:
    message = {"type": "move", "match": "1", "ply": 2, "move": 7, "new": [1, {"a": None}]}
    assert without_secrets(json.dumps(message)) == message
    assert without_secrets('{"session":null}') == {"session": None}


@given(st.text() | st.integers().map(lambda depth: "[" * (abs(depth) % 5000)))
def test_any_frame_can_be_traced(frame: str) -> None:
    found = without_secrets(frame)
    assert isinstance(found, dict) or len(str(found)) <= MAX_BROKEN
