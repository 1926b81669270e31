"""The hub: takes in, stores and shows many tables; `companion hub` runs it (docs/many_tables.md).

Messages come from the broker (`connection.py`), are verified and written in batches (`intake.py`, `storing.py`), and
what they say is kept beside the database as the newest of each table (`overview.py`), of which the pages are made
(`site.py`, `*_page.py`). What belongs to an event goes into modules called `event_*.py`: see `site.py` for its routes
and `frame.py` for the navigation.
"""
