import { expect, test } from "vitest";
import type { Replay } from "@/api/votes";
import { charactersAt, cut, textAt } from "@/features/panels/replayed-text";
import { buildReel, PAUSE_MS, sceneAt, stepsOf } from "@/features/votes/reel";

const replay = (...timelines: [number, number][][]) =>
  ({ replies: timelines.map((timeline) => ({ timeline, text: "héllo 🌍 world" })) }) as unknown as Replay;

test("turns follow each other, each as long as its slower side", () => {
  const reel = buildReel([replay([[100, 5]], [[300, 5]]), replay([[50, 5]], [])]);
  expect(reel.scenes.map(({ start, end }) => [start, end])).toEqual([
    [0, 300],
    [300 + PAUSE_MS, 350 + PAUSE_MS],
  ]);
  expect(reel.duration).toBe(350 + PAUSE_MS);
  expect(sceneAt(reel, 299)?.index).toBe(0);
  expect(sceneAt(reel, 300 + PAUSE_MS)?.index).toBe(1);
  expect(sceneAt(buildReel([]), 0)).toBeNull();
});

test("a turn is played step by step, without what was said inside an ensemble", () => {
  const said = (round: number, purpose: string, ms: number, path = "") => ({
    ...{ round, purpose, path, text: "word", timeline: [[ms, 4]] },
  });
  const turn = {
    replies: [
      said(1, "answer", 100),
      said(1, "answer", 300),
      said(1, "inner", 900, "a/1"),
      said(1, "judge", 50),
    ],
  } as unknown as Replay;
  const reel = stepsOf(turn);
  expect(reel.scenes.map(({ replay: { replies } }) => replies.length)).toEqual([2, 1]);
  expect(reel.duration).toBe(350 + PAUSE_MS);
});

test("characters come when they came", () => {
  const timeline: [number, number][] = [
    [100, 3],
    [200, 8],
    [200, 9],
    [400, 13],
  ];
  expect([0, 99, 100, 199, 200, 399, 400, 9000].map((at) => charactersAt(timeline, at))).toEqual([
    0, 0, 3, 3, 9, 9, 13, 13,
  ]);
  expect(charactersAt([], 10)).toBe(0);
});

test("a character outside the basic plane counts as one and is never cut in half", () => {
  expect(cut("héllo 🌍 world", 7)).toBe("héllo 🌍");
  expect(cut("héllo 🌍 world", 8)).toBe("héllo 🌍 ");
  expect(cut("short", 99)).toBe("short");
});

test("a reply is whole from its last mark on, also where it has none", () => {
  const [reply] = replay([
    [100, 5],
    [200, 9],
  ]).replies;
  expect(reply && textAt(reply, 150)).toEqual({ text: "héllo", writing: true });
  expect(reply && textAt(reply, 200)).toEqual({ text: "héllo 🌍 world", writing: false });
  const [unmarked] = replay([]).replies;
  expect(unmarked && textAt(unmarked, 0).writing).toBe(false);
});
