"""The rules by topic and by word, each with its source and how sure it is. No Kivy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.legality import RuleRef, Ruling
from companion.registry import GAMES, load_game
from companion.wording.guide import game_guide
from ui.services.text import _
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


class RulesHelp:
    """The help's state: game, topic and search words; a search covers all topics."""

    def __init__(self, game_id: str = "") -> None:
        self.game = game_id or next(iter(GAMES))
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
        note = source_legend() if rules else _("No rule has these words: {words}").format(words=self.words)
        return HelpView(games, topics, rules, note)

    def _topics(self) -> dict[str, str]:
        """Topic -> its name, in the order of the rulebook after how it is played; what the table decides comes last."""
        book, guide = load_game(self.game).rulebook, game_guide(self.game)
        names = {guide.topic(rule.id): "" for rule in book.rules.values() if rule.stated(book.defaults())}
        topics = {PLAY: _("How it is played")} | {name: _(name) for name in names}
        return topics | ({RULINGS: _("Where the sources disagree")} if book.rulings else {})

    def _found(self) -> Iterator[RuleView]:
        book, guide = load_game(self.game).rulebook, game_guide(self.game)
        wanted = self.words.casefold().split()
        opening = RuleView(PLAY, _("How it is played"), "\n".join(map(_, guide.play)), "")
        if _has(wanted, opening, *guide.play) if wanted else self.topic == PLAY:
            yield opening
        for rule in book.rules.values():
            stated = rule.stated(book.defaults())
            if not stated:
                continue
            view = rule_view(rule, book.defaults())
            if _has(wanted, view, rule.title, stated) if wanted else guide.topic(rule.id) == self.topic:
                yield view
        for ruling in book.rulings.values():
            view = _ruling_view(ruling)
            if _has(wanted, view, ruling.question) if wanted else self.topic == RULINGS:
                yield view


def _has(wanted: list[str], view: RuleView, *originals: str) -> bool:
    whole = " ".join((view.id, view.title, view.text, *originals)).casefold()
    return all(word in whole for word in wanted)


def source_legend() -> str:
    """What the letters and numbers of sources stand for."""
    return _("Sources: IT is the Italian rulebook; all others (W2, FR, G1 and so on) are listed in docs/rules.md.")


def rule_view(rule: RuleRef, rulings: Mapping[str, str]) -> RuleView:
    """A rule in words, without a concrete case."""
    text = _(rule.stated(rulings) or rule.statement)
    return RuleView(rule.id, _(rule.title), text, f"{rule.id} · {rule.source} ({confidence_text(rule.confidence)})")


def _ruling_view(ruling: Ruling) -> RuleView:
    readings = [
        f"• {_(sentence)}" + (f" ({_('usual')})" if name == ruling.default else "")
        for name, sentence in ruling.readings.items()
    ]
    source = f"{_(ruling.source)} ({confidence_text(ruling.confidence)})"
    return RuleView(ruling.id, _(ruling.question), "\n".join(readings), source)
