/** Colours of things that are not seats: of organisations, and of the lines of a chart. */

import { readStored, writeStored } from "@/lib/local-storage";
import { MAKERS } from "@/lib/makers";

const SERIES = 8;
/** Gold is a person's judgement: the hues of names begin behind it and end before it, in degrees. */
const FIRST_HUE = 115;
const HUE_RANGE = 300;
/** Hues that can be told apart. When all are taken, the same ones come darker, then those between them. */
const HUES = 12;
const BETWEEN = [0, 0, 0.5, 0.5, 0.25, 0.25, 0.75, 0.75];
/** From a taken hue to the next one tried: no neighbour, and every one is tried. */
const STRIDE = 5;

/** FNV-1a of a name, its bits mixed once more so that names which are alike part: the same in every browser. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

export interface Tone {
  /** In degrees. */
  hue: number;
  dark: boolean;
}

/** Slots by the hashes of names: a browser remembers no name, only that its colour is taken. */
export type Given = [hash: number, slot: number][];

/** Gives each name a tone of its own: the one that its letters ask for, or the next one that is free. */
export class Tones {
  private readonly slots: Map<number, number>;
  private readonly taken: Set<number>;

  constructor(
    given: Given = [],
    private readonly onGiven: (given: Given) => void = () => undefined,
  ) {
    this.slots = new Map(given);
    this.taken = new Set(this.slots.values());
  }

  of(name: string): Tone {
    const key = hash(name);
    const slot = this.slots.get(key) ?? this.give(key);
    const [row, column] = [Math.floor(slot / HUES), slot % HUES];
    const step = HUE_RANGE / HUES;
    const offset = (BETWEEN[row % BETWEEN.length] ?? 0) * step;
    return { hue: (FIRST_HUE + column * step + offset) % 360, dark: row % 2 === 1 };
  }

  private give(key: number): number {
    const slot = this.free(key);
    this.taken.add(slot);
    this.slots.set(key, slot);
    this.onGiven([...this.slots]);
    return slot;
  }

  private free(wanted: number): number {
    for (let row = 0; ; row += 1) {
      for (let tried = 0; tried < HUES; tried += 1) {
        const slot = row * HUES + ((wanted + tried * STRIDE) % HUES);
        if (!this.taken.has(slot)) return slot;
      }
    }
  }
}

/** Which colour was free depends on who came first: remembered, so that it is the same on every page. */
const tones = new Tones(readStored<Given>("tones", []), (given) => writeStored("tones", given));

/** The colour of a name, which no other one has: an organisation's models share theirs. */
export function colorOf(name: string): string {
  const { hue, dark } = tones.of(name);
  const light = dark ? "calc(var(--dot-light) - 0.1)" : "var(--dot-light)";
  return `oklch(${light} var(--dot-chroma) ${hue})`;
}

interface Owned {
  id: string;
  organization: string;
}

/** A model's maker's colour for lines, bars and dots; its own colour where nobody knows the maker. */
export function colorOfModel({ id, organization }: Owned): string {
  const maker = MAKERS.get(organization);
  if (!maker) return colorOf(organization || id);
  return `color-mix(in oklab, ${maker.color} var(--maker-share), #fff)`;
}

/** The letters and colours of a maker's mark; colours are null for a model whose maker nobody knows. */
export function markOf(
  organization: string,
  name: string,
): { letters: string; back: string | null; ink: string } {
  const maker = MAKERS.get(organization);
  if (maker) return { letters: maker.letters, back: maker.color, ink: "#fff" };
  const letters = lettersOf(organization || name);
  return {
    letters,
    back: organization ? colorOf(organization) : null,
    ink: organization ? "var(--mark-ink)" : "",
  };
}

/** Two letters for a name: its capitals, else how it begins. */
export function lettersOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ["?"];
  const capitals = words.join("").match(/\p{Lu}/gu) ?? [];
  const letters =
    words.length > 1 ? words.map((word) => word[0]) : capitals.length > 1 ? capitals : [...(words[0] ?? "")];
  const [first = "", second = ""] = letters;
  return first.toUpperCase() + (words.length > 1 || capitals.length > 1 ? second.toUpperCase() : second);
}

/** The colour of the n-th line of a chart, from 0; after eight they begin again. */
export const seriesColor = (index: number): string => `var(--series-${(index % SERIES) + 1})`;
