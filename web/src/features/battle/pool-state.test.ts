import { expect, test } from "vitest";
import type { PoolPlace } from "@/api/pool";
import type { ModelCard } from "@/api/types";
import { inOrder, poolList, tooFew } from "@/features/battle/pool-state";

const model = (id: string, capabilities = ["text"]) => ({ id, capabilities }) as unknown as ModelCard;
const place = (id: string, more: Partial<PoolPlace> = {}): [string, PoolPlace] => [
  id,
  { model_id: id, chosen: true, weight: 1, out: null, why: null, ...more },
];
const models = [model("a", ["text", "vision"]), model("b"), model("key"), model("off"), model("vectors")];
const places = new Map([
  place("a"),
  place("b"),
  place("key", { out: "failing", why: "The key was refused." }),
  place("off", { chosen: false, out: "paused", why: "It is paused." }),
  place("vectors", { out: "no_text" }),
]);

test("the list says who of the pool is not drawn, and why", () => {
  const { rows, ready } = poolList(models, places, false);
  expect(rows.map(({ model: { id }, why }) => [id, why])).toEqual([
    ["a", null],
    ["b", null],
    ["key", "The key was refused."],
    ["off", null],
  ]);
  expect(ready).toBe(2);
});

test("a picture leaves out who can't read it", () => {
  const { rows, ready } = poolList(models, places, true);
  expect(rows.find((row) => row.model.id === "b")?.why).toMatch(/pictures/);
  expect([ready, tooFew(ready)]).toEqual([1, "A battle needs two. Add one more model."]);
  expect(tooFew(2)).toBeNull();
});

test("a row keeps its place while it is ticked and unticked", () => {
  const { rows } = poolList(models, places, false);
  expect(inOrder(rows, new Set(["off"])).map((row) => row.model.id)).toEqual(["off", "a", "b", "key"]);
});
