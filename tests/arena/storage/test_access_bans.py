"""Bans: their file, and what they cover."""

import json
from pathlib import Path

import pytest

from arena.storage.access import AccessFileError, Bans, add_ban, load_bans, read_bans, remove_ban
from tests.support.cases import loop_over

NOW = 1795286096.7  # 2026-11-21T18:34:56.7Z


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path for a new file of bans."""
    return tmp_path / "bans.json"


def test_names_and_networks_are_banned_until_their_removal(path: Path) -> None:
    assert load_bans(path) == Bans()
    for entry in ("Ann", "192.0.2.77/24", "2001:db8::/48", "198.51.100.7"):
        add_ban(path, entry, NOW)
    entries = read_bans(path)
    assert [*entries] == ["Ann", "192.0.2.0/24", "2001:db8::/48", "198.51.100.7/32"]
    assert {entry.added for entry in entries.values()} == {"2026-11-21T18:34:56Z"}
    bans = load_bans(path)
    assert bans.names == {"Ann"}
    for address, is_banned in {
        "192.0.2.1": True,
        "::ffff:192.0.2.1": True,
        "192.0.3.1": False,
        "2001:db8:0:1::5": True,
        "2001:db9::1": False,
        "198.51.100.7": True,
        "unknown": False,
    }.items():
        assert bans.has_address(address) is is_banned, address
    remove_ban(path, "192.0.2.0/24")
    remove_ban(path, "Ann")
    assert [*read_bans(path)] == ["2001:db8::/48", "198.51.100.7/32"]


@loop_over(
    "entry, error",
    (" x", "name ' x': expected printable characters without surrounding spaces"),
    ("x" * 65, f"name {'x' * 65!r}: expected 1 to 64 characters, got 65"),
)
def test_an_invalid_entry_is_an_error(path: Path, entry: str, error: str) -> None:
    with pytest.raises(AccessFileError) as refused:
        add_ban(path, entry, NOW)
    assert str(refused.value) == error
    assert not path.exists()


def test_a_second_ban_and_a_missing_one_are_errors(path: Path) -> None:
    add_ban(path, "Ann", NOW)
    with pytest.raises(AccessFileError, match=r"^Ann is banned already in "):
        add_ban(path, "Ann", NOW)
    with pytest.raises(AccessFileError, match=r"^192\.0\.2\.0/24 is not banned in "):
        remove_ban(path, "192.0.2.0/24")


ENTRY = {"added": "2026-11-21T18:34:56Z"}


@loop_over(
    "content",
    [
        "{",
        "[]",
        json.dumps({"version": 2, "bans": {}}),
        json.dumps({"version": 1, "bans": {" ": ENTRY}}),
        json.dumps({"version": 1, "bans": {"a": {"added": "now"}}}),
    ],
)
def test_an_invalid_file_is_an_error(path: Path, content: str) -> None:
    path.write_text(content)
    with pytest.raises(AccessFileError, match=f"^{path} is not a file of bans: "):
        load_bans(path)
