/** Has diagrams drawn in a sandboxed frame. What comes back becomes an image, so nothing in it can run or load. */

import { DrawingFrame, type Picture, pictureOf, tokensOf } from "@/components/drawing-frame";
import type { Drawing, DrawTask } from "@/components/markdown/diagram-frame";
import { DRAW_MS } from "@/components/markdown/limits";
import { TimedWorker } from "@/lib/timed-worker";

const drawer = new TimedWorker<DrawTask, Drawing>(
  () => new DrawingFrame("/diagram.html", "Diagrams"),
  DRAW_MS,
);

/** The picture of a diagram; null where it can't be drawn. */
export async function drawDiagram(source: string, light: boolean): Promise<Picture | null> {
  const svg = await drawer.run({ source, theme: colours(light) });
  return typeof svg === "string" ? pictureOf(svg) : null;
}

/** The colours of a theme, as Mermaid calls them. */
function colours(light: boolean) {
  const token = tokensOf(light);
  return {
    darkMode: !light,
    fontSize: "14px",
    background: token("page"),
    primaryColor: token("raised"),
    primaryTextColor: token("ink"),
    primaryBorderColor: token("ink-3"),
    secondaryColor: token("surface"),
    tertiaryColor: token("surface"),
    lineColor: token("ink-3"),
    textColor: token("ink"),
    edgeLabelBackground: token("page"),
    dropShadow: "none",
    useGradient: false,
  };
}
