"""The host's state of one box: greeting, presence, edges once and in order, commands until they are acknowledged.

No port and no clock in here: messages and the monotonic time go in, messages and events come out. A link outlives the
port it speaks through, so an edge that is resent after a reconnection is still known.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

from companion.wording.sentences import Sentence, sentence
from firmware_bridge.protocol.clock import BoxClock
from firmware_bridge.protocol.messages import (
    PROTOCOL_VERSIONS,
    Ack,
    Availability,
    Beat,
    Button,
    Buzz,
    Foreign,
    Hello,
    HostBeat,
    HostHello,
    Incoming,
    Led,
    LinkState,
    Message,
    Nak,
    TextButton,
    TextHello,
)
from firmware_bridge.protocol.ordering import EdgeOrder

GREETING_INTERVAL = 0.25
PATIENCE = 4.0
"""Seconds in which a box is greeted often and not yet reported: opening the port resets an Arduino for up to 2 s."""

SLOW_GREETING_INTERVAL = 1.0
BEAT_INTERVAL = 1.0
SILENCE = 3.2
"""Seconds without a message after which a box is lost: three missed beats and some jitter."""

COMMAND_ATTEMPTS = 20
BLINK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class StateChange:
    """The link went to another state, or has another reason to be in it; `reason` is a line for people or empty."""

    state: LinkState
    reason: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A button went down or up at the host's monotonic second `at`."""

    button: int
    pressed: bool
    at: float


@dataclass(frozen=True, slots=True)
class Remark:
    """Something unusual about the box for people to know; a line without the name of the box."""

    text: str


LinkEvent = StateChange | Edge | Remark


@dataclass(slots=True)
class _Command:
    message: Led | Buzz
    due: float = 0.0
    attempts: int = 0


