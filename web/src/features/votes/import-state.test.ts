import { expect, test } from "vitest";
import type { ImportEvent, ImportReport } from "@/api/votes";
import { afterEvent, type ImportState, mayCancel, remainingMs } from "@/features/votes/import-state";

const file = { name: "votes.csv" } as File;
const sending: ImportState = { step: "sending", file, begunAt: 5 };
const progress = (phase: "reading" | "storing") =>
  ({
    kind: "import.progress",
    phase,
    read: 10,
    imported: 0,
    duplicates: 0,
    bad: 0,
    total: null,
    done: 0.2,
  }) as ImportEvent;

test("an import can be taken back until its end", () => {
  const reading = afterEvent(sending, progress("reading"));
  const storing = afterEvent(reading, progress("storing"));
  expect([sending, reading, storing].map(mayCancel)).toEqual([true, true, true]);
  expect(storing).toMatchObject({ step: "running", begunAt: 5 });
});

test("it ends once, whatever comes after", () => {
  const report = { imported: 3 } as ImportReport;
  const done = afterEvent(sending, { kind: "import.done", report } as ImportEvent);
  expect(done).toEqual({ step: "done", file, report });
  expect(afterEvent(done, progress("reading"))).toBe(done);
});

test("a failure says why, and which rows are to blame", () => {
  const event = { kind: "import.failed", error: { title: "No.", detail: "Line 3." }, report: null };
  expect(afterEvent(sending, event as ImportEvent)).toMatchObject({
    step: "failed",
    title: "No.",
    detail: "Line 3.",
  });
  expect(afterEvent(sending, { kind: "import.else" } as unknown as ImportEvent)).toBe(sending);
});

test("what is left is told once it is more than a guess", () => {
  expect(remainingMs(300, 0.5)).toBeNull();
  expect(remainingMs(3000, 0.01)).toBeNull();
  expect(remainingMs(4000, 0.8)).toBeCloseTo(1000);
});
