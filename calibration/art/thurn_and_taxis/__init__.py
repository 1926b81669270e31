"""The printed edition of Thurn and Taxis."""
