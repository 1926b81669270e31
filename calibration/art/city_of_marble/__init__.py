"""The printed edition of City of Marble."""