class Link:
    """The state machine of one box; commands are resent every `retry_after` seconds until it answers.

    A link that only listens receives the same, but acknowledges nothing, sends no beat and lights no lamp: the box may
    belong to another program, which must get its presses. `take_charge` ends that.
    """

    def __init__(self, retry_after: float, session: int | None = None, *, only_listens: bool = False) -> None:
        self.state = LinkState.CLOSED
        self.reason = ""
        self.hello: Hello | None = None
        self.refused_commands = 0
        self.unanswered_commands = 0
        self._retry_after, self._only_listens = retry_after, only_listens
        self._session = secrets.randbelow(2**16) if session is None else session
        self._order: EdgeOrder[Button] = EdgeOrder()
        self._clock = BoxClock()
        self._port_open = False
        self._plain_text = False
        self._opened_at = self._last_heard = self._last_greeting = self._last_nak = float("-inf")
        self._next_beat = 0.0
        self._down: set[int] = set()
        self._lit: set[int] = set()
        self._flashes: dict[int, float] = {}
        self._blinking: set[int] = set()
        self._blink_is_on = False
        self._rival_is_known = False
        self._commands: dict[tuple[str, int], _Command] = {}
        self._next_command = 0
        self._messages: list[Message] = []
        self._events: list[LinkEvent] = []

    @property
    def duplicates(self) -> int:
        """How many edges came again and were dropped."""
        return self._order.duplicates

    def take_messages(self) -> list[Message]:
        """What is to be sent now; empties the list."""
        messages, self._messages = self._messages, []
        return messages

    def take_events(self) -> list[LinkEvent]:
        """What happened since the last call, in order; empties the list."""
        events, self._events = self._events, []
        return events

    def opening(self) -> None:
        """The port is about to be opened for the first time."""
        self._enter(LinkState.OPENING)

    def opened(self, now: float) -> None:
        """The port is open; greet the box."""
        self._port_open, self._plain_text = True, False
        self._opened_at, self._last_greeting = now, float("-inf")
        if self.state is LinkState.OPENING:
            self._enter(LinkState.HELLO)
        self.tick(now)

    def lost(self, reason: str) -> None:
        """The port is gone or cannot be opened."""
        self._port_open = False
        self._messages.clear()
        self._lose(reason)

    def close(self) -> None:
        """The end; nothing more is sent."""
        self._port_open = False
        self._messages.clear()
        self._enter(LinkState.CLOSED)

    def take_charge(self) -> None:
        """Acknowledge and light from now on: the box is ours."""
        if self._only_listens:
            self._only_listens = False
            self._show_all()

    def set_led(self, led: int, on: bool) -> None:
        """Light an LED or put it out; it stays so through reconnections."""
        (self._lit.add if on else self._lit.discard)(led)
        self._show(led)

    def flash(self, led: int, until: float) -> None:
        """Turn an LED to the opposite of what it shows until the monotonic second `until`."""
        self._flashes[led] = until
        self._show(led)

    def blink(self, led: int, on: bool) -> None:
        """Let an LED blink, or go back to what it was set to; it stays so through reconnections."""
        if on != (led in self._blinking):
            (self._blinking.add if on else self._blinking.discard)(led)
            self._show(led)

    def buzz(self, hertz: int, duration_ms: int) -> None:
        """Sound the buzzer, if the box is there to do it now."""
        if self.state is LinkState.READY:
            seq = self._number()
            self._commands["buzz", seq] = _Command(Buzz(seq, hertz, duration_ms))

    def receive(self, content: Incoming, now: float) -> None:
        """Take what the box sent."""
        if not self._is_stranger(content):
            self._last_heard = now
        match content:
            case Hello():
                self._greeted(content, now)
            case Button():
                self._button(content, now)
            case Beat():
                self._beat(content, now)
            case Ack(seq=seq, boot=boot) if boot == self._order.boot:
                self._answered(seq)
            case Nak(seq=seq, boot=boot) if boot == self._order.boot:
                self.refused_commands += self._answered(seq)
            case TextButton() | TextHello():
                self._text(content, now)
            case Availability(online=True):
                self._greet(now)
            case Availability(online=False):
                self._lose(sentence("the broker says that the box is offline"))
            case Foreign(seq=seq, problem=problem) if now - self._last_nak >= GREETING_INTERVAL:
                self._last_nak = now
                self._messages.append(Nak(seq, self._order.boot or 0, problem))
        self.tick(now)

    def tick(self, now: float) -> None:
        """Do what is due at `now`: greet, beat, resend, end flashes, notice silence."""
        if not self._port_open:
            return
        if self.state is LinkState.READY:
            self._tick_ready(now)
        if self.state in (LinkState.HELLO, LinkState.LOST):
            patient = now - self._opened_at < PATIENCE
            if self.state is LinkState.HELLO and not patient:
                self._enter(
                    LinkState.HELLO, sentence("no box answers; is it switched on, and does it speak this protocol?")
                )
            interval = GREETING_INTERVAL if patient else SLOW_GREETING_INTERVAL
            if now - self._last_greeting >= interval:
                self._greet(now)

    def _tick_ready(self, now: float) -> None:
        if not self._plain_text and now - self._last_heard > SILENCE:
            self._lose(sentence("silent for 3 seconds"))
            return
        blink_is_on = int(now / BLINK_SECONDS) % 2 == 0
        if blink_is_on != self._blink_is_on:
            self._blink_is_on = blink_is_on
            for led in self._blinking:
                self._show(led)
        if now >= self._next_beat:
            if not self._only_listens:
                self._messages.append(HostBeat())
            self._next_beat = now + BEAT_INTERVAL
        for led, until in list(self._flashes.items()):
            if now >= until:
                del self._flashes[led]
                self._show(led)
        for key, command in list(self._commands.items()):
            if command.due > now:
                continue
            if command.attempts >= COMMAND_ATTEMPTS:
                del self._commands[key]
                self.unanswered_commands += 1
                continue
            self._messages.append(command.message)
            command.attempts += 1
            command.due = now + self._retry_after
            if self._plain_text:
                del self._commands[key]

    def _greet(self, now: float) -> None:
        if now - self._last_greeting >= GREETING_INTERVAL:
            self._last_greeting = now
            self._messages.append(HostHello(*PROTOCOL_VERSIONS, self._session))

    def _greeted(self, hello: Hello, now: float) -> None:
        oldest, newest = PROTOCOL_VERSIONS
        if hello.protocol_min > newest or hello.protocol_max < oldest:
            self._lose(_version_reason(hello))
            return
        if self._is_stranger(hello):
            if not self._rival_is_known:
                self._rival_is_known = True
                self._events.append(Remark(sentence("another box uses its name; only the first is listened to")))
            return
        if hello.boot != self._order.boot:
            self._clock = BoxClock()
        self._clock.sample(hello.uptime_ms, now)
        self._give(self._order.resume(hello.boot, hello.oldest), now)
        self.hello, self._plain_text = hello, False
        self._become_ready(now)

    def _become_ready(self, now: float) -> None:
        self._enter(LinkState.READY, sentence("plain text, without acknowledgement") if self._plain_text else "")
        self._next_beat = now
        self._commands = {key: command for key, command in self._commands.items() if key[0] == "buzz"}
        self._show_all()

    def _button(self, message: Button, now: float) -> None:
        if self.state is not LinkState.READY or message.boot != self._order.boot:
            self._greet(now)
            return
        if not self._only_listens:
            self._messages.append(Ack(message.seq, message.boot))
        # What a box keeps may change from one resend to the next, the edge does not.
        edge = replace(message, oldest=message.seq)
        self._give(self._order.accept(message.seq, message.oldest, edge), now)

    def _beat(self, beat: Beat, now: float) -> None:
        if self.state is not LinkState.READY or beat.boot != self._order.boot:
            self._greet(now)
            return
        self._clock.sample(beat.uptime_ms, now)
        self._give(self._order.advance(beat.oldest), now)
        if beat.pending == 0 and self._order.is_settled(beat.oldest):
            # An edge that the box had to drop leaves a button down for ever. Only releases are corrected here:
            # a press that did not arrive in time is not acted on.
            for button in sorted(self._down):
                if not _has(beat.pressed, button):
                    self._edge(button, False, now)
        for led in range(1, self.hello.leds + 1 if self.hello else 1):
            # A box that missed us for a while has put its lamps out.
            if ("led", led) not in self._commands and _has(beat.lit, led) != self._is_on(led):
                self._show(led)

    def _text(self, message: TextButton | TextHello, now: float) -> None:
        if self.state is not LinkState.READY:
            self._plain_text, self.hello = True, None
            self._become_ready(now)
        if isinstance(message, TextButton) and message.pressed != (message.button in self._down):
            self._edge(message.button, message.pressed, now)

    def _give(self, messages: list[Button], now: float) -> None:
        for message in messages:
            self._edge(message.button, message.pressed, self._clock.to_host(message.t_ms, now))

    def _edge(self, button: int, pressed: bool, at: float) -> None:
        (self._down.add if pressed else self._down.discard)(button)
        self._events.append(Edge(button, pressed, at))

    def _answered(self, seq: int) -> bool:
        for key, command in self._commands.items():
            if command.message.seq == seq:
                del self._commands[key]
                return True
        return False

    def _show_all(self) -> None:
        highest = self.hello.leds if self.hello else 0
        for led in sorted({*range(1, highest + 1), *self._lit, *self._flashes, *self._blinking}):
            self._show(led)

    def _show(self, led: int) -> None:
        if not self._only_listens and (self.hello is None or led <= self.hello.leds):
            self._commands["led", led] = _Command(Led(self._number(), led, self._is_on(led)))

    def _is_on(self, led: int) -> bool:
        is_lit = self._blink_is_on if led in self._blinking else led in self._lit
        return is_lit != (led in self._flashes)

    def _is_stranger(self, content: Incoming) -> bool:
        """Whether somebody else speaks in the name of a box that is there."""
        match content:
            case Hello(uid=uid):
                return self.state is LinkState.READY and self.hello is not None and uid != self.hello.uid
            case Button(boot=boot) | Beat(boot=boot):
                return boot != self._order.boot
            case _:
                return False

    def _number(self) -> int:
        self._next_command = (self._next_command + 1) % 2**16
        return self._next_command

    def _lose(self, reason: str) -> None:
        self._down.clear()
        self._commands.clear()
        self._enter(LinkState.LOST, reason)

    def _enter(self, state: LinkState, reason: str = "") -> None:
        if (state, reason) != (self.state, self.reason):
            self.state, self.reason = state, reason
            self._events.append(StateChange(state, reason))


def _has(mask: int, number: int) -> bool:
    return bool(mask >> (number - 1) & 1)


def _version_reason(hello: Hello) -> Sentence:
    oldest, newest = PROTOCOL_VERSIONS
    speaks = {"box": f"{hello.protocol_min}-{hello.protocol_max}", "program": f"{oldest}-{newest}"}
    if hello.protocol_max < oldest:
        return sentence("the box speaks protocol {box} and this program {program}; update the box", **speaks)
    return sentence("the box speaks protocol {box} and this program {program}; update the program", **speaks)
