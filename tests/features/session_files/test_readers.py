"""Exports of Claude, LibreChat and ChatGPT's canvas become what was said, with the models that said it."""

from pathlib import Path
from typing import Any

from parley.features.session_files.conversation import Conversation
from tests.features.session_files.test_reading import chatgpt, gpt, one

CLAUDE = {
    "uuid": "k-1",
    "name": "Soup",
    "created_at": "2026-03-01T10:00:00.000000Z",
    "updated_at": "2026-03-01T10:05:00.000000Z",
}


def rounds(conversation: Conversation) -> list[tuple[str, str, str | None]]:
    return [(each.question, each.answer, each.model) for each in conversation.exchanges()]


def human(text: str, uuid: str = "h", parent: str | None = None, **fields: Any) -> dict[str, Any]:
    return {
        "uuid": uuid,
        "sender": "human",
        "text": text,
        "content": [{"type": "text", "text": text}],
        **({"parent_message_uuid": parent} if parent else {}),
        **fields,
    }


def claude(*blocks: dict[str, Any], uuid: str = "c", parent: str | None = None) -> dict[str, Any]:
    joined = "\n".join(block.get("text", "This block is not supported.") for block in blocks)
    return {**human(joined, uuid, parent), "sender": "assistant", "content": list(blocks)}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def test_a_conversation_with_claude_keeps_its_times_title_and_thoughts(tmp_path: Path) -> None:
    thinking = {"type": "thinking", "thinking": "Flour or cream?"}
    messages = [human("How to thicken soup?"), claude(thinking, text("Use flour."))]
    found = one(tmp_path, {**CLAUDE, "chat_messages": messages})
    assert (found.source, found.key, found.title) == ("claude", "k-1", "Soup")
    assert str(found.created_at) == "2026-03-01 10:00:00+00:00"
    assert rounds(found) == [("How to thicken soup?", "Use flour.", "Claude")]
    assert found.exchanges()[0].reasoning == "Flour or cream?"


def test_an_older_export_of_claude_has_texts_without_blocks(tmp_path: Path) -> None:
    messages = [{"sender": "human", "text": "Why?"}, {"sender": "assistant", "text": "So."}]
    assert rounds(one(tmp_path, {"name": "x", "chat_messages": messages})) == [("Why?", "So.", "Claude")]


def test_what_was_pasted_to_claude_is_kept_and_files_leave_a_note(tmp_path: Path) -> None:
    pasted = {"file_name": "", "extracted_content": "a ``` fence"}
    large = {"file_name": "log.txt", "extracted_content": "x" * 200_000}
    files = [{"file_name": "egg.jpg", "file_uuid": "1"}]
    question = human("Read this.", attachments=[pasted, large], files=files)
    found = one(tmp_path, {"chat_messages": [question, claude(text("Done."))]})
    assert rounds(found)[0][0] == (
        "Read this.\n\n````\na ``` fence\n````\n\n*[attachment left out: log.txt]*\n\n"
        "*[attachment left out: egg.jpg]*"
    )


def test_artifacts_of_claude_stand_in_its_answers(tmp_path: Path) -> None:
    made = {"command": "create", "title": "Plan", "type": "application/vnd.ant.code", "language": "python"}
    artifact = {"type": "tool_use", "name": "artifacts", "input": {**made, "content": "print(1)"}}
    change = {"command": "update", "old_str": "1", "new_str": "2"}
    messages = [
        human("Write it."),
        claude(artifact, text("There.")),
        human("Change it."),
        claude({**artifact, "input": change}, text("Done.")),
    ]
    first, second = (answer for _, answer, _ in rounds(one(tmp_path, {"chat_messages": messages})))
    assert first == "*[Artifact: Plan]*\n\n```python\nprint(1)\n```\n\nThere."
    assert second.index("```\n1\n```") < second.index("```\n2\n```") < second.index("Done.")


def test_of_claude_s_branches_the_newest_is_read(tmp_path: Path) -> None:
    messages = [
        human("Why?", "1", "root", created_at="2026-01-01T00:00:01Z"),
        {**claude(text("Old."), uuid="2", parent="1"), "created_at": "2026-01-01T00:00:02Z"},
        {**claude(text("New."), uuid="3", parent="1"), "created_at": "2026-01-01T00:00:03Z"},
    ]
    assert rounds(one(tmp_path, {"chat_messages": messages})) == [("Why?", "New.", "Claude")]


def libre(text: str, by_person: bool, *children: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"messageId": text, "text": text, "isCreatedByUser": by_person, "children": children, **fields}


def test_a_tree_of_librechat_is_read_to_its_latest_branch(tmp_path: Path) -> None:
    tree = libre(
        "Tea?",
        True,
        libre("Black.", False, model="gpt-4o"),
        libre("Green.", False, libre("Why?", True, libre("So.", False)), model="o3"),
    )
    options = {"model": "gpt-4o", "promptPrefix": "Be brief."}
    found = one(tmp_path, {"conversationId": "l", "title": "Tea", "options": options, "messages": [tree]})
    assert (found.source, found.key, found.title) == ("librechat", "l", "Tea")
    assert rounds(found) == [("Tea?", "Green.", "o3"), ("Why?", "So.", "o3")]
    assert found.system_prompt(found.exchanges()[0].rules) == "Be brief."


