import { expect, test } from "vitest";
import { configOf, found } from "@/features/lab/promptfoo-api";

test("the config is the file that is called so, else one in YAML", () => {
  expect(configOf(["rows.csv", "a.yaml", "promptfooconfig.ci.yaml"])).toBe("promptfooconfig.ci.yaml");
  expect(configOf(["rows.csv", "a.yml"])).toBe("a.yml");
  expect(configOf([])).toBeUndefined();
});

test("a chosen file stands for a name with folders", () => {
  expect(found(["prompts/a.txt", "b.txt"], { "a.txt": "A", "c.txt": "C" })).toEqual({ "prompts/a.txt": "A" });
});
