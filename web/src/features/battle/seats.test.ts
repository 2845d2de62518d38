import { expect, test } from "vitest";
import type { MatchView } from "@/api/types";
import { winnerFirst } from "@/features/battle/seats";

const match = (vote: string | null) =>
  ({ seats: [{ name: "a" }, { name: "b" }], vote: vote === null ? null : { vote } }) as unknown as MatchView;
const order = (vote: string | null) => winnerFirst(match(vote)).map(({ letter }) => letter);

test("the side that was preferred comes first and keeps its letter", () => {
  expect(order("b")).toEqual(["B", "A"]);
  expect(order("a")).toEqual(["A", "B"]);
});

test.each([null, "tie", "both_bad"])("without a winner (%s) nothing changes places", (vote) => {
  expect(order(vote)).toEqual(["A", "B"]);
});
