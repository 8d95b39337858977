"""Addresses of positions on the page."""

from arena.analysis.position import analysis_address


def test_addresses() -> None:
    address = "#/analysis?game=nim&heap=7&moves=1,2&depth="
    assert analysis_address("nim", {"heap": 7}, [1, 2]) == address
    assert analysis_address("nim", {"heap": 7}, [1, 2], depth=4) == f"{address}4"
    assert analysis_address("a&b", {}, []) == "#/analysis?game=a%26b&moves=&depth="
