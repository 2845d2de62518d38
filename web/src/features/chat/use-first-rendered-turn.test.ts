import { expect, test } from "vitest";
import type { TurnView } from "@/api/types";
import { screenful } from "@/features/chat/use-first-rendered-turn";

const turns = (...lengths: number[]) =>
  lengths.map((length) => ({ replies: [{ text: "x".repeat(length) }] })) as unknown as TurnView[];

test("one long answer fills a screen, short ones fill it together", () => {
  expect(screenful(turns(...Array(50).fill(9000)))).toBe(1);
  expect(screenful(turns(...Array(50).fill(1200)))).toBe(2);
  expect(screenful(turns(...Array(50).fill(20)))).toBe(10);
});

test("only the last turns count, and no more than there are", () => {
  expect(screenful(turns(20, 20, 20, 9000))).toBe(1);
  expect(screenful(turns(9000, 20, 20))).toBe(3);
  expect(screenful([])).toBe(0);
});
