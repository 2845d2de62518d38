import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queueFrame, withdraw } from "@/lib/frame-queue";

let frames: (() => void)[] = [];

function nextFrame(): void {
  const [first, ...rest] = frames;
  frames = rest;
  first?.();
  vi.runAllTimers();
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
});

afterEach(() => {
  while (frames.length > 0) nextFrame();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("each work has a frame of its own, in the order of asking, and asking twice counts once", () => {
  const done: string[] = [];
  const works = ["a", "b", "c"].map((name) => () => void done.push(name));
  for (const work of [...works, ...works]) queueFrame(work);
  expect(frames).toHaveLength(1);
  nextFrame();
  expect(done).toEqual(["a"]);
  nextFrame();
  nextFrame();
  expect(done).toEqual(["a", "b", "c"]);
  expect(frames).toHaveLength(0);
});

test("what asks again in its frame waits for the others", () => {
  const done: string[] = [];
  const greedy = () => {
    done.push("greedy");
    if (done.length < 4) queueFrame(greedy);
  };
  queueFrame(greedy);
  queueFrame(() => void done.push("patient"));
  for (let frame = 0; frame < 4; frame++) nextFrame();
  expect(done).toEqual(["greedy", "patient", "greedy", "greedy"]);
});

test("what is withdrawn is not done, and holds nobody up for longer than its frame", () => {
  const done: string[] = [];
  const left = () => void done.push("left");
  queueFrame(left);
  queueFrame(() => void done.push("stays"));
  withdraw(left);
  nextFrame();
  expect(done).toEqual(["stays"]);
});
