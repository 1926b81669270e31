"""Games under way that several tests look at."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random

from companion.session.game_names import local_hour
from companion.session.session import Clock, Session
from companion.session.store import Store
from tests.tables import table_of

GAME = "city_of_marble"


def clock() -> Clock:
    """A clock that goes on by twenty seconds each time it is looked at."""
    ticks = count()
    return lambda: datetime(2026, 11, 27, 19, 30, tzinfo=UTC) + timedelta(seconds=20 * next(ticks))


EVENING = f"Rome: City of Marble (Player 1, Player 2; {local_hour(clock()().isoformat())})"
"""what messages call a game of `new_session`"""


def new_session(store: Store | None = None, seats: int = 2, game_id: str = "evening-1") -> Session:
    """A game at its set-up."""
    return Session.create(store, table_of(GAME, seats), clock=clock(), game_id=game_id)


def play(session: Session, *texts: str) -> None:
    """Submit legal actions by their notation."""
    for text in texts:
        submission = session.submit(session.game.parse_action(text, session.state))
        assert submission.entry is not None, f"{text}: {submission.verdict}"


def play_at_random(session: Session, actions: int, seed: int) -> None:
    """Submit random legal actions until there are so many or the game is over."""
    random = Random(seed)
    for _ in range(actions):
        legal = session.legal_actions()
        if not legal:
            return
        session.submit(random.choice(legal))


def eventful_session(store: Store | None = None) -> Session:
    """A game with entries of every kind, among them an amendment that breaks later actions; it was ended early."""
    session = new_session(store, game_id="eventful")

    def action(text: str) -> object:
        return session.game.parse_action(text, session.state)

    play(session, "draw red blue", "draw yellow green", "end", "draw red yellow")
    session.undo()
    session.redo()
    session.undo()
    play(session, "draw blue green", "draw red yellow", "end", "ward F6-F7 red magistrate", "draw red blue")
    session.override(action("draw green blue"), reason="agreed", by="table")
    session.correct({"player": {"2": {"coins": 2}}, "watered": None}, "miscounted")
    play(session, "end", "ward F7-G7 blue")
    session.amend(1, action("draw yellow green"))
    session.amend(11, action("ward D8-E8 red magistrate"))
    session.end_early("late")
    return session


def rewritten_session(store: Store | None = None) -> Session:
    """A game with an action that was inserted, one that was taken out, and one whose order nobody saw."""
    session = new_session(store, game_id="rewritten")
    play(session, "draw red blue", "draw red yellow", "end")
    session.submit(session.game.parse_action("draw red blue", session.state), source="camera", order_seen=False)
    session.remove(1)
    session.insert(2, session.game.parse_action("draw yellow green", session.log.before(2).state))
    return session
