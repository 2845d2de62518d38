import { expect, it } from "vitest";
import type { ToolCallView } from "@/api/types";
import { outcomeOf } from "@/features/tools/tool-outcome";

const call = (result: Partial<NonNullable<ToolCallView["result"]>> | null) =>
  ({
    id: "c",
    result: result && { text: "", parts: [], error: null, ...result },
  }) as unknown as ToolCallView;

it("says of a call without a result if it still runs", () => {
  expect(outcomeOf(call(null), true)).toMatchObject({ summary: "Running…", text: null });
  expect(outcomeOf(call(null), false)).toMatchObject({ summary: "Not finished", text: null });
});

it("sums up a result in its first line, and an error in its title", () => {
  expect(outcomeOf(call({ text: "noon\nsharp" }), true)).toEqual({
    summary: "noon",
    text: "noon\nsharp",
    failed: false,
  });
  const error = { code: "clock_stopped", title: "The clock stands still.", detail: "Wind it up." };
  expect(outcomeOf(call({ error }), true)).toEqual({
    summary: "The clock stands still.",
    text: "The clock stands still. Wind it up.",
    failed: true,
  });
  expect(outcomeOf(call({}), true).summary).toBe("No output");
});
