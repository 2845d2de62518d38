"""Tests of messages: fingerprints hold for every text that may come."""

from hypothesis import given
from hypothesis import strategies as st

from parley.kernel.messages import Message, fingerprint, mend_surrogates, sha256_text

ANYTHING = st.text(st.characters(exclude_categories=[]))


def test_a_fingerprint_never_changes() -> None:
    told = [Message("system", "Be brief."), Message("user", "Grüße 👋")]
    assert fingerprint(told) == fingerprint(tuple(told))
    assert fingerprint(told) == "90e699dad4f960e315e31de4f3ba63aa940fe3e1f91b8e4c131f8dcb816efb55"


def test_a_fingerprint_tells_roles_order_and_borders_apart() -> None:
    conversations = [
        [],
        [Message("user", "ab")],
        [Message("assistant", "ab")],
        [Message("user", "a"), Message("user", "b")],
        [Message("user", "b"), Message("user", "a")],
    ]
    assert len({fingerprint(each) for each in conversations}) == len(conversations)


@given(ANYTHING)
def test_no_text_is_too_odd_for_a_fingerprint(text: str) -> None:
    assert len(fingerprint([Message("user", text)])) == 64
    assert len(sha256_text(text)) == 64


@given(ANYTHING)
def test_mended_texts_can_be_encoded_and_keep_their_length(text: str) -> None:
    mended = mend_surrogates(text)
    assert len(mended) == len(text)
    assert mended.encode().decode() == mended
    assert mend_surrogates(mended) == mended


def test_lone_surrogates_count_as_replacement_characters() -> None:
    assert mend_surrogates("a\ud800b👩‍👩‍👧\udfff") == "a\ufffdb👩‍👩‍👧\ufffd"
    assert sha256_text("a\ud800") == sha256_text("a\ufffd")
    assert sha256_text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
