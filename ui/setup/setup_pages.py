"""Composes the pages of the set-up wizard. Pure functions of the wizard's draft."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.detail import SCORE_ONLY
from companion.engine import Option
from companion.legality import Confidence, Ruling
from companion.registry import GAMES, load_game
from companion.wording.guide import game_guide
from ui.drawing.fonts import lacking
from ui.services.levels import level_name
from ui.services.sources import spelled_sources
from ui.services.text import _, players_text, translated_texts
from ui.setup.board_places import places_of
from ui.setup.wizard import Wizard
from ui.table.composing import holdings_of
from ui.view_models.play_view import ChoiceView, PieceState, PieceView
from ui.view_models.setup_view import ColourView, PickView, QuestionView, SetupSeat, SetupStep, SetupView

MOST_NAMES = 8
BEGINS, DETAIL = "begins", "detail"
"""keys of the questions who begins and how much is told"""


def compose_page(wizard: Wizard) -> SetupView:
    """The wizard's current page."""
    match wizard.step:
        case SetupStep.GAME:
            return _game_page(wizard)
        case SetupStep.PLAYERS:
            return _players_page(wizard)
        case SetupStep.OPTIONS:
            return _options_page(wizard)
        case SetupStep.RULINGS:
            return _rulings_page(wizard)
        case SetupStep.BOARD:
            return _board_page(wizard)


def confidence_text(confidence: Confidence) -> str:
    """How sure a rule or a usual reading is, in words."""
    match confidence:
        case Confidence.HIGH:
            return _("the rulebook says so")
        case Confidence.MEDIUM:
            return _("one source or a deduction")
        case Confidence.LOW:
            return _("a guess: the table decides")


def _page(wizard: Wizard, heading: str, explanation: str, **more: object) -> SetupView:
    steps = wizard.steps
    place = steps.index(wizard.step)
    is_last = place == len(steps) - 1
    return SetupView(
        step=wizard.step, heading=heading, explanation=explanation,
        progress="" if wizard.is_aside else f"{place + 1}/{len(steps)}",
        next_text=_("Begin the game") if is_last else _("Next"), problem=wizard.problem(), **more,  # type: ignore[arg-type]
    )  # fmt: skip


def _game_page(wizard: Wizard) -> SetupView:
    games = []
    for game_id in GAMES:
        info = load_game(game_id).info
        games.append(PickView(game_id, info.title, game_id == wizard.draft.game, players_text(info)))
    editions = wizard.editions
    picks = tuple(
        PickView(board.id, board.name, board.id == wizard.draft.board.id, _("this program's own") if not place else "")
        for place, board in enumerate(editions.boards)
    )
    asked = _("Touch the game, and the board that lies on your table.") if len(picks) > 1 else _("Touch the game.")
    view = _page(wizard, _("Which game?"), asked, games=tuple(games), editions=picks)
    return view if not editions.problems else _with_problem(view, editions.problems[0])


def _with_problem(view: SetupView, problem: str) -> SetupView:
    return SetupView(**{name: getattr(view, name) for name in SetupView.__slots__} | {"explanation": problem})


def _players_page(wizard: Wizard) -> SetupView:
    draft, fewest_most = wizard.draft, load_game(wizard.draft.game).info.seats
    seats = tuple(
        SetupSeat(seat, name, colour, _(colour), seat == wizard.seat)
        for seat, (name, colour) in enumerate(zip(draft.names, draft.colours, strict=True), 1)
    )
    owners = {colour: seat for seat, colour in enumerate(draft.colours, 1)}
    colours = tuple(ColourView(colour, _(colour), owners.get(colour, 0)) for colour in draft.board.palette)
    told = _("Clockwise round the table; seat 1 begins. Touch a seat to change it.")
    if signs := lacking("".join(draft.names)):
        told = _("No font on this device has {signs}: boxes stand for it on this screen. The name is kept as it is.")
    return _page(
        wizard, _("Who sits where?"), told.format(signs=signs),
        seats=seats, colours=colours, names=tuple(ChoiceView(name, name) for name in wizard.known_names[:MOST_NAMES]),
        can_add_seat=len(seats) < fewest_most[1], can_remove_seat=len(seats) > fewest_most[0],
    )  # fmt: skip


def _options_page(wizard: Wizard) -> SetupView:
    """What the set-up turned up; where that lies on the board it is touched there, with what lies there already."""
    draft = wizard.draft
    questions = tuple(_option_view(wizard, option) for option in draft.options)
    if not any(question.places for question in questions):
        return _page(wizard, _("The set-up"), _("Tell what lies on your table."), questions=questions)
    pieces = []
    for option in draft.options:
        places = places_of(draft.table(), option)
        for name in draft.outcomes.get(option.name, ()):
            if name in places:
                spot = draft.board.spots[places[name]]
                pieces.append(PieceView(spot.name, spot.piece, PieceState.LATEST))
    return _page(
        wizard, _("The set-up"), _("Touch the places on the board where something lies, or choose from the list."),
        questions=questions, board=draft.board, pieces=tuple(pieces),
    )  # fmt: skip


