import { expect, test } from "vitest";
import { QUEUED, waitedText, waitingFor } from "@/features/arena/queue-words";

test("a wait for a place is told once it was longer than half a second", () => {
  expect(waitedText({ queued_ms: 6200 })).toBe("waited 6.20 s for a free place");
  expect(waitedText({ queued_ms: 500 })).toBe("–");
  expect(waitedText({})).toBe("–");
});

test("an empty reply says that it waits for a place, or that its turn does", () => {
  expect(waitingFor({ queued: true })).toBe(QUEUED);
  expect(waitingFor(undefined, { queued: true })).toBe(QUEUED);
  expect(waitingFor({ queued: false }, { queued: false })).toBeUndefined();
});

test("a reply whose Job starts says how far it is", () => {
  expect(waitingFor({ progress: { phase: "starting" } })).toBe("Its Kubernetes Job is starting");
  expect(waitingFor({ progress: { phase: "queued", why: "No node has room." } })).toBe("No node has room.");
  expect(waitingFor({ progress: { share: 0.5 } })).toBeUndefined();
});
