/**
 * The script of diagram.html: draws Mermaid diagrams in a sandboxed frame, which has no origin, no network and no way
 * to the page but a message with the drawing.
 */
import mermaid from "mermaid";
import { MAX_DIAGRAM, MAX_DRAWING } from "@/components/markdown/limits";

export interface DrawTask {
  source: string;
  theme: Record<string, string | boolean>;
}

/** The drawing as SVG, which the page shows as a picture only; null where it can't be drawn. */
export type Drawing = string | null;

async function draw({ source, theme }: DrawTask): Promise<Drawing> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    maxTextSize: MAX_DIAGRAM,
    maxEdges: 300,
    theme: "base",
    look: "classic",
    themeVariables: theme,
    fontFamily: "system-ui, sans-serif",
    htmlLabels: false,
    suppressErrorRendering: true,
  });
  const { svg } = await mermaid.render("diagram", source);
  return svg.length <= MAX_DRAWING ? svg : null;
}

const say = (message: Drawing | "ready") => window.parent.postMessage(message, "*");

window.onmessage = async ({ data, source }: MessageEvent<DrawTask>) => {
  if (source !== window.parent) return;
  say(await draw(data).catch(() => null));
  document.body.replaceChildren();
};
say("ready");
