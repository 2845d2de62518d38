import { expect, test } from "vitest";
import { rank } from "@/features/palette/rank";

const ENTRIES: [name: string, also: string][] = [
  ["New session", ""],
  ["Battle", "mode battle Two hidden models answer one prompt"],
  ["Chat", "mode chat One model"],
  ["Coding", "leaderboard category coding"],
  ["Leaderboard", "ratings"],
  ["Method", "how the leaderboard works"],
  ["What is a good leader?", "session"],
  ["Leader-7B", "chat with model Acme leader-7b"],
];

const found = (sought: string) =>
  ENTRIES.map(([name, also]) => ({ name, score: rank(name, also, sought) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ name }) => name);

test("a name that begins so comes before what is only described so", () => {
  expect(found("method")[0]).toBe("Method");
  expect(found("chat")[0]).toBe("Chat");
  expect(found("leaderb")[0]).toBe("Leaderboard");
  expect(found("leader").indexOf("Leaderboard")).toBeLessThan(found("leader").indexOf("Coding"));
  expect(found("leader").indexOf("What is a good leader?")).toBeLessThan(found("leader").indexOf("Coding"));
});

test("several words may come from the name and from what else is known of it", () => {
  expect(found("mode chat")[0]).toBe("Chat");
  expect(found("leaderboard coding")[0]).toBe("Coding");
});

test("letters in order still find a name", () => {
  expect(found("ldbd")).toContain("Leaderboard");
  expect(found("zzz")).toEqual([]);
  expect(rank("Keyboard shortcuts", "", "rust")).toBe(0);
});
