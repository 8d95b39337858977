from arena.teaching.practice.draws import Draws


def test_a_seed_and_a_stream_give_the_same_likely_choices_for_ever() -> None:
    draws = Draws(7, 0)
    assert [draws.one_of(range(100)) for _ in range(8)] == [24, 63, 70, 45, 38, 44, 36, 30]
    sequences = set()
    for seed, stream in ((7, 0), (7, 1), (8, 0), (8, 1)):
        draws = Draws(seed, stream)
        sequences.add(tuple(draws.one_of(range(100)) for _ in range(8)))
    assert len(sequences) == 4
    draws = Draws(1, 0)
    counts = [0, 0, 0]
    for _ in range(3000):
        counts[draws.one_of(range(3))] += 1
    assert all(900 < count < 1100 for count in counts)
