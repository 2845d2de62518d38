import { expect, test } from "vitest";
import type { ModelCard, SeatSettings } from "@/api/types";
import { fitting, takesEffort } from "@/features/lineup/seat-settings";

const models = [
  { id: "thinks", capabilities: ["text", "reasoning"] },
  { id: "plain", capabilities: ["text"] },
] as ModelCard[];
const settings: SeatSettings = {
  temperature: 1,
  max_output_tokens: null,
  system_prompt: null,
  reasoning_effort: "high",
  picture: null,
};

test("a model that takes no reasoning effort is asked without one, and otherwise as before", () => {
  expect(fitting(settings, "thinks", models)).toBe(settings);
  expect(fitting(settings, "plain", models)).toEqual({ ...settings, reasoning_effort: null, picture: null });
});

test("until the models are known, nothing is taken away", () => {
  expect(fitting(settings, "plain", undefined)).toBe(settings);
  expect(takesEffort("thinks", undefined)).toBe(false);
});
