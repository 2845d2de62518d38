/**
 * The script of view.html: draws Vega-Lite in a sandboxed frame, which has no origin, no network and no way to the page
 * but a message with the drawing. Expressions are interpreted, so that nothing is evaluated as code.
 */
import { type Config, parse, type Spec, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";

export interface ViewTask {
  spec: Record<string, unknown>;
  rows: Record<string, unknown>[];
  width: number;
  config: Record<string, unknown>;
}

/** The drawing as SVG, or why there is none. */
export type ViewDrawing = { svg: string } | { problem: string };

const MAX_DRAWING = 1_000_000;

/** Loads nothing, and makes no address usable. */
const refuse = () => Promise.reject(new Error("A view loads nothing."));
const loader = { options: {}, load: refuse, sanitize: refuse, http: refuse, file: refuse } as never;

async function draw({ spec, rows, width, config }: ViewTask): Promise<ViewDrawing> {
  const sized =
    "mark" in spec || "layer" in spec ? { width, autosize: { type: "fit", contains: "padding" } } : {};
  const whole = { ...sized, background: "transparent", ...spec, data: { values: rows } };
  const compiled = compile(whole as unknown as TopLevelSpec, { config: config as never });
  const runtime = parse(compiled.spec as Spec, {} as Config, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, loader, renderer: "none" });
  try {
    const svg = await view.toSVG();
    return svg.length <= MAX_DRAWING ? { svg } : { problem: "The picture is too large." };
  } finally {
    view.finalize();
  }
}

const say = (message: ViewDrawing | "ready") => window.parent.postMessage(message, "*");

window.onmessage = async ({ data, source }: MessageEvent<ViewTask>) => {
  if (source !== window.parent) return;
  say(await draw(data).catch((error: unknown) => ({ problem: String(error).slice(0, 300) })));
};
say("ready");
