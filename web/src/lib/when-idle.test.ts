import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whenIdle } from "@/lib/when-idle";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function page(connection?: { saveData: boolean }) {
  vi.stubGlobal("window", {});
  vi.stubGlobal("navigator", { connection });
}

test("what can wait is done one after the other, once the page has been at rest", async () => {
  page();
  const done: string[] = [];
  whenIdle(["views", "palette"].map((name) => async () => void done.push(name)));
  await vi.advanceTimersByTimeAsync(3900);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(done).toEqual(["views", "palette"]);
});

test("what fails does not keep the rest from being done", async () => {
  page();
  const done: string[] = [];
  whenIdle([() => Promise.reject(new Error("away")), async () => void done.push("palette")]);
  await vi.advanceTimersByTimeAsync(6000);
  expect(done).toEqual(["palette"]);
});

test("nothing is fetched ahead where data is saved", async () => {
  page({ saveData: true });
  const done: string[] = [];
  whenIdle([async () => void done.push("views")]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(done).toEqual([]);
});
