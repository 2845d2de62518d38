import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contrast } from "@/lib/contrast";
import { colorOf, type Given, lettersOfModel, Tones } from "@/lib/series";

const NAMES = Array.from({ length: 96 }, (_, number) => `Organisation ${number}`);
const model = (organization: string, id = "m") => ({ id, organization });

test("no two names have one colour, and a name keeps its own", () => {
  const colors = NAMES.map(colorOf);
  expect(new Set(colors).size).toBe(NAMES.length);
  expect(NAMES.map(colorOf)).toEqual(colors);
});

test("twelve organisations have hues far enough apart to be told from each other", () => {
  const tones = new Tones();
  const hues = NAMES.slice(0, 12).map((name) => tones.of(name).hue);
  for (const [place, hue] of hues.entries()) {
    for (const other of hues.slice(place + 1)) {
      const gap = Math.abs(hue - other) % 360;
      expect(Math.min(gap, 360 - gap)).toBeGreaterThanOrEqual(25);
    }
  }
});

test("a name has its colour again wherever it comes next, and nothing tells the name", () => {
  let given: Given = [];
  const first = new Tones([], (all) => {
    given = all;
  });
  const before = NAMES.slice(0, 20).map((name) => first.of(name));
  const again = new Tones(JSON.parse(JSON.stringify(given)));
  expect(
    NAMES.slice(0, 20)
      .toReversed()
      .map((name) => again.of(name)),
  ).toEqual(before.toReversed());
  expect(JSON.stringify(given)).not.toMatch(/[a-z]/i);
});

test("letters stand for whose a model is", () => {
  expect(
    ["OpenAI", "Anthropic", "Google DeepMind", "xAI", "Mistral"].map((name) => lettersOfModel(model(name))),
  ).toEqual(["OA", "An", "GD", "AI", "Mi"]);
  expect(lettersOfModel(model("Unknown", "gpt-6"))).toBe("G6");
  expect(lettersOfModel(model("", "gamma"))).toBe("Ga");
});

const css = readFileSync(new URL("../styles/tokens.css", import.meta.url), "utf8");
const tokenOf = (selector: string, name: string) =>
  new RegExp(`--${name}: ([^;]+);`).exec(css.slice(css.indexOf(`${selector} {`)))?.[1] ?? "";

test.each([":root", ".light"])("letters can be read on every mark, %s", (theme) => {
  const [light, chroma] = ["dot-light", "dot-chroma"].map((name) => Number(tokenOf(theme, name))) as [
    number,
    number,
  ];
  const tones = new Tones();
  for (const name of NAMES) {
    const { hue, dark } = tones.of(name);
    const mark = hexOf(light - (dark ? 0.1 : 0), chroma, hue);
    expect(contrast(mark, tokenOf(theme, "mark-ink")), `${name} ${mark}`).toBeGreaterThanOrEqual(4.5);
  }
});

/** An oklch colour as the nearest sRGB one, "#rrggbb". */
function hexOf(light: number, chroma: number, hue: number): string {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const channels = linear.map((value) => {
    const part = Math.min(1, Math.max(0, value));
    return Math.round(255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055));
  });
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
