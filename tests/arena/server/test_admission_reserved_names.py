"""Reserved names: their tokens, and refused uses of them."""

import pytest

from arena.protocol.codec import RequestError
from arena.server.admission import RefusedClaim, ReservedNames


@pytest.fixture
def names() -> ReservedNames:
    return ReservedNames("a bot of the arena")


def refusal(names: ReservedNames, name: str, *tokens: str) -> tuple[str, str]:
    """Return the code and the text of the refusal of a claim."""
    with pytest.raises(RequestError) as caught:
        names.check(name, tokens)
    return caught.value.code, str(caught.value)


def test_the_owner_of_the_latest_token_may_use_the_name(names: ReservedNames) -> None:
    former, token = names.reserve("Ann"), names.reserve("Ann")
    assert names.check("Ann", ["tsa_other", token])
    assert (former != token, names.owners([former])) == (True, [])
    assert not names.check("Bob", [])  # another name is free
    assert names.refused == []


@pytest.mark.parametrize("tokens", [[], ["tsa_guess"]])
def test_name_is_refused_without_its_token(names: ReservedNames, tokens: list[str]) -> None:
    names.reserve("Ann")
    text = "the name Ann is reserved for a bot of the arena"
    assert refusal(names, "Ann", *tokens) == ("name_reserved", text)
    assert names.refused == [RefusedClaim("Ann", None)]


def test_token_of_another_name_is_refused(names: ReservedNames) -> None:
    ann, bob = names.reserve("Ann"), names.reserve("Bob")
    assert refusal(names, "Ann", bob)[0] == "name_reserved"
    text = "the arena started this bot as Ann, not as Eve (ARENA_NAME)"
    assert refusal(names, "Eve", ann) == ("not_your_name", text)
    assert names.refused == [RefusedClaim("Ann", "Bob"), RefusedClaim("Eve", "Ann")]


def test_number_of_remembered_claims_is_limited(names: ReservedNames) -> None:
    tokens = [names.reserve("Ann"), names.reserve("Bob")]
    for number in range(100):
        refusal(names, f"{number}", tokens[0])
        refusal(names, "Ann", tokens[1])
        refusal(names, "Ann")
        refusal(names, "Bob")
    assert names.refused == [
        RefusedClaim("0", "Ann"),
        RefusedClaim("Ann", "Bob"),
        RefusedClaim("Ann", None),
        RefusedClaim("Bob", None),
    ]
