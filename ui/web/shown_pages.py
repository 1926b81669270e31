"""The pages of all phones, made anew when what they show has changed and published with numbers that only grow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.table import Table
from ui.services.text import _
from ui.table.phone_views import PhoneState, PhoneViews, waiting_view
from ui.view_models.phone_view import PhoneView
from ui.web.art_files import BoardArt
from ui.web.known_phone import KnownPhone
from ui.web.roster import Roster, ShownPage


class ShownPages:
    """Publishes to `roster`. One thread, the table's, calls it."""

    def __init__(self, title: str, run: str) -> None:
        """`title` heads a page before a game is open; `run` tells posts of this run from those of an earlier one."""
        self._title, self._run = title, run
        self.roster = Roster(ShownPage(self._waiting()))
        self._serial = 0
        """how often the page of those who have no seat has changed"""
        self._shown: dict[str, ShownPage] = {}

    def publish(
        self,
        phones: Mapping[str, KnownPhone],
        views: PhoneViews | None,
        table: Table | None,
        art: BoardArt | None,
        *,
        drawn_anew: bool,
    ) -> None:
        """Make the pages anew, and publish those that have changed; `views` are None where no game is open."""
        shown = {}
        taken = Counter(each.state.seat for each in phones.values() if each.state.seat)
        common = self._waiting() if views is None else views.view(PhoneState(), taken)
        own_before = {phone for phone, page in self._shown.items() if page is not self.roster.nobody}
        is_behind = any(each.state == PhoneState() and phone in own_before for phone, each in phones.items())
        if drawn_anew or is_behind or common != self.roster.nobody.view:
            self._serial += 1
            self.roster.nobody = ShownPage(common, f"{self._run}-{self._serial}-0")
        for phone, known in phones.items():
            if known.state == PhoneState():
                shown[phone], known.is_dirty = self.roster.nobody, False
                continue
            before = self._shown.get(phone)
            view = self._waiting() if views is None else views.view(known.state, taken)
            if drawn_anew or known.is_dirty or before is None or before.view != view:
                known.serial += 1
                before = ShownPage(view, f"{self._run}-{self._serial}-{known.serial}", known.deeds)
            shown[phone], known.is_dirty = before, False
        self._shown = shown
        self.roster.seated = frozenset(phone for phone, each in phones.items() if each.state.seat)
        self.roster.publish(shown, table, art)

    def _waiting(self) -> PhoneView:
        return waiting_view(self._title, _("No game is open at the table yet."))
