import { expect, test } from "vitest";
import type { PoolPlace } from "@/api/pool";
import type { ModelCard } from "@/api/types";
import { pickAll, showModels, stillThere } from "@/features/models/list-state";

const model = (id: string, more: Partial<ModelCard> = {}) =>
  ({
    id,
    name: id,
    organization: "Meta",
    family: "Llama",
    license: "",
    provider: "ollama",
    tags: [],
    kind: "single",
    enabled: true,
    local: false,
    ...more,
  }) as unknown as ModelCard;
const models = [
  model("a", { local: true }),
  model("b", { enabled: false }),
  model("c", { organization: "" }),
  model("board", { kind: "ensemble", organization: "You" }),
];
const places = new Map([["a", { model_id: "a", chosen: true, out: null } as PoolPlace]]);

test("each filter shows its models, and says how many it would show", () => {
  const { rows, counts } = showModels(models, places, "undescribed", "");
  expect(rows.map(({ id }) => id)).toEqual(["c"]);
  expect(counts).toEqual({ all: 4, pool: 1, local: 1, paused: 1, undescribed: 1 });
  expect(showModels(models, places, "all", "meta").rows.map(({ id }) => id)).toEqual(["a", "b"]);
});

test("ticking all rows ticks those that are shown, and once more none of them", () => {
  const shown = models.slice(0, 2);
  expect(pickAll(["c"], shown)).toEqual(["c", "a", "b"]);
  expect(pickAll(["c", "a", "b"], shown)).toEqual(["c"]);
  expect(stillThere(["a", "gone"], models)).toEqual(["a"]);
});
