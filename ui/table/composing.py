"""Composes the view of a table from its session, the camera's proposal and the devices' states. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from companion.amounts import Holding
from companion.board.layout import EMPTY
from companion.engine import GameRules
from companion.scoring import ScoreSheet
from companion.session.observation import CameraStatus, Observation
from companion.session.session import Session
from companion.session.tracker import Tracker
from companion.session.tracking import Finding, seen_labels
from companion.wording.sentences import sentence
from companion.wording.texts import GameTexts
from ui.services.text import _, plural
from ui.table.big_buttons import compose_buttons
from ui.table.card_rows import beside_rows, compose_path, compose_rows
from ui.table.corrections.amending import latest_action
from ui.table.entry_labels import action_name, brief_name, entry_name
from ui.table.held_chips import chips_of
from ui.table.legal_choices import LegalChoices
from ui.table.score_sheet import compose_score
from ui.view_models.play_view import (
    ChoiceView,
    DeviceView,
    LogLine,
    MoveView,
    PieceState,
    PieceView,
    PlayerView,
    PlayView,
    VerdictKind,
    VerdictView,
)

PUT_BACK, OVERRIDE, TAKE_BACK = "put back", "record anyway", "take back"
STOP_PLAYING, KEEP_PLAYING = "stop playing", "keep playing"
CANDIDATE = "candidate "
"""what the key of an explanation among several begins with; its number follows"""
CLEARED_REASON = sentence("the table was cleared")
LATEST_LINES = 40
"""entries of the log that are shown beside the board"""
CAMERA = "camera"
"""the name of the camera among the devices"""
LENS = "lens"
"""the name of the camera's lens file among the devices"""


def compose_view(
    session: Session,
    texts: GameTexts,
    tracker: Tracker,
    observation: Observation | None,
    offers: LegalChoices,
    *,
    verdict: VerdictView | None,
    refused: Any | None,
    devices: tuple[DeviceView, ...],
    latest: frozenset[str],
    waiting: bool,
    is_asked: bool,
    moves: tuple[MoveView, ...],
    log: tuple[LogLine, ...],
) -> PlayView:
    """The play screen's view."""
    game, state = session.game, session.state
    sheet, status = session.scores(), session.record_status
    suggestion = offers.suggested
    prompt = compose_prompt(session, texts, tracker, suggestion, waiting=waiting, watched=observation is not None)
    undoable, redoable = session.can_undo(), session.can_redo()
    supply = game.open_supply(state)
    places = sites_to_touch(tracker, offers, observation, refused)
    choices = compose_choices(session, texts, tracker, offers, refused=refused)
    return PlayView(
        title=game.info.title,
        prompt=prompt,
        eyes=eyes_text(tracker, next((each for each in devices if each.name == CAMERA), None), observation),
        players=compose_players(session, texts, sheet.won),
        pieces=compose_pieces(session, tracker, observation, latest),
        log=log,
        buttons=compose_buttons(
            session,
            texts,
            tracker,
            offers,
            watched=observation is not None,
            refused=refused is not None or (verdict is not None and verdict.kind is VerdictKind.REFUSED),
            is_asked=is_asked,
            has_boxes=are_boxes_there(devices),
        ),
        choices=choices,
        played=offers.played(texts, choices),
        open_supply=holdings_of(supply, texts),
        verdict=proposed_verdict(session, texts, tracker) if is_open(tracker, verdict) else verdict,
        undo=_("Undo: {what}").format(what=entry_name(undoable, session, texts)) if undoable else "",
        redo=_("Redo: {what}").format(what=entry_name(redoable, session, texts)) if redoable else "",
        correctable=latest_action(session) is not None,
        devices=devices,
        score=compose_score(game, state, texts, status, sheet),
        is_watched=observation is not None and tracker.proposal.status is not CameraStatus.PAUSED,
        legal_sites=offers.possible_sites() or places,
        touched=offers.marked[0] if offers.marked and not offers.has_none_here() else "",
        barred=offers.marked[0] if len(offers.marked) == 1 and offers.has_none_here() else "",
        state=session.state_id,
        what=compose_what(session, texts, prompt),
        on_board=offers.on_board(texts) if places and not offers.possible_sites() else (),
        series=offers.series(texts) if places and not offers.possible_sites() else "",
        is_hint=bool(places) and not offers.possible_sites(),
        moves=moves,
        undone=brief_name(undoable, session, texts) if undoable else "",
        redone=brief_name(redoable, session, texts) if redoable else "",
        supply=chips_of(supply, texts, game.info.id),
        rows=compose_rows(session, texts),
        path=compose_path(session),
        supply_beside_rows=chips_of(beside_rows(supply, game.info.id), texts, game.info.id),
    )


def are_boxes_there(devices: Iterable[DeviceView]) -> bool:
    """Whether any of the devices is a button box."""
    return any(device.name not in (CAMERA, LENS) for device in devices)


