"""The set-up wizard: page by page to a table that can begin. No Kivy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from companion.board.layout import Board
from companion.detail import EVERYTHING, SCORE_ONLY
from companion.engine import Option
from companion.errors import StoreError
from companion.frozen import FrozenDict
from companion.position import LONGEST_NAME, name_problem
from companion.registry import GAMES, load_game
from companion.session.store import Store
from companion.table import Player, Table
from companion.wording.characters import is_plain_text
from ui.services.editions import Editions, editions_of
from ui.services.text import _
from ui.view_models.setup_view import SetupStep

STEPS = tuple(SetupStep)
NO_RULINGS: FrozenDict[str, str] = FrozenDict()
NO_OUTCOMES: FrozenDict[str, tuple[str, ...]] = FrozenDict()
REMEMBERED_GAMES = 12
"""how many of the latest games are looked through for people's names"""


@dataclass(frozen=True, slots=True)
class Draft:
    """A table under construction."""

    game: str
    board: Board
    names: tuple[str, ...]
    colours: tuple[str, ...]
    rulings: FrozenDict[str, str] = NO_RULINGS
    outcomes: FrozenDict[str, tuple[str, ...]] = NO_OUTCOMES

    def table(self) -> Table:
        """The table so far; set-up outcomes may still be missing."""
        players = tuple(Player(name, colour) for name, colour in zip(self.names, self.colours, strict=True))
        return Table(
            self.game, players, load_game(self.game).rulebook.chosen(self.rulings), self.outcomes, self.board
        )  # fmt: skip

    @property
    def options(self) -> tuple[Option, ...]:
        """The set-up outcomes that the game asks for."""
        return load_game(self.game).options(self.table())


