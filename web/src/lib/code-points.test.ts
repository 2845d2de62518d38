import { expect, it } from "vitest";
import { partOf } from "@/lib/code-points";

it("cuts by code points", () => {
  expect(partOf("🇫🇷 Paris. Answers: none", 0, 9)).toBe("🇫🇷 Paris.");
  expect(partOf("Paris. Answers", 0, 6)).toBe("Paris.");
});
