"""What a table is told of another program that has the same game open; each thing once."""

from __future__ import annotations

import time
from contextlib import suppress

from companion.errors import StoreError
from companion.session.store import Store
from companion.wording.sentences import Sentence, sentence

LOOK_SECONDS = 1.0


class OtherPrograms:
    """Watches for other programs that record in a game."""

    def __init__(self, store: Store, game_id: str) -> None:
        self._store, self._game_id = store, game_id
        self._is_contested = self._is_continued = False
        self._looked = -LOOK_SECONDS

    def refused(self) -> tuple[Sentence, ...]:
        """After an entry of this program: whether another one was refused one."""
        if self._is_contested or not self._store.is_contested(self._game_id):
            return ()
        self._is_contested = True
        return (
            sentence(
                "Another program has this game open and tried to record something in it. Close it there; this "
                "table goes on."
            ),
        )

    def went_on(self, number: int) -> tuple[Sentence, ...]:
        """Whether another program has gone on with the game after this entry, or deleted it; looks once a second."""
        now = time.monotonic()
        if self._is_continued or now < self._looked + LOOK_SECONDS:
            return ()
        self._looked = now
        with suppress(StoreError):  # whoever writes next is told
            self._is_continued = is_deleted = self._store.is_deleted(self._game_id)
            if is_deleted:
                return (sentence("Another program has deleted this game: nothing more is recorded. Begin a new one."),)
            self._is_continued = self._store.is_continued(self._game_id, number)
        if not self._is_continued:
            return ()
        return (
            sentence(
                "Another program has gone on with this game, so this table shows it as it was before. Go on there, "
                "or open the game again here."
            ),
        )
