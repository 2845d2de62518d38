/** Has views drawn in a sandboxed frame. What comes back becomes an image, so nothing in it can run or load. */

import { DrawingFrame, type Picture, pictureOf, tokensOf } from "@/components/drawing-frame";
import type { ViewDrawing, ViewTask } from "@/components/views/view-frame";
import { TimedWorker } from "@/lib/timed-worker";

const DRAW_MS = 10_000;
const drawer = new TimedWorker<ViewTask, ViewDrawing>(() => new DrawingFrame("/view.html", "Views"), DRAW_MS);

/** The picture of a view. Throws where it can't be drawn, and where that takes too long. */
export async function drawView(
  { spec, rows, width }: Pick<ViewTask, "spec" | "rows" | "width">,
  light: boolean,
): Promise<Picture> {
  const drawing = await drawer.run({ spec, rows, width, config: configOf(tokensOf(light)) });
  if ("problem" in drawing) throw new Error(drawing.problem);
  return pictureOf(drawing.svg);
}

/** Vega-Lite's config in the colours of a theme. */
function configOf(token: (name: string) => string) {
  const lines = { gridColor: token("line"), domainColor: token("line"), tickColor: token("line") };
  const words = { labelColor: token("ink-2"), titleColor: token("ink-2"), titleFontWeight: "normal" };
  return {
    font: "system-ui, sans-serif",
    axis: { ...lines, ...words, labelFontSize: 12, titleFontSize: 12 },
    legend: { ...words, labelFontSize: 12, titleFontSize: 12 },
    header: words,
    title: { color: token("ink") },
    text: { color: token("ink") },
    view: { stroke: null },
    mark: { color: token("series-1") },
    range: { category: Array.from({ length: 8 }, (_, at) => token(`series-${at + 1}`)) },
  };
}
