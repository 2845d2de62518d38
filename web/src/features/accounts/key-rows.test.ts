import { expect, test } from "vitest";
import { lastingId } from "@/features/accounts/key-dialog";
import { expiry } from "@/features/accounts/key-rows";

test("a key says when it expires, and that it has", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  expect(expiry("2026-05-30T12:00:00+00:00", now)).toBe("expires on May 30, 2026");
  expect(expiry("2026-03-01T11:59:00+00:00", now)).toBe("expired");
});

test("a key allows a preset beyond its next change", () => {
  expect(lastingId({ id: "jury-r12", kind: "ensemble" })).toBe("jury");
  expect(lastingId({ id: "gpt-r1", kind: "single" })).toBe("gpt-r1");
});
