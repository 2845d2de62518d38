"""Tests of messages: fingerprints hold for every text that may come."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from parley.kernel.messages import (
    Attached,
    FilePart,
    ImagePart,
    Message,
    ReplyPart,
    TextPart,
    ToolCall,
    attachments_of,
    content_of,
    fingerprint,
    mend_surrogates,
    sha256_text,
    text_of,
)
from parley.kernel.options import AskOptions

ANYTHING = st.text(st.characters(exclude_categories=[]))


def test_a_fingerprint_never_changes() -> None:
    messages = [Message("system", "Be brief."), Message("user", "Grüße 👋")]
    assert fingerprint(messages) == fingerprint(tuple(messages))
    assert fingerprint(messages) == "90e699dad4f960e315e31de4f3ba63aa940fe3e1f91b8e4c131f8dcb816efb55"


def test_options_belong_to_a_fingerprint_only_where_one_is_set() -> None:
    messages = [Message("user", "Hi")]
    plain = fingerprint(messages)
    assert fingerprint(messages, AskOptions()) == plain, (
        "what was stored before there were options still matches"
    )
    options = (
        AskOptions(temperature=0.0),
        AskOptions(seed=0),
        AskOptions(max_output_tokens=0),
        AskOptions(json_schema={}),
        AskOptions(json_schema={"a": 1, "b": 2}),
    )
    assert len({plain, *(fingerprint(messages, each) for each in options)}) == len(options) + 1
    assert fingerprint(messages, AskOptions(json_schema={"b": 2, "a": 1})) == fingerprint(
        messages, options[-1]
    )


def test_parts_belong_to_a_fingerprint_and_text_alone_is_what_it_always_was() -> None:
    image = ImagePart("1" * 64, "image/png")
    contents = (
        "Hi",
        (TextPart("Hi"),),
        (TextPart("Hi"), image),
        (TextPart("Hi"), ImagePart("2" * 64, "image/png")),
        (TextPart("Hi"), FilePart("1" * 64, "image/png", "a.png")),
        (TextPart("H"), TextPart("i")),
    )
    prints = [fingerprint([Message("user", content)]) for content in contents]
    prints += [
        fingerprint([Message("user", "Hi", tool_calls=(ToolCall(0, "c", "f", "{}"),))]),
        fingerprint([Message("user", "Hi", tool_call_id="c")]),
    ]
    assert len(set(prints)) == len(prints) == len(contents) + 2
    assert fingerprint([Message("user", (TextPart("\ud800"),))])


def test_the_words_of_a_message_are_those_of_its_parts() -> None:
    image = ImagePart("1" * 64, "image/png")
    parted = Message("user", (TextPart("one"), image, TextPart("two")))
    assert (text_of(Message("user", "one")), text_of(parted)) == ("one", "one\n\ntwo")
    assert (attachments_of([Message("user", "x"), parted]), text_of(Message("user", (image,)))) == (
        (image,),
        "",
    )


def test_a_reply_becomes_a_message_with_its_parts_in_their_places() -> None:
    cat = Attached(sha256="1" * 64, name="cat.png", media_type="image/png", size=1, tokens=1)
    table = Attached(
        sha256="2" * 64, name="t.csv", media_type="text/plain", size=1, tokens=1, text_sha256="3" * 64
    )
    parts = (ReplyPart(0, cat), ReplyPart(2, table), ReplyPart(2, cat))
    image, file = ImagePart("1" * 64, "image/png"), FilePart("3" * 64, "text/plain", "t.csv")
    assert content_of("👩b c", parts) == (image, TextPart("👩b"), file, image, TextPart(" c"))
    assert (content_of("Hi", ()), content_of("", parts[:1])) == ("Hi", (image,))
    other = msgspec.structs.replace(cat, sha256="4" * 64)
    prints = {
        fingerprint([Message("assistant", content_of("Hi", (ReplyPart(2, each),)))]) for each in (cat, other)
    }
    assert len(prints) == 2, "a played turn knows whether a picture has changed"


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
