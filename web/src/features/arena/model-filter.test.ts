import { expect, test } from "vitest";
import type { ModelCard } from "@/api/types";
import { noFilter, providersOf, sortedModels } from "@/features/arena/model-filter";

const card = (id: string, extra: Partial<ModelCard> = {}): ModelCard => ({
  id,
  name: id,
  organization: "Org",
  family: "f",
  license: "MIT",
  known_from: {},
  weight: 1,
  timeout_s: 120,
  max_concurrency: null,
  kind: "single",
  capabilities: ["text"],
  tags: [],
  context_window: null,
  prices: null,
  description: null,
  provider: "demo",
  local: true,
  demo: false,
  enabled: true,
  cache_s: null,
  fallback: null,
  picture: null,
  source: "file",
  ...extra,
});

const prices = (input: number, output: number): ModelCard["prices"] => ({
  input,
  output,
  cached_input: null,
  cache_write: null,
  image: null,
  tiers: [],
});

const models = [
  card("dear", { prices: prices(3, 15), provider: "cloud", local: false }),
  card("cheap", { prices: prices(0.1, 0.2) }),
  card("unpriced"),
  card("off", { enabled: false }),
];
const ids = (filter: Partial<typeof noFilter>, favourites: string[] = []) =>
  sortedModels(models, { ...noFilter, ...filter }, favourites).map((model) => model.id);

test("models that are switched off are not offered", () => {
  expect(ids({})).toEqual(["cheap", "dear", "unpriced"]);
});

test("favourites come first", () => {
  expect(ids({}, ["unpriced"])).toEqual(["unpriced", "cheap", "dear"]);
  expect(ids({ favourites: true }, ["unpriced"])).toEqual(["unpriced"]);
});

test("cheapest first puts unknown prices last", () => {
  expect(ids({ cheapest: true }, ["unpriced"])).toEqual(["cheap", "dear", "unpriced"]);
});

test("local, provider and every word of the search narrow the list", () => {
  expect(ids({ local: true })).toEqual(["cheap", "unpriced"]);
  expect(ids({ provider: "cloud" })).toEqual(["dear"]);
  expect(ids({ search: "ORG che" })).toEqual(["cheap"]);
  expect(providersOf(models)).toEqual(["cloud", "demo"]);
});
