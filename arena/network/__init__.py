"""Input from clients: its budgets, and the turns of those who exceed them."""
