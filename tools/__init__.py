"""Tools for developers; no module of the product imports them."""
