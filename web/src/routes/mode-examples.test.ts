import { expect, test, vi } from "vitest";

// What modules of the page ask of a browser when they load.
vi.hoisted(() => {
  const addEventListener = () => undefined;
  Object.assign(globalThis, { addEventListener, matchMedia: () => ({ matches: false, addEventListener }) });
});

import { examplesOf } from "@/features/arena/examples";
import { featureOf } from "@/routes/mode-features";

const MODES = ["battle", "compare", "consortium", "team", "chat"];

test("examples change with the mode, and with real models", () => {
  const all = MODES.flatMap((mode) => [true, false].map((demo) => examplesOf(featureOf(mode), demo)));
  expect(new Set(all.map(String)).size).toBe(all.length);
  for (const mode of MODES) {
    const [demo, real] = [true, false].map((each) => examplesOf(featureOf(mode), each));
    expect(demo?.filter((text) => real?.includes(text))).toEqual([]);
  }
});

test("a mode of a plugin has examples too", () => {
  expect(examplesOf(featureOf("debate"), true).length).toBeGreaterThan(0);
});
