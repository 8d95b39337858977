"""Addresses of shared matches."""

from hypothesis import given
from hypothesis import strategies as st

from arena.sharing.address import Address
from tests.support.cases import loop_over


@loop_over(
    "path, address",
    ("/match/12", Address(12, None, "")),
    ("/match/12/0", Address(12, 0, "")),
    ("/match/12/5", Address(12, 5, "")),
    ("/match/12.png", Address(12, None, ".png")),
    ("/match/12/5.svg", Address(12, 5, ".svg")),
)
def test_an_address_and_its_text(path: str, address: Address) -> None:
    assert Address.parse(path) == address
    assert str(address) == path


@loop_over(
    "path",
    *("/match/", "/match/0", "/match/012", "/match/-1", "/match/1.5", "/match/x", "/match/1/"),
    *("/match/1/05", "/match/1/2/3", "/match/1.gif", "/match/1.PNG", "/match/1\n", "//match/1"),
    *("/match/%31", "/match/1%2f2", "/match/\u0661", "/match/1/../2", "/match/" + "9" * 20),
    *("/match/1/" + "9" * 10, "/match/1?x", "/match/match.js", ""),
)
def test_no_address(path: str) -> None:
    assert Address.parse(path) is None


@given(st.text())
def test_any_text_is_an_address_or_none(text: str) -> None:
    address = Address.parse("/match/" + text)
    assert address is None or str(address) == "/match/" + text
