/** A text's blocks, parsed by a worker; while it is written the newest that there are. */
import { startTransition, useEffect, useMemo, useRef, useState } from "react";
import { type Excess, MAX_TEXT, PARSE_MS, STEP_NODES } from "@/components/markdown/limits";
import type { Block } from "@/components/markdown/parse";
import type { ParseResult, ParseTask } from "@/components/markdown/parse-worker";
import { queueFrame, withdraw } from "@/lib/frame-queue";
import { TimedWorker, TookTooLong } from "@/lib/timed-worker";

export interface Laid {
  text: string;
  writing: boolean;
  blocks: Block[];
  /** How many nodes each block has. */
  sizes: number[];
  math: boolean;
  /** Set where the text must be shown plainly. */
  excess: Excess | null;
}

const parser = new TimedWorker<ParseTask, ParseResult>(
  () => new Worker(new URL("./parse-worker.ts", import.meta.url), { type: "module" }),
  PARSE_MS,
);

// It takes longer to load than a long session takes to come.
parser.warm();

/** Done texts that were parsed lately and are small enough to be shown in the same frame, newest last. */
const recent = new Map<string, Laid>();
const MOST_RECENT = 60;

/** The blocks of a text that nobody is writing; null where it must stand as plain text. */
export async function parseWhole(text: string): Promise<Block[] | null> {
  try {
    const result = await parser.run({ answer: "whole", text, writing: false });
    return "excess" in result ? null : result.blocks;
  } catch {
    return null;
  }
}

/** The newest blocks that there are for this text; null until the first ones come. */
export function useParsed(text: string, writing: boolean): Laid | null {
  const [laid, setLaid] = useState<Laid | null>(() => (writing ? null : (recent.get(text) ?? null)));
  const wanted = useRef({ text, writing });
  wanted.current = { text, writing };
  const [line] = useState(() => new Line(wanted, setLaid));
  const tooLong = text.length > MAX_TEXT;
  const behind = !tooLong && (laid?.text !== text || laid.writing !== writing);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again for every text that is not laid out yet
  useEffect(() => {
    if (behind) line.ask();
  }, [behind, line, text, writing]);
  useEffect(() => line.open(), [line]);
  const long = useMemo(() => (tooLong ? plainly(text, writing, "length") : null), [tooLong, text, writing]);
  return long ?? laid;
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

const plainly = (text: string, writing: boolean, excess: Excess): Laid => ({
  text,
  writing,
  blocks: [],
  sizes: [],
  math: false,
  excess,
});

/** Asks for one parse at a time, and shows it in a frame of its own, so that many answers share the page's time. */
class Line {
  private static count = 0;
  private readonly answer = String(++Line.count);
  private asked = false;
  private last: Laid | null = null;
  private tookTooLong = false;

  constructor(
    private readonly wanted: { current: { text: string; writing: boolean } },
    private readonly show: (laid: Laid) => void,
  ) {}

  /** Returns what closes it. */
  open(): () => void {
    return () => {
      withdraw(this.lay);
      this.asked = false;
    };
  }

  async ask(): Promise<void> {
    if (this.asked) return;
    const { text, writing } = this.wanted.current;
    this.asked = true;
    this.last = await this.parse(text, writing);
    if (!writing && sum(this.last.sizes) < STEP_NODES) remember(this.last);
    queueFrame(this.lay);
  }

  private readonly lay = () => {
    const laid = this.last;
    this.asked = false;
    if (!laid) return;
    startTransition(() => this.show(laid));
    const now = this.wanted.current;
    if (now.text !== laid.text || now.writing !== laid.writing) this.ask();
  };

  private async parse(text: string, writing: boolean): Promise<Laid> {
    // A text that took too long once would do so at every word that is added.
    if (this.tookTooLong) return plainly(text, writing, "time");
    try {
      const result = await parser.run({ answer: this.answer, text, writing });
      if ("excess" in result) return plainly(text, writing, result.excess);
      const { kept, blocks, sizes, math } = result;
      const before = kept > 0 ? (this.last?.blocks.slice(0, kept) ?? []) : [];
      return { text, writing, blocks: [...before, ...blocks], sizes, math, excess: null };
    } catch (error) {
      this.tookTooLong = error instanceof TookTooLong;
      return plainly(text, writing, this.tookTooLong ? "time" : "fault");
    }
  }
}

function remember(laid: Laid): void {
  recent.delete(laid.text);
  recent.set(laid.text, laid);
  const oldest = recent.keys().next().value;
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
}
