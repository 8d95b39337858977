"""Fair shares: what one client gets, how many take all places, and who makes way for others."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.lobby.challenges import MAX_CASUAL_MATCHES, MAX_MATCHES_PER_ADDRESS
from arena.model.addresses import CONNECTIONS_PER_ADDRESS
from arena.model.fair_shares import WaitingRoom, fair_share
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


# The waiting room


def filled(*items: str, per_address: int = 9, total: int = 99) -> WaitingRoom[str]:
    """Return a room of items, each named after its address and its number."""
    room: WaitingRoom[str] = WaitingRoom(per_address, total)
    for item in items:
        assert room.add(item[0], item) is None
    return room


def test_an_address_has_a_limit() -> None:
    room = filled("a1", "a2", "b1", per_address=2)
    assert room.add("a", "a3") == "a3"
    assert room.take_first("a") == "a1"
    assert room.add("a", "a3") is None
    assert [*room] == ["a2", "a3", "b1"]


def test_in_a_full_room_the_newest_item_of_the_largest_crowd_makes_way() -> None:
    room = filled("a1", "a2", "a3", "b1", "b2", total=5)
    assert room.add("c", "c1") == "a3"
    assert room.add("c", "c2") == "c2"  # no address has more than one item above its own
    assert room.add("d", "d1") in {"a2", "b2"}
    assert room.add("e", "e1") in {"a2", "b2"}
    assert sorted(room) == ["a1", "b1", "c1", "d1", "e1"]
    assert room.add("f", "f1") == "f1"


def test_who_has_left_is_in_no_crowd() -> None:
    room = filled("a1", "a2", "a3", "b1", "b2", total=5)
    for address, item in (("a", "a3"), ("a", "a3"), ("a", "a1"), ("z", "z1")):
        room.discard(address, item)
    assert (len(room), room.number_of("a"), room.number_of("z")) == (3, 1, 0)
    assert [room.add(item[0], item) for item in ("c1", "d1", "e1")] == [None, None, "b2"]


@given(st.lists(st.sampled_from("abcd+-"), max_size=60))
def test_limits_hold_no_item_is_lost_and_a_newcomer_finds_room(steps: list[str]) -> None:
    room: WaitingRoom[tuple[str, int]] = WaitingRoom(3, 6)
    inside: list[tuple[str, int]] = []
    for number, step in enumerate(steps):
        if step == "-" and inside:
            item = inside.pop()
            room.discard(item[0], item)
        else:
            before = Counter(address for address, _ in inside)
            inside.append((step, number))
            refused = room.add(step, (step, number))
            inside = [item for item in inside if item != refused]
            if refused and refused[0] != step:
                assert before[refused[0]] == max(before.values()) > before[step] + 1
                assert refused == max(refused, *(item for item in inside if item[0] == refused[0]))
            elif refused:
                is_full = before.total() == 6 and max(before.values()) <= before[step] + 1
                assert is_full or before[step] == 3
        after = Counter(address for address, _ in inside)
        assert sorted(room) == sorted(inside)
        assert len(room) == len(inside) <= 6
        assert all(room.number_of(address) == after[address] <= 3 for address in "abcd+-")
