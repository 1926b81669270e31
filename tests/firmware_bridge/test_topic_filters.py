import pytest

from firmware_bridge.mqtt.topic_filters import is_included, without_included


@pytest.mark.parametrize(
    ("one", "other", "is_fitted"),
    [
        ("a/b", "a/b", True),
        ("a/b", "+/b", True),
        ("+/b", "a/b", False),
        ("a/+", "a/#", True),
        ("a", "a/#", True),
        ("a/#", "a/+", False),
        ("a/#", "#", True),
        ("a/b/c", "a/+", False),
        ("a/b", "a/b/c", False),
        ("+/+", "a/+", False),
    ],
)
def test_which_filter_includes_which(one: str, other: str, is_fitted: bool) -> None:
    assert is_included(one, [other]) is is_fitted


def test_each_filter_once_and_none_that_another_includes() -> None:
    assert without_included(["a/b", "+/b", "a/b", "c", "a/#", "c"]) == ["+/b", "c", "a/#"]
