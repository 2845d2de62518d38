/** A past battle as a reel: its turns one after another, each reply at the pace at which it came. Pure. */
import type { Replay } from "@/api/votes";

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

/** One turn as a reel: the replies that were asked for together, and one such step after the other. */
export function stepsOf(replay: Replay): Reel {
  const steps = new Map<string, Replay>();
  for (const reply of replay.replies.filter(({ path }) => path === "")) {
    const step = `${reply.round} ${reply.purpose}`;
    const before = steps.get(step)?.replies ?? [];
    steps.set(step, { ...replay, replies: [...before, reply] });
  }
  return buildReel([...steps.values()]);
}
