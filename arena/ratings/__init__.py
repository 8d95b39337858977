"""Ratings by maximum likelihood, and the sequential test."""
