"""Names: what no name may have is found and named."""

import pytest

from parley.kernel.names import checked_name, control_in, mended_name


@pytest.mark.parametrize(
    ("name", "control"),
    [("a\x00b", "U+0000"), ("\ud800", "U+D800"), ("x\x1b[31m", "U+001B"), ("a\x9fb", "U+009F")],
)
def test_a_name_with_a_control_character_is_refused_by_its_code(name: str, control: str) -> None:
    assert control_in(name) == control
    with pytest.raises(ValueError, match=control.replace("+", ".")):
        checked_name(name)


@pytest.mark.parametrize("name", ["Ada", "naïve 中文 👩‍💻", "العربية"])
def test_an_ordinary_name_stays(name: str) -> None:
    assert checked_name(f"  {name}\n") == name


@pytest.mark.parametrize("name", ["\ufeff", "\u200b \u200b", "\u3164", "\u0301", "\u00ad"])
def test_a_name_that_nobody_can_see_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="can't be seen"):
        checked_name(name)


def test_a_name_of_a_foreign_file_is_mended() -> None:
    assert mended_name("a\n b\x1b[2J\u202ec") == "a b\ufffd[2J\ufffdc"
