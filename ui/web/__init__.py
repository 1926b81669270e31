"""Phones at the table: pages made of the table's view models, served on a local address while that is asked for."""
