"""Reserved names: their tokens, and refused uses of them."""

import pytest

from arena.protocol.errors import RequestError
from arena.server.reserved_names import RefusedClaim, ReservedNames


@pytest.fixture
def names() -> ReservedNames:
    return ReservedNames("a bot of the arena")


def refusal(names: ReservedNames, name: str, *tokens: str) -> tuple[str, str]:
    """Return the code and the text of the refusal of a claim."""
    with pytest.raises(RequestError) as caught:
        names.check(name, tokens)
    return caught.value.code, str(caught.value)


def test_other_names_are_free(names: ReservedNames) -> None:
    names.reserve("Ann")
    assert not names.check("Bob", [])
    assert names.refused == []


def test_owner_of_the_token_may_use_the_name(names: ReservedNames) -> None:
    token = names.reserve("Ann")
    assert names.check("Ann", ["tsa_other", token])


@pytest.mark.parametrize("tokens", [[], ["tsa_guess"]])
def test_name_is_refused_without_its_token(names: ReservedNames, tokens: list[str]) -> None:
    names.reserve("Ann")
    text = "the name Ann is reserved for a bot of the arena"
    assert refusal(names, "Ann", *tokens) == ("name_reserved", text)
    assert names.refused == [RefusedClaim("Ann", None)]


def test_token_of_another_name_is_refused(names: ReservedNames) -> None:
    names.reserve("Ann")
    assert refusal(names, "Ann", names.reserve("Bob"))[0] == "name_reserved"
    assert names.refused == [RefusedClaim("Ann", "Bob")]


def test_owner_of_a_token_may_not_use_another_name(names: ReservedNames) -> None:
    text = "the arena started this bot as Ann, not as Eve (ARENA_NAME)"
    assert refusal(names, "Eve", names.reserve("Ann")) == ("not_your_name", text)
    assert names.refused == [RefusedClaim("Eve", "Ann")]


def test_new_token_replaces_the_previous_one(names: ReservedNames) -> None:
    token = names.reserve("Ann")
    assert names.check("Ann", [names.reserve("Ann")])
    assert names.owners([token]) == []


def test_tokens_are_random(names: ReservedNames) -> None:
    assert names.reserve("Ann") != names.reserve("Ann")


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
