"""A Wi-Fi that is joined at the second question: the Unix port uses the network of its machine."""

STA_IF = 0


class WLAN:
    """A station."""

    PM_NONE = 0

    def __init__(self, _interface: int) -> None:
        self.is_joined = False

    def active(self, _is_active: bool) -> None:
        """Switch it on."""

    def config(self, pm: int) -> None:
        """Choose how much it sleeps."""

    def isconnected(self) -> bool:
        """Whether there is a network."""
        return self.is_joined

    def connect(self, _name: str, _password: str) -> None:
        """Join one."""
        self.is_joined = True
