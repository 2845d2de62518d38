import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createHeldKey, HELD_MS } from "@/lib/held-key";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a key that stays alone acts", () => {
  const act = vi.fn();
  const key = createHeldKey(() => undefined);
  key.press("1", act);
  vi.advanceTimersByTime(HELD_MS - 1);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledTimes(1);
  expect(key.takeText()).toBeUndefined();
});

test("a key that another one follows is text, and never acts", () => {
  const act = vi.fn();
  const held: boolean[] = [];
  const key = createHeldKey((now) => held.push(now));
  key.press("&", act);
  expect(key.takeText()).toBe("&");
  vi.advanceTimersByTime(HELD_MS * 2);
  expect(act).not.toHaveBeenCalled();
  expect(held).toEqual([true, false]);
});

test("a second command takes the first one's place, and a dropped one never acts", () => {
  const [first, second, third] = [vi.fn(), vi.fn(), vi.fn()];
  const key = createHeldKey(() => undefined);
  key.press("1", first);
  key.press("2", second);
  vi.advanceTimersByTime(HELD_MS);
  key.press("3", third);
  key.drop();
  vi.advanceTimersByTime(HELD_MS);
  expect([first, second, third].map((each) => each.mock.calls.length)).toEqual([0, 1, 0]);
});
