/** A canvas that is drawn once its height is known: what is to be drawn is noted from above. */

import type { Line, Measure } from "@/features/arena/pictures/lay-lines";
import { INDENT } from "@/features/arena/pictures/lay-lines";
import type { Style } from "@/features/arena/pictures/passages";

/** Pixels of the picture for each of the drawing. */
const SCALE = 2;
const SANS = '"Inter Variable", system-ui, sans-serif';
const MONO = '"JetBrains Mono Variable", ui-monospace, monospace';

export interface TextLook {
  size: number;
  weight?: number;
  color: string;
  mono?: boolean;
  italic?: boolean;
}

export const fontOf = ({ size, weight = 400, mono, italic }: TextLook): string =>
  `${italic ? "italic " : ""}${weight} ${size}px ${mono ? MONO : SANS}`;

/** How a text of lines looks. */
export interface LinesLook {
  size: number;
  height: number;
  ink: string;
  quiet: string;
  back: string;
  line: string;
}

/** The space between a passage and the one above it. */
const gapAbove = (line: Line, at: number, { size }: LinesLook) =>
  line.first && at > 0 ? size * (line.marker && line.kind === "text" ? 0.25 : 0.6) : 0;

export const heightOf = (lines: readonly Line[], look: LinesLook): number =>
  lines.reduce((sum, line, at) => sum + gapAbove(line, at, look) + look.height, 0);

export class Sheet {
  private readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private readonly drawings: (() => void)[] = [];

  constructor(
    private readonly probe: HTMLElement,
    readonly width: number,
  ) {
    const context = this.canvas.getContext("2d");
    if (!context) throw new Error("This browser can’t draw pictures.");
    this.context = context;
  }

  /** A colour of the look, from CSS such as `var(--ink)`. */
  color(css: string): string {
    this.probe.style.color = "";
    this.probe.style.color = css;
    return getComputedStyle(this.probe).color;
  }

  measure(text: string, look: TextLook): number {
    this.context.font = fontOf(look);
    return this.context.measureText(text).width;
  }

  /** The text, ended with "…" where it is wider. */
  within(text: string, width: number, look: TextLook): string {
    if (this.measure(text, look) <= width) return text;
    const signs = [...text];
    while (signs.length > 1 && this.measure(`${signs.join("")}…`, look) > width) signs.pop();
    return `${signs.join("").trimEnd()}…`;
  }

  text(text: string, x: number, baseline: number, look: TextLook, align: CanvasTextAlign = "left"): void {
    const color = this.color(look.color);
    this.drawings.push(() => {
      this.context.font = fontOf(look);
      this.context.fillStyle = color;
      this.context.textAlign = align;
      this.context.fillText(text, x, baseline);
    });
  }

  box(
    [x, y, width, height]: readonly [number, number, number, number],
    look: { fill?: string; line?: string; radius?: number; thick?: number },
  ): void {
    const fill = look.fill && this.color(look.fill);
    const line = look.line && this.color(look.line);
    this.drawings.push(() => {
      this.context.beginPath();
      this.context.roundRect(x, y, width, height, look.radius ?? 0);
      if (fill) {
        this.context.fillStyle = fill;
        this.context.fill();
      }
      if (line) {
        this.context.strokeStyle = line;
        this.context.lineWidth = look.thick ?? 1;
        this.context.stroke();
      }
    });
  }

  shape(path: string, x: number, y: number, scale: number, look: { fill?: string; line?: string }): void {
    const fill = look.fill && this.color(look.fill);
    const line = look.line && this.color(look.line);
    this.drawings.push(() => {
      this.context.save();
      this.context.translate(x, y);
      this.context.scale(scale, scale);
      if (fill) {
        this.context.fillStyle = fill;
        this.context.fill(new Path2D(path));
      }
      if (line) {
        this.context.strokeStyle = line;
        this.context.lineWidth = 2.4;
        this.context.lineCap = "round";
        this.context.lineJoin = "round";
        this.context.stroke(new Path2D(path));
      }
      this.context.restore();
    });
  }

  measureLines({ size }: LinesLook): Measure {
    return (text, style, kind) => this.measure(text, lookOf(style, kind, size, ""));
  }

  /** Lines from a place downwards; returns where they end. */
  lines(lines: readonly Line[], x: number, top: number, width: number, look: LinesLook): number {
    let y = top;
    lines.forEach((line, at) => {
      y += gapAbove(line, at, look);
      this.lineAt(line, x, y, width, look);
      y += look.height;
    });
    return y;
  }

  private lineAt(
    { kind, indent, marker, rtl, runs }: Line,
    x: number,
    y: number,
    width: number,
    look: LinesLook,
  ) {
    const left = x + indent * INDENT;
    if (kind === "code")
      this.box([left, y - 2, width - indent * INDENT, look.height + 1], { fill: look.back });
    if (kind === "quote") this.box([left, y, 3, look.height], { fill: look.line });
    const baseline = y + look.height * 0.7;
    const ink = kind === "quote" ? look.quiet : look.ink;
    if (marker) this.text(marker, left - 8, baseline, { size: look.size, color: look.quiet }, "right");
    const inset = kind === "quote" ? INDENT / 1.5 : kind === "code" ? INDENT / 2 : 0;
    let place = rtl ? x + width : left + inset;
    for (const { text, style } of runs) {
      const own = lookOf(style, kind, look.size, ink);
      this.text(text, place, baseline, own, rtl ? "right" : "left");
      place += (rtl ? -1 : 1) * this.measure(text, own);
    }
  }

  /** The picture, as a PNG. */
  finish(height: number, fill: string): Promise<Blob> {
    this.canvas.width = this.width * SCALE;
    this.canvas.height = Math.ceil(height) * SCALE;
    this.context.scale(SCALE, SCALE);
    this.context.fillStyle = this.color(fill);
    this.context.fillRect(0, 0, this.width, Math.ceil(height));
    for (const draw of this.drawings) draw();
    return new Promise((resolve, reject) =>
      this.canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("This browser can’t save this picture."))),
        "image/png",
      ),
    );
  }
}

function lookOf(style: Style, kind: Line["kind"], size: number, color: string): TextLook {
  if (style === "code") return { size: size * 0.86, mono: true, color };
  const heading = kind === "heading";
  return {
    size: heading ? size * 1.06 : size,
    weight: heading || style === "bold" ? 650 : 400,
    italic: style === "italic",
    color,
  };
}
