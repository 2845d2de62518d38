/** A past battle as a reel: its turns one after another, each reply at the pace at which it came. Pure. */
import type { Replay, ReplayedReply } from "@/api/votes";

/** Between two turns, as long as it takes to see that a new question stands there. */
export const PAUSE_MS = 900;

export interface Scene {
  start: number;
  end: number;
  replay: Replay;
}

export interface Reel {
  scenes: Scene[];
  /** Milliseconds until the last character. */
  duration: number;
}

export function buildReel(replays: readonly Replay[]): Reel {
  const scenes: Scene[] = [];
  let start = 0;
  for (const replay of replays) {
    const last = Math.max(0, ...replay.replies.map((reply) => reply.timeline.at(-1)?.[0] ?? 0));
    scenes.push({ start, end: start + last, replay });
    start += last + PAUSE_MS;
  }
  return { scenes, duration: scenes.at(-1)?.end ?? 0 };
}

/** The scene that is on at a time: the last one that has begun. */
export function sceneAt(reel: Reel, at: number): { scene: Scene; index: number } | null {
  const index = reel.scenes.findLastIndex((scene) => scene.start <= at);
  const scene = reel.scenes[Math.max(0, index)];
  return scene ? { scene, index: Math.max(0, index) } : null;
}

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