def compose_players(session: Session, texts: GameTexts, sheet: ScoreSheet) -> tuple[PlayerView, ...]:
    """Who sits at the table, with what lies openly before each; the points are those of `sheet`."""
    passed = () if session.is_over else session.game.passed_seats(session.state)
    left = session.record_status.left
    return players_of(session.game, session.state, texts, sheet, session.actors, left, passed)


def players_of(
    game: GameRules[Any],
    state: Any,
    texts: GameTexts,
    sheet: ScoreSheet,
    actors: Collection[int],
    left: Collection[int],
    passed: Collection[int],
) -> tuple[PlayerView, ...]:
    """The players of a position, with the seats that act, that have left and that have passed."""
    players = []
    for seat, player in enumerate(state.table.players, 1):
        held = game.holdings(state, seat)
        players.append(
            PlayerView(
                seat,
                player.name,
                player.colour,
                sheet.totals[seat - 1],
                seat in actors,
                holdings_of(held, texts),
                seat in left,
                chips_of(held, texts, game.info.id),
                seat in passed,
            )
        )
    return tuple(players)


def compose_what(session: Session, texts: GameTexts, prompt: str) -> str:
    """What is waited for, to be read after the name of who acts."""
    game, state = session.game, session.state
    if prompt == texts.prompt(game, state) and not session.is_over and (brief := texts.brief(game, state)):
        return brief
    name = session.table.players[session.actors[0] - 1].name if len(session.actors) == 1 else ""
    what = prompt.removeprefix(f"{name}: ") if name else prompt
    return what.removesuffix(".") if name and ". " not in what else what


def eyes_text(tracker: Tracker, camera: DeviceView | None, observation: Observation | None) -> str:
    """What the camera is doing, by name, and why if it is paused or did not open."""
    proposal = tracker.proposal
    if proposal.status is CameraStatus.WATCHING and observation is None:
        if camera is None:
            return _("no camera")
        if not camera.ok:
            return _("not open ({reason})").format(reason=camera.state)
        if camera.state != _("ready"):
            return camera.state
    found = proposal.explanation
    if proposal.status is CameraStatus.OUT_OF_STEP and found is not None and found.spots:
        count = len(found.spots)
        return plural("{count} place differs", "{count} places differ", count).format(count=count)
    name = eyes_name(proposal.status)
    return f"{name} ({proposal.reason})" if proposal.reason and proposal.status is CameraStatus.PAUSED else name


def eyes_name(eyes: CameraStatus) -> str:
    """The name of what the camera is doing."""
    match eyes:
        case CameraStatus.WATCHING:
            return _("watching")
        case CameraStatus.HAND:
            return _("hand")
        case CameraStatus.SETTLING:
            return _("settling")
        case CameraStatus.PROPOSED:
            return _("proposed")
        case CameraStatus.OUT_OF_STEP:
            return _("out of step")
        case CameraStatus.PAUSED:
            return _("paused")


def holdings_of(held: Iterable[Holding], texts: GameTexts) -> tuple[tuple[str, str], ...]:
    """The names and contents of holdings in words, without the empty ones."""
    return tuple((_(each.name), texts.amounts(each.amounts)) for each in held if not each.is_empty)


def compose_prompt(
    session: Session, texts: GameTexts, tracker: Tracker, suggestion: Any | None, *, waiting: bool, watched: bool
) -> str:
    """One sentence that says what the table waits for, and what a camera still misses where one watches."""
    status, actors = session.record_status, session.actors
    if status.ended:
        return _("Ended early. The score is as it stands.")
    if tracker.proposal.is_clearing:
        return _("Pieces are taken off the board. Has the table stopped playing?")
    if waiting:
        return _("Pressed: looking at the board once more.")
    if suggestion is not None:
        return _("{action}? Press done to record it, next for another.").format(action=texts.action(suggestion))
    prompt = texts.prompt(session.game, session.state)
    if actors and status.left.issuperset(actors):
        name = session.table.players[actors[0] - 1].name
        prompt = _("{name} has left, the others do it. {prompt}").format(name=name, prompt=prompt)
    if watched and tracker.owed and tracker.proposal.status is CameraStatus.WATCHING:
        owed = ", ".join(texts.spot(spot) for spot in sorted(tracker.owed)[:3])
        return _("{prompt} Still to be put right on the table: {owed}.").format(prompt=prompt, owed=owed)
    return prompt


