"""Frozen classes behave as frozen dataclasses with slots do; only their constructor is another one."""

import copy
import inspect
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from companion.frozen import frozen


@frozen
class Base:
    """A class without fields, as events have one."""


@frozen
class Stone(Base):
    """A value with a default."""

    colour: str
    height: int = 1


@dataclass(frozen=True, slots=True)
class Peer:
    """The same fields in a dataclass."""

    colour: str
    height: int = 1


def test_a_frozen_class_has_the_constructor_of_a_dataclass():
    assert inspect.signature(Stone).parameters.keys() == inspect.signature(Peer).parameters.keys()
    assert Stone("red") == Stone("red", 1) == Stone(height=1, colour="red") != Stone("red", 2)
    assert repr(Stone("red", 2)) == "Stone(colour='red', height=2)"
    assert [each.name for each in fields(Stone)] == ["colour", "height"]
    for arguments in ((), ("red", 1, 2)):
        with pytest.raises(TypeError):
            Stone(*arguments)


def test_nothing_of_a_frozen_class_can_be_changed():
    stone = Stone("red")
    with pytest.raises(FrozenInstanceError):
        stone.height = 2
    with pytest.raises(FrozenInstanceError):
        del stone.height
    with pytest.raises((AttributeError, TypeError)):
        stone.weight = 2
    assert not hasattr(stone, "__dict__")


def test_frozen_values_are_hashed_copied_and_replaced():
    stone = Stone("red", 3)
    assert hash(stone) == hash(Stone("red", 3)) == hash(Peer("red", 3))
    for same in (copy.copy(stone), copy.deepcopy(stone)):
        assert same == stone
    assert replace(stone, height=1) == Stone("red")
    assert Base() == Base()


def test_fields_that_need_more_than_a_plain_constructor_are_refused():
    with pytest.raises(TypeError, match="stones"):

        @frozen
        class Pile:
            stones: list[str] = field(default_factory=list)

    with pytest.raises(TypeError, match="__post_init__"):

        @frozen
        class Counted:
            count: int

            def __post_init__(self):
                pass
