import { expect, test } from "vitest";
import { textsIn } from "./texts-in-strings.mjs";

test.each([
  ["between tags", "<p>Vote saved.</p>", "Vote saved."],
  ["in a label", '<button aria-label="Close" />', "Close"],
  ["in a title", '<i title={on ? "Hide" : STRINGS.show} />', "Hide"],
  ["in a placeholder", '<input placeholder={name ?? "Search…"} />', "Search…"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the planted source has a template
  ["in a template", "<p aria-label={`Turn ${number}`} />", "Turn …"],
  ["in braces", '<p>{done && "Done"}</p>', "Done"],
  ["in a message", 'showToast("Link copied.")', "Link copied."],
])("a planted text is found %s", (_, planted, text) => {
  expect(textsIn(`const x = ${planted};`, "x.tsx")).toEqual([`1: ${text}`]);
});

test.each([
  ["a text of the strings file", "<p title={STRINGS.saved}>{STRINGS.vote(name)}</p>"],
  ["a code sample", "<p><code>parley serve</code></p>"],
  ["the name of a key", '<Kbd owns="n">N</Kbd>'],
  ["a sign", "<span>{open ? '▾' : '▸'} · – %</span>"],
  ["a class, an id or a compared word", '<p id="main" className="flex">{mode === "chat" && <B />}</p>'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the planted source has a template
  ["numbers with their unit", "<p>{`${share * 100}%`}</p>"],
])("%s stays where it is", (_, source) => {
  expect(textsIn(`const x = ${source};`, "x.tsx")).toEqual([]);
});