def compose_pieces(
    session: Session, tracker: Tracker, observation: Observation | None, latest: frozenset[str]
) -> tuple[PieceView, ...]:
    """The pieces of the record, and where the table shows something else."""
    look = session.game.appearance(session.state)
    seen = seen_labels(observation) if observation is not None else {}
    found = tracker.proposal.explanation
    wrong = found is not None and found.finding is Finding.UNEXPLAINED
    lagging = tracker.owed if observation is not None else frozenset()
    owed = frozenset(spot for spot in lagging if seen.get(spot, EMPTY) != look.get(spot, EMPTY))
    pieces = []
    differing = found.spots if found is not None else frozenset()
    doubtful = tracker.proposal.doubtful | tracker.proposal.half_seen
    if tracker.proposal.is_faint:
        differing, doubtful = frozenset(), doubtful | differing
    for spot, label in look.items():
        placed = PieceState.LATEST if spot in latest else PieceState.PLACED
        certain = PieceState.OWED if spot in owed else placed
        pieces.append(PieceView(spot, label, PieceState.DOUBTFUL if spot in doubtful else certain))
    pieces += [PieceView(spot, EMPTY, PieceState.DOUBTFUL) for spot in sorted(doubtful - look.keys())]
    for spot in sorted(differing | owed):
        label = seen.get(spot, EMPTY)
        if label and look.get(spot, EMPTY) != label:
            odd = PieceState.WRONG if wrong else PieceState.PROPOSED
            pieces.append(PieceView(spot, label, odd if spot in differing else PieceState.GONE))
    return tuple(pieces)


def compose_choices(
    session: Session,
    texts: GameTexts,
    tracker: Tracker,
    offers: LegalChoices,
    *,
    refused: Any | None,
) -> tuple[ChoiceView, ...]:
    """What can be touched now: the answers to a refusal, the camera's candidates, or the legal actions."""
    if refused is not None:
        put_back = ChoiceView(PUT_BACK, _("Put it back"), _("Refused"))
        if not session.can_override(refused):
            return (put_back,)
        return put_back, ChoiceView(OVERRIDE, _("Record it anyway"), _("Refused"))
    if tracker.proposal.is_clearing:
        group = _("Is the table cleared?")
        return (
            ChoiceView(STOP_PLAYING, _("We stop here: count the points"), group),
            ChoiceView(KEEP_PLAYING, _("We go on: put the pieces back"), group),
        )
    if tracker.proposal.takes_back:
        undone = session.can_undo()
        what = entry_name(undone, session, texts) if undone else ""
        return (
            ChoiceView(TAKE_BACK, _("It was taken back: undo {what}").format(what=what), _("Taken back")),
            ChoiceView(PUT_BACK, _("It belongs there: I put it back"), _("Taken back")),
        )
    candidates = tracker.proposal.candidates
    corrects = tracker.proposal.corrects
    rejected = tracker.proposal.candidate is None
    if len(candidates) > 1 or (candidates and (rejected or corrects)):
        group = candidates_group(session, texts, tracker)
        choices = tuple(
            ChoiceView(
                f"{CANDIDATE}{index}", "; ".join(map(texts.action, candidate.actions)), group,
                tuple(sorted({site for action in candidate.actions for site in action.sites})),
            )
            for index, candidate in enumerate(candidates[:6])
        )  # fmt: skip
        kept = (ChoiceView(PUT_BACK, _("The record is right: I put it back"), group),) if corrects else ()
        return choices + kept
    return offers.choices(texts)


def candidates_group(session: Session, texts: GameTexts, tracker: Tracker) -> str:
    """The question that the camera's candidates answer."""
    proposal = tracker.proposal
    if proposal.corrects and session.moves:
        return _("Instead of: {action}").format(action=action_name(session.moves[-1].entry, session, texts))
    orders = {frozenset(candidate.actions) for candidate in proposal.candidates}
    if len(orders) == 1 and len(proposal.candidates[0].actions) > 1:
        return _("In which order was it done?")
    return _("What it may be")


def is_open(tracker: Tracker, verdict: VerdictView | None) -> bool:
    """Whether the panel is free for what the camera proposes: nothing is said, or a correction must be answered."""
    return verdict is None or (tracker.proposal.corrects and verdict.kind is not VerdictKind.REFUSED)


def sites_to_touch(
    tracker: Tracker, offers: LegalChoices, observation: Observation | None, refused: Any | None
) -> frozenset[str]:
    """Where the board is to be touched: nowhere while a camera sees it, or the table has something else to answer."""
    if observation is not None or refused is not None or tracker.proposal.candidates or offers.suggested is not None:
        return frozenset()
    return offers.places_to_touch()


def proposed_verdict(session: Session, texts: GameTexts, tracker: Tracker) -> VerdictView | None:
    """What the camera proposes, as long as nothing else is to be said."""
    found, candidate = tracker.proposal.explanation, tracker.proposal.candidate
    if found is None or (candidate is None and not tracker.proposal.takes_back):
        return None
    headline = _("Taken back?") if candidate is None else "; ".join(map(texts.action, candidate.actions))
    if candidate is not None and tracker.proposal.corrects and session.moves:
        recorded = action_name(session.moves[-1].entry, session, texts)
        headline = _("{seen} instead of {recorded}?").format(seen=headline, recorded=recorded)
    return VerdictView(VerdictKind.PROPOSED, headline, (), tuple(sorted(found.spots)))
