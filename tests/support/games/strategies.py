"""What hypothesis draws for the tests of Take-Stones."""

from hypothesis import strategies as st

from tests.support.games.reference import Taken, legal_moves


@st.composite
def games(
    draw: st.DrawFn, n: st.SearchStrategy[int], plies: st.SearchStrategy[int]
) -> tuple[int, Taken]:
    """A number of stones and the stones taken, by the rules but for the first, which may be any."""
    stones = draw(n)
    taken: Taken = ()
    for ply in range(draw(plies)):
        any_stone = ply == 0 and draw(st.booleans())
        moves = list(range(1, stones + 1)) if any_stone else legal_moves(stones, taken)
        if not moves:
            break
        taken = (*taken, draw(st.sampled_from(moves)))
    return stones, taken


@st.composite
def positions(
    draw: st.DrawFn, n: st.SearchStrategy[int], plies: st.SearchStrategy[int]
) -> tuple[int, Taken]:
    """A game that is not over, of at least 3 stones."""
    stones, taken = draw(games(n, plies))
    return stones, taken if legal_moves(stones, taken) else taken[:-1]
