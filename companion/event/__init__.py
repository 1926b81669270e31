"""An event of many tables: players, rounds and who sits where, results, standings.

The log is the truth (`event.py` folds it), as a game's record is; `pairing.py` draws rounds. No library does that:
those that draw Swiss rounds (py4swiss, pairing-core, swisspair, cardarena-tournament-core) pair two players, and draws
for tables of three or four are parts of single sites' programs.
"""
