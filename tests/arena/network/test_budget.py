"""Budgets: spending, refunds, and refill over time."""

import pytest

from arena.network.budget import Budget, Budgets


def test_units_are_spent_refilled_and_given_back() -> None:
    assert Budget(3, 10, 1, now=100).available(100) == 3
    budget = Budget(3, 10, 2, now=100)
    assert budget.available(101.5) == 6
    assert budget.available(200) == 10
    budget = Budget(3, 10, 2, now=0)
    budget.spend(5)
    assert budget.available(0) == -2
    assert budget.available(1) == 0
    budget = Budget(3, 10, 0, now=0)
    budget.add(4)
    assert budget.available(0) == 7
    budget.add(4)
    assert budget.available(0) == 10


def test_each_client_has_a_budget() -> None:
    budgets = Budgets(2, 1)
    assert [budgets.try_spend("a", 0) for _ in range(3)] == [True, True, False]
    assert budgets.try_spend("b", 0)
    assert not budgets.has_unit("a", 0.5)
    assert budgets.has_unit("a", 1)
    assert budgets.try_spend("a", 1)


def test_the_client_seen_longest_ago_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.network.budget.MAX_CLIENTS", 2)
    budgets = Budgets(1, 0)
    for client in "abac":
        budgets.try_spend(client, 0)
    assert [budgets.has_unit(client, 0) for client in "acb"] == [False, False, True]
