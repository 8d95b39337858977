"""Fair shares: what one client gets, and how many clients take all places."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.lobby.challenges import MAX_CASUAL_MATCHES, MAX_MATCHES_PER_ADDRESS
from arena.model.addresses import CONNECTIONS_PER_ADDRESS, fair_share
from arena.server.admission import MAX_SPECTATORS
from tests.support.cases import loop_over


def greedy_clients(limit: int, places: int) -> int:
    """Return how many clients take all places, if each takes what it gets."""
    owned: Counter[int] = Counter()
    client = 0
    while owned.total() < places:
        while owned[client] < fair_share(limit, places, owned.total()):
            owned[client] += 1
        client += 1
    return client


@loop_over(("taken", "share"), [(0, 25), (50, 25), (51, 25), (75, 13), (99, 1), (100, 0), (120, 0)])
def test_the_share_shrinks_once_half_of_the_places_are_taken(taken: int, share: int) -> None:
    assert fair_share(25, 100, taken) == share


@given(st.integers(1, 100), st.integers(1, 2000), st.data())
def test_a_new_client_gets_a_free_place(limit: int, places: int, data: st.DataObject) -> None:
    taken = data.draw(st.integers(0, places - 1))
    assert 1 <= fair_share(limit, places, taken) <= limit


def test_many_addresses_are_needed_to_take_all_places() -> None:
    """As the operator's guide says."""
    assert greedy_clients(CONNECTIONS_PER_ADDRESS, MAX_SPECTATORS) == 57
    assert greedy_clients(MAX_MATCHES_PER_ADDRESS, MAX_CASUAL_MATCHES) == 11
    assert greedy_clients(CONNECTIONS_PER_ADDRESS, 30) == 3
