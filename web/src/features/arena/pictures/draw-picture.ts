/** Draws a turn as a picture to share. All of it is drawn here: nothing is asked of anybody. */

import { parseWhole } from "@/components/markdown/use-parsed";
import { countWords, type Laid, layLines, textOf } from "@/features/arena/pictures/lay-lines";
import { type Passage, passagesOf, plainPassages } from "@/features/arena/pictures/passages";
import type { Scene, ShownAnswer } from "@/features/arena/pictures/scene";
import { fontOf, heightOf, type LinesLook, Sheet } from "@/features/arena/pictures/sheet";
import { formatCount } from "@/lib/format";
import { markOf } from "@/lib/series";

export interface PictureLook {
  theme: "dark" | "light";
  /** Wide has the answers side by side; tall has them below each other, for a phone. */
  shape: "wide" | "tall";
}

const GAP = 20;
const PAD = 24;
const LEFT_BUBBLE =
  "M3 5.5A2.5 2.5 0 0 1 5.5 3h5A2.5 2.5 0 0 1 13 5.5v3A2.5 2.5 0 0 1 10.5 11H7l-3 2.6V11a1.5 1.5 0 0 1-1-1.5z";
const RIGHT_BUBBLE =
  "M8 12.5h3.5A3.5 3.5 0 0 0 15 9V7.5A2 2 0 0 1 17 9.5v3a2 2 0 0 1-1 1.7V17l-3-2.5h-3a2 2 0 0 1-2-2z";

const TEXT: LinesLook = {
  size: 17,
  height: 26,
  ink: "var(--ink)",
  quiet: "var(--ink-2)",
  back: "var(--raised)",
  line: "var(--line-strong)",
};

/** The picture as a PNG. Rejects where the browser can't draw or save it. */
export async function drawPicture(scene: Scene, { theme, shape }: PictureLook): Promise<Blob> {
  const probe = document.createElement("div");
  probe.className = theme;
  probe.hidden = true;
  document.body.append(probe);
  try {
    const texts = await Promise.all(scene.answers.map(({ text }) => passagesIn(text)));
    await loadFonts(scene);
    const wide = shape === "wide";
    const sheet = new Sheet(probe, wide ? 1200 : 720);
    const edge = wide ? 56 : 36;
    let y = head(sheet, scene, edge);
    y = answers(sheet, scene, texts, { edge, top: y, columns: wide ? columnsOf(scene) : 1 });
    return await sheet.finish(foot(sheet, scene, edge, y), "var(--page)");
  } finally {
    probe.remove();
  }
}

const columnsOf = ({ answers: { length } }: Scene) => (length < 4 ? length : length === 4 ? 2 : 3);

async function passagesIn(text: string): Promise<Passage[]> {
  const blocks = await parseWhole(text);
  return blocks ? passagesOf(blocks) : plainPassages(text.slice(0, 20_000));
}

/** Fonts are loaded by the signs that they are needed for. */
async function loadFonts({ question, answers: all }: Scene): Promise<void> {
  const text = `Parley…${question}${all.map((each) => each.name + each.maker + each.text.slice(0, 20_000)).join("")}`;
  const fonts = [
    fontOf({ size: 17, color: "" }),
    fontOf({ size: 17, weight: 650, color: "" }),
    fontOf({ size: 17, mono: true, color: "" }),
  ];
  // Where one can't be loaded, the system's stands in.
  await Promise.allSettled(fonts.map((font) => document.fonts.load(font, text)));
}

/** Whose picture it is, the question, and what came of it; returns where it ends. */
function head(sheet: Sheet, scene: Scene, edge: number): number {
  const width = sheet.width - 2 * edge;
  const quiet = { size: 15, color: "var(--ink-2)" };
  sheet.shape(LEFT_BUBBLE, edge - 4, edge - 6, 1.5, { fill: "var(--seat-a)" });
  sheet.shape(RIGHT_BUBBLE, edge - 4, edge - 6, 1.5, { fill: "var(--seat-b)" });
  sheet.text("Parley", edge + 34, edge + 15, { size: 17, weight: 650, color: "var(--ink)" });
  sheet.text(scene.kind, sheet.width - edge, edge + 15, quiet, "right");
  const look = { ...TEXT, size: 26, height: 35 };
  const asked = layLines(plainPassages(scene.question), width, 4, (text) =>
    sheet.measure(text, { size: 26, weight: 600, color: "" }),
  );
  let y = edge + 46;
  for (const { runs } of asked.lines) {
    const line = runs.map(({ text }) => text).join("");
    sheet.text(line, edge, y + 26, { size: 26, weight: 600, color: look.ink });
    y += look.height;
  }
  const cut = asked.cut ? shownOf(asked, scene.question, "question") : "";
  const about = [scene.asked, cut].filter(Boolean).join(" · ");
  if (about) {
    sheet.text(about, edge, y + 20, quiet);
    y += 28;
  }
  return result(sheet, scene, edge, y + 10);
}

function result(sheet: Sheet, scene: Scene, edge: number, top: number): number {
  const width = sheet.width - 2 * edge;
  const color = scene.byPerson ? "var(--gold)" : "var(--ink)";
  let y = top;
  const lines = [
    { texts: scene.result, size: 20, weight: 600, color, height: 30 },
    ...scene.more.map((texts) => ({ texts, size: 15, weight: 400, color: "var(--ink-2)", height: 23 })),
  ];
  for (const { texts, height, ...look } of lines) {
    const laid = layLines(plainPassages(texts), width, 3, (text) => sheet.measure(text, look));
    for (const { runs } of laid.lines) {
      sheet.text(runs.map(({ text }) => text).join(""), edge, y + height * 0.72, look);
      y += height;
    }
  }
  return y + 16;
}

