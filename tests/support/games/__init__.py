"""Games: references, strategies of hypothesis, toys and packages."""
