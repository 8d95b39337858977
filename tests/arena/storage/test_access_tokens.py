"""Tokens: their file, which survives accidents, and authentication."""

import hmac
import json
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.codec import RequestError
from arena.storage.access import (
    AccessFileError,
    TokenAuthenticator,
    add_token,
    hash_token,
    read_tokens,
    revoke_token,
)
from tests.support.cases import loop_over

NOW = 1795286096.7  # 2026-11-21T18:34:56.7Z


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path for a new token file."""
    return tmp_path / "tokens.json"


class Warnings(list[str]):
    """List of warnings, to which each call adds one."""

    def __call__(self, text: str) -> None:
        self.append(text)


# The file


def test_an_added_token_is_stored_as_its_hash_for_its_owner(path: Path, tmp_path: Path) -> None:
    tokens = {name: add_token(path, name, NOW) for name in ("b", "c", "a")}
    assert len({*tokens.values()}) == 3
    found = read_tokens(path)
    assert [*found] == ["b", "c", "a"]
    for name, token in tokens.items():
        assert (token[:4], len(token)) == ("tsa_", 4 + 43)  # 256 random bits
        assert found[name].sha256 == hash_token(token)
        assert found[name].added == "2026-11-21T18:34:56Z"
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert token[4:].encode() not in kept
    assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}


def test_a_name_has_one_token(path: Path) -> None:
    add_token(path, "Ann", NOW)
    before = path.read_bytes()
    with pytest.raises(AccessFileError, match=r"^Ann already has a token in .*: revoke it first$"):
        add_token(path, "Ann", NOW)
    assert path.read_bytes() == before


@loop_over("name", ["", " Ann", "x" * 65, "a\nb", "\x1b[2J", "\udcff", "e\u0301"])
def test_an_invalid_name_is_an_error(path: Path, name: str) -> None:
    with pytest.raises(AccessFileError) as refused:
        add_token(path, name, NOW)
    assert str(refused.value).startswith(f"name {name!r}: ")
    assert not path.exists()


def test_revoking_an_unknown_name_is_an_error(path: Path) -> None:
    with pytest.raises(AccessFileError, match="'Ann' has no token in "):
        revoke_token(path, "Ann")
    assert not path.exists()


ENTRY = {"sha256": "0" * 64, "added": "2026-11-21T18:34:56Z"}


@loop_over(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b"[" * 100_000,
        b'{"version": 2, "tokens": {}}',
        json.dumps({"version": 1, "tokens": {" ": ENTRY}}).encode(),
        json.dumps({"version": 1, "tokens": {"": ENTRY}}).encode(),
        json.dumps({"version": 1, "tokens": {"x" * 65: ENTRY}}).encode(),
        json.dumps({"version": 1, "tokens": {"a": ENTRY | {"sha256": "tsa_secret"}}}).encode(),
        json.dumps({"version": 1, "tokens": {"a": ENTRY | {"added": "now"}}}).encode(),
        json.dumps({"version": 1, "tokens": {"a": ENTRY | {"token": "tsa_secret"}}}).encode(),
    ],
)
def test_an_invalid_file_is_an_error_and_stays_unchanged(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(AccessFileError) as refused:
        add_token(path, "Ann", NOW)
    line = str(refused.value)
    assert line.startswith(f"{path} is not a token file: ")
    assert ("\n" in line, "secret" in line, path.read_bytes()) == (False, False, content)


@loop_over("name", ["\uff21nn", "e\u0301", "\u0301", "Ann\ufe0f"])
def test_names_that_were_valid_once_can_be_revoked(path: Path, name: str) -> None:
    path.write_text(json.dumps({"version": 1, "tokens": {name: ENTRY}}))
    assert [*read_tokens(path)] == [name]
    revoke_token(path, name)
    assert read_tokens(path) == {}


def test_a_missing_file_is_an_error(path: Path) -> None:
    with pytest.raises(AccessFileError, match=f"^cannot read {path}: No such file or directory$"):
        read_tokens(path)


def test_a_pipe_is_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(
        AccessFileError, match=f"^{path} is not a token file: Input data was truncated$"
    ):
        read_tokens(path)


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "no" / "tokens.json"
    with pytest.raises(AccessFileError, match=f"^cannot write {path}: No such file or directory$"):
        add_token(path, "Ann", NOW)


def test_concurrent_additions_are_all_stored(path: Path) -> None:
    names = [f"bot {number}" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        tokens = [*pool.map(lambda name: add_token(path, name, NOW), names)]
    hashes = {name: entry.sha256 for name, entry in read_tokens(path).items()}
    assert hashes == dict(zip(names, map(hash_token, tokens), strict=True))


def test_a_reader_never_sees_a_partial_file(path: Path) -> None:
    add_token(path, "Ann", NOW)
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(
            lambda: [add_token(path, f"bot {number}", NOW) for number in range(20)]
        )
        while not writing.done():
            assert "Ann" in read_tokens(path)
    writing.result()


# Authentication


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_a_guess_has_no_owner(tmp_path_factory: pytest.TempPathFactory, guess: str) -> None:
    path = tmp_path_factory.mktemp("guess") / "tokens.json"
    add_token(path, "Ann", NOW)
    assert TokenAuthenticator(path, Warnings()).owners(guess) == set()


def test_a_token_has_one_owner(path: Path) -> None:
    tokens = {name: add_token(path, name, NOW) for name in ("Ann", "Bob")}
    authenticator = TokenAuthenticator(path, Warnings())
    owners = {name: authenticator.owners(token) for name, token in tokens.items()}
    assert owners == {"Ann": {"Ann"}, "Bob": {"Bob"}}
    assert authenticator.owners(read_tokens(path)["Ann"].sha256) == set()
    assert [*map(authenticator.has_token, ("Ann", "Bob", "Cid"))] == [True, True, False]


@pytest.mark.parametrize("name", ["Ann", "Nobody"])
def test_a_name_needs_its_token(path: Path, name: str) -> None:
    add_token(path, "Ann", NOW)
    bobs = add_token(path, "Bob", NOW)
    authenticator = TokenAuthenticator(path, Warnings())
    authenticator.authenticate("Bob", bobs)
    for token, expected in (
        (None, ("token_needed", "this arena requires a token")),
        ("", ("token_needed", "this arena requires a token")),
        ("tsa_guess", ("token_unknown", "unknown or revoked token")),  # reveals no names
        (bobs, ("not_your_name", f"the token does not belong to {name}")),
    ):
        with pytest.raises(RequestError) as refused:
            authenticator.authenticate(name, token)
        assert (refused.value.code, str(refused.value)) == expected


@pytest.mark.parametrize("token", ["tsa_guess", "Ann's", "Bob's"])
def test_every_hash_is_compared_for_every_token(
    path: Path, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    tokens = {f"{name}'s": add_token(path, name, NOW) for name in ("Ann", "Bob", "Cid")}
    compared = []
    compare = hmac.compare_digest

    def record(kept: str, shown: str) -> bool:
        compared.append(kept)
        return compare(kept, shown)

    monkeypatch.setattr("hmac.compare_digest", record)
    TokenAuthenticator(path, Warnings()).owners(tokens.get(token, token))
    assert compared == [entry.sha256 for entry in read_tokens(path).values()]


def test_an_unreadable_file_at_the_start_is_an_error(path: Path) -> None:
    with pytest.raises(AccessFileError, match="cannot read"):
        TokenAuthenticator(path, Warnings())


def test_a_file_that_everybody_can_read_is_reported(path: Path) -> None:
    add_token(path, "Ann", NOW)
    warnings = Warnings()
    TokenAuthenticator(path, warnings)
    assert warnings == []
    path.chmod(0o644)
    TokenAuthenticator(path, warnings)
    assert warnings == [f"every user of this machine can read {path}: chmod o-r it"]


def test_changes_of_the_file_count_at_once(path: Path) -> None:
    add_token(path, "Ann", NOW)
    authenticator = TokenAuthenticator(path, Warnings())
    token = add_token(path, "Bob", NOW)
    assert authenticator.owners(token) == {"Bob"}
    revoke_token(path, "Bob")
    assert authenticator.owners(token) == set()


@pytest.mark.parametrize("spoil", [lambda path: path.write_text("{"), Path.unlink])
def test_nobody_is_authenticated_while_the_file_is_broken(
    path: Path, spoil: Callable[[Path], object]
) -> None:
    token = add_token(path, "Ann", NOW)
    good = path.read_bytes()
    authenticator = TokenAuthenticator(path, Warnings())
    credential = authenticator.authenticate("Ann", token)
    spoil(path)
    assert authenticator.owners(token) == set()
    with pytest.raises(RequestError, match="cannot read its list of tokens") as refused:
        authenticator.authenticate("Ann", token)
    assert refused.value.code == "tokens_unavailable"
    assert str(path) in authenticator.problem
    assert (token in authenticator.problem, hash_token(token) in authenticator.problem) == (
        False,
        False,
    )
    # Connected bots stay, and the name is not free.
    assert authenticator.is_valid("Ann", credential)
    assert authenticator.has_token("Ann")
    path.write_bytes(good)
    assert (authenticator.owners(token), authenticator.problem) == ({"Ann"}, "")


def test_a_credential_ends_with_its_token(path: Path) -> None:
    authenticator_token = add_token(path, "Ann", NOW)
    authenticator = TokenAuthenticator(path, Warnings())
    credential = authenticator.authenticate("Ann", authenticator_token)
    assert authenticator.is_valid("Ann", credential)
    revision = authenticator.revision
    revoke_token(path, "Ann")
    assert not authenticator.is_valid("Ann", credential)
    add_token(path, "Ann", NOW)
    assert not authenticator.is_valid("Ann", credential)
    assert authenticator.revision > revision
