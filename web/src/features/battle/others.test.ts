import { expect, test } from "vitest";
import { pickedOf } from "@/features/battle/others";

const cell = (wins: number, ties: number, both_bad: number, losses: number) => ({
  wins,
  ties,
  both_bad,
  losses,
});
const SIDES = ["a", "b"] as const;

test("the shares stand in the order of the ballot and add up", () => {
  const { shares, votes } = pickedOf(cell(51, 9, 6, 34), SIDES, "b");
  expect(votes).toBe(100);
  expect(shares.map(({ choice }) => choice)).toEqual(["a", "tie", "both_bad", "b"]);
  expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});

test.each([
  ["the first one", cell(1, 0, 0, 0), "a", "Yours is the first vote on this pair."],
  [
    "some others",
    cell(3, 1, 0, 0),
    "a",
    "4 votes on this pair, yours included. 2 of the 3 others agree with you.",
  ],
  [
    "one other of many",
    cell(2, 2, 0, 0),
    "a",
    "4 votes on this pair, yours included. 1 of the 3 others agrees with you.",
  ],
  [
    "nobody else",
    cell(1, 0, 0, 3),
    "a",
    "4 votes on this pair, yours included. None of the others agrees with you.",
  ],
  ["everybody", cell(0, 3, 0, 0), "tie", "3 votes on this pair, yours included. All others agree with you."],
  [
    "the only other one",
    cell(0, 0, 2, 0),
    "both_bad",
    "2 votes on this pair, yours included. The other one agrees with you.",
  ],
  ["a vote that does not count", cell(2, 0, 0, 0), null, "2 votes on this pair."],
  ["no vote that counts", cell(0, 0, 0, 0), null, "Nobody has voted on this pair yet."],
  ["a vote that is not counted yet", cell(0, 0, 0, 2), "a", "Counting your vote…"],
])("the sentence of %s", (_, counts, pick, sentence) => {
  expect(pickedOf(counts, SIDES, pick).sentence).toBe(sentence);
});
