/** Has diagrams drawn in a sandboxed frame. What comes back becomes an image, so nothing in it can run or load. */

import type { Drawing, DrawTask } from "@/components/markdown/diagram-frame";
import { DRAW_MS } from "@/components/markdown/limits";
import { TimedWorker, type WorkerLike } from "@/lib/timed-worker";

/** A hidden frame that is spoken to as a worker is. */
class Frame implements WorkerLike {
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  private readonly element = document.createElement("iframe");

  constructor(url: string) {
    this.element.setAttribute("sandbox", "allow-scripts");
    this.element.src = url;
    this.element.title = "Diagrams";
    this.element.inert = true;
    this.element.setAttribute("aria-hidden", "true");
    // It must have a size: what is not laid out cannot be measured.
    this.element.style.cssText =
      "position:fixed;top:0;left:-3000px;width:1200px;height:800px;border:0;visibility:hidden";
    window.addEventListener("message", this.hear);
    document.body.append(this.element);
  }

  postMessage(task: unknown): void {
    this.element.contentWindow?.postMessage(task, "*");
  }

  terminate(): void {
    window.removeEventListener("message", this.hear);
    this.element.remove();
  }

  private readonly hear = (event: MessageEvent) => {
    if (event.source === this.element.contentWindow) this.onmessage?.(event);
  };
}

const drawer = new TimedWorker<DrawTask, Drawing>(() => new Frame("/diagram.html"), DRAW_MS);

export interface Picture {
  url: string;
  width: number | undefined;
}

/** The picture of a diagram; null where it can't be drawn. */
export async function drawDiagram(source: string, light: boolean): Promise<Picture | null> {
  const svg = await drawer.run({ source, theme: colours(light) });
  if (typeof svg !== "string") return null;
  const width = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) /.exec(svg)?.[1];
  return {
    url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
    width: width ? Math.ceil(Number(width)) : undefined,
  };
}

/** The colours of a theme, of the page's or the other one; a frame cannot read the style sheet. */
function colours(light: boolean) {
  const probe = document.createElement("div");
  probe.className = light ? "light" : "dark";
  probe.hidden = true;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const theme = {
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
  probe.remove();
  return theme;
}
