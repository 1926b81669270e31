"""What the verdict panel says, and the refusal that the table still has to answer. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.detail import EVERYTHING
from companion.engine import GameRules
from companion.legality import LEGAL, Group, Rulebook, Status, Verdict, Violation
from companion.session.rejudging import broken
from companion.session.session import Session
from companion.session.tracking import Explanation
from companion.wording.texts import GameTexts
from ui.services.sources import source_title
from ui.services.text import _
from ui.table.entry_lines import unchecked_rules
from ui.table.why_not_here import Judged, nearest_place, reasons
from ui.view_models.play_view import Reason, SourceView, VerdictKind, VerdictView

OTHER_POSITION = 6
"""unexplained spots from which on the panel says that positions differ, and no longer names an action"""


class VerdictPanel:
    """The latest verdict or note, and whether a refusal is still to be answered."""

    def __init__(self, session: Session, texts: GameTexts) -> None:
        self._session, self._texts = session, texts
        self.view: VerdictView | None = None
        self.refused: Any | None = None
        """the action that was refused and that the table may record all the same"""
        self.is_by_sight = False
        """whether what the camera sees was refused, not an action"""
        self._of_site: VerdictView | None = None
        self._behind: VerdictView | None = None
        """the open refusal that a note has taken the place of"""

    def say(self, text: str) -> None:
        """A note; a refusal stays open, and is shown again when the note is withdrawn."""
        if self.view is not None and self.view.kind is VerdictKind.REFUSED:
            self._behind = self.view
        self.view = VerdictView(VerdictKind.NOTE, text)

    def unsay(self, said: VerdictView | None) -> None:
        """Withdraw a note if it is still shown; a refusal that is still to be answered stays or comes back."""
        if said is None or self.view is not said:
            return
        if self.refused is None and not self.is_by_sight:
            self.view = None
        elif said.kind is not VerdictKind.REFUSED and self._behind is not None:
            self.view = self._behind

    def unsay_texts(self, texts: Sequence[str]) -> None:
        """Withdraw a note that says one of these, as `unsay` does."""
        if self.view is not None and self.view.headline in texts:
            self.unsay(self.view)

    def accept(self, actions: Sequence[Any], verdict: Verdict) -> None:
        """Actions were recorded."""
        kind = VerdictKind.NOT_CHECKABLE if verdict.status is Status.NOT_CHECKABLE else VerdictKind.ACCEPTED
        if self._session.game.detail(self._session.state) != EVERYTHING:  # the table knows that it does not tell that
            kind, verdict = VerdictKind.ACCEPTED, LEGAL
        sentences = sentences_of(self._session.game.rulebook, self._texts, verdict, self._session.table.rulings)
        self.close_refusal()
        headline = "; ".join(self._texts.action(action) for action in actions)
        self.view = VerdictView(
            kind, headline, sentences, is_known=self._was_told(verdict, len(actions)),
            entry=self._session.moves[-1].number,
        )  # fmt: skip

    def _was_told(self, verdict: Verdict, count: int) -> bool:
        """Whether nothing but what was told of actions before the latest `count` could not be checked."""
        told = {rule for move in self._session.moves[:-count] for rule in unchecked_rules(move.entry)}
        return verdict.status is Status.NOT_CHECKABLE and told.issuperset(broken(verdict))

    def refuse(self, action: Any, verdict: Verdict, spots: tuple[str, ...] = ()) -> None:
        """An action is illegal."""
        self.refused, self.is_by_sight, self._behind = action, False, None
        rulings = self._session.table.rulings
        self.view = refused_verdict(self._session.game, self._texts, action, verdict, rulings, spots)

    def explain_site(self, site: str, judged: Sequence[Judged], legal: Sequence[Any], waits_for: str) -> None:
        """Nothing is legal at a touched site, which the board marks: the rules that forbid it, or what the table waits
        for instead. Of what is `legal` now it marks the nearest place where the same may be done.
        """
        if not judged:
            headline = _("Nothing is done here. {prompt}").format(prompt=waits_for)
            self.view = self._of_site = VerdictView(VerdictKind.NOTE, headline, sites=(site,))
            return
        found = reasons(judged)
        action, verdict = found[0][0], self._session.judge(found[0][0])
        refused = refused_verdict(self._session.game, self._texts, action, verdict, self._session.table.rulings)
        headline, sentences = refused.brief or refused.headline, refused.sentences
        if len(found) > 1:  # the likeliest; the others can be chosen to hear their rules
            sentence, source = refused.sentences[0]
            headline = _("The rules allow nothing here now.")
            sentences = ((f"{self._texts.kind(action)}: {sentence}", source),)
        barred = site if site in action.sites else next(iter(action.sites), site)
        first, *others = verdict.violations
        sites = tuple(dict.fromkeys((barred, *first.sites)))
        behind = [site for each in others[: len(sentences) - 1] for site in each.sites if site not in sites]
        self.view = self._of_site = VerdictView(
            VerdictKind.NOTE, headline, sentences, sites=sites, brief=refused.brief, barred=barred,
            nearest=nearest_place(self._session.table.board, legal, action, barred),
            behind=tuple(dict.fromkeys(behind)),
        )  # fmt: skip

    def leave_site(self) -> None:
        """Withdraw what was said of a site that was touched."""
        if self.view is self._of_site:
            self.view = None

    def unfinished(self) -> None:
        """The turn cannot end yet: what the table waits for, and the rules that ending it now would break."""
        session, turn_end = self._session, self._session.game.info.turn_end
        self.say(self._texts.prompt(session.game, session.state))
        verdict = session.judge(turn_end()) if turn_end is not None else None
        if turn_end is not None and verdict is not None and not verdict.is_legal:
            refused = refused_verdict(session.game, self._texts, turn_end(), verdict, session.table.rulings)
            self.view = replace(
                refused, kind=VerdictKind.NOTE, headline=self._texts.prompt(session.game, session.state)
            )

    def refuse_sight(self, found: Explanation) -> None:
        """The camera sees something that no legal action can have brought about."""
        spots = tuple(sorted(found.spots))
        if len(spots) >= OTHER_POSITION:
            self.close_refusal()
            headline = _("The table is not as the record says: {count} spots differ.").format(count=len(spots))
            self.view = VerdictView(VerdictKind.REFUSED, headline, (), spots)
        elif found.near_miss is None:
            self.view = VerdictView(VerdictKind.REFUSED, _("The board and the record differ here."), (), spots)
        else:
            self.refuse(*found.near_miss, spots)
        self.is_by_sight = True

    def close_refusal(self) -> None:
        """The refusal is answered; what is shown stays."""
        self.refused, self.is_by_sight, self._behind = None, False, None

    def withdraw(self) -> None:
        """Show nothing."""
        self.close_refusal()
        self.view = None

    def anew(self, found: Explanation | None) -> None:
        """The language has changed: word a refusal again, and withdraw whatever else is shown."""
        by_sight, told, self.view = self.is_by_sight, self.view, None
        if self.refused is not None and told is not None:
            self.refuse(self.refused, self._session.judge(self.refused), told.spots)
            self.is_by_sight = by_sight
        elif by_sight and found is not None:
            self.refuse_sight(found)


def refused_verdict(
    game: GameRules[Any],
    texts: GameTexts,
    action: Any,
    verdict: Verdict,
    rulings: Mapping[str, str],
    spots: tuple[str, ...] = (),
) -> VerdictView:
    """An illegal action with the rules it breaks, their sources and the sites they speak of."""
    sentences = sentences_of(game.rulebook, texts, verdict, rulings)
    sites = tuple(dict.fromkeys(site for violation in verdict.violations for site in violation.sites))
    headline = _("{action} is not allowed").format(action=texts.action(action))
    return VerdictView(VerdictKind.REFUSED, headline, sentences, spots, sites, _brief(game, action, verdict))


def _brief(game: GameRules[Any], action: Any, verdict: Verdict) -> str:
    """What is wrong with a refused action in two words, by the rule that is told first."""
    checks = game.rules.by_kind.get(type(action), ())
    for first in verdict.violations[:1]:
        group = next((check.group for check in checks if check.rule == first.rule), None)
        if group is Group.TIME:
            return _("Not now")
        if first.sites and group in (Group.PLACE, Group.RULE):
            return _("Not here")
    return _("Not allowed")


def sentences_of(book: Rulebook, texts: GameTexts, verdict: Verdict, rulings: Mapping[str, str]) -> tuple[Reason, ...]:
    """A verdict's reasons, each with its rule and source, and behind that what the table has chosen where a ruling
    decided.
    """
    return tuple(
        (texts.refusal(book, violation), _source_of(book, violation, rulings)) for violation in verdict.violations
    )


def _source_of(book: Rulebook, violation: Violation, rulings: Mapping[str, str]) -> SourceView:
    where, ruling = _(book.rules[violation.rule].source), book.ruling_of(violation)
    title = source_title(where, book.headings)
    if ruling:
        chosen = _(book.rulings[ruling].readings[rulings[ruling]])
        where = _("{source}; this table's ruling: {reading}").format(source=where, reading=chosen)
    return SourceView(violation.rule, where, title)
