import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "@/api/events";
import type { MatchView, TurnView } from "@/api/types";
import { readConsortium } from "@/features/consortium/read-consortium";
import { emptyTurn, reduceTurn } from "@/turn/reduce-turn";

const file = fileURLToPath(
  new URL("../../../../tests/fixtures/turns/consortium-two-rounds.json", import.meta.url),
);
const recording = JSON.parse(readFileSync(file, "utf8")) as {
  events: TurnEvent[];
  views: TurnView;
  match: MatchView;
};

const readAfter = (count: number) => {
  const state = recording.events.slice(0, count).reduce(reduceTurn, emptyTurn);
  return state.turn && state.match ? readConsortium(state.match, state.turn) : null;
};

describe("a recorded consortium", () => {
  const whole = readConsortium(recording.match, recording.views);

  it("has two rounds, the second of which settles", () => {
    expect(whole.iterations.map(({ number, stage }) => [number, stage])).toEqual([
      [1, "judged"],
      [2, "judged"],
    ]);
    expect(whole.running).toBe(false);
    expect(whole.result).not.toBeNull();
  });

  it("leaves out who failed, in words, and hears it again in the next round", () => {
    const [first, second] = whole.iterations.map(({ answers }) =>
      answers.find(({ member }) => member.seat === "b"),
    );
    expect(first?.leftOut?.title).toBe("The key was refused.");
    expect(second?.leftOut).toBeNull();
    expect(second?.answer).toBe("The capital of France is Paris, I think.");
    expect(second?.confidence).toBe(0.6);
  });

  it("prefers the agreement that knows the arbiter's dissent", () => {
    const judged = recording.views.notes.find(
      (note) => note.name === "consortium.agreement/1" && note.key === "judged",
    );
    expect(whole.iterations[0]?.agreement).toEqual(judged?.data);
  });

  it("reads the same from the stream as from the record", () => {
    expect(readAfter(recording.events.length)).toEqual(whole);
  });

  it("can be read after every single event, with answers and thoughts kept apart", () => {
    for (let count = 1; count <= recording.events.length; count += 1) {
      for (const { answers } of readAfter(count)?.iterations ?? []) {
        for (const { answer, thoughts } of answers) {
          expect(answer + thoughts).not.toMatch(/<\/?(answer|thought|conf)/i);
          expect("Ly|Paris is the capital of France. 🇫🇷|The capital of France is Paris, I think.").toContain(
            answer,
          );
        }
      }
    }
  });
});

describe("notes of a round that was played again", () => {
  const view = (notes: TurnView["notes"]) =>
    readConsortium(recording.match, { ...recording.views, notes, round: 1, status: "completed" });
  const answer = (seq: number, text: string) => ({
    seq,
    name: "consortium.answer/1",
    round: 1,
    key: "a",
    data: { iteration: 1, seat: "a", answer: text, thought_process: null, confidence: null, parsed: true },
  });
  const leftOut = (seq: number, code: string) => ({
    seq,
    name: "consortium.left_out/1",
    round: 1,
    key: "a",
    data: { iteration: 1, seat: "a", problem: { code, title: "Out" } },
  });
  const first = (notes: TurnView["notes"]) => view(notes).iterations[0]?.answers[0];

  it("replace those of before", () => {
    expect(first([answer(2, "old"), answer(9, "new")])?.answer).toBe("new");
    expect(first([leftOut(2, "upstream_rejected"), answer(9, "new")])?.leftOut).toBeNull();
  });

  it("keep an answer that was outvoted", () => {
    const said = first([answer(2, "said"), leftOut(3, "reply_outvoted")]);
    expect([said?.answer, said?.leftOut?.title]).toEqual(["said", "Out"]);
  });

  it("show a confidence that was not given as such", () => {
    expect(first([answer(2, "said")])?.confidence).toBeNull();
  });
});
