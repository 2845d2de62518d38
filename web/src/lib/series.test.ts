import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contrast } from "@/lib/contrast";
import { MAKERS } from "@/lib/makers";
import { colorOf, colorOfModel, type Given, lettersOf, markOf, Tones } from "@/lib/series";

const NAMES = Array.from({ length: 96 }, (_, number) => `Organisation ${number}`);

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
  expect(["Open Labs", "Google DeepMind", "acme", "AI"].map(lettersOf)).toEqual(["OL", "GD", "Ac", "AI"]);
  expect(markOf("OpenAI", "GPT-4o mini").letters).toBe("O");
  expect(markOf("Acme Labs", "gpt-6")).toMatchObject({ letters: "AL", ink: "var(--mark-ink)" });
});

test("a model whose maker nobody knows has a mark without a colour of its own", () => {
  expect(markOf("", "tuned-v3")).toMatchObject({ letters: "TV", back: null });
});

test("the makers of the page are those of the server, each with letters and a colour of its own", () => {
  const toml = readFileSync(
    new URL("../../../src/parley/features/catalog/known_models/makers.toml", import.meta.url),
    "utf8",
  );
  const names = [...toml.matchAll(/\[\[maker\]\]\nname = "([^"]+)"/g)].map(([, name]) => name);
  expect([...MAKERS.keys()].sort()).toEqual(names.sort());
  const makers = [...MAKERS.values()];
  expect(new Set(makers.map(({ letters }) => letters)).size).toBe(makers.length);
  expect(new Set(makers.map(({ color }) => color)).size).toBe(makers.length);
});

test.each([...MAKERS])("white can be read on the mark of %s, in both themes", (_, { color }) => {
  expect(contrast(color, "#ffffff")).toBeGreaterThanOrEqual(4.5);
});

test("a maker's models have its colour, and others their own", () => {
  expect(colorOfModel({ id: "a", organization: "Meta" })).toContain("#0571ad");
  expect(colorOfModel({ id: "a", organization: "" })).not.toBe(colorOfModel({ id: "b", organization: "" }));
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
