"""Tie-breaks of a Swiss tournament, by examples and against a table of another program."""

from arena.tournament.tie_breaks import Encounters, SwissStanding, rank
from tests.support.cases import loop_over

# Rank, points, Buchholz and Sonneborn-Berger by TieBreakServer 1.9.57 of a member of FIDE's
# technical commission (PTS BH SB DE), which gave the same tables as ours for 120 tournaments of 3
# to 14 bots. - is the opponent of a bye.
OTHER_PROGRAM = """
g  1  3    9    6.75  -=1  c=.5 a=.5 b=1
b  2  2.5  9.5  5.5   e=1  a=1  f=.5 g=0
a  3  2.5  9.5  5.5   d=1  b=0  g=.5 -=1
c  4  2    9    4.5   f=.5 g=.5 e=1  d=0
f  5  2    8.5  4.25  c=.5 d=1  b=.5 e=0
d  6  2    8.5  4     a=0  f=0  -=1  c=1
e  6  2    8.5  4     b=0  -=1  c=0  f=1
"""


def encounters(words: list[str]) -> Encounters:
    """Read the points against each opponent."""
    pairs = [word.split("=") for word in words]
    return {None if bot == "-" else bot: float(points) for bot, points in pairs}


def table(rounds: int, *lines: str) -> list[SwissStanding]:
    """Return the standings for lines with a bot and its encounters, each won by a point."""
    bots = {bot: encounters(words) for bot, *words in map(str.split, lines)}
    return rank(bots, 1, rounds)


def test_the_table_is_that_of_another_program_with_few_points_of_byes() -> None:
    lines = [line.split() for line in OTHER_PROGRAM.strip().splitlines()]
    found = table(4, *(" ".join([bot, *words]) for bot, _, _, _, _, *words in sorted(lines)))
    assert [row[:5] for row in found] == [
        (int(place), bot, *map(float, numbers)) for bot, place, *numbers in (x[:5] for x in lines)
    ]
    assert {row.bot for row in found if row.byes} == {"a", "d", "e", "g"}
    [row, _] = table(2, "a -=1 b=1", "b a=0")
    assert (row.bot, row.points, row.buchholz, row.sonneborn_berger) == ("a", 2, 1, 1)
    [row, _] = table(6, "a -=1 b=1", "b a=0")
    assert row.buchholz == 2


CIRCLE = ("a b=1 c=0", "b c=1 a=0", "c a=1 b=0")
NOT_MET = ("a b=1 x=0", "b a=0 y=1", "c z=1 w=0", "x a=1", "y b=0 q=1", "z c=0 r=1", "w c=1")
FIRST_IN_ANY_CASE = (
    *("a b=1 c=1 x=0", "b a=0 y=1 z=1", "c a=0 v=1 w=1", "x a=1 m=1", "y b=0 n=1 o=1"),
    *("z b=0 n=1 o=1", "v c=0 n=1 o=1", "w c=0 n=1 o=1"),
)

LEVEL_IN_ONE_CASE = (
    *("a b=1 c=.5 x=0", "b a=0 y=1 p=.5", "c a=.5 z=1 q=0", "x a=1 m=.5", "y b=0 m=1 n=.5"),
    *("z c=0 m=1 n=.5", "q c=1 m=.5", "p b=.5 m=1"),
)


@loop_over(
    ("lines", "ranks"),
    [
        (CIRCLE, "1a 1b 1c"),  # each has beaten one of the others
        (NOT_MET, "1a 1b 1c"),  # a has beaten b, but c might beat both
        (FIRST_IN_ANY_CASE, "1a 2b 2c"),  # a has beaten both, which have not met
        (LEVEL_IN_ONE_CASE, "1a 1b 1c"),  # c might beat b, and have as many points as a
    ],
)
def test_direct_encounters(lines: tuple[str, ...], ranks: str) -> None:
    words = [line.split() for line in lines]
    others = {each.split("=")[0] for _, *met in words for each in met} - {bot for bot, *_ in words}
    first, *rest = table(4, *lines, *sorted(others))[:3]
    assert {row[2:5] for row in rest} == {first[2:5]}
    assert " ".join(f"{row.rank}{row.bot}" for row in (first, *rest)) == ranks
