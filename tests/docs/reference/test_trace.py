"""The trace of messages: the page matches the sources."""

import json
import re
from pathlib import Path
from typing import Any

from arena.network.trace import MASK, MAX_BROKEN, SECRETS, MessageTrace
from arena.protocol.codec import decode_from_arena, decode_from_bot

TEXT = (Path(__file__).parents[3] / "docs" / "reference" / "trace.md").read_text()
[EXAMPLE] = re.findall(r"^```trace\n(.*?)^```$", TEXT, re.M | re.S)


def untimed(text: str) -> list[dict[str, Any]]:
    """Return the lines without their times."""
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        del line["time"]
    return lines


def test_the_example_is_what_is_written(tmp_path: Path) -> None:
    expected = untimed(EXAMPLE)
    with MessageTrace(tmp_path / "trace", print) as trace:
        connection = trace.open(expected[0]["open"])
        connection.received(json.dumps(expected[1]["in"] | {"token": "tsa_x"}))
        connection.bot = "mybot"
        connection.sent(json.dumps(expected[2]["out"] | {"session": "key"}))
        connection.received(expected[3]["in"])
        connection.closed(expected[4]["close"])
    assert untimed((tmp_path / "trace").read_text()) == expected


def test_the_example_is_valid_and_described() -> None:
    _, hello, welcome, *_ = untimed(EXAMPLE)
    decode_from_bot(json.dumps(hello["in"]))
    decode_from_arena(json.dumps(welcome["out"]))
    fields = {name for line in EXAMPLE.splitlines() for name in json.loads(line)}
    assert {*re.findall(r"^\| `(\w+)` \|", TEXT, re.M)} == fields
    flat = " ".join(TEXT.split())
    assert f"The values of `{SECRETS[0]}` and `{SECRETS[1]}` are `{MASK}`" in flat
    assert f"the first {MAX_BROKEN} characters" in flat
