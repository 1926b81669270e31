"""What tests of publishing share."""

from collections.abc import Iterator

import pytest

from companion.publishing.kept import KeptPublishing


@pytest.fixture
def kept() -> Iterator[KeptPublishing]:
    found = KeptPublishing(None)
    yield found
    found.close()
