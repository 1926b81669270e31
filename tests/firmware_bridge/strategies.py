"""Every kind of message, for hypothesis."""

from hypothesis import strategies as st

from firmware_bridge.protocol.messages import (
    HIGHEST_NUMBER,
    LAYOUTS,
    ORDER_WINDOW,
    UNACKNOWLEDGED_EDGES,
    Ack,
    Beat,
    Button,
    Buzz,
    Hello,
    HostBeat,
    HostHello,
    Led,
    Message,
    Nak,
    NakReason,
)

u8 = st.integers(0, 2**8 - 1)
u16 = st.integers(0, 2**16 - 1)
u32 = st.integers(0, 2**32 - 1)
numbers = st.integers(1, HIGHEST_NUMBER)
versions = st.tuples(u8, u8).map(sorted)


@st.composite
def hellos(draw: st.DrawFn) -> Hello:
    oldest, newest = draw(versions)
    counts = st.integers(0, HIGHEST_NUMBER)
    return Hello(
        oldest, newest, draw(u16), draw(counts), draw(counts), draw(u16), draw(u8), draw(u16), draw(u16), draw(u32),
        draw(st.binary(min_size=8, max_size=8)),
    )  # fmt: skip


@st.composite
def buttons(draw: st.DrawFn) -> Button:
    seq = draw(u16)
    oldest = (seq - draw(st.integers(0, ORDER_WINDOW - 1))) % 2**16
    return Button(seq, draw(u16), oldest, draw(numbers), draw(st.booleans()), draw(u32))


BY_TYPE: dict[type[Message], st.SearchStrategy[Message]] = {
    Hello: hellos(),
    HostHello: st.builds(lambda pair, session: HostHello(*pair, session), versions, u16),
    Button: buttons(),
    Beat: st.builds(Beat, u16, u32, u16, u16, u16, st.integers(0, UNACKNOWLEDGED_EDGES), u16),
    HostBeat: st.just(HostBeat()),
    Led: st.builds(Led, u16, numbers, st.booleans()),
    Buzz: st.builds(Buzz, u16, st.integers(20, 20_000), st.integers(1, 5_000)),
    Ack: st.builds(Ack, u16, u16),
    Nak: st.builds(Nak, u16, u16, st.sampled_from(NakReason)),
}
assert set(BY_TYPE) == set(LAYOUTS)

messages = st.one_of(*BY_TYPE.values())
