import pytest

from tests.ui.web.visiting import PhoneTable


@pytest.fixture
def table_with_phones(tmp_path):
    """Makes tables with phones, which are closed at the end."""
    opened = []

    def open_table(*arguments, **options) -> PhoneTable:
        opened.append(PhoneTable(tmp_path, *arguments, **options))
        return opened[-1]

    yield open_table
    for table in opened:
        table.close()


@pytest.fixture
def table(table_with_phones) -> PhoneTable:
    return table_with_phones("capitol", 3)