def test_a_list_of_librechat_is_read_by_its_links(tmp_path: Path) -> None:
    messages = [
        {"messageId": "1", "parentMessageId": "0", "text": "Tea?", "isCreatedByUser": True},
        {"messageId": "2", "parentMessageId": "1", "text": "Black.", "isCreatedByUser": False},
        {"messageId": "3", "parentMessageId": "1", "text": "Green.", "isCreatedByUser": False},
    ]
    found = one(tmp_path, {"conversationId": "l", "options": {"model": "gpt-4o"}, "messages": messages})
    assert rounds(found) == [("Tea?", "Green.", "gpt-4o")]


def test_parts_and_failed_answers_of_librechat(tmp_path: Path) -> None:
    parts = [{"type": "think", "think": "Hm."}, {"type": "text", "text": {"value": "So."}}]
    messages = [
        libre("Why?", True, files=[{"filename": "a.pdf"}]),
        libre("", False, content=parts),
        libre("And?", True),
        libre("402: no credit", False, error=True),
    ]
    found = one(tmp_path, {"conversationId": "l", "messages": messages})
    assert rounds(found) == [
        ("Why?\n\n*[attachment left out: a.pdf]*", "So.", None),
        ("And?", "", None),
    ]
    assert found.exchanges()[0].reasoning == "Hm."


def test_a_long_conversation_of_librechat_may_be_nested_deeply(tmp_path: Path) -> None:
    tree = libre("last", False)
    for number in range(200):
        tree = libre(f"{number}", number % 2 == 1, tree)
    assert len(rounds(one(tmp_path, {"conversationId": "l", "messages": [tree]}))) == 100


def canvas(request: str, tool: str = "create_textdoc", **fields: Any) -> dict[str, Any]:
    content = {"content_type": "code", "text": request}
    recipient = f"canmore.{tool}"
    return {"author": {"role": "assistant"}, "content": content, "recipient": recipient, **fields}


def answer(folder: Path, *messages: dict[str, Any]) -> str:
    return one(folder, chatgpt(gpt("user", "Write."), *messages)).exchanges()[0].answer


def test_a_canvas_and_its_changes_stand_in_the_answer(tmp_path: Path) -> None:
    made = canvas('{"name": "List", "type": "document", "content": "- shirts"}')
    whole = canvas('{"updates": [{"pattern": ".*", "replacement": "- shirts\\n- shoes"}]}', "update_textdoc")
    part = canvas('{"updates": [{"pattern": "shoes", "replacement": "boots"}]}', "update_textdoc")
    comment = canvas('{"comments": [{"pattern": "x", "comment": "Warm enough?"}]}', "comment_textdoc")
    found = answer(tmp_path, made, gpt("assistant", "There."), whole, part, comment)
    assert found.startswith(
        "*[Canvas: List]*\n\n- shirts\n\nThere.\n\n*[Canvas: changed]*\n\n- shirts\n- shoes"
    )
    assert found.index("```\nshoes\n```") < found.index("```\nboots\n```") < found.index("Warm enough?")


def test_what_a_program_calls_its_parts_may_be_in_capitals(tmp_path: Path) -> None:
    made = canvas('{"name": "List", "type": "Code/Go", "content": "x"}')
    made = {**made, "recipient": "Canmore.Create_Textdoc", "author": {"role": "Assistant"}}
    assert answer(tmp_path, made) == "*[Canvas: List]*\n\n```go\nx\n```"
    parts = [{"type": "THINK", "think": "Hm."}, {"type": "Text", "text": "So."}]
    messages = [libre("Why?", True), libre("", False, content=parts)]
    found = one(tmp_path, {"conversationId": "l", "messages": messages})
    assert (rounds(found), found.exchanges()[0].reasoning) == ([("Why?", "So.", None)], "Hm.")


def test_code_in_a_canvas_is_a_block_and_what_is_no_json_stays_as_it_is(tmp_path: Path) -> None:
    assert answer(tmp_path, canvas('{"name": "Go", "type": "code/go", "content": "x"}')).endswith(
        "```go\nx\n```"
    )
    assert answer(tmp_path, canvas('{"name": "cut o')) == '*[Canvas]*\n\n```\n{"name": "cut o\n```'


def test_a_picture_that_chatgpt_made_leaves_a_note(tmp_path: Path) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    assert answer(tmp_path, gpt("tool", picture, kind="multimodal_text")) == "*[attachment left out]*"


def test_the_model_of_a_conversation_answers_where_no_message_names_one(tmp_path: Path) -> None:
    tree = chatgpt(gpt("user", "a"), gpt("assistant", "b"), default_model_slug="gpt-5")
    assert rounds(one(tmp_path, tree)) == [("a", "b", "gpt-5")]
    named = gpt("assistant", "b", metadata={"model_slug": "o3"})
    tree = chatgpt(
        gpt("user", "a"), named, gpt("user", "c"), gpt("assistant", "d"), default_model_slug="gpt-5"
    )
    assert [model for _, _, model in rounds(one(tmp_path, tree))] == ["o3", "o3"]
