"""Reading files of other programs: odd fields, bad texts and bad places leave the rest as it is."""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from parley.features.session_files.conversation import Conversation, Exchange
from parley.features.session_files.reading import ReadConversation, UnreadConversation, read_file
from parley.kernel.errors import Invalid
from parley.kernel.names import control_in

ASKED = {"role": "user", "content": "Why?"}
TALK = {"title": "Good", "messages": [ASKED, {"role": "assistant", "content": "So."}]}


class Found(NamedTuple):
    conversations: list[tuple[int, Conversation]]
    skipped: list[UnreadConversation]
    notes: list[str]


def read(folder: Path, body: object) -> Found:
    path = folder / "file.json"
    path.write_bytes(body if isinstance(body, bytes) else msgspec.json.encode(body))
    entries = list(read_file(path, "file.json", lambda _, text: text))
    good = [each for each in entries if isinstance(each, ReadConversation)]
    return Found(
        [(each.place, each.conversation) for each in good],
        [each for each in entries if isinstance(each, UnreadConversation)],
        [note for each in good for note in each.notes],
    )


def one(folder: Path, body: object) -> Conversation:
    found = read(folder, [body])
    assert found.skipped == []
    return found.conversations[0][1]


def exchanges(folder: Path, body: object) -> list[Exchange]:
    return one(folder, body).exchanges()


def said(folder: Path, body: object) -> list[tuple[str, str]]:
    return [(each.question, each.answer) for each in exchanges(folder, body)]


def chatgpt(*messages: Any, **fields: Any) -> dict[str, Any]:
    nodes = {
        str(place): {"message": message, "parent": str(place - 1), "children": [str(place + 1)]}
        for place, message in enumerate(messages)
    }
    return {"mapping": nodes, "current_node": str(len(messages) - 1), **fields}


def gpt(role: str, *parts: Any, kind: str = "text", **more: Any) -> dict[str, Any]:
    return {"author": {"role": role}, "content": {"content_type": kind, "parts": parts}, **more}


def webui(*messages: dict[str, Any], chat: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return {"chat": {"messages": messages, **(chat or {})}, **fields}


@pytest.mark.parametrize(
    ("bad", "becomes"),
    [
        (rb'"a \ud800 b"', "a \ufffd b"),
        (rb'"\udc00\ud83d\ude00"', "\ufffd\U0001f600"),
        (rb'"\\ud800 \"NaN\""', '\\ud800 "NaN"'),
        (b'"tab\there"', "tab\there"),
        (b'"byte \xff"', "byte \ufffd"),
    ],
)
@pytest.mark.parametrize("alone", [True, False])
def test_a_bad_text_is_mended_and_the_others_stay(
    tmp_path: Path, bad: bytes, becomes: str, alone: bool
) -> None:
    body = b'{"title": "Bad", "score": NaN, "messages": [{"role": "user", "content": %s}]}' % bad
    good = msgspec.json.encode(TALK)
    found = read(tmp_path, body if alone else b"[%s, %s, %s]" % (good, body, good))
    assert found.skipped == []
    bad_one = found.conversations[0 if alone else 1][1]
    assert bad_one.messages[0].text == becomes
    assert [each.title for _, each in found.conversations] == (["Bad"] if alone else ["Good", "Bad", "Good"])


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b'{"messages": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "it is nested too deeply"),
        (b'{"title": "x", "messages": [1 2]}', "it is not valid JSON: "),
        (b'{"title": "x", "messages": 5}', "it has no text"),
    ],
)
def test_a_malformed_conversation_is_left_out_with_its_reason(tmp_path: Path, bad: bytes, why: str) -> None:
    good = msgspec.json.encode(TALK)
    found = read(tmp_path, b"[%s,%s , %s]" % (good, bad, good))
    assert [place for place, _ in found.conversations] == [1, 3]
    (skipped,) = found.skipped
    assert skipped.place == 2
    assert skipped.reason.startswith(why)


def test_bytes_that_are_no_text_cost_nothing_where_all_else_is_well(tmp_path: Path) -> None:
    found = read(tmp_path, b'[{"messages": [{"role": "user", "content": "a\xff"}]}]')
    assert found.conversations[0][1].messages[0].text == "a\ufffd"


@pytest.mark.parametrize("start", [b"[NaN, ", b'{"a": NaN, "b": ', b"["])
def test_a_text_that_never_ends_is_refused_at_once(tmp_path: Path, start: bytes) -> None:
    with pytest.raises(Invalid, match=r"file\.json is not a JSON file"):
        read(tmp_path, start + b'"' + b'\\"' * 500_000 + b"\\")


