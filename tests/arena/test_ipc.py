"""Messages between processes."""

from io import BytesIO

from arena.ipc import HEADER, frame, pack, read_bodies, read_messages
from tests.support.cases import loop_over


def test_messages_are_read_as_they_were_packed() -> None:
    stream = BytesIO(pack([1, "a"]) + pack(None))
    assert [*read_messages(stream)] == [[1, "a"], None]


@loop_over("cut", range(1, HEADER.size + 3))
def test_a_message_that_is_cut_off_is_not_read(cut: int) -> None:
    data = frame(b"") + frame(b"abc")
    assert [*read_bodies(BytesIO(data[:-cut]))] == [b""]