interface Grid {
  edge: number;
  top: number;
  columns: number;
}

/** The panels in rows; those of a row are as tall as its tallest. Returns where they end. */
function answers(sheet: Sheet, scene: Scene, texts: Passage[][], { edge, top, columns }: Grid): number {
  const width = (sheet.width - 2 * edge - (columns - 1) * GAP) / columns;
  const most = mostLines(scene.answers.length, columns);
  let y = top;
  for (let start = 0; start < scene.answers.length; start += columns) {
    const row = scene.answers.slice(start, start + columns);
    const panels = row.map((answer, at) =>
      panelOf(sheet, answer, texts[start + at] ?? [], [edge + at * (width + GAP), y, width], most),
    );
    const height = Math.max(...panels.map((panel) => panel.height));
    for (const panel of panels) panel.draw(height);
    y += height + GAP;
  }
  return y;
}

/** As many for each, so that no answer is shown better than another. */
function mostLines(count: number, columns: number): number {
  if (count === 1) return 30;
  if (columns === 1) return count === 2 ? 16 : count === 3 ? 12 : 8;
  return count < 4 ? 22 : 12;
}

type Spot = readonly [x: number, y: number, width: number];

/** A panel's height, and what draws it in a height that is no less. */
function panelOf(sheet: Sheet, answer: ShownAnswer, passages: Passage[], [x, y, width]: Spot, most: number) {
  const space = width - 2 * PAD;
  const laid = layLines(passages, space, most, sheet.measureLines(TEXT));
  const cut = laid.cut ? shownOf(laid, textOf(passages), "answer") : "";
  const left = [cut, answer.without].filter(Boolean).join(" · ");
  const begin = y + (answer.facts ? 106 : 82);
  const lines = laid.lines.length > 0 ? laid.lines : EMPTY;
  const end = begin + heightOf(lines, TEXT);
  return {
    height: end - y + (left ? 30 : 0) + PAD - 6,
    draw: (height: number) => {
      const line = answer.picked ? "var(--gold-line)" : "var(--line-strong)";
      sheet.box([x, y, width, height], {
        fill: "var(--surface)",
        line,
        radius: 14,
        thick: answer.picked ? 2 : 1,
      });
      label(sheet, answer, [x + PAD, y + PAD - 4, space]);
      sheet.lines(lines, x + PAD, begin, space, TEXT);
      if (left) sheet.text(left, x + PAD, y + height - PAD + 4, { size: 13.5, color: "var(--ink-3)" });
    },
  };
}

const EMPTY: Laid["lines"] = [
  {
    kind: "quote",
    indent: 0,
    marker: "",
    first: true,
    rtl: false,
    runs: [{ text: "No text.", style: "plain" }],
  },
];

/** Who answered: the maker's mark in its colour, the name, the maker, and what was picked. */
function label(sheet: Sheet, answer: ShownAnswer, [x, y, width]: Spot): void {
  const { letters, back, ink } = markOf(answer.organization, answer.name);
  sheet.box([x, y, 40, 40], { fill: back ?? "var(--raised)", line: answer.color, radius: 10, thick: 2 });
  const small = letters.length > 1 ? 15 : 18;
  sheet.text(
    letters,
    x + 20,
    y + 20 + small * 0.36,
    { size: small, weight: 650, color: ink || "var(--ink-2)" },
    "center",
  );
  const tag = answer.picked ? 92 : 0;
  const name = { size: 18, weight: 650, color: "var(--ink)" };
  const maker = { size: 13.5, color: "var(--ink-2)" };
  const space = width - 54;
  const middle = answer.maker ? y + 17 : y + 26;
  sheet.text(sheet.within(answer.name, space - tag, name), x + 54, middle, name);
  if (answer.maker) sheet.text(sheet.within(answer.maker, space - tag, maker), x + 54, y + 37, maker);
  if (answer.picked) {
    sheet.box([x + width - 82, y + 6, 82, 27], { fill: "var(--gold-line)", radius: 7 });
    sheet.shape("M0 4.2l3.4 3.4 7-7.4", x + width - 73, y + 15.5, 1, { line: "var(--seal)" });
    sheet.text("Picked", x + width - 57, y + 24.5, { size: 13.5, weight: 650, color: "var(--seal)" });
  }
  if (!answer.facts) return;
  const facts = { size: 14.5, weight: 550, color: "var(--ink-2)" };
  sheet.text(sheet.within(answer.facts, width, facts), x, y + 66, facts);
}

/** How much of a text is seen, so that nobody takes it for all of it. */
function shownOf(laid: Laid, whole: string, what: "answer" | "question"): string {
  const [shown, all] = [countWords(textOf(laid.lines)), countWords(whole)];
  return `Shortened: the first ${formatCount(Math.min(shown, all))} of ${formatCount(all)} words of the ${what}`;
}

function foot(sheet: Sheet, scene: Scene, edge: number, y: number): number {
  const quiet = { size: 13.5, color: "var(--ink-3)" };
  const day = new Date(scene.at);
  const date = day.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  sheet.text(date, edge, y + 16, quiet);
  sheet.text("Made with Parley", sheet.width - edge, y + 16, quiet, "right");
  return y + 16 + edge - 10;
}
