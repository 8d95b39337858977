"""Back-offs: their length, and what makes up for failures."""

from arena.lobby.back_offs import MAX_FAILURES, MIN_BACKOFF, SUCCESSES_PER_FAILURE, BackOffs


def fail(backoffs: BackOffs, times: int) -> list[float]:
    """Let a key fail whenever its pause ends; return the lengths of the pauses."""
    now, lengths = 0.0, []
    for _ in range(times):
        backoffs.fail("a", now)
        end = backoffs.next_end(now)
        assert end
        lengths.append(end - now)
        now = end
    return lengths


def test_pauses_of_a_key_double_and_end() -> None:
    assert fail(BackOffs(maximum=5.0), 5) == [MIN_BACKOFF, 2 * MIN_BACKOFF, 4.0, 5.0, 5.0]
    backoffs = BackOffs(5.0)
    backoffs.fail("a", 10.0)
    assert backoffs.is_paused("a", 10.0 + MIN_BACKOFF / 2)
    assert not backoffs.is_paused("a", 10.0 + MIN_BACKOFF)
    assert backoffs.next_end(10.0 + MIN_BACKOFF) is None
    backoffs = BackOffs(5.0)
    backoffs.fail("a", 0.0)
    assert not backoffs.is_paused("b", 0.0)


def test_failures_during_a_pause_do_not_count() -> None:
    backoffs = BackOffs(5.0)
    for now in (0.0, 0.1, 0.2):
        backoffs.fail("a", now)
    assert backoffs.next_end(0.2) == MIN_BACKOFF
    backoffs.fail("a", MIN_BACKOFF)
    assert backoffs.next_end(MIN_BACKOFF) == 3 * MIN_BACKOFF


def test_eight_successes_make_up_for_a_failure() -> None:
    backoffs = BackOffs(600.0)
    fail(backoffs, 2)
    for _ in range(SUCCESSES_PER_FAILURE):
        backoffs.succeed("a")
    backoffs.fail("a", 100.0)
    assert backoffs.next_end(100.0) == 100.0 + 2 * MIN_BACKOFF


def test_failures_that_successes_have_made_up_for_are_forgotten() -> None:
    backoffs = BackOffs(600.0)
    fail(backoffs, 1)
    for _ in range(SUCCESSES_PER_FAILURE - 1):
        backoffs.succeed("a")
    assert backoffs.has_failures("a")
    backoffs.succeed("a")
    assert not backoffs.has_failures("a")


def test_successes_neither_save_nor_end_a_pause() -> None:
    backoffs = BackOffs(600.0)
    backoffs.succeed("a")
    assert fail(backoffs, 2) == [MIN_BACKOFF, 2 * MIN_BACKOFF]
    backoffs = BackOffs(600.0)
    backoffs.fail("a", 0.0)
    backoffs.succeed("a")
    assert backoffs.is_paused("a", 0.0)


def test_failures_count_up_to_a_maximum() -> None:
    backoffs = BackOffs(600.0)
    assert fail(backoffs, 3 * int(MAX_FAILURES))[-1] == 600.0
    for _ in range(int(MAX_FAILURES) * SUCCESSES_PER_FAILURE):
        backoffs.succeed("a")
    assert not backoffs.has_failures("a")


def test_forgotten_failures_do_not_end_a_pause() -> None:
    backoffs = BackOffs(600.0)
    fail(backoffs, 3)
    backoffs.forget_failures("a")
    assert backoffs.is_paused("a", 3 * MIN_BACKOFF)
    backoffs.fail("a", 100.0)
    assert backoffs.next_end(100.0) == 100.0 + MIN_BACKOFF