class Wizard:
    """The wizard's state: draft and page. `boards` is the folder of the user's board files; `random` draws outcomes.

    `detail` is how much the table before told of its game.

    With `again`, the id of a stored game, it prepares a rematch: it asks only for the set-up outcomes, then shows the
    last page.
    """

    def __init__(
        self,
        store: Store,
        boards: Path,
        *,
        again: str | None = None,
        random: Random | None = None,
        detail: str = EVERYTHING,
    ) -> None:
        self._store, self._boards, self._detail = store, boards, detail
        self._random = random if random is not None else Random()
        self._tables = list(_remembered(store))
        self.draft = self._usual(next(iter(GAMES)))
        self.step = SetupStep.GAME
        self.seat = 1
        self._repeats = again is not None
        if again is not None:
            self.draft = _completed(self._like(store.header(again).table))
            self.step = SetupStep.OPTIONS if self._missing() else SetupStep.BOARD

    @property
    def editions(self) -> Editions:
        """The boards that the chosen game can be played on."""
        return editions_of(self.draft.game, self._boards)

    @property
    def steps(self) -> tuple[SetupStep, ...]:
        """The pages of this game: those without a question are left out, and until somebody wants them the rulings and
        what the box holds.
        """
        left_out = self._asides - {self.step}
        return tuple(step for step in STEPS if step not in left_out)

    @property
    def is_aside(self) -> bool:
        """Whether this page is one that nobody is led to; it is left to the last one."""
        return self.step in self._asides

    @property
    def _asides(self) -> set[SetupStep]:
        is_of_box = all(option.is_of_box for option in self.draft.options)
        return {SetupStep.RULINGS, SetupStep.OPTIONS} if is_of_box else {SetupStep.RULINGS}

    @property
    def changed_rulings(self) -> int:
        """How many rulings are not played as usual."""
        rulings = load_game(self.draft.game).rulebook.rulings
        return sum(self.draft.rulings.get(name, ruling.default) != ruling.default for name, ruling in rulings.items())

    @property
    def known_names(self) -> tuple[str, ...]:
        """Names of recent players who are not at this table yet."""
        names = dict.fromkeys(player.name for table in self._tables for player in table.players)
        return tuple(name for name in names if name not in self.draft.names)

    def next(self) -> bool:
        """Go to the next page; False if this page has a problem or is the last one."""
        if self.problem():
            return False
        later = self.steps[self.steps.index(self.step) + 1 :][-1 if self._repeats else 0 :]
        if later:
            self.step = later[0]
        return bool(later)

    def back(self) -> bool:
        """Go to the page before; False at the first one."""
        place = self.steps.index(self.step)
        if self.is_aside:
            self.step = SetupStep.BOARD
        elif place:
            self.step = self.steps[place - 1]
        return place > 0

    def go_to(self, step: SetupStep) -> None:
        """Go to a page to change something there."""
        step = SetupStep(step)
        asked = {
            SetupStep.RULINGS: bool(load_game(self.draft.game).rulebook.rulings),
            SetupStep.OPTIONS: bool(self.draft.options),
        }
        is_there = asked.get(step, True)
        if is_there and not (step is SetupStep.BOARD and self._missing()):
            self.step = step

    def problem(self) -> str:
        """The problem of the current page; "" if it has none."""
        if self.step is SetupStep.PLAYERS:
            for seat, name in enumerate(self.draft.names, 1):
                why = name_problem(name, self.draft.names[: seat - 1])
                if why:
                    return self._name_problem(seat)
        return self._missing() if self.step is SetupStep.OPTIONS else ""

    def outcome_problem(self, option: Option) -> str:
        """How much of a set-up outcome is missing; "" if it is complete."""
        missing = option.count - len(self.draft.outcomes.get(option.name, ()))
        return _("{count} more to choose").format(count=missing) if missing else ""

    def choose_game(self, game_id: str) -> None:
        """Play this game, with the people who played it last."""
        if game_id != self.draft.game:
            self.draft, self.seat = self._usual(game_id), 1

    def seat_people(self, game_id: str, names: Sequence[str]) -> None:
        """Play this game with these people, in order of seat, as far as it can be; go on to what is still open."""
        fewest, most = load_game(game_id).info.seats
        self.draft, self.seat = self._usual(game_id), 1
        draft, wanted = self.draft, [" ".join(name.split())[:LONGEST_NAME] for name in names[:most]]
        if len(wanted) >= fewest:
            others = [colour for colour in draft.board.palette if colour not in draft.colours]
            self._seated(tuple(wanted), (*draft.colours, *others)[: len(wanted)])
        self.step = SetupStep.PLAYERS

    def choose_edition(self, board_id: str) -> None:
        """Play on this board; colours it lacks are replaced."""
        board = next(board for board in self.editions.boards if board.id == board_id)
        colours = _fitting(self.draft.colours, board)
        self.draft = _completed(replace(self.draft, board=board, colours=colours, outcomes=NO_OUTCOMES))

    def choose_seat(self, seat: int) -> None:
        """Choose the seat whose name and colour are edited."""
        self.seat = seat

    def rename(self, name: str) -> None:
        """Name who sits at the chosen seat."""
        names = list(self.draft.names)
        names[self.seat - 1] = " ".join(name.split())[:LONGEST_NAME]
        self.draft = replace(self.draft, names=tuple(names))

    @property
    def is_unnamed(self) -> bool:
        """Whether who sits at the chosen seat has no name but that of the seat."""
        name = self.draft.names[self.seat - 1]
        return name in {_("Player {seat}").format(seat=seat) for seat in range(1, len(self.draft.board.palette) + 1)}

    def choose_colour(self, colour: str) -> None:
        """Give the chosen seat a colour; whoever has it gets the old one."""
        colours = list(self.draft.colours)
        old = colours[self.seat - 1]
        if colour in colours:
            colours[colours.index(colour)] = old
        colours[self.seat - 1] = colour
        self.draft = replace(self.draft, colours=tuple(colours))

    def add_seat(self) -> None:
        """Add a seat, last in turn order."""
        draft = self.draft
        if len(draft.names) < load_game(draft.game).info.seats[1]:
            free = next(colour for colour in draft.board.palette if colour not in draft.colours)
            name = next(iter(self.known_names), self._new_name())
            self._seated((*draft.names, name), (*draft.colours, free))
            self.seat = len(self.draft.names)

    def remove_seat(self) -> None:
        """Remove the chosen seat."""
        draft, place = self.draft, self.seat - 1
        if len(draft.names) > load_game(draft.game).info.seats[0]:
            self._seated(
                draft.names[:place] + draft.names[place + 1 :], draft.colours[:place] + draft.colours[place + 1 :]
            )
            self.seat = min(self.seat, len(self.draft.names))

    def move_seat(self) -> None:
        """Swap the chosen seat with the next one clockwise."""
        names, colours = list(self.draft.names), list(self.draft.colours)
        here, there = self.seat - 1, self.seat % len(names)
        names[here], names[there] = names[there], names[here]
        colours[here], colours[there] = colours[there], colours[here]
        self.draft = replace(self.draft, names=tuple(names), colours=tuple(colours))
        self.seat = there + 1

    def begin_with(self, seat: int) -> None:
        """Let who sits there begin; all keep their places around the table, counted from there."""
        names, colours, place = self.draft.names, self.draft.colours, seat - 1
        self._seated((*names[place:], *names[:place]), (*colours[place:], *colours[:place]))
        self.seat = 1

    def choose_ruling(self, name: str, reading: str) -> None:
        """Choose a reading of a ruling."""
        self.draft = replace(self.draft, rulings=FrozenDict({**self.draft.rulings, name: reading}))

    def choose_outcome(self, name: str, value: str) -> None:
        """Add or remove a name of a set-up outcome; if there are too many, the first is dropped."""
        option = next(option for option in self.draft.options if option.name == name)
        chosen = list(self.draft.outcomes.get(name, ()))
        if value in chosen and option.count > 1:
            chosen.remove(value)
        elif value not in chosen:
            chosen = [*chosen, value][-option.count :]
        self._outcome(option, tuple(chosen))

    def draw_outcome(self, name: str) -> None:
        """Draw a set-up outcome by lot; in a rematch, go on to the last page, which shows what to lay."""
        option = next(option for option in self.draft.options if option.name == name)
        self._outcome(option, tuple(self._random.sample(option.names, option.count)))
        if self._repeats and self.step is SetupStep.OPTIONS:
            self.next()

    @property
    def details(self) -> tuple[str, ...]:
        """How much can be told of the chosen game."""
        return (*load_game(self.draft.game).info.details, SCORE_ONLY)

    @property
    def detail(self) -> str:
        """How much the table is going to tell."""
        return self._detail if self._detail in self.details else EVERYTHING

    def choose_detail(self, level: str) -> None:
        """Tell this much of the game."""
        self._detail = level

    def table(self) -> Table:
        """The finished table."""
        return self.draft.table()

    def _missing(self) -> str:
        return next(filter(None, map(self.outcome_problem, self.draft.options)), "")

    def _outcome(self, option: Option, chosen: tuple[str, ...]) -> None:
        ordered = tuple(sorted(chosen, key=option.names.index))
        self.draft = replace(self.draft, outcomes=FrozenDict({**self.draft.outcomes, option.name: ordered}))

    def _name_problem(self, seat: int) -> str:
        name = self.draft.names[seat - 1]
        if not name:
            return _("Seat {seat} has no name yet.").format(seat=seat)
        if not is_plain_text(name):
            return _("The name at seat {seat} holds a character that cannot be seen: type it anew.").format(seat=seat)
        return _("Two players are called {name}.").format(name=name)

    def _usual(self, game_id: str) -> Draft:
        """The draft of this game's latest table, or of the fewest possible players."""
        latest = next((table for table in self._tables if table.game == game_id), None)
        if latest is not None:
            return _completed(self._like(latest))
        board = editions_of(game_id, self._boards).boards[0]
        count = load_game(game_id).info.seats[0]
        known = list(dict.fromkeys(player.name for table in self._tables[:1] for player in table.players))[:count]
        names = [*known, *(_("Player {seat}").format(seat=seat) for seat in range(len(known) + 1, count + 1))]
        return _completed(Draft(game_id, board, tuple(names), board.palette[:count]))

    def _like(self, table: Table) -> Draft:
        boards = editions_of(table.game, self._boards).boards
        board = next((board for board in boards if board.id == table.board.id), boards[0])
        colours = _fitting(tuple(player.colour for player in table.players), board)
        rulings = {
            name: reading for name, reading in table.rulings.items() if name in load_game(table.game).rulebook.rulings
        }
        draft = Draft(table.game, board, tuple(player.name for player in table.players), colours, FrozenDict(rulings))
        kept = {
            option.name: table.options[option.name]
            for option in draft.options
            if option.count == 1 and set(table.options.get(option.name, ())) <= set(option.names)
        }
        return replace(draft, outcomes=FrozenDict({name: value for name, value in kept.items() if value}))

    def _seated(self, names: tuple[str, ...], colours: tuple[str, ...]) -> None:
        self.draft = _completed(replace(self.draft, names=names, colours=colours))

    def _new_name(self) -> str:
        taken, seat = self.draft.names, len(self.draft.names) + 1
        while _("Player {seat}").format(seat=seat) in taken:
            seat += 1
        return _("Player {seat}").format(seat=seat)


def _remembered(store: Store) -> Iterator[Table]:
    """The tables of the latest games; unreadable games are skipped."""
    for game in store.games()[:REMEMBERED_GAMES]:
        with suppress(StoreError):
            yield store.header(game.id).table


def _completed(draft: Draft) -> Draft:
    """Fill in the usual answer of outcomes with one name; outcomes of several names are left to be entered or drawn."""
    outcomes: Mapping[str, tuple[str, ...]] = draft.outcomes
    for option in draft.options:
        if option.name not in outcomes:
            outcomes = {**outcomes, option.name: option.names[:1] if option.count == 1 else ()}
    return replace(draft, outcomes=FrozenDict(outcomes))


def _fitting(colours: tuple[str, ...], board: Board) -> tuple[str, ...]:
    """The same colours where the board has them, else free ones."""
    free = [colour for colour in board.palette if colour not in colours]
    return tuple(colour if colour in board.palette else free.pop(0) for colour in colours)
