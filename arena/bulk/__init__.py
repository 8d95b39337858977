"""Bulk play: matches in batches on many processes, without sockets; one driver stores them."""
