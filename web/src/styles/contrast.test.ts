import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contrast } from "@/lib/contrast";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

function tokens(selector: string): Record<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0] ?? "";
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]),
  );
}

const dark = tokens(":root");
const themes = { dark, light: { ...dark, ...tokens(".light") } };

const surfaces = ["page", "surface", "raised"];
const pairs = (texts: string[], on: string[]) =>
  texts.flatMap((text) => on.map((surface) => [text, surface] as const));

test("both themes name the same tokens", () => {
  expect(Object.keys(tokens(".light"))).toEqual(Object.keys(dark));
});

describe.each(Object.entries(themes))("%s", (_, theme) => {
  const measure = (a: string, b: string) => contrast(theme[a] ?? "", theme[b] ?? "");

  test.each([
    ...pairs(["ink", "ink-2", "ink-3", "gold", "good", "bad", "accent"], surfaces),
    ...pairs(["ink", "ink-3"], ["hover", "button"]),
    ...pairs(["ink", "ink-2"], ["bubble"]),
    ...pairs(["ink"], ["heat-high", "heat-low"]),
    ["accent-ink", "accent"] as const,
    ["page", "ink"] as const,
    ["seal", "gold-line"] as const,
  ])("text %s on %s is at least 4.5 : 1", (text, surface) => {
    expect(measure(text, surface)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(
    pairs(
      [
        ...["a", "b", "c", "d", "e", "f"].map((seat) => `seat-${seat}`),
        ...[1, 2, 3, 4, 5, 6, 7, 8].map((series) => `series-${series}`),
      ],
      surfaces,
    ),
  )("%s as a dot on %s is at least 3 : 1", (mark, surface) => {
    expect(measure(mark, surface)).toBeGreaterThanOrEqual(3);
  });

  test("what a person asked stands out from the page and the panels", () => {
    for (const surface of ["page", "surface"])
      expect(measure("bubble", surface)).toBeGreaterThanOrEqual(1.15);
  });

  test("the ends of the heat map stand out from where neither won", () => {
    for (const end of ["heat-high", "heat-low"]) expect(measure(end, "surface")).toBeGreaterThanOrEqual(1.5);
  });

  test("the gold ring is at least 3 : 1", () => {
    for (const surface of ["page", "surface"])
      expect(measure("gold-line", surface)).toBeGreaterThanOrEqual(3);
  });

  test("the focus ring is at least 3 : 1 on every surface", () => {
    for (const surface of surfaces) expect(measure("accent", surface)).toBeGreaterThanOrEqual(3);
  });
});
