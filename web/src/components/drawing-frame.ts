/** A sandboxed frame that draws, and what becomes of its drawing: a picture, so that nothing in it can run or load. */

import type { WorkerLike } from "@/lib/timed-worker";

/** A hidden frame that is spoken to as a worker is. */
export class DrawingFrame implements WorkerLike {
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  private readonly element = document.createElement("iframe");

  constructor(url: string, title: string) {
    this.element.setAttribute("sandbox", "allow-scripts");
    this.element.src = url;
    this.element.title = title;
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

export interface Picture {
  url: string;
  width: number | undefined;
}

export function pictureOf(svg: string): Picture {
  const width = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) /.exec(svg)?.[1];
  return {
    url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
    width: width ? Math.ceil(Number(width)) : undefined,
  };
}

/** The colours of a theme, of the page's or the other one; a frame cannot read the style sheet. */
export function tokensOf(light: boolean): (name: string) => string {
  const probe = document.createElement("div");
  probe.className = light ? "light" : "dark";
  probe.hidden = true;
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const known = new Map<string, string>();
  for (const name of TOKENS) known.set(name, style.getPropertyValue(`--${name}`).trim());
  probe.remove();
  return (name) => known.get(name) ?? "";
}

const TOKENS = [
  ...["page", "surface", "raised", "line", "ink", "ink-2", "ink-3"],
  ...Array.from({ length: 8 }, (_, at) => `series-${at + 1}`),
];
