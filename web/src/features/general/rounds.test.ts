import { expect, it } from "vitest";
import type { MatchView, TurnView } from "@/api/types";
import { choicesOf, goesByRounds, roundsOf } from "@/features/general/rounds";

const reply = (seat: string, round: number, status = "completed") => ({
  id: `${seat}${round}`,
  seat,
  round,
  status,
});
const turn = {
  round: 2,
  replies: [reply("a", 1), reply("b", 1), reply("a", 2), reply("b", 2, "failed")],
  tools: [{ id: "c", round: 3 }],
  interjections: [
    { id: "i", round: 2, input: { type: "add", text: "It rains." } },
    { id: "j", round: null, input: { type: "synthesise" } },
  ],
} as unknown as TurnView;

it("puts what was said and called into its round, and apart what no round has heard", () => {
  const { rounds, unheard } = roundsOf(turn);
  const sizes = rounds.map(({ number, heard, replies, tools }) => [
    number,
    heard.length,
    replies.length,
    tools.length,
  ]);
  expect(sizes).toEqual([
    [1, 0, 2, 0],
    [2, 1, 2, 0],
    [3, 0, 0, 1],
  ]);
  expect(unheard.map(({ id }) => id)).toEqual(["j"]);
  expect(goesByRounds([turn])).toBe(true);
});

it("lets nobody be chosen whose replies are not all complete, but also who has left since", () => {
  const match = {
    ballot: { choices: ["none", "a", "b"] },
    seats: ["a", "b", "c"].map((name) => ({ name, role: "member" })),
  } as unknown as MatchView;
  const withLeft = { ...turn, replies: [...turn.replies, reply("c", 1)] } as unknown as TurnView;
  const { seats, words } = choicesOf(match, withLeft);
  expect(seats.map(({ name }) => name)).toEqual(["a", "c"]);
  expect(words).toEqual(["none"]);
});
