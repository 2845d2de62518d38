/** What stood there of a reply at a time of its replay. Pure. */
import type { ReplayedReply } from "@/api/votes";

/** How many characters (code points) of a reply there were so many milliseconds after its turn began. */
export function charactersAt(timeline: ReplayedReply["timeline"], at: number): number {
  let [low, high] = [0, timeline.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timeline[middle]?.[0] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : (timeline[low - 1]?.[1] ?? 0);
}

/** The first so many code points of a text, which JavaScript counts otherwise. */
export function cut(text: string, characters: number): string {
  let at = 0;
  for (let count = 0; count < characters && at < text.length; count += 1) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, at);
}

/** What stands on a panel at a time; from its last mark on the whole text, whatever the marks missed. */
export function textAt(reply: ReplayedReply, at: number): { text: string; writing: boolean } {
  const end = reply.timeline.at(-1)?.[0] ?? 0;
  if (at >= end) return { text: reply.text, writing: false };
  return { text: cut(reply.text, charactersAt(reply.timeline, at)), writing: true };
}