@pytest.mark.parametrize("body", [b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", b"[[1, 2", b'["a'])
def test_a_file_that_is_too_deep_or_breaks_off_is_refused(tmp_path: Path, body: bytes) -> None:
    with pytest.raises(Invalid, match=r"file\.json is n"):
        read(tmp_path, body)


@pytest.mark.parametrize(
    "odd", [None, 7, -1, 1e300, "x", True, [], {}, [[]], {"a": {}}], ids=lambda odd: type(odd).__name__
)
def test_odd_fields_count_as_left_out(tmp_path: Path, odd: Any) -> None:
    times = dict.fromkeys(("created_at", "updated_at", "create_time", "update_time", "pinned_time"), odd)
    names = dict.fromkeys(("title", "tags", "meta", "model", "archived", "pinned", "params", "id"), odd)
    plain = {**times, **names, "messages": [ASKED, odd, {"role": odd, "content": odd, "name": odd}]}
    assert said(tmp_path, plain) == [("Why?", "")]
    messages = [
        {**ASKED, "timestamp": odd, "files": odd, "parentId": odd},
        odd,
        {"role": odd, "content": odd},
    ]
    row = {**times, **names, "chat": {"params": odd, "history": odd, "messages": messages}}
    assert said(tmp_path, row)[0][0].startswith("Why?")
    asked = gpt("user", "Why?", create_time=odd, metadata=odd, recipient=odd if odd != "x" else "all")
    tree = chatgpt(asked, odd, {"author": odd, "content": odd}, **times, **names)
    assert said(tmp_path, tree)[0][0].startswith("Why?")


def test_a_tree_without_a_current_message_ends_at_its_newest_leaf(tmp_path: Path) -> None:
    tree = chatgpt(gpt("user", "Why?"), gpt("assistant", "So."))
    tree["mapping"]["1"]["children"] = []
    assert said(tmp_path, {**tree, "current_node": "gone"}) == [("Why?", "So.")]
    del tree["mapping"]["0"]["parent"], tree["current_node"]
    assert said(tmp_path, tree) == [("Why?", "So.")]


def test_each_answer_has_its_own_model(tmp_path: Path) -> None:
    tree = chatgpt(
        gpt("user", "a"),
        gpt("assistant", "b", metadata={"model_slug": "gpt-4o"}),
        gpt("user", "c"),
        gpt("assistant", "d", metadata={"model_slug": "o3"}),
    )
    assert [each.model for each in exchanges(tmp_path, tree)] == ["gpt-4o", "o3"]
    row = webui(
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b", "model": "llama3"},
        {"role": "user", "content": "c"},
        {"role": "assistant", "content": "d", "model": "qwen3"},
    )
    assert [each.model for each in exchanges(tmp_path, row)] == ["llama3", "qwen3"]


def test_a_question_without_an_answer_is_a_question_of_its_own(tmp_path: Path) -> None:
    messages = [ASKED, {"role": "assistant", "content": ""}, {"role": "user", "content": "Again?"}]
    assert said(tmp_path, {"messages": messages}) == [("Why?", ""), ("Again?", "")]
    assert said(tmp_path, webui(*messages)) == [("Why?", ""), ("Again?", "")]


def test_a_question_that_is_a_picture_stays(tmp_path: Path) -> None:
    picture = {"type": "image", "url": "data:image/png;base64,AAAA"}
    asked = {"role": "user", "content": "", "files": [picture, {"type": "file", "name": "a.pdf"}]}
    assert said(tmp_path, webui(asked, {"role": "assistant", "content": "A cat."})) == [
        ("*[attachment left out]*\n\n*[attachment left out: a.pdf]*", "A cat.")
    ]
    parts = [{"type": "text", "text": "What?"}, {"type": "image_url", "image_url": {"url": "data:"}}]
    assert said(tmp_path, webui({"role": "user", "content": parts})) == [
        ("What?\n\n*[attachment left out]*", "")
    ]


def test_open_webui_s_thoughts_are_reasoning_and_its_tools_are_left_out(tmp_path: Path) -> None:
    thoughts = (
        '<details type="reasoning" done="true" duration="5">\n<summary>Thought for 5 seconds</summary>\n'
        "&gt; First &lt;b&gt;.\n&gt; Then.\n</details>\n"
    )
    tools = '<details type="tool_calls" done="true" name="x">\n<summary>Tool</summary>\n</details>\n'
    answer = f"{thoughts}{tools}Because.\n\n<details>\n<summary>More</summary>\nmore\n</details>"
    row = webui(ASKED, {"role": "assistant", "content": answer, "model": "r1"})
    (found,) = exchanges(tmp_path, row)
    assert found.reasoning == "First <b>.\nThen."
    assert found.answer == "Because.\n\n<details>\n<summary>More</summary>\nmore\n</details>"


def test_thoughts_that_were_stopped_are_no_answer(tmp_path: Path) -> None:
    stopped = '<details type="reasoning" done="false">\n<summary>Thinking…</summary>\n&gt; Let me see'
    (found,) = exchanges(tmp_path, webui(ASKED, {"role": "assistant", "content": stopped}))
    assert (found.answer, found.reasoning) == ("", "Let me see")


@pytest.mark.parametrize("part", ['<details type="reasoning" ', "<summary>", "<details ", "\ue200", "\ue201"])
def test_texts_of_marks_that_never_end_are_read_at_once(tmp_path: Path, part: str) -> None:
    text = '<details type="reasoning">' + part * (900_000 // len(part.encode()))
    assert exchanges(tmp_path, webui(ASKED, {"role": "assistant", "content": text}))
    assert exchanges(tmp_path, chatgpt(gpt("user", "Why?"), gpt("assistant", text)))


def test_open_webui_s_archive_pin_and_system_prompt_are_kept(tmp_path: Path) -> None:
    row = webui(ASKED, chat={"params": {"system": "Be brief."}}, archived=True, pinned=True)
    found = one(tmp_path, row)
    assert (found.archived, found.pinned) == (True, True)
    assert found.system_prompt(found.exchanges()[0].rules) == "Be brief."


def test_what_was_spoken_to_chatgpt_is_kept(tmp_path: Path) -> None:
    spoken = {"content_type": "audio_transcription", "text": "Hello there", "direction": "in"}
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://x"}
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    tree = chatgpt(
        gpt("user", spoken, sound, kind="multimodal_text"),
        gpt("assistant", "Hi."),
        gpt("user", picture, "And this?", kind="multimodal_text"),
        gpt("assistant", "A cat."),
        gpt("user", sound, kind="multimodal_text"),
    )
    assert said(tmp_path, tree) == [
        ("Hello there", "Hi."),
        ("*[attachment left out]*\n\nAnd this?", "A cat."),
        ("*[attachment left out]*", ""),
    ]


def test_chatgpt_s_instructions_archive_and_stars_are_kept(tmp_path: Path) -> None:
    content = {
        "content_type": "user_editable_context",
        "user_profile": "The user said: I am Ada.",
        "user_instructions": "Be brief.",
    }
    about = {
        "is_visually_hidden_from_conversation": True,
        "user_context_message_data": {"about_user_message": "I am Ada."},
    }
    shared = {"author": {"role": "user"}, "content": content, "metadata": about}
    tree = chatgpt(shared, gpt("system", ""), gpt("user", "Why?"), shared, is_archived=True, is_starred=True)
    found = one(tmp_path, tree)
    assert (found.archived, found.pinned) == (True, True)
    (exchange,) = found.exchanges()
    assert (exchange.question, found.system_prompt(exchange.rules)) == ("Why?", "I am Ada.\n\nBe brief.")
    assert one(tmp_path, chatgpt(gpt("user", "x"), pinned_time=1700000000)).pinned


def test_chatgpt_s_citations_are_removed_and_names_stay(tmp_path: Path) -> None:
    answer = (
        'Blue \ue200cite\ue202turn0search1\ue202turn0search2\ue201. In \ue200entity\ue202["city","Paris"]\ue201, '
        "see \ue200url\ue202the page\ue202https://example.org\ue201.\ue203"
    )
    tree = chatgpt(gpt("user", "\ue200mine\ue201"), gpt("assistant", answer))
    assert said(tmp_path, tree) == [
        ("\ue200mine\ue201", "Blue. In Paris, see [the page](https://example.org).")
    ]


def test_conversations_with_the_same_number_that_begin_differently_are_two(tmp_path: Path) -> None:
    other = {"id": 1, "messages": [{"role": "user", "content": "Something else"}]}
    found = read(tmp_path, [{"id": 1, **TALK}, other, {"id": 1, **TALK, "title": "Renamed"}])
    keys = [each.key for _, each in found.conversations]
    assert keys[0] == keys[2] != keys[1]


@pytest.mark.parametrize("title", ["a\x1b[2Jb", "a\u202eb", "a\x07b\u2066"])
def test_a_title_takes_no_control_characters(tmp_path: Path, title: str) -> None:
    assert control_in(one(tmp_path, {**TALK, "title": title}).title) is None
