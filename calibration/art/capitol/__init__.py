"""The printed edition of Capitol."""
