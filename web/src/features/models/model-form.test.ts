import { expect, test } from "vitest";
import type { ModelCard } from "@/api/types";
import { changesOf, commonForm, formOf, knownNote, sourceText } from "@/features/models/model-form";
import { numberIn } from "@/lib/number-in";

const card = (more: Partial<ModelCard> = {}) =>
  ({
    id: "m",
    name: "Llama 3.2 3B",
    organization: "Meta",
    family: "Llama",
    license: "",
    description: null,
    context_window: 131072,
    prices: null,
    weight: 1,
    timeout_s: 120,
    max_concurrency: null,
    cache_s: null,
    fallback: null,
    capabilities: ["text"],
    enabled: true,
    source: "database",
    known_from: { organization: "name", family: "name", context_window: "server" },
    ...more,
  }) as unknown as ModelCard;
const form = formOf(card(), undefined);

test("what is not touched is not sent", () => {
  expect(changesOf(form, form)).toEqual({ model: undefined, place: undefined, problem: undefined });
  expect(changesOf(form, { ...form, license: " MIT " }).model).toEqual({ license: "MIT" });
});

test("an emptied fact is unknown, and any other emptied field returns to its default", () => {
  const emptied = { ...form, organization: "", family: " ", name: "", context: "", timeout: "" };
  expect(changesOf(form, emptied).model).toEqual({
    organization: "",
    family: "",
    name: null,
    context_window: null,
    timeout_s: null,
  });
});

test("prices go together, and the place in the pool apart from the model", () => {
  expect(changesOf(form, { ...form, input: "3", output: "15" }).model).toEqual({
    prices: { input: 3, output: 15, image: null },
  });
  expect(changesOf(form, { ...form, input: "3" }).problem).toEqual({
    field: "output",
    text: "Enter both prices, or neither.",
  });
  const drawn = changesOf(form, { ...form, battle: true, weight: "0" });
  expect([drawn.model, drawn.place]).toEqual([undefined, { chosen: true, weight: 0 }]);
});

test.each([
  ["context", "many", "Context must be a number."],
  ["context", "1.5", "Context must be a whole number."],
  ["context", "0", "Context must be at least 1."],
  ["weight", "-1", "The weight can’t be negative."],
])("%s as “%s” is a problem of that field", (field, written, text) => {
  expect(changesOf(form, { ...form, [field]: written }).problem).toEqual({ field, text });
});

test("numbers are read as people write them", () => {
  expect(["131,072", "1 000", "", "x"].map(numberIn)).toEqual([131072, 1000, null, Number.NaN]);
});

test("several models show what they share, and send only what is changed for all", () => {
  const other = formOf(card({ id: "n", organization: "Google", family: "Gemma", license: "" }), undefined);
  const { form: common, mixed } = commonForm([form, other]);
  expect([...mixed]).toEqual(["organization", "family"]);
  expect([common.organization, common.context]).toEqual(["", "131072"]);
  expect(changesOf(common, { ...common, license: "MIT" }).model).toEqual({ license: "MIT" });
});

test("a fact says quietly where it is from", () => {
  const model = card();
  expect(sourceText(model, "organization", model.organization)).toBe("from the name");
  expect(sourceText(model, "context_window", model.context_window)).toBe("said by the server");
  expect(sourceText(model, "name", model.name)).toBe("set by you");
  expect(sourceText(model, "license", model.license)).toBe("");
  expect(knownNote(model)).toBe("Maker and family come from the id. Change what is wrong.");
  expect(knownNote(card({ known_from: { license: "name" } }))).toBe(
    "Licence comes from the id. Change what is wrong.",
  );
  expect(knownNote(card({ known_from: {} }))).toBeNull();
});
