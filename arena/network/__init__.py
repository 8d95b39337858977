"""Input from clients: its budgets, and the turns of clients that exceed them."""