def _option_view(wizard: Wizard, option: Option) -> QuestionView:
    guide, chosen = game_guide(wizard.draft.game), wizard.draft.outcomes.get(option.name, ())
    is_count = all(name.isdecimal() for name in option.names)
    names = sorted(option.names, key=int) if is_count else option.names
    picks = tuple(PickView(name, _(guide.outcome(option.name, name)), name in chosen) for name in names)
    return QuestionView(
        option.name, _(guide.outcome(option.name)), picks, can_draw=option.count > 1,
        problem=wizard.outcome_problem(option),
        places=tuple((wizard.draft.board.spots[spot].site, name)
                     for name, spot in places_of(wizard.draft.table(), option).items()),
    )  # fmt: skip


def _rulings_page(wizard: Wizard) -> SetupView:
    rulings = load_game(wizard.draft.game).rulebook.rulings.values()
    return _page(
        wizard, _("Where the sources disagree"),
        _("The usual reading is chosen. Change what your table plays otherwise."),
        questions=tuple(_ruling_view(wizard, ruling) for ruling in rulings),
    )  # fmt: skip


def _ruling_view(wizard: Wizard, ruling: Ruling) -> QuestionView:
    chosen = wizard.draft.rulings.get(ruling.id, ruling.default)
    picks = tuple(
        PickView(name, _(sentence), name == chosen, _("usual") if name == ruling.default else "")
        for name, sentence in ruling.readings.items()
    )
    why = f"{spelled_sources(_(ruling.source))} ({confidence_text(ruling.confidence)})"
    return QuestionView(ruling.id, _(ruling.question), picks, why)


def _detail_view(wizard: Wizard) -> QuestionView:
    picks = tuple(PickView(level, level_name(level), level == wizard.detail) for level in wizard.details)
    return QuestionView(DETAIL, _("What will you tell?"), picks)


def _rulings_told(wizard: Wizard) -> str:
    """Whether the rulings are played as usual, in a few words; "" for a game that has none."""
    if not load_game(wizard.draft.game).rulebook.rulings:
        return ""
    changed = wizard.changed_rulings
    return _("Rulings: {count} changed").format(count=changed) if changed else _("Rulings: as usual")


def _board_page(wizard: Wizard) -> SetupView:
    """The last page: the board with its pieces at set-up, what each player takes, and what else to do."""
    draft, table = wizard.draft, wizard.table()
    game, texts = load_game(draft.game), translated_texts(draft.game)
    state = game.setup(table)
    look = game.appearance(state)
    notes = [(f"{number}.", _(sentence)) for number, sentence in enumerate(game_guide(draft.game).setup, 1)]
    for option in draft.options:
        values = (_(game_guide(draft.game).outcome(option.name, name)) for name in draft.outcomes[option.name])
        notes.append((_(game_guide(draft.game).outcome(option.name)), ", ".join(values)))
    counted = Counter((spot.partition(" ")[0], label) for spot, label in look.items())
    if counted:
        lying = ", ".join(
            f"{count} × {_(piece)}" if piece == label else f"{count} × {_(piece)} ({texts.label(label)})"
            for (piece, label), count in counted.items()
        )
        notes.append((_("On the board"), lying))
    for seat, name in enumerate(draft.names, 1):
        held = "; ".join(f"{what}: {amount}" for what, amount in holdings_of(game.holdings(state, seat), texts))
        notes.append((f"{name} ({_(draft.colours[seat - 1])})", held))
    others = [
        (_(ruling.question), _(ruling.readings[table.rulings[ruling.id]]))
        for ruling in game.rulebook.rulings.values()
        if table.rulings[ruling.id] != ruling.default
    ]
    begins = QuestionView(
        BEGINS, _("Who begins?"),
        tuple(PickView(str(seat), name, seat == 1) for seat, name in enumerate(draft.names, 1)),
    )  # fmt: skip
    view = _page(
        wizard, _("Set up the table"), _("Lay everything as the picture shows, then begin."), board=draft.board,
        questions=(begins, _detail_view(wizard)),
        pieces=tuple(PieceView(spot, label, PieceState.PLACED) for spot, label in look.items()),
        notes=(*notes, *others), rulings=_rulings_told(wizard),
    )  # fmt: skip
    return replace(view, next_text=_("Count the board")) if wizard.detail == SCORE_ONLY else view
