import { describe, expect, it } from "vitest";
import type { MatchView, TurnView } from "@/api/types";
import { contendersIn, factsOf } from "@/features/compare/turn-facts";
import { wordDiff } from "@/features/compare/word-diff";

const seat = (name: string, model: string, from_turn = 0, until_turn: number | null = null) => ({
  name,
  label: name,
  model: { id: model, name: model },
  from_turn,
  until_turn,
});
const metrics = (duration_ms: number, cost_micros: number | null) => ({
  duration_ms,
  cost_micros,
  input_tokens: 10,
  output_tokens: 20,
});
const reply = (name: string, more: object, status = "completed") => ({
  seat: name,
  path: "",
  status,
  metrics: more,
});
const match = {
  seats: [seat("a", "Ada"), seat("b", "Bob", 0, 1), seat("c", "Ada"), seat("d", "Dee", 1)],
} as unknown as MatchView;
const turnOf = (...replies: object[]) => ({ replies }) as unknown as TurnView;

describe("who is compared", () => {
  it("is who plays in the turn, each with a name of its own", () => {
    const first = contendersIn(match, turnOf(reply("a", metrics(1, 1))), 0);
    expect(first.map(({ seat, name }) => [seat, name])).toEqual([
      ["a", "Ada #1"],
      ["b", "Bob"],
      ["c", "Ada #2"],
    ]);
    expect(first[1]?.reply).toBeUndefined();
    expect(contendersIn(match, turnOf(), 1).map(({ seat }) => seat)).toEqual(["a", "c", "d"]);
  });
});

describe("what a turn took", () => {
  const of = (...replies: object[]) => factsOf(contendersIn(match, turnOf(...replies), 0));

  it("names the fastest and the cheapest of those that finished, and the sum of all", () => {
    const stopped = reply("c", metrics(1, 1), "stopped");
    const facts = of(reply("a", metrics(900, 300)), reply("b", metrics(500, 400)), stopped);
    expect(facts.fastest).toEqual({ name: "Bob", ms: 500 });
    expect(facts.cheapest).toEqual({ name: "Ada #1", micros: 300 });
    expect([facts.micros, facts.unpriced, facts.input, facts.output]).toEqual([701, false, 30, 60]);
  });

  it("says of a sum with an estimate that it is one, and knows no sum of answers without prices", () => {
    const guessed = reply("c", { ...metrics(1, 1), estimated: true }, "stopped");
    expect(of(reply("a", metrics(900, 300))).estimated).toBe(false);
    expect(of(reply("a", metrics(900, 300)), guessed).estimated).toBe(true);
    const refused = reply("c", metrics(1, 0), "failed");
    expect(of(reply("a", metrics(900, null)), refused).micros).toBeNull();
  });

  it("calls nobody fastest or cheapest for being cut off", () => {
    const cut = { ...reply("c", metrics(1, 1)), finish_reason: "length" };
    const facts = of(reply("a", metrics(900, 300)), reply("b", metrics(500, 400)), cut);
    expect([facts.fastest?.name, facts.cheapest?.name]).toEqual(["Bob", "Ada #1"]);
  });

  it("calls nobody cheapest where a price is unknown, and the sum the least", () => {
    const facts = of(reply("a", metrics(900, null)), reply("b", metrics(500, 400)));
    expect([facts.cheapest, facts.micros, facts.unpriced]).toEqual([null, 400, true]);
  });

  it("calls nobody fastest where all took the same, or one answered alone", () => {
    expect(of(reply("a", metrics(5, 1)), reply("b", metrics(5, 2))).fastest).toBeNull();
    expect(of(reply("a", metrics(5, 1))).fastest).toBeNull();
  });
});

describe("the difference of two texts", () => {
  it("marks the words that only one has, and gives each text back whole", () => {
    const [left, right] = wordDiff("The cat sat down.", "The dog sat down today.") ?? [[], []];
    expect(left.map(({ text }) => text).join("")).toBe("The cat sat down.");
    expect(right.map(({ text }) => text).join("")).toBe("The dog sat down today.");
    expect(left.filter(({ own }) => own).map(({ text }) => text.trim())).toContain("cat");
    expect(right.filter(({ own }) => own).map(({ text }) => text.trim())).toContain("dog");
    expect(left.find(({ own }) => !own)?.text).toContain("The");
  });
});
