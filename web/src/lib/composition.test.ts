import { expect, test } from "vitest";
import { isComposing } from "@/lib/composition";

test.each([
  ["Chromium and Firefox", { isComposing: true, keyCode: 229 }, true],
  ["WebKit, after the composition has ended", { isComposing: false, keyCode: 229 }, true],
  ["Enter as such", { isComposing: false, keyCode: 13 }, false],
])("a key of an input method: %s", (_, event, expected) => {
  expect(isComposing(event)).toBe(expected);
});
