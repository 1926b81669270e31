"""A button box: what docs/hardware.md says of the box's side. No pins and no wire in here.

Times are milliseconds since the start that wrap at 2**32.
"""

FIRMWARE = 0x0100
PROTOCOL = (1, 1)
KEPT_EDGES = 16
ORDER_WINDOW = 256
REMEMBERED_COMMANDS = 16
BEAT_MS = 1000
HOST_SILENCE_MS = 3000
ALONE_PERIOD_MS = 2000
ALONE_FLASH_MS = 40

VERSION, TYPE, CONTENT, REFUSED = 1, 2, 3, 4
"""Reasons that a nak gives for refusing a message."""

LIMITS = {"led": ((1, 16), (0, 1)), "buzz": ((20, 20000), (1, 5000))}


def elapsed(now: int, then: int) -> int:
    """Milliseconds from `then` to `now`."""
    return (now - then) & 0xFFFFFFFF


class Edge:
    """A button that went down or up, until the host knows it."""

    def __init__(self, seq: int, button: int, pressed: bool, t_ms: int) -> None:
        self.seq, self.button, self.pressed, self.t_ms = seq, button, pressed, t_ms
        self.sent_at = None


class Box:
    """The box of a board (`buttons`, `leds`, `show(mask)`, `tone(hertz)`) on a wire (`send(name, seq, values)`)."""

    def __init__(self, board, wire, boot: int) -> None:
        self.board, self.wire, self.boot = board, wire, boot
        self.now = 0
        self.pressed = self.lit = self.shown = 0
        self.kept = []
        self.next_seq = self.overruns = 0
        self.beat_at = self.heard_at = self.alone_since = 0
        self.is_alone = True
        self.buzz_ends_at = None
        self.session = None
        self.obeyed = []

    def introduce(self) -> None:
        """Say who this is, as at a start and when a connection is made."""
        board = self.board
        values = (
            FIRMWARE,
            board.buttons,
            board.leds,
            0,
            board.reset_cause,
            self.boot,
            self.oldest(),
            self.now,
            board.uid,
        )
        self.wire.send("hello", 0, PROTOCOL + values)

    def oldest(self) -> int:
        """The number of the oldest edge that is kept, or of the next."""
        return self.kept[0].seq if self.kept else self.next_seq

    def edge(self, button: int, pressed: bool, t_ms: int) -> None:
        """A button, counted from 1, went down or up at `t_ms`."""
        bit = 1 << button - 1
        self.pressed = self.pressed | bit if pressed else self.pressed & ~bit
        if len(self.kept) == KEPT_EDGES or (self.next_seq - self.oldest()) & 0xFFFF >= ORDER_WINDOW - 1:
            self.kept.pop(0)
            self.overruns = (self.overruns + 1) & 0xFFFF
        self.kept.append(Edge(self.next_seq, button, pressed, t_ms))
        self.next_seq = (self.next_seq + 1) & 0xFFFF

    def hear(self, name: str, seq: int, values: tuple) -> None:
        """Take what the host sent; "foreign" is what could not be understood, its value the problem."""
        self.heard_at = self.now
        if self.is_alone:
            self.is_alone = False
            self.show(self.lit)
        if name == "host hello":
            self.greeted(values[2])
        elif name in ("ack", "nak"):
            if values[0] == self.boot:
                self.kept = [edge for edge in self.kept if edge.seq != seq]
        elif name == "foreign":
            self.answer(seq, values[0])
        elif name in LIMITS:
            self.command(name, seq, values)

    def tick(self, now: int) -> None:
        """Do what is due at `now`."""
        self.now = now
        if self.buzz_ends_at is not None and elapsed(self.buzz_ends_at, now) >= 1 << 31:
            self.silence()
        if not self.is_alone and elapsed(now, self.heard_at) > HOST_SILENCE_MS:
            self.is_alone, self.alone_since = True, now
            self.lit = 0
            self.silence()
        if self.is_alone:
            phase = elapsed(now, self.alone_since) % ALONE_PERIOD_MS
            self.show((1 << self.board.leds) - 1 if phase < ALONE_FLASH_MS else 0)
        else:
            self.send_edges()
        if elapsed(now, self.beat_at) >= BEAT_MS:
            self.beat_at = (self.beat_at + BEAT_MS) & 0xFFFFFFFF if elapsed(now, self.beat_at) < 2 * BEAT_MS else now
            values = (self.boot, now, self.pressed, self.lit, self.oldest(), len(self.kept), self.overruns)
            self.wire.send("beat", 0, values)

    def send_edges(self) -> None:
        """Send what the host has not acknowledged and was not sent a short time ago."""
        for edge in self.kept:
            if edge.sent_at is None or elapsed(self.now, edge.sent_at) >= self.wire.retry_ms:
                values = (self.boot, self.oldest(), edge.button, int(edge.pressed), edge.t_ms)
                if self.wire.send("button", edge.seq, values):
                    edge.sent_at = self.now

    def greeted(self, session: int) -> None:
        """A host is there; in a new session the numbers of its commands begin again."""
        if session != self.session:
            self.session = session
            self.obeyed = []
        for edge in self.kept:
            edge.sent_at = None
        self.introduce()

    def command(self, name: str, seq: int, values: tuple) -> None:
        """Obey once, answer always."""
        for value, (lowest, highest) in zip(values, LIMITS[name]):
            if not lowest <= value <= highest:
                self.answer(seq, CONTENT)
                return
        if name == "led" and values[0] > self.board.leds:
            self.answer(seq, REFUSED)
            return
        self.answer(seq, None)
        if seq in self.obeyed:
            return
        self.obeyed = self.obeyed[1 - REMEMBERED_COMMANDS :] + [seq]
        if name == "led":
            bit = 1 << values[0] - 1
            self.lit = self.lit | bit if values[1] else self.lit & ~bit
            self.show(self.lit)
        else:
            self.board.tone(values[0])
            self.buzz_ends_at = (self.now + values[1]) & 0xFFFFFFFF

    def answer(self, seq: int, problem) -> None:
        """Acknowledge a message, or say what is wrong with it."""
        if problem is None:
            self.wire.send("ack", seq, (self.boot,))
        else:
            self.wire.send("nak", seq, (self.boot, problem))

    def show(self, mask: int) -> None:
        """Light these LEDs."""
        if mask != self.shown:
            self.shown = mask
            self.board.show(mask)

    def silence(self) -> None:
        """Stop the buzzer."""
        if self.buzz_ends_at is not None:
            self.buzz_ends_at = None
            self.board.tone(0)
