"""The rules by topic and by word, each with its source and how sure it is, as a table plays them. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from companion.legality import RuleRef, Ruling
from companion.registry import GAMES, load_game
from companion.table import Table
from companion.wording.guide import game_guide
from companion.wording.spelling import finding
from ui.services.sources import spelled_sources
from ui.services.text import _, plural
from ui.setup.setup_pages import confidence_text
from ui.view_models.setup_view import PickView

PLAY, RULINGS = "play", "rulings"


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule or a ruling in words."""

    id: str
    title: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class HelpView:
    """The rules of one game that belong to a topic, or have the words that were searched for."""

    games: tuple[PickView, ...]
    topics: tuple[PickView, ...]
    rules: tuple[RuleView, ...]
    note: str
    count: str = ""
    """how many rules a search has found"""


class RulesHelp:
    """The help's state: game, topic and search words; a search covers all topics.

    The game of `table` has the rules as they are in force there; every other has them by its usual rulings.
    """

    def __init__(self, game_id: str = "", table: Table | None = None) -> None:
        self._table = table
        self.game = game_id or (table.game if table is not None else next(iter(GAMES)))
        self.topic, self.words = "", ""
        self.choose_game(self.game)

    def choose_game(self, game_id: str) -> None:
        """Show the rules of this game, its first topic."""
        self.game = game_id
        self.topic = next(iter(self._topics()))

    def choose_topic(self, topic: str) -> None:
        """Show a topic; the search is over."""
        self.topic, self.words = topic, ""

    def search(self, words: str) -> None:
        """Show the rules that have all these words, in whatever language they are read."""
        self.words = " ".join(words.split())

    def view(self) -> HelpView:
        """What the screen shows."""
        games = tuple(PickView(game, load_game(game).info.title, game == self.game) for game in GAMES)
        topics = tuple(
            PickView(topic, name, topic == self.topic and not self.words) for topic, name in self._topics().items()
        )
        rules = tuple(self._found())
        found = plural("{count} rule has these words.", "{count} rules have these words.", len(rules))
        note = self._note() if rules else _("No rule has these words: {words}").format(words=self.words)
        count = found.format(count=len(rules)) if self.words and rules else ""
        return HelpView(games, topics, rules, note, count)

    def _note(self) -> str:
        if not self._is_of_table():
            return rule_legend()
        told = _("These are the rules with the rulings of the table that is open.")
        return f"{told} {rule_legend()}"

    def _is_of_table(self) -> bool:
        return self._table is not None and self._table.game == self.game

    def _is_played(self, rule: RuleRef | Ruling) -> bool:
        """Whether a rule or a ruling belongs to what the open table plays; any does where none is open."""
        if self._table is None or not self._is_of_table() or not rule.played_with:
            return True
        chosen = {name for names in self._table.options.values() for name in names}
        return not chosen.isdisjoint(rule.played_with)

    def _rulings(self) -> Mapping[str, str]:
        """Ruling -> the reading by which the rules are told."""
        if self._table is not None and self._is_of_table():
            return self._table.rulings
        return load_game(self.game).rulebook.defaults()

    def _topics(self) -> dict[str, str]:
        """Topic -> its name, in the order of the rulebook after how it is played; what the table decides comes last."""
        book, guide, rulings = load_game(self.game).rulebook, game_guide(self.game), self._rulings()
        stated = (rule for rule in book.rules.values() if rule.stated(rulings) and self._is_played(rule))
        names = {guide.topic(rule.id): "" for rule in stated}
        topics = {PLAY: _("How it is played")} | {name: _(name) for name in names}
        return topics | ({RULINGS: _("Where the sources disagree")} if book.rulings else {})

    def _found(self) -> Iterator[RuleView]:
        book, guide, rulings = load_game(self.game).rulebook, game_guide(self.game), self._rulings()
        wanted = [finding(word) for word in self.words.split()]
        opening = RuleView(PLAY, _("How it is played"), "\n".join(map(_, guide.play)), "")
        if not wanted and self.topic == PLAY:
            yield opening
        for rule in book.rules.values():
            stated = rule.stated(rulings)
            if not stated or not self._is_played(rule):
                continue
            view = rule_view(rule, rulings)
            if _has(wanted, view, rule.title, stated) if wanted else guide.topic(rule.id) == self.topic:
                yield view
        for ruling in filter(self._is_played, book.rulings.values()):
            view = _ruling_view(ruling, rulings[ruling.id] if self._is_of_table() else "")
            if _has(wanted, view, ruling.question) if wanted else self.topic == RULINGS:
                yield view
        if wanted and _has(wanted, opening, *guide.play):  # long, and seldom what is sought
            yield opening


def _has(wanted: list[Callable[[str], bool]], view: RuleView, *originals: str) -> bool:
    whole = " ".join((view.id, view.title, view.text, *originals))
    return all(finds(whole) for finds in wanted)


def rule_legend() -> str:
    """What stands with each rule."""
    return _("With each rule: how sure it is, and where it stands.")


def rule_view(rule: RuleRef, rulings: Mapping[str, str]) -> RuleView:
    """A rule in words, without a concrete case."""
    text = _(rule.stated(rulings) or rule.statement)
    source = f"{rule.id} · {confidence_text(rule.confidence)} · {spelled_sources(_(rule.source))}"
    return RuleView(rule.id, _(rule.title), text, source)


def _ruling_view(ruling: Ruling, chosen: str) -> RuleView:
    """A ruling with its readings; `chosen` is that of the open table, "" where there is none."""
    readings = []
    for name, sentence in ruling.readings.items():
        marks = [_("usual")] if name == ruling.default else []
        marks += [_("this table's")] if name == chosen else []
        readings.append(f"• {_(sentence)}" + (f" ({', '.join(marks)})" if marks else ""))
    source = f"{confidence_text(ruling.confidence)} · {spelled_sources(_(ruling.source))}"
    return RuleView(ruling.id, _(ruling.question), "\n".join(readings), source)
