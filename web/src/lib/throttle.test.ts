import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttle } from "@/lib/throttle";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a run of calls acts at once, and once more at the end of the while", () => {
  let acts = 0;
  const { soon } = throttle(() => {
    acts += 1;
  }, 400);
  for (let call = 0; call < 5; call += 1) soon();
  expect(acts).toBe(1);
  vi.advanceTimersByTime(400);
  expect(acts).toBe(2);
  vi.advanceTimersByTime(4000);
  expect(acts).toBe(2);
  soon();
  expect(acts).toBe(3);
});

test("nothing acts after it was stopped", () => {
  let acts = 0;
  const { soon, stop } = throttle(() => {
    acts += 1;
  }, 400);
  soon();
  soon();
  stop();
  vi.advanceTimersByTime(4000);
  expect(acts).toBe(1);
});
