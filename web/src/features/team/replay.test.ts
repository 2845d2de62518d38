import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { MatchView, TurnView } from "@/api/types";
import type { ReplayedReply } from "@/api/votes";
import { readTeam } from "@/features/team/read-team";
import { scoreOf, turnsAt } from "@/features/team/replay";

const file = fileURLToPath(new URL("../../../../tests/fixtures/turns/team-debate.json", import.meta.url));
const { views: turn, match } = JSON.parse(readFileSync(file, "utf8")) as {
  views: TurnView;
  match: MatchView;
};
const view = readTeam(match, [turn]);
const replies = turn.replies.map(
  ({ id, text }) =>
    ({
      reply_id: id,
      text,
      timeline: [
        [100, 1],
        [1000, [...text].length],
      ],
    }) as unknown as ReplayedReply,
);
const score = scoreOf(view, replies);
const at = (ms: number) => readTeam(match, turnsAt([turn], score, ms));

it("plays those who speak at once together, and the rounds one after the other", () => {
  const steps = new Set([...score.parts.values()].map(({ start }) => start));
  expect(steps.size).toBe(view.rounds.length);
  expect(score.duration).toBe(view.rounds.length * 1000 + (view.rounds.length - 1) * 400);
});

it("knows nothing that came later", () => {
  expect(at(0).rounds).toEqual([]);
  const speaking = at(500).rounds[0]?.statements ?? [];
  expect(speaking.map(({ reply, said }) => [reply.text.length, said])).toEqual(speaking.map(() => [1, null]));
  expect(speaking.length).toBeGreaterThan(1);
  expect(at(500).end).toBeNull();
  const between = at(1200);
  expect(between.rounds.map(({ number }) => number)).toEqual([1]);
  const heard = ({ rounds }: typeof view) => rounds[0]?.statements.map(({ said, reply }) => [said, reply]);
  expect(heard(between)).toEqual(heard(view));
  expect(between.rounds[0]?.end).toEqual(view.rounds[0]?.end);
  expect(at(score.duration - 1).synthesis?.note).toBeNull();
  expect(at(score.duration)).toEqual(view);
});
